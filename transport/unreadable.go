package transport

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// readable is a listener that gives clients one format for all failures. A request that violates the protocol never
// reaches a handler: net/http answers it with its own line of text, and has no hook for another answer. But it does
// tell when a request begins and ends. So anything that a connection writes outside of a handler must be such a line,
// and is replaced by the published Error object. The writes of handlers are never examined.
type readable struct {
	net.Listener
	log *slog.Logger
}

// Accept waits for the next connection.
func (l readable) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &readableConn{Conn: conn, log: l.log}, nil
}

type readableConn struct {
	net.Conn
	log     *slog.Logger
	handled atomic.Bool // a handler has the request, or its answer is still being sent
	refused atomic.Bool // the refusal was sent; the connection ends
}

type connKey struct{}

// withConn lets a connection learn about its requests. It is for http.Server.ConnContext.
func withConn(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, c)
}

// answered records that a connection's request was answered completely. It is for http.Server.ConnState.
func answered(c net.Conn, state http.ConnState) {
	if conn, ok := c.(*readableConn); ok && state == http.StateIdle {
		conn.handled.Store(false)
	}
}

// handling records that a request has reached its handler.
func handling(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if conn, ok := r.Context().Value(connKey{}).(*readableConn); ok {
			conn.handled.Store(true)
		}
		next.ServeHTTP(w, r)
	})
}

func (c *readableConn) Write(p []byte) (int, error) {
	if c.handled.Load() {
		return c.Conn.Write(p)
	}
	if c.refused.Swap(true) {
		return len(p), nil // the rest of a line that was replaced
	}
	fault := refusal(p)
	id := boardwatch.NewID()
	c.log.Info("request unreadable", "request_id", id, "reason", fault.Field+" "+fault.Message, "remote", c.RemoteAddr().String())
	if _, err := c.Conn.Write(unreadable(fault, id)); err != nil {
		return 0, err
	}
	return len(p), nil
}

// CloseWrite ends the server's half of the connection, so that the client can read the answer to its end.
func (c *readableConn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// refusal derives what is wrong with a request from the first line of net/http's answer.
func refusal(p []byte) boardwatch.FieldError {
	first, _, _ := strings.Cut(string(p), "\r\n")
	_, first, _ = strings.Cut(first, " ") // the version
	code, reason, _ := strings.Cut(first, " ")
	switch code {
	case "417":
		return boardwatch.FieldError{Field: "Expect", Message: "must be 100-continue or left out"}
	case "431":
		return boardwatch.FieldError{Field: "headers", Message: "are too large"}
	case "501":
		return boardwatch.FieldError{Field: "Transfer-Encoding", Message: "must be chunked or left out"}
	}
	message := "does not follow HTTP"
	if _, detail, ok := strings.Cut(reason, ": "); ok {
		message += ": " + detail
	}
	return boardwatch.FieldError{Field: "request", Message: message}
}

// unreadable returns the whole answer to such a request.
func unreadable(fault boardwatch.FieldError, id string) []byte {
	text, err := json.Marshal(FailureOf(&boardwatch.Error{
		Code: boardwatch.CodeInvalidRequest, Message: fault.Field + " " + fault.Message, Details: []boardwatch.FieldError{fault},
	}))
	if err != nil {
		panic(err) // texts only
	}
	text = append(text, '\n')
	return append(fmt.Appendf(nil, "HTTP/1.1 %d %s\r\nConnection: close\r\nContent-Length: %d\r\nContent-Type: application/json\r\n"+
		"Date: %s\r\nX-Content-Type-Options: nosniff\r\n%s: %s\r\n\r\n", http.StatusBadRequest, http.StatusText(http.StatusBadRequest),
		len(text), time.Now().UTC().Format(http.TimeFormat), RequestIDHeader, id), text...)
}
