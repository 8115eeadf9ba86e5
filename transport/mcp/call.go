package mcp

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
)

// call is a request of a caller who may enter.
type call struct {
	caller account.Caller
	id     json.RawMessage // of the message, as it was sent
	// missing is the scope that a tool would have needed and the token does not have. The tool decides that, not somebody
	// who reads the message before it: two readers of one message can differ in what they read.
	missing boardwatch.Scope
	result  *spliced      // what the tool answers; nil when it has not
	begun   chan struct{} // closed when the answer has begun
}

type callKey struct{}

// callOf is the request that a tool works for.
func callOf(ctx context.Context) *call {
	c, _ := ctx.Value(callKey{}).(*call)
	return c
}

// answer is what a request gets. It is replaced by a challenge when a tool has found a scope missing; nothing has been
// sent by then.
type answer struct {
	http.ResponseWriter

	call    *call
	stepUp  func(w http.ResponseWriter)
	status  int // 0 until something is sent
	refused bool
}

func (a *answer) WriteHeader(status int) {
	if a.status != 0 {
		return
	}
	a.status = status
	close(a.call.begun)
	if a.call.missing != "" {
		a.refused = true
		a.stepUp(a.ResponseWriter)
		return
	}
	header := a.Header()
	header.Del("Connection") // it is this server's business, and of no meaning in HTTP/2
	header.Set("Cache-Control", "no-store")
	if strings.HasPrefix(header.Get("Content-Type"), "text/event-stream") {
		header.Set("X-Accel-Buffering", "no")
	}
	a.ResponseWriter.WriteHeader(status)
}

func (a *answer) Write(p []byte) (int, error) {
	if a.status == 0 {
		a.WriteHeader(http.StatusOK)
	}
	if a.refused {
		return len(p), nil
	}
	said := restoreID(p, a.call.id)
	if a.call.result != nil {
		said = a.call.result.into(said)
	} else {
		said = reword(said)
	}
	if _, err := a.ResponseWriter.Write(said); err != nil {
		return 0, err // what was written is more than p, or less
	}
	return len(p), nil
}

// Flush sends what there is. The library looks for it before it answers with a stream.
func (a *answer) Flush() {
	if a.status != 0 && !a.refused {
		_ = http.NewResponseController(a.ResponseWriter).Flush() // the client has gone; there is nobody left to tell
	}
}

// Unwrap lets http.ResponseController reach the connection.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }
