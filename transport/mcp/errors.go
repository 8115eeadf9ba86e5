package mcp

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/transport"
)

// The codes of JSON-RPC that are answered here; the library answers the others.
const (
	codeParse          = -32700
	codeInvalidRequest = -32600
)

var (
	errNotPost = &boardwatch.Error{Code: boardwatch.CodeNotFound, Message: "this address answers POST only"}
	errNotGet  = &boardwatch.Error{Code: boardwatch.CodeNotFound, Message: "this address answers GET only"}
)

// failureOf is what a caller is told of an error: an agent is also told when there is nothing left to do.
func failureOf(err error) transport.Failure {
	f := transport.FailureOf(err)
	if f.Error.Code == boardwatch.CodeAlreadyTracked {
		f.Error.Message += "; nothing has to be done"
	}
	return f
}

// writeError answers with the published Error object.
func writeError(w http.ResponseWriter, status int, err error) { writeJSON(w, status, failureOf(err)) }

// writeProtocolError answers what is no message that could be answered under its number.
func writeProtocolError(w http.ResponseWriter, status, code int, message string) {
	type details struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	}
	writeJSON(w, status, struct {
		JSONRPC string  `json:"jsonrpc"`
		ID      any     `json:"id"`
		Error   details `json:"error"`
	}{"2.0", nil, details{code, message}})
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

// messageFault says why a body is not one JSON-RPC message, or nothing.
func messageFault(body []byte) (code int, fault string) {
	var m struct {
		Version string          `json:"jsonrpc"`
		Method  string          `json:"method"`
		ID      json.RawMessage `json:"id"`
		Params  json.RawMessage `json:"params"`
		Result  json.RawMessage `json:"result"`
		Error   json.RawMessage `json:"error"`
	}
	if !json.Valid(body) {
		return codeParse, "the body is not JSON"
	}
	if start := bytes.TrimLeft(body, " \t\r\n"); start[0] == '[' {
		return codeInvalidRequest, "batches are not answered; send one message in each request"
	}
	if err := json.Unmarshal(body, &m); err != nil || m.Version != "2.0" {
		return codeInvalidRequest, `the body must be one JSON-RPC message with "jsonrpc": "2.0"`
	}
	switch {
	case m.Method == "" && m.Result == nil && m.Error == nil:
		return codeInvalidRequest, "the message has no method"
	case len(m.ID) > 0 && strings.ContainsRune("{[tf", rune(m.ID[0])):
		return codeInvalidRequest, "the id must be a string, a number or null"
	case len(m.Params) > 0 && m.Params[0] != '{' && m.Params[0] != 'n':
		return codeInvalidRequest, "params must be an object"
	default:
		return 0, ""
	}
}
