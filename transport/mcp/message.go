package mcp

import (
	"bytes"
	"encoding/json"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// message is what has to be known of a JSON-RPC message before the library reads it, with the same decoder.
type message struct {
	Version string          `json:"jsonrpc"`
	Method  string          `json:"method"`
	ID      json.RawMessage `json:"id"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   json.RawMessage `json:"error,omitempty"`
}

// readMessage reads a body; otherwise it says why that is not one JSON-RPC message.
func readMessage(body []byte) (m message, code int, fault string) {
	if !json.Valid(body) {
		return m, codeParse, "the body is not JSON"
	}
	if start := bytes.TrimLeft(body, " \t\r\n"); start[0] == '[' {
		return m, codeInvalidRequest, "batches are not answered; send one message in each request"
	}
	if err := json.Unmarshal(body, &m); err != nil || m.Version != "2.0" {
		return m, codeInvalidRequest, `the body must be one JSON-RPC message with "jsonrpc": "2.0"`
	}
	switch {
	case m.Method == "" && m.Result == nil && m.Error == nil:
		return m, codeInvalidRequest, "the message has no method"
	case !isID(m.ID):
		return m, codeInvalidRequest, "the id must be a string, an integer or null"
	case len(m.Params) > 0 && m.Params[0] != '{' && m.Params[0] != 'n':
		return m, codeInvalidRequest, "params must be an object"
	default:
		return m, 0, ""
	}
}

// longestNumber is how long the number of a message may be, in digits. Those of clients have twenty at most.
const longestNumber = 100

// isID reports whether a value can be the id of a message: a string, an integer, null or nothing at all.
func isID(raw json.RawMessage) bool {
	if len(raw) == 0 || raw[0] == '"' || raw[0] == 'n' {
		return true
	}
	if strings.ContainsRune("{[tf", rune(raw[0])) || len(raw) > longestNumber {
		return false
	}
	if !bytes.ContainsAny(raw, ".eE") {
		return true
	}
	f, err := strconv.ParseFloat(string(raw), 64)
	return err == nil && f == math.Trunc(f) && math.Abs(f) <= 1<<53
}

// oldest is a revision that the library still takes, and that is not announced: nothing but its batches sets it apart.
const oldest = "2024-11-05"

// isVersion checks the MCP-Protocol-Version header. Revisions later than ours are left to mcp-go, because such messages name
// their revision in the body as well.
func isVersion(named string) bool {
	return named == "" || named == oldest || slices.Contains(versions(), named) ||
		len(named) == len(oldest) && named > versions()[0] && strings.Trim(named, "0123456789-") == ""
}

// refuseVersion answers a message of an unsupported revision.
func refuseVersion(w http.ResponseWriter, id json.RawMessage, named string) {
	writeJSON(w, http.StatusBadRequest, faultMessage(id, codeVersion, "this revision of the protocol is not spoken here", struct {
		Supported []string `json:"supported"`
		Requested string   `json:"requested"`
	}{versions(), named}))
}
