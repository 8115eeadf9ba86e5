package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// This file is the whole of what stands between the library's JSON-RPC and the wire. Each quirk of the library that a
// client would notice is dealt with here, and has a test of its own in wire_test.go:
//
//   - a request whose id is null is taken for a notification: numbered
//   - ids are read as floating point: restoreID
//   - params that cannot be read are answered in the words of Go's decoder: unreadable
//   - a stream that ends at once can lose its beginning: acknowledged
//   - a missing scope has to be answered with 403, and tools cannot set a status: answer
//   - a stream's header says "Connection", and lets proxies buffer it: answer

// wireHooks are the library's hooks that are used. It has none for a message that is about to be written.
func wireHooks() *server.Hooks {
	return &server.Hooks{
		OnError:                    []server.OnErrorHookFunc{unreadable},
		OnAfterSubscriptionsListen: []server.OnAfterSubscriptionsListenFunc{acknowledged},
	}
}

// acknowledged lets a stream of changes end only when its beginning has been sent. Here streams end at once, because the
// tools never change, and the library then drops whatever another goroutine has not written yet.
func acknowledged(ctx context.Context, _ any, _ *mcpgo.SubscriptionsListenRequest, _ *mcpgo.SubscriptionsListenResult) {
	select {
	case <-callOf(ctx).begun:
	case <-ctx.Done():
	}
}

// unreadable notes that the params of a message have another form. The library would say so in the words of Go's decoder,
// which tell how it is built.
func unreadable(ctx context.Context, _ any, _ mcpgo.MCPMethod, _ any, err error) {
	if _, ok := errors.AsType[*server.UnparsableMessageError](err); ok {
		callOf(ctx).unread = true
	}
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
	if _, err := a.ResponseWriter.Write(a.call.framed(p)); err != nil {
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

// framed turns a message of mcp-go into what the client gets.
func (c *call) framed(message []byte) []byte {
	if c.unread {
		return append(marshal(faultMessage(c.id, codeInvalidParams, "the params of this method have another form", nil)), '\n')
	}
	return restoreID(message, c.id)
}

// numbered is the body of a request whose id is null, under a number; the body of any other message is left as it is.
// The interface allows such an id, and JSON-RPC answers it, but the library takes it for a notification.
func (m message) numbered(body []byte) []byte {
	if string(m.ID) != "null" || m.Method == "" || strings.HasPrefix(m.Method, "notifications/") {
		return body
	}
	m.ID = json.RawMessage("0")
	return marshal(m)
}

// restoreID gives an answer the very number that the client sent, or its null. The library reads numbers as floating
// point, and a client whose number comes back as another one waits for ever.
func restoreID(answer []byte, id json.RawMessage) []byte {
	const start = `{"jsonrpc":"2.0","id":`
	if len(id) == 0 || id[0] == '"' {
		return answer
	}
	rest, ok := bytes.CutPrefix(answer, []byte(start))
	end := bytes.IndexByte(rest, ',')
	if !ok || end < 0 || bytes.Equal(rest[:end], id) {
		return answer
	}
	return slices.Concat([]byte(start), id, rest[end:])
}
