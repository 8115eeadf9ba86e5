package rest

import (
	_ "embed"
	"net/http"
)

// document is the description of the interface. It is written by hand, and tests compare it with what runs.
//
//go:embed openapi.json
var document []byte

func serveDocument(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Cache-Control", "no-cache")
	w.Header().Set("Access-Control-Allow-Origin", "*") // it is public, and tools in browsers read it
	send(w, http.StatusOK, "application/json", document)
}
