package rest

// Document is the OpenAPI description of the interface, in JSON.
func Document() []byte { return document }
