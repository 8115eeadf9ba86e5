package transport_test

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/transport"
)

// long is a text that is worth compressing.
var long = strings.Repeat("a role in Berlin, ", 500)

func TestCompress(t *testing.T) {
	t.Parallel()
	answer := func(contentType, body string, more ...string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", contentType)
			for i := 0; i+1 < len(more); i += 2 {
				w.Header().Set(more[i], more[i+1])
			}
			_, _ = io.WriteString(w, body[:len(body)/2])
			_, _ = io.WriteString(w, body[len(body)/2:])
		}
	}
	tests := []struct {
		name     string
		handler  http.HandlerFunc
		accept   string
		zipped   bool
		wantBody string
	}{
		{"a long text is compressed", answer("application/json", long), "gzip, deflate, br", true, long},
		{"a long text is compressed, whatever the case of the coding's name", answer("text/html; charset=utf-8", long), "GZIP;q=0.5", true, long},
		{"a client that does not name gzip gets it uncompressed", answer("text/css", long), "br, *;q=0.1", false, long},
		{"a short text is not compressed", answer("application/json", "{}"), "gzip", false, "{}"},
		{"an empty text is not compressed", answer("application/json", ""), "gzip", false, ""},
		{"a client that accepts nothing gets it uncompressed", answer("application/json", long), "", false, long},
		{"a client that refuses gzip gets it uncompressed", answer("application/json", long), "*, gzip;q=0", false, long},
		{"a client with an invalid weight gets it uncompressed", answer("application/json", long), "gzip;q=much", false, long},
		{"a picture is not compressed", answer("image/png", long), "gzip", false, long},
		{"a stream of events is not compressed", answer("text/event-stream", long), "gzip", false, long},
		{"an encoded answer is not compressed again", answer("text/css", long, "Content-Encoding", "br"), "gzip", false, long},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			res := ask(t, tt.handler, http.MethodGet, tt.accept)
			require.Equal(t, tt.zipped, res.Header.Get("Content-Encoding") == "gzip")
			require.Equal(t, "Accept-Encoding", res.Header.Get("Vary"))
			require.Equal(t, tt.wantBody, text(t, res))
		})
	}

	t.Run("a compressed answer keeps its weak tag, and has its own length", func(t *testing.T) {
		t.Parallel()
		res := ask(t, answer("text/css", long, "Etag", `W/"v1"`, "Content-Length", "9000"), http.MethodGet, "gzip")
		require.Equal(t, `W/"v1"`, res.Header.Get("Etag"))
		require.Less(t, res.ContentLength, int64(9000))
		require.Equal(t, long, text(t, res))
	})

	t.Run("HEAD has the header of an answer that is not compressed, and no body", func(t *testing.T) {
		t.Parallel()
		res := ask(t, answer("application/json", long, "Content-Length", "9000"), http.MethodHead, "gzip")
		require.Empty(t, res.Header.Get("Content-Encoding"))
		require.EqualValues(t, 9000, res.ContentLength)
		require.Empty(t, text(t, res))
	})

	t.Run("a part of a file is not compressed", func(t *testing.T) {
		t.Parallel()
		res := ask(t, answer("text/css", long, "Content-Range", "bytes 0-8999/20000"), http.MethodGet, "gzip")
		require.Empty(t, res.Header.Get("Content-Encoding"))
		require.Equal(t, long, text(t, res))
	})

	t.Run("an answer without a body stays without one", func(t *testing.T) {
		t.Parallel()
		for _, status := range []int{http.StatusNoContent, http.StatusNotModified} {
			res := ask(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "text/css")
				w.WriteHeader(status)
			}, http.MethodGet, "gzip")
			require.Equal(t, status, res.StatusCode)
			require.Empty(t, res.Header.Get("Content-Encoding"))
			require.Empty(t, text(t, res))
		}
	})

	t.Run("flushed data arrives", func(t *testing.T) {
		t.Parallel()
		arrived := make(chan struct{})
		res := ask(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/plain")
			_, _ = io.WriteString(w, "first")
			if err := http.NewResponseController(w).Flush(); err != nil {
				t.Error(err)
			}
			select {
			case <-arrived:
			case <-r.Context().Done():
			}
			_, _ = io.WriteString(w, " second")
		}, http.MethodGet, "gzip")
		z, err := gzip.NewReader(res.Body)
		require.NoError(t, err)
		first := make([]byte, 5)
		_, err = io.ReadFull(z, first)
		require.NoError(t, err)
		require.Equal(t, "first", string(first))
		close(arrived)
		rest, err := io.ReadAll(z)
		require.NoError(t, err)
		require.Equal(t, " second", string(rest))
	})

	t.Run("a stream of events begins before its first event, and each arrives when it is flushed", func(t *testing.T) {
		t.Parallel()
		for _, accept := range []string{"gzip", ""} {
			next := make(chan struct{})
			res := ask(t, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/event-stream")
				w.WriteHeader(http.StatusAccepted)
				for range 2 {
					if err := http.NewResponseController(w).Flush(); err != nil {
						t.Error(err)
					}
					select {
					case <-next:
					case <-r.Context().Done():
					}
					_, _ = io.WriteString(w, "data: {}\n\n")
				}
			}, http.MethodGet, accept) // returns with the header alone
			require.Equal(t, http.StatusAccepted, res.StatusCode)
			require.Empty(t, res.Header.Get("Content-Encoding"))
			require.Empty(t, res.Header.Get("No-Gzip-Compression"))
			next <- struct{}{}
			first := make([]byte, len("data: {}\n\n"))
			_, err := io.ReadFull(res.Body, first)
			require.NoError(t, err)
			require.Equal(t, "data: {}\n\n", string(first))
			next <- struct{}{}
			require.Equal(t, "data: {}\n\n", text(t, res))
		}
	})

	t.Run("deadlines reach the connection", func(t *testing.T) {
		t.Parallel()
		for _, accept := range []string{"gzip", ""} {
			res := ask(t, func(w http.ResponseWriter, _ *http.Request) {
				if err := http.NewResponseController(w).SetWriteDeadline(time.Time{}); err != nil {
					t.Error(err)
				}
			}, http.MethodGet, accept)
			require.Equal(t, http.StatusOK, res.StatusCode)
		}
	})

	t.Run("a panic breaks a long text off", func(t *testing.T) {
		t.Parallel()
		s := httptest.NewServer(transport.Observe(transport.Compress(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, long)
			_ = http.NewResponseController(w).Flush()
			panic("x")
		})), transport.Options{}))
		t.Cleanup(s.Close)
		res, err := s.Client().Get(s.URL)
		require.NoError(t, err)
		t.Cleanup(func() { _ = res.Body.Close() })
		_, err = io.ReadAll(res.Body)
		require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	})

	t.Run("data buffered before a panic is not sent", func(t *testing.T) {
		t.Parallel()
		res := ask(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"half":`)
			panic("x")
		}, http.MethodGet, "gzip")
		require.Equal(t, http.StatusInternalServerError, res.StatusCode)
		require.Equal(t, "internal error\n", text(t, res))
	})
}

// ask sends one request to a handler behind everything a server puts in front of it. The answer is returned as it came.
func ask(t *testing.T, h http.HandlerFunc, method, accept string) *http.Response {
	t.Helper()
	s := httptest.NewServer(transport.Observe(transport.Compress(h), transport.Options{}))
	t.Cleanup(s.Close)
	req, err := http.NewRequestWithContext(t.Context(), method, s.URL, nil)
	require.NoError(t, err)
	if accept != "" {
		req.Header.Set("Accept-Encoding", accept)
	}
	client := &http.Transport{DisableCompression: true}
	t.Cleanup(client.CloseIdleConnections)
	res, err := client.RoundTrip(req)
	require.NoError(t, err)
	t.Cleanup(func() { _ = res.Body.Close() })
	return res
}

// text is the body of an answer, decompressed.
func text(t *testing.T, res *http.Response) string {
	t.Helper()
	body := io.Reader(res.Body)
	if res.Header.Get("Content-Encoding") == "gzip" {
		z, err := gzip.NewReader(res.Body)
		require.NoError(t, err)
		body = z
	}
	b, err := io.ReadAll(body)
	require.NoError(t, err)
	return string(b)
}
