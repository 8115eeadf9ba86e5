package rest

import (
	"bytes"
	"embed"
	"html/template"
	"net/http"
	"strings"
)

// pagePolicy lets a page load nothing but our own style sheet: there are no scripts. What looks at pages from within, as
// Lighthouse does, may ask this site for its robots.txt.
const pagePolicy = "default-src 'none'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

//go:embed docs
var files embed.FS

// pages are the pages of this door, written when it is made.
type pages struct {
	docs  []byte
	style []byte
}

func newPages(baseURL string) pages {
	t := template.Must(template.ParseFS(files, "docs/*.html"))
	var docs bytes.Buffer
	if err := t.ExecuteTemplate(&docs, "docs.html", newReference(document, strings.TrimSuffix(baseURL, "/"))); err != nil {
		panic(err) // a programmer's mistake: both are part of the program
	}
	return pages{docs: docs.Bytes(), style: file("docs/style.css")}
}

func (p pages) serveDocs(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Cache-Control", "no-cache")
	writePage(w, http.StatusOK, p.docs)
}

func (p pages) serveStyle(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Cache-Control", "no-cache")
	send(w, http.StatusOK, "text/css; charset=utf-8", p.style)
}

// file is an embedded file.
func file(name string) []byte {
	raw, err := files.ReadFile(name)
	if err != nil {
		panic(err) // a programmer's mistake: it is part of the program
	}
	return raw
}
