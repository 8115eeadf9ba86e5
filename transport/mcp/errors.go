package mcp

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/transport"
)

// The codes of JSON-RPC that are answered here; the library answers the others.
const (
	codeParse          = -32700
	codeInvalidRequest = -32600
	codeInvalidParams  = -32602
	codeVersion        = -32022 // of MCP: the revision of the protocol is not spoken
)

var (
	errNotPost = &boardwatch.Error{Code: boardwatch.CodeNotFound, Message: "this address answers POST only"}
	errNotGet  = &boardwatch.Error{Code: boardwatch.CodeNotFound, Message: "this address answers GET only"}
)

// failureOf is an error as the caller sees it. Agents are also told when to stop trying.
func failureOf(err error) transport.Failure {
	f := transport.FailureOf(err)
	if f.Error.Code == boardwatch.CodeAlreadyTracked {
		f.Error.Message += "; nothing has to be done"
	}
	return f
}

// writeError answers with the published Error object.
func writeError(w http.ResponseWriter, status int, err error) { writeJSON(w, status, failureOf(err)) }

// writeProtocolError answers a body that is not a JSON-RPC message and therefore has no id to answer.
func writeProtocolError(w http.ResponseWriter, status, code int, text string) {
	writeJSON(w, status, faultMessage(nil, code, text, nil))
}

// protocolFault is an error of JSON-RPC.
type protocolFault struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Error   protocolDetails `json:"error"`
}

type protocolDetails struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
}

// faultMessage answers the message with that id, or with none.
func faultMessage(id json.RawMessage, code int, text string, data any) protocolFault {
	if len(id) == 0 {
		id = json.RawMessage("null")
	}
	return protocolFault{"2.0", id, protocolDetails{code, text, data}}
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	raw := append(marshal(body), '\n')
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(raw)))
	w.WriteHeader(status)
	_, _ = w.Write(raw) // the client has gone; there is nobody left to tell
}

// marshal is JSON on one line, without escapes that only HTML needs.
func marshal(body any) []byte {
	var raw bytes.Buffer
	e := json.NewEncoder(&raw)
	e.SetEscapeHTML(false)
	if err := e.Encode(body); err != nil { // a programmer's mistake: the bodies are our own structs
		panic(err)
	}
	return bytes.TrimSuffix(raw.Bytes(), []byte("\n"))
}
