package transport_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/transport"
)

func TestUnreadableRequestsAreAnsweredInTheShapeOfEveryFailure(t *testing.T) {
	t.Parallel()
	log, buf := newLog()
	addr, _, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.WriteHeader(http.StatusTeapot)
	}, transport.Options{Log: log})
	tests := []struct{ name, request, field string }{
		{"no request line", "hello\r\n\r\n", "request"},
		{"no name of the host", "GET / HTTP/1.1\r\n\r\n", "request"},
		{"two names of the host", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "request"},
		{"a control character in a header", "GET / HTTP/1.1\r\nHost: a\r\nX-Y: a\x01b\r\n\r\n", "request"},
		{"a space before the colon", "GET / HTTP/1.1\r\nHost: a\r\nContent-Length : 3\r\n\r\nabc", "request"},
		{"two lengths", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc", "request"},
		{"a negative length", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -3\r\n\r\nabc", "request"},
		{"an invalid method", "G(T / HTTP/1.1\r\nHost: a\r\n\r\n", "request"},
		{"an invalid address", "GET http://[::1 HTTP/1.1\r\nHost: a\r\n\r\n", "request"},
		{"a future version", "GET / HTTP/3.0\r\nHost: a\r\n\r\n", "request"},
		{"an unknown transfer encoding", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\nabc", "Transfer-Encoding"},
		{"two transfer encodings", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\nabc", "Transfer-Encoding"},
		{"headers without end", "GET / HTTP/1.1\r\nHost: a\r\nX-Y: " + strings.Repeat("a", 100<<10) + "\r\n\r\n", "headers"},
		{"an address without end", "GET /" + strings.Repeat("a", 100<<10) + " HTTP/1.1\r\nHost: a\r\n\r\n", "headers"},
		{"an unknown expectation", "POST / HTTP/1.1\r\nHost: a\r\nExpect: cake\r\nContent-Length: 3\r\n\r\nabc", "Expect"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			res := talk(t, addr, tt.request)
			defer res.Body.Close()
			require.Equal(t, http.StatusBadRequest, res.StatusCode)
			require.Equal(t, "application/json", res.Header.Get("Content-Type"))
			require.True(t, boardwatch.ValidID(res.Header.Get(transport.RequestIDHeader)))
			var body struct {
				Error struct {
					Code    boardwatch.Code         `json:"code"`
					Message string                  `json:"message"`
					Details []boardwatch.FieldError `json:"details"`
				} `json:"error"`
			}
			dec := json.NewDecoder(res.Body)
			dec.DisallowUnknownFields()
			require.NoError(t, dec.Decode(&body))
			require.Equal(t, boardwatch.CodeInvalidRequest, body.Error.Code)
			require.NotEmpty(t, body.Error.Message)
			require.Len(t, body.Error.Details, 1)
			require.Equal(t, tt.field, body.Error.Details[0].Field)
		})
	}

	t.Run("answers of a handler are left alone", func(t *testing.T) {
		t.Parallel()
		for _, request := range []string{"OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", "GET / HTTP/1.0\r\n\r\n"} {
			res := talk(t, addr, request)
			defer res.Body.Close()
			require.Equal(t, http.StatusTeapot, res.StatusCode)
		}
	})

	// At byte 4096 of a page, net/http begins another write to the connection.
	t.Run("a page that reads like a refusal is left alone, and so is the connection", func(t *testing.T) {
		t.Parallel()
		for _, line := range []string{"HTTP/1.1 417 x\r\n", "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n"} {
			before, after := strings.Repeat("a", 4096), line+strings.Repeat("b", 8192)
			addr, _, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/short" {
					return
				}
				w.Header().Set("Content-Length", strconv.Itoa(len(before+after)))
				_ = http.NewResponseController(w).Flush()
				_, _ = io.WriteString(w, before)
				_, _ = io.WriteString(w, after)
			}, transport.Options{})
			conn := dial(t, addr)
			in := bufio.NewReader(conn)
			for _, path := range []string{"/", "/short", "/"} { // on one connection
				_, err := io.WriteString(conn, "GET "+path+" HTTP/1.1\r\nHost: a\r\n\r\n")
				require.NoError(t, err)
				res, err := http.ReadResponse(in, nil)
				require.NoError(t, err)
				body, err := io.ReadAll(res.Body)
				require.NoError(t, err)
				require.Equal(t, http.StatusOK, res.StatusCode)
				require.Equal(t, path == "/", string(body) == before+after, path)
			}
			_, err := io.WriteString(conn, "GET / HTTP/1.1\r\n\r\n")
			require.NoError(t, err)
			res, err := http.ReadResponse(in, nil)
			require.NoError(t, err)
			defer res.Body.Close()
			require.Equal(t, "application/json", res.Header.Get("Content-Type"), "what cannot be read is still told apart on it")
		}
	})

	t.Run("the log has the number, and what was wrong", func(t *testing.T) {
		t.Parallel()
		res := talk(t, addr, "GET / HTTP/1.1\r\n\r\n")
		defer res.Body.Close()
		found := false
		for _, line := range buf.lines(t) {
			if line["request_id"] == res.Header.Get(transport.RequestIDHeader) {
				found = true
				require.Equal(t, "request does not follow HTTP: missing required Host header", line["reason"])
			}
		}
		require.True(t, found)
	})
}

func TestServerBoundsWhatAClientMayHold(t *testing.T) {
	t.Parallel()

	t.Run("a body that never comes", func(t *testing.T) {
		t.Parallel()
		read := make(chan error, 1)
		addr, _, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
			_, err := io.ReadAll(r.Body)
			read <- err
			w.WriteHeader(http.StatusBadRequest)
		}, transport.Options{ReadTimeout: 50 * time.Millisecond})
		res := talk(t, addr, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc")
		defer res.Body.Close()
		require.Equal(t, http.StatusBadRequest, res.StatusCode)
		require.ErrorIs(t, <-read, os.ErrDeadlineExceeded)
	})

	t.Run("an answer that is not read", func(t *testing.T) {
		t.Parallel()
		wrote := make(chan error, 1)
		addr, _, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			chunk := make([]byte, 1<<20)
			for {
				if _, err := w.Write(chunk); err != nil {
					wrote <- err
					return
				}
			}
		}, transport.Options{WriteTimeout: 100 * time.Millisecond})
		conn := dial(t, addr)
		_, err := io.WriteString(conn, "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
		require.NoError(t, err)
		require.Error(t, <-wrote)
	})

	t.Run("a body without end", func(t *testing.T) {
		t.Parallel()
		addr, _, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
			n, err := io.Copy(io.Discard, r.Body)
			if _, tooLarge := errors.AsType[*http.MaxBytesError](err); n != 1000 || !tooLarge {
				t.Errorf("%d bytes: %v", n, err)
			}
			w.WriteHeader(http.StatusBadRequest)
		}, transport.Options{MaxBody: 1000})
		res := talk(t, addr, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2000\r\n\r\n"+strings.Repeat("a", 2000))
		defer res.Body.Close()
		require.Equal(t, http.StatusBadRequest, res.StatusCode)
		require.True(t, res.Close)
	})

	t.Run("an idle connection", func(t *testing.T) {
		t.Parallel()
		addr, _, _ := serve(t, func(http.ResponseWriter, *http.Request) {}, transport.Options{IdleTimeout: 50 * time.Millisecond})
		conn := dial(t, addr)
		_, err := io.WriteString(conn, "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
		require.NoError(t, err)
		_, err = io.ReadAll(conn)
		require.NoError(t, err, "the server closes it")
	})
}

func dial(t *testing.T, addr string) net.Conn {
	t.Helper()
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", addr)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	require.NoError(t, conn.SetDeadline(time.Now().Add(10*time.Second)))
	return conn
}

// talk sends bytes as they are and reads the answer.
func talk(t *testing.T, addr, request string) *http.Response {
	t.Helper()
	conn := dial(t, addr)
	go func() { _, _ = io.WriteString(conn, request) }()
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err)
	return res
}
