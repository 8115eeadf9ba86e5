package transport

import (
	"compress/gzip"
	"mime"
	"net/http"
	"strings"

	"github.com/klauspost/compress/gzhttp"
)

// worthwhile is the smallest size, in bytes, that is compressed: a shorter answer fits in one packet anyway.
const worthwhile = 1400

// Compress wraps a handler: long texts are sent with gzip to clients that accept it. Encoded answers, parts of files
// and event streams are left unchanged. An answer keeps its entity tag when it is compressed, so tags have to be weak.
func Compress(next http.Handler) http.Handler {
	wrap, err := gzhttp.NewWrapper(
		gzhttp.MinSize(worthwhile),
		gzhttp.CompressionLevel(gzip.BestSpeed),
		gzhttp.ContentTypeFilter(textual),
		gzhttp.EnableZstd(false),
	)
	if err != nil {
		panic(err) // the options are constants
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		out := &outlet{ResponseWriter: w}
		wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			finished := false
			defer func() { out.closed = !finished }()
			next.ServeHTTP(stream{w}, r)
			finished = true
		})).ServeHTTP(out, r)
	})
}

// textual reports whether a type of content compresses well. Events of a stream are sent one by one, as they happen.
func textual(contentType string) bool {
	t, _, err := mime.ParseMediaType(contentType)
	if err != nil || t == "text/event-stream" {
		return false
	}
	switch t {
	case "application/json", "application/yaml", "application/javascript", "application/xml", "application/manifest+json",
		"image/svg+xml":
		return true
	}
	return strings.HasPrefix(t, "text/") || strings.HasSuffix(t, "+json") || strings.HasSuffix(t, "+xml")
}

// stream is what the handler writes to. The library flushes nothing before the first byte; a stream sends its header at
// once, so that the client knows it is connected.
type stream struct{ http.ResponseWriter }

// FlushError sends everything written so far. http.ResponseController finds it.
func (s stream) FlushError() error {
	if !textual(s.Header().Get("Content-Type")) {
		s.Header().Set(gzhttp.HeaderNoCompression, "1") // the library removes it again
		if _, err := s.Write(nil); err != nil {
			return err
		}
	}
	return http.NewResponseController(s.ResponseWriter).Flush()
}

// Unwrap lets http.ResponseController reach the connection.
func (s stream) Unwrap() http.ResponseWriter { return s.ResponseWriter }

// outlet is what the library writes to. It is closed if the handler panics, because otherwise the library would send
// what it has buffered, and half an answer must not look like a complete one.
type outlet struct {
	http.ResponseWriter

	closed bool // later writes are dropped
}

func (o *outlet) WriteHeader(status int) {
	if !o.closed {
		o.ResponseWriter.WriteHeader(status)
	}
}

func (o *outlet) Write(p []byte) (int, error) {
	if o.closed {
		return len(p), nil
	}
	return o.ResponseWriter.Write(p)
}

// Flush sends everything written so far. The library looks for this method.
func (o *outlet) Flush() {
	_ = http.NewResponseController(o.ResponseWriter).Flush() // the client may have gone
}

// Unwrap lets http.ResponseController reach the connection.
func (o *outlet) Unwrap() http.ResponseWriter { return o.ResponseWriter }
