package mcp

import (
	"context"
	"encoding/json"

	"github.com/boardwatch/boardwatch/boardwatch/account"
)

// call is the state of one authorized request.
type call struct {
	caller account.Caller
	id     json.RawMessage // of the message, as it was sent
	// missing is the scope that the tool needs and the token lacks. The tool sets it: if another parser looked at the
	// message first, the two could disagree about which tool it names.
	missing account.Scope
	barred  error         // why the caller may not enter any more; over HTTP nothing is called then
	unread  bool          // the library could not read the params
	begun   chan struct{} // closed when the answer has begun
}

type callKey struct{}

// callOf returns the call that a tool's context belongs to.
func callOf(ctx context.Context) *call {
	c, _ := ctx.Value(callKey{}).(*call)
	return c
}
