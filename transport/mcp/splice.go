package mcp

import (
	"bytes"
	"encoding/json"
	"slices"

	mcpgo "github.com/mark3labs/mcp-go/mcp"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// spliced is what a tool answers, JSON already. The library gets a mark in its place, and the answer takes the mark's place
// when the library writes the message: it would write a list of roles by reflection and check it over and over, which
// takes as long as reading the roles. It is used for one answer after the other.
type spliced struct {
	mark    []byte // in quotes; nobody outside knows it
	raw     []byte
	message []byte // the whole of it
}

// result says the same twice: as text for clients that know no other, and as structured content.
func (s *spliced) result(answer boardwatch.Appender) *mcpgo.CallToolResult {
	mark := boardwatch.NewID()
	s.mark = append(append(append(s.mark[:0], '"'), mark...), '"')
	s.raw = answer.AppendJSON(s.raw[:0])
	structured := json.RawMessage(s.mark)
	return &mcpgo.CallToolResult{
		Content: []mcpgo.Content{mcpgo.NewTextContent(mark)}, StructuredContent: structured, RawStructuredContent: structured,
	}
}

// into is a message with the answer in its places: first as text, then as it is, because the library sorts the fields of a
// result by their names. A message without the marks, such as one that tells of a fault, is left as it is.
func (s *spliced) into(message []byte) []byte {
	before, rest, found := bytes.Cut(message, s.mark)
	between, after, foundAgain := bytes.Cut(rest, s.mark)
	if !found || !foundAgain {
		return message
	}
	s.message = slices.Grow(s.message[:0], len(message)+2*len(s.raw)+len(s.raw)/4)
	s.message = appendQuoted(append(s.message, before...), s.raw)
	s.message = append(append(s.message, between...), s.raw...)
	s.message = append(s.message, after...)
	return s.message
}

// appendQuoted appends JSON on one line as a JSON string. Nothing in it needs an escape but quotes and backslashes.
func appendQuoted(out, raw []byte) []byte {
	out = append(out, '"')
	from := 0
	for i, c := range raw {
		if c == '"' || c == '\\' {
			out = append(append(out, raw[from:i]...), '\\')
			from = i
		}
	}
	return append(append(out, raw[from:]...), '"')
}
