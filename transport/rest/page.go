package rest

import (
	"bytes"
	"embed"
	_ "embed"
	"html/template"
	"net/http"
	"strings"
)

// pagePolicy lets a page load nothing.
const pagePolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

//go:embed docs
var files embed.FS

// Reference is the description of the interface at baseURL, as the content of a page of the app.
func Reference(baseURL string) template.HTML {
	t := template.Must(template.ParseFS(files, "docs/docs.html"))
	var page bytes.Buffer
	if err := t.Execute(&page, newReference(document, strings.TrimSuffix(baseURL, "/"))); err != nil {
		panic(err) // a programmer's mistake: both are part of the program
	}
	return template.HTML(page.String()) //nolint:gosec // written by a template
}

// file is an embedded file.
func file(name string) []byte {
	raw, err := files.ReadFile(name)
	if err != nil {
		panic(err) // a programmer's mistake: it is part of the program
	}
	return raw
}

// document is the description of the interface. It is written by hand, and tests compare it with what runs.
//
//go:embed openapi.json
var document []byte

func serveDocument(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Cache-Control", "no-cache")
	w.Header().Set("Access-Control-Allow-Origin", "*") // it is public, and tools in browsers read it
	send(w, http.StatusOK, "application/json", document)
}
