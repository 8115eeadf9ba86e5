package transport

import (
	"compress/gzip"
	"errors"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

// worthwhile is the size below which an answer is sent as it is, in bytes: one packet is one packet.
const worthwhile = 1400

// Compress wraps a handler: texts of some length are sent with gzip to clients that take it. Answers that are encoded
// already, parts of files and streams of events are left alone.
func Compress(next http.Handler) http.Handler {
	pool := &sync.Pool{New: func() any {
		z, err := gzip.NewWriterLevel(nil, gzip.BestSpeed)
		if err != nil {
			panic(err) // the level is a constant
		}
		return z
	}}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := &compressor{ResponseWriter: w, pool: pool, wanted: TakesGzip(r.Header)}
		next.ServeHTTP(c, r)
		c.finish() // not after a panic: what is held back is then dropped, and the failure answered instead
	})
}

// TakesGzip reads Accept-Encoding.
func TakesGzip(h http.Header) bool {
	named, any := -1.0, -1.0
	for entry := range strings.SplitSeq(strings.Join(h.Values("Accept-Encoding"), ","), ",") {
		coding, parameter, _ := strings.Cut(entry, ";")
		weight := 1.0
		if q, ok := strings.CutPrefix(strings.ReplaceAll(strings.ToLower(parameter), " ", ""), "q="); ok {
			w, err := strconv.ParseFloat(q, 64)
			if err != nil {
				continue
			}
			weight = w
		}
		switch strings.ToLower(strings.TrimSpace(coding)) {
		case "gzip", "x-gzip":
			named = weight
		case "*":
			any = weight
		}
	}
	return named > 0 || named < 0 && any > 0
}

// compressor holds the beginning of an answer back until it is known whether to compress it.
type compressor struct {
	http.ResponseWriter

	pool   *sync.Pool
	wanted bool

	status  int // 0 until the handler has said it
	held    []byte
	decided bool         // the header has gone out
	gzip    *gzip.Writer // nil: sent as it is
}

func (c *compressor) WriteHeader(status int) {
	switch {
	case status < http.StatusOK:
		c.ResponseWriter.WriteHeader(status)
	case c.status == 0:
		c.status = status
		if !c.compressible() {
			c.decide(false)
		}
	}
}

func (c *compressor) Write(p []byte) (int, error) {
	if c.status == 0 {
		c.WriteHeader(http.StatusOK)
	}
	if !c.decided {
		c.held = append(c.held, p...)
		if len(c.held) < worthwhile {
			return len(p), nil
		}
		c.decide(true)
		return len(p), c.release()
	}
	if c.gzip != nil {
		return c.gzip.Write(p)
	}
	return c.ResponseWriter.Write(p)
}

// FlushError sends what there is. http.ResponseController finds it.
func (c *compressor) FlushError() error {
	if c.status == 0 {
		c.WriteHeader(http.StatusOK)
	}
	if !c.decided {
		c.decide(true)
	}
	err := c.release()
	if c.gzip != nil {
		err = errors.Join(err, c.gzip.Flush())
	}
	return errors.Join(err, http.NewResponseController(c.ResponseWriter).Flush())
}

// Unwrap lets http.ResponseController reach the connection.
func (c *compressor) Unwrap() http.ResponseWriter { return c.ResponseWriter }

// compressible looks at the header that the handler has set.
func (c *compressor) compressible() bool {
	h := c.Header()
	switch {
	case c.status == http.StatusNoContent, c.status == http.StatusNotModified, c.status == http.StatusPartialContent,
		h.Get("Content-Encoding") != "", !textual(h.Get("Content-Type")):
		return false
	}
	h.Add("Vary", "Accept-Encoding")
	return c.wanted
}

// textual says whether a type of content gets much smaller. Events of a stream are sent one by one, as they happen.
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

// decide sends the header.
func (c *compressor) decide(compress bool) {
	c.decided = true
	if compress {
		h := c.Header()
		h.Set("Content-Encoding", "gzip")
		h.Del("Content-Length")
		h.Del("Accept-Ranges")
		if tag := h.Get("Etag"); strings.HasPrefix(tag, `"`) {
			h.Set("Etag", "W/"+tag) // the same content, not the same bytes
		}
		c.gzip, _ = c.pool.Get().(*gzip.Writer)
		c.gzip.Reset(c.ResponseWriter)
	}
	c.ResponseWriter.WriteHeader(c.status)
}

// release sends what was held back.
func (c *compressor) release() error {
	held := c.held
	c.held = nil
	if len(held) == 0 {
		return nil
	}
	var err error
	if c.gzip != nil {
		_, err = c.gzip.Write(held)
	} else {
		_, err = c.ResponseWriter.Write(held)
	}
	return err
}

// finish sends what is left. Should the client have gone, there is nobody to tell.
func (c *compressor) finish() {
	if c.status != 0 && !c.decided {
		c.decide(false)
	}
	_ = c.release()
	if c.gzip != nil {
		_ = c.gzip.Close()
		c.gzip.Reset(nil)
		c.pool.Put(c.gzip)
	}
}
