package mcp

import (
	"context"
	"encoding/json"

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
	barred  error         // why the caller may not enter any more; over HTTP nothing is called then
	unread  bool          // the library could not read the params
	result  *spliced      // what the tool answers; nil when it has not
	begun   chan struct{} // closed when the answer has begun
}

type callKey struct{}

// callOf is the request that a tool works for.
func callOf(ctx context.Context) *call {
	c, _ := ctx.Value(callKey{}).(*call)
	return c
}
