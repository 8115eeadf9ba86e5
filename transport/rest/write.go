package rest

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
)

// write answers with a body, which is always JSON of a struct.
func write(w http.ResponseWriter, status int, body any) {
	var raw bytes.Buffer
	e := json.NewEncoder(&raw)
	e.SetEscapeHTML(false)
	if err := e.Encode(body); err != nil { // a programmer's mistake: the bodies are our own structs
		panic(err)
	}
	send(w, status, "application/json", raw.Bytes())
}

// writePage answers with HTML of our own.
func writePage(w http.ResponseWriter, status int, page []byte) {
	w.Header().Set("Content-Security-Policy", pagePolicy)
	send(w, status, "text/html; charset=utf-8", page)
}

func send(w http.ResponseWriter, status int, kind string, body []byte) {
	header := w.Header()
	header.Set("Content-Type", kind)
	header.Set("Content-Length", strconv.Itoa(len(body)))
	header.Set("X-Content-Type-Options", "nosniff")
	if header.Get("Cache-Control") == "" {
		header.Set("Cache-Control", "no-store")
	}
	w.WriteHeader(status)
	_, _ = w.Write(body) // a client that has gone need not be told
}
