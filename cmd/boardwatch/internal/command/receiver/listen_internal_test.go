package receiver

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command"
)

func TestListenOnATerminal(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	l := &listener{cli: &command.CLI{Out: &out, OutTerm: command.Terminal{Is: true, Width: 80}, Now: time.Now}, forward: "http://localhost:1/", seen: make(map[string]bool)}
	id, kind := "65f0c0ffee000000000000ff", "job.found"
	l.print(receivedView{Valid: true, ID: &id, Type: &kind, Status: 500, Event: json.RawMessage(`{"id":"x"}`)})
	l.forward = ""
	l.print(receivedView{Valid: true, ID: &id, Type: &kind, Status: 204, Event: json.RawMessage(`{"id":"x"}`)})
	l.print(receivedView{Reason: command.Optional("too\x1b[31m old")})
	require.Regexp(t, `^\d\d:\d\d:\d\d  job.found  65f0c0ffee000000000000ff  forwarded: 500\n\{\n  "id": "x"\n\}\n`+
		`\d\d:\d\d:\d\d  job.found  65f0c0ffee000000000000ff  again\n\{\n  "id": "x"\n\}\n\d\d:\d\d:\d\d  refused: too\[31m old\n$`, out.String())
}
