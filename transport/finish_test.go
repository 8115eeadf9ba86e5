package transport_test

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/transport"
)

func TestFinish(t *testing.T) {
	t.Parallel()

	t.Run("answers a client that has closed its half of the connection", func(t *testing.T) {
		t.Parallel()
		begun, closed := make(chan struct{}), make(chan struct{})
		h := func(w http.ResponseWriter, outer *http.Request) {
			transport.Finish(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				close(begun)
				<-closed
				<-outer.Context().Done() // the server has noticed
				if r.Context().Err() != nil {
					w.WriteHeader(http.StatusInternalServerError)
				}
				_, _ = io.WriteString(w, transport.RequestID(r.Context()))
			}), time.Minute).ServeHTTP(w, outer)
		}
		addr, _, _ := serve(t, h, transport.Options{})
		conn := dial(t, addr)
		_, err := io.WriteString(conn, "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
		require.NoError(t, err)
		<-begun
		require.NoError(t, conn.(*net.TCPConn).CloseWrite())
		close(closed)
		res, err := http.ReadResponse(bufio.NewReader(conn), nil)
		require.NoError(t, err)
		defer res.Body.Close()
		require.Equal(t, http.StatusOK, res.StatusCode)
		id, err := io.ReadAll(res.Body)
		require.NoError(t, err)
		require.Equal(t, res.Header.Get(transport.RequestIDHeader), string(id))
	})

	t.Run("gives up in the end", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			start := time.Now()
			transport.Finish(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				<-r.Context().Done()
				require.ErrorIs(t, r.Context().Err(), context.DeadlineExceeded)
				require.ErrorContains(t, context.Cause(r.Context()), "too long")
				require.False(t, transport.Gone(r.Context()), "the client still waits")
			}), time.Second).ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil))
			require.Equal(t, time.Second, time.Since(start))
		})
	})
}
