package transport

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// plainRefusal is what follows the status line of an answer that net/http writes by itself.
const plainRefusal = "\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n"

// readable is a listener for clients that read one shape of failure. What does not follow the protocol never reaches a
// handler: net/http answers it with a line of text of its own. So the connections look at what is written to them, and
// say the same as the published Error object. An answer of a handler has a date and cannot be mistaken for such a line.
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
	return &readableConn{conn, l.log}, nil
}

type readableConn struct {
	net.Conn
	log *slog.Logger
}

func (c *readableConn) Write(p []byte) (int, error) {
	fault, ok := refusal(p)
	if !ok {
		return c.Conn.Write(p)
	}
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

// refusal says what is wrong with the request when p is net/http's own answer to an unreadable one.
func refusal(p []byte) (fault boardwatch.FieldError, ok bool) {
	const version = "HTTP/1.x "
	first, _, found := bytes.Cut(p, []byte("\r\n"))
	if !found || len(first) < len(version) || string(first[:7]) != version[:7] {
		return fault, false
	}
	code, reason, _ := strings.Cut(string(first[len(version):]), " ")
	if code == "417" {
		return boardwatch.FieldError{Field: "Expect", Message: "must be 100-continue or left out"}, true
	}
	if !bytes.HasPrefix(p[len(first):], []byte(plainRefusal)) {
		return fault, false
	}
	switch code {
	case "431":
		return boardwatch.FieldError{Field: "headers", Message: "are too large"}, true
	case "501":
		return boardwatch.FieldError{Field: "Transfer-Encoding", Message: "must be chunked or left out"}, true
	}
	message := "does not follow HTTP"
	if _, detail, ok := strings.Cut(reason, ": "); ok {
		message += ": " + detail
	}
	return boardwatch.FieldError{Field: "request", Message: message}, true
}

// unreadable is the whole answer to such a request.
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
