package transport_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/transport"
)

// logBuffer is a log that can be read while it is written.
type logBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *logBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *logBuffer) lines(t *testing.T) []map[string]any {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	var out []map[string]any
	for dec := json.NewDecoder(bytes.NewReader(b.buf.Bytes())); dec.More(); {
		line := map[string]any{}
		require.NoError(t, dec.Decode(&line))
		out = append(out, line)
	}
	return out
}

func newLog() (*slog.Logger, *logBuffer) {
	buf := &logBuffer{}
	return slog.New(slog.NewJSONHandler(buf, &slog.HandlerOptions{Level: slog.LevelDebug})), buf
}

func observed(t *testing.T, h http.HandlerFunc, failed http.Handler) (*httptest.Server, *logBuffer) {
	t.Helper()
	log, buf := newLog()
	s := httptest.NewServer(transport.Observe(h, transport.Options{Log: log, Failed: failed}))
	t.Cleanup(s.Close)
	return s, buf
}

func get(t *testing.T, url string) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	require.NoError(t, err)
	res, err := http.DefaultTransport.RoundTrip(req)
	require.NoError(t, err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	return res, string(body)
}

func TestObserve(t *testing.T) {
	t.Parallel()

	t.Run("gives a request an id, passes it on and logs one line without the query", func(t *testing.T) {
		t.Parallel()
		var inside string
		s, buf := observed(t, func(w http.ResponseWriter, r *http.Request) {
			inside = transport.RequestID(r.Context())
			w.WriteHeader(http.StatusTeapot)
			_, _ = io.WriteString(w, "short and stout")
		}, nil)
		res, body := get(t, s.URL+"/pot?search=private")
		require.Equal(t, http.StatusTeapot, res.StatusCode)
		require.Equal(t, "short and stout", body)
		require.True(t, boardwatch.ValidID(inside))
		require.Equal(t, inside, res.Header.Get(transport.RequestIDHeader))
		require.Eventually(t, func() bool { return len(buf.lines(t)) == 1 }, 5*time.Second, 5*time.Millisecond)
		line := buf.lines(t)[0]
		require.Equal(t, "/pot", line["path"])
		require.Equal(t, inside, line["request_id"])
		require.InDelta(t, http.StatusTeapot, line["status"], 0)
		require.InDelta(t, len(body), line["bytes"], 0)
		require.Equal(t, "INFO", line["level"])
		require.Equal(t, "nosniff", res.Header.Get("X-Content-Type-Options"))
	})

	t.Run("logs what the handler notes, but no secrets", func(t *testing.T) {
		t.Parallel()
		s, buf := observed(t, func(_ http.ResponseWriter, r *http.Request) {
			transport.Note(r.Context(), slog.String("account_id", "66f2c1b0a998877665544332"))
		}, nil)
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+"/"+strings.Repeat("é", 400)+"?token=hunter2", nil)
		require.NoError(t, err)
		req.Header.Set("Authorization", "Bearer hunter2")
		req.Header.Set("Cookie", "session=hunter2")
		res, err := http.DefaultTransport.RoundTrip(req)
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		require.Eventually(t, func() bool { return len(buf.lines(t)) == 1 }, 5*time.Second, 5*time.Millisecond)
		line := buf.lines(t)[0]
		require.NotContains(t, fmt.Sprint(line), "hunter2")
		require.Equal(t, "66f2c1b0a998877665544332", line["account_id"])
		require.Less(t, len(fmt.Sprint(line["path"])), 300)
	})

	t.Run("does not log frequent requests unless they fail", func(t *testing.T) {
		t.Parallel()
		log, buf := newLog()
		h := transport.Observe(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/broken" {
				w.WriteHeader(http.StatusServiceUnavailable)
			}
		}), transport.Options{Log: log, Quiet: func(*http.Request) bool { return true }})
		for _, path := range []string{"/well", "/broken"} {
			h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, path, nil))
		}
		lines := buf.lines(t)
		require.Equal(t, "DEBUG", lines[0]["level"])
		require.Equal(t, "WARN", lines[1]["level"])
	})

	t.Run("answers for a handler that panicked and logs why", func(t *testing.T) {
		t.Parallel()
		s, buf := observed(t, func(http.ResponseWriter, *http.Request) { panic("a wrong turn") }, nil)
		res, body := get(t, s.URL)
		require.Equal(t, http.StatusInternalServerError, res.StatusCode)
		require.Equal(t, "internal error\n", body)
		require.NotContains(t, body, "wrong turn")
		require.Eventually(t, func() bool { return len(buf.lines(t)) == 2 }, 5*time.Second, 5*time.Millisecond)
		require.Equal(t, "a wrong turn", buf.lines(t)[0]["panic"])
		require.Equal(t, "ERROR", buf.lines(t)[0]["level"])
	})

	t.Run("reports the status of every request, however it ended", func(t *testing.T) {
		t.Parallel()
		var told []string
		h := transport.Observe(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/hint":
				w.WriteHeader(http.StatusEarlyHints)
				w.WriteHeader(http.StatusNoContent)
			case "/half":
				w.WriteHeader(http.StatusAccepted)
				panic("x")
			case "/broken":
				panic("x")
			}
		}), transport.Options{Ended: func(r *http.Request, status int, took time.Duration) {
			require.GreaterOrEqual(t, took, time.Duration(0))
			told = append(told, fmt.Sprint(r.URL.Path, " ", status))
		}})
		for _, path := range []string{"/silent", "/hint", "/broken"} {
			h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, path, nil))
		}
		require.Panics(t, func() { h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/half", nil)) })
		require.Equal(t, []string{"/silent 200", "/hint 204", "/broken 500", "/half 202"}, told)
	})

	t.Run("passes values from the beginning of a request to its end, with the facts noted meanwhile", func(t *testing.T) {
		t.Parallel()
		type begun struct{}
		var within, after any
		var noted []slog.Attr
		h := transport.Observe(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			within = r.Context().Value(begun{})
			transport.Note(r.Context(), slog.String("tool", "hammer"))
		}), transport.Options{
			Began: func(ctx context.Context, _ *http.Request) context.Context {
				return context.WithValue(ctx, begun{}, transport.RequestID(ctx))
			},
			Ended: func(r *http.Request, _ int, _ time.Duration) {
				after, noted = r.Context().Value(begun{}), transport.Noted(r.Context())
			},
		})
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
		require.Equal(t, w.Header().Get(transport.RequestIDHeader), within)
		require.Equal(t, within, after)
		require.Equal(t, []slog.Attr{slog.String("tool", "hammer")}, noted)
		require.Empty(t, transport.Noted(t.Context()))
	})

	t.Run("lets the interface answer a panic in its own format", func(t *testing.T) {
		t.Parallel()
		s, _ := observed(t, func(http.ResponseWriter, *http.Request) { panic("x") },
			http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(http.StatusInternalServerError)
				_, _ = io.WriteString(w, `{"error":{}}`)
			}))
		res, body := get(t, s.URL)
		require.Equal(t, "application/json", res.Header.Get("Content-Type"))
		require.JSONEq(t, `{"error":{}}`, body)
	})

	t.Run("breaks the connection when half an answer is out", func(t *testing.T) {
		t.Parallel()
		s, _ := observed(t, func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, "half")
			_ = http.NewResponseController(w).Flush()
			panic("x")
		}, nil)
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL, nil)
		require.NoError(t, err)
		res, err := http.DefaultTransport.RoundTrip(req)
		require.NoError(t, err)
		defer res.Body.Close()
		_, err = io.ReadAll(res.Body)
		require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	})
}

func serve(t *testing.T, h http.HandlerFunc, o transport.Options) (addr string, stop context.CancelFunc, done <-chan error) {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	result := make(chan error, 1)
	go func() { result <- transport.NewServer(h, o).Serve(ctx, l) }()
	return l.Addr().String(), cancel, result
}

func TestServer(t *testing.T) {
	t.Parallel()

	t.Run("finishes a running request before it ends", func(t *testing.T) {
		t.Parallel()
		begun, finish := make(chan struct{}), make(chan struct{})
		addr, stop, done := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			close(begun)
			<-finish
			_, _ = io.WriteString(w, "whole")
		}, transport.Options{})
		body := make(chan string, 1)
		go func() {
			_, b := get(t, "http://"+addr)
			body <- b
		}()
		<-begun
		stop()
		require.Eventually(t, func() bool { return refused(t, addr) }, 5*time.Second, 5*time.Millisecond)
		close(finish)
		require.Equal(t, "whole", <-body)
		require.NoError(t, <-done)
	})

	t.Run("cuts off what outlasts the grace period", func(t *testing.T) {
		t.Parallel()
		begun := make(chan struct{})
		log, buf := newLog()
		addr, stop, done := serve(t, func(_ http.ResponseWriter, r *http.Request) {
			close(begun)
			<-r.Context().Done()
		}, transport.Options{Grace: 20 * time.Millisecond, Log: log})
		conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", addr)
		require.NoError(t, err)
		defer conn.Close()
		_, err = io.WriteString(conn, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
		require.NoError(t, err)
		<-begun
		stop()
		require.NoError(t, <-done)
		_, err = bufio.NewReader(conn).ReadByte()
		require.Error(t, err)
		require.Equal(t, "requests cut off at shutdown", buf.lines(t)[0]["msg"])
	})

	t.Run("gives up on a client that does not finish its headers", func(t *testing.T) {
		t.Parallel()
		addr, _, _ := serve(t, func(http.ResponseWriter, *http.Request) {}, transport.Options{ReadTimeout: 30 * time.Millisecond})
		conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", addr)
		require.NoError(t, err)
		defer conn.Close()
		_, err = io.WriteString(conn, "GET / HTTP/1.1\r\nHost:")
		require.NoError(t, err)
		require.NoError(t, conn.SetReadDeadline(time.Now().Add(5*time.Second)))
		_, err = io.ReadAll(conn)
		require.NoError(t, err, "the server closes the connection itself")
	})

	t.Run("says so when its listener breaks", func(t *testing.T) {
		t.Parallel()
		l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
		require.NoError(t, err)
		require.NoError(t, l.Close())
		err = transport.NewServer(http.NotFoundHandler(), transport.Options{}).Serve(t.Context(), l)
		require.ErrorContains(t, err, "serve "+l.Addr().String())
	})
}

func refused(t *testing.T, addr string) bool {
	t.Helper()
	conn, err := (&net.Dialer{Timeout: time.Second}).DialContext(t.Context(), "tcp", addr)
	if err != nil {
		return true
	}
	require.NoError(t, conn.Close())
	return false
}
