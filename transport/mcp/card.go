package mcp

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
)

// Where the documents about the server are. The card is at the published path and at the one beside the endpoint that the
// proposal for server cards names.
const (
	cardPath      = "/.well-known/mcp/server-card.json"
	cardPathOfMCP = "/mcp/server-card"
	catalogPath   = "/.well-known/ai-catalog.json"
)

const cardType = "application/mcp-server-card+json"

// card is the server card (SEP-2127).
type card struct {
	Schema      string     `json:"$schema"`
	Name        string     `json:"name"`
	Version     string     `json:"version"`
	Title       string     `json:"title"`
	Description string     `json:"description"`
	WebsiteURL  string     `json:"websiteUrl"`
	Repository  repository `json:"repository"`
	Icons       []icon     `json:"icons"`
	Remotes     []remote   `json:"remotes"`
}

type repository struct {
	URL    string `json:"url"`
	Source string `json:"source"`
}

type icon struct {
	Src      string   `json:"src"`
	MIMEType string   `json:"mimeType"`
	Sizes    []string `json:"sizes"`
}

type remote struct {
	Type                      string   `json:"type"`
	URL                       string   `json:"url"`
	SupportedProtocolVersions []string `json:"supportedProtocolVersions"`
}

// catalog is the list of what an agent can use here (the AI catalog).
type catalog struct {
	SpecVersion string  `json:"specVersion"`
	Entries     []entry `json:"entries"`
}

type entry struct {
	Identifier  string `json:"identifier"`
	DisplayName string `json:"displayName"`
	Type        string `json:"type"`
	URL         string `json:"url"`
}

// newDocuments are the documents by their paths.
func newDocuments(base, host, version string) map[string]http.Handler {
	raw := marshal(card{
		Schema: "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
		Name:   Name, Version: version, Title: title, Description: description, WebsiteURL: base,
		Repository: repository{"https://github.com/boardwatch/boardwatch", "github"},
		Icons:      []icon{{base + "/favicon.ico", "image/svg+xml", []string{"any"}}},
		Remotes:    []remote{{"streamable-http", base + "/mcp", versions()}},
	})
	about := newDocument(raw, cardType)
	return map[string]http.Handler{
		cardPath: about, cardPathOfMCP: about,
		catalogPath: newDocument(marshal(catalog{"1.0", []entry{
			{"urn:air:" + host + ":mcp:boardwatch", title, cardType, base + cardPathOfMCP},
		}}), "application/ai-catalog+json"),
	}
}

// document is a public file of JSON that any web page may read.
type document struct {
	raw  []byte
	kind string // besides application/json, for those who ask for it
	etag string // weak: compressed, the same content has other bytes
}

func newDocument(raw []byte, kind string) document {
	sum := sha256.Sum256(raw)
	return document{raw, kind, `W/"` + hex.EncodeToString(sum[:8]) + `"`}
}

// ServeHTTP answers GET, HEAD and OPTIONS.
func (d document) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	const methods = "GET, HEAD, OPTIONS"
	header := w.Header()
	header.Set("Access-Control-Allow-Origin", "*")
	header.Set("Access-Control-Expose-Headers", "ETag")
	switch r.Method {
	case http.MethodOptions:
		header.Set("Access-Control-Allow-Methods", methods)
		header.Set("Access-Control-Allow-Headers", allowedHeaders)
		header.Set("Allow", methods)
		w.WriteHeader(http.StatusNoContent)
		return
	case http.MethodGet, http.MethodHead:
	default:
		header.Set("Allow", methods)
		writeError(w, http.StatusMethodNotAllowed, errNotGet)
		return
	}
	kind := "application/json"
	if strings.Contains(strings.Join(r.Header.Values("Accept"), ","), d.kind) {
		kind = d.kind
	}
	header.Add("Vary", "Accept")
	header.Set("Cache-Control", "public, max-age=3600")
	header.Set("ETag", d.etag)
	if d.isKnown(r.Header.Values("If-None-Match")) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	header.Set("Content-Type", kind)
	header.Set("Content-Length", strconv.Itoa(len(d.raw)))
	w.WriteHeader(http.StatusOK)
	if r.Method == http.MethodGet {
		_, _ = w.Write(d.raw) // the client has gone; there is nobody left to tell
	}
}

// isKnown reports whether a client has the document already.
func (d document) isKnown(tags []string) bool {
	for tag := range strings.SplitSeq(strings.Join(tags, ","), ",") {
		if tag = strings.TrimSpace(tag); tag == "*" || strings.TrimPrefix(tag, "W/") == strings.TrimPrefix(d.etag, "W/") {
			return true
		}
	}
	return false
}
