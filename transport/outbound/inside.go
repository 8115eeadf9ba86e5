package outbound

import (
	"bytes"
	"io"
	"net/http"
	"strconv"
)

// serveInside has a handler answer a request without a connection.
func serveInside(h http.Handler, req *http.Request) *http.Response {
	asked := req.Clone(req.Context())
	asked.Host = req.URL.Host
	if asked.Body == nil {
		asked.Body = http.NoBody
	}
	a := &insideAnswer{header: http.Header{}}
	h.ServeHTTP(a, asked)
	_ = asked.Body.Close() // nothing more of it is wanted
	a.WriteHeader(http.StatusOK)
	return &http.Response{
		Status: strconv.Itoa(a.status) + " " + http.StatusText(a.status), StatusCode: a.status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: a.header,
		Body: io.NopCloser(&a.body), ContentLength: int64(a.body.Len()), Request: req,
	}
}

// insideAnswer is what a handler has written.
type insideAnswer struct {
	header http.Header
	status int // zero until it is written
	body   bytes.Buffer
}

func (a *insideAnswer) Header() http.Header { return a.header }

func (a *insideAnswer) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
}

func (a *insideAnswer) Write(p []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	return a.body.Write(p)
}
