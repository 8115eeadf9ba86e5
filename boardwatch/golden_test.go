package boardwatch_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

var update = flag.Bool("update", false, "rewrite the expected files")

var (
	noon  = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	board = boardwatch.Board{
		ID: "65f0c0ffee00000000000001", Source: "greenhouse:northwind", URL: "https://job-boards.greenhouse.io/northwind",
		Company: "Northwind Labs", Domain: "northwind.example", Status: boardwatch.BoardReady, OpenJobs: 2, ClosedJobs: 1,
		State: boardwatch.BoardState{LastCheckedAt: noon, LastSuccessAt: noon.Add(-time.Hour)},
	}
	openJob = boardwatch.Job{
		ID: "65f0c0ffee00000000000002", BoardID: board.ID, Key: "4012", Company: "Northwind Labs", Title: "Engineer <Storage> & \"Caches\"",
		Location: "Berlin; Zürich", Department: "Engineering", URL: "https://northwind.example/jobs/4012?a=1&b=2",
		Status: boardwatch.JobOpen, FirstSeenAt: noon.Add(-48 * time.Hour), LastSeenAt: noon.Add(123 * time.Millisecond),
	}
	closedJob = boardwatch.Job{
		ID: "65f0c0ffee00000000000003", BoardID: board.ID, Title: "Accountant", Status: boardwatch.JobClosed,
		FirstSeenAt: noon.Add(-72 * time.Hour), LastSeenAt: noon.Add(-24 * time.Hour), ClosedAt: noon,
	}
	hook = boardwatch.Webhook{
		ID: "65f0c0ffee00000000000004", AccountID: "65f0c0ffee00000000000005", URL: "https://hooks.example/x",
		Events: boardwatch.EventTypes(), CreatedAt: noon,
	}
)

// ids hands out predictable identifiers.
func ids() func() string {
	n := 0
	return func() string {
		n++
		s := strconv.Itoa(n)
		return "d00000000000000000000000"[:24-len(s)] + s
	}
}

func TestJSON(t *testing.T) {
	t.Parallel()

	mine := boardwatch.Subscription{AccountID: hook.AccountID, BoardID: board.ID, AddedAt: noon.Add(-96 * time.Hour)}
	unknown := boardwatch.Board{ID: board.ID, URL: "https://acme.example/careers", Status: boardwatch.BoardPending}
	locked := boardwatch.Subscription{Locked: true, CompanyName: "Acme", AddedAt: noon}
	many := make([]boardwatch.Job, 103)
	for i := range many {
		many[i] = closedJob
	}
	body := func(p boardwatch.Payload) json.RawMessage { return p.Body("65f0c0ffee000000000000ff") }

	for name, v := range map[string]any{
		"board":            board.View(mine),
		"board-pending":    unknown.View(locked),
		"job-open":         openJob,
		"job-closed":       closedJob,
		"check":            boardwatch.Check{ID: "c", BoardID: board.ID, At: noon, Health: boardwatch.HealthOK, OpenJobs: 2, Found: 1, Repeats: 3, LastAt: noon.Add(time.Hour)},
		"role-event-found": boardwatch.RoleEvent{JobID: openJob.ID, CheckID: "c", At: noon, Kind: boardwatch.ChangeFound, Origin: boardwatch.OriginFirst},
		"role-event-updated": boardwatch.RoleEvent{CheckID: "c", At: noon, Kind: boardwatch.ChangeUpdated, Changes: []boardwatch.FieldChange{
			{Field: boardwatch.FieldTitle, From: "Engineer", To: "Engineer <Storage>"}, {Field: boardwatch.FieldDepartment, To: "Platform"},
		}},
		"role-event-closed": boardwatch.RoleEvent{CheckID: "e", At: noon, Kind: boardwatch.ChangeClosed, Absences: []boardwatch.Absence{
			{CheckID: "d", At: noon.Add(-time.Hour)}, {CheckID: "e", At: noon},
		}},
		"role-event-old":  boardwatch.RoleEvent{CheckID: "c", At: noon, Kind: boardwatch.ChangeUpdated},
		"already-tracked": boardwatch.AlreadyTracked{BoardID: board.ID},
		"field-error":     []boardwatch.FieldError{{Field: "url", Message: "is missing"}},
		"event-found": body(boardwatch.JobsPayload("p", boardwatch.EventJobFound, board, "Northwind Labs",
			[]boardwatch.Job{openJob}, noon)),
		"event-archived-truncated": body(boardwatch.JobsPayload("p", boardwatch.EventJobArchived, board, "", many, noon)),
		"event-board-failed":       body(boardwatch.FailedPayload("p", board, "Northwind Labs", "the server answered 502", noon)),
		"event-ping":               body(boardwatch.PingPayload("p", hook, noon)),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			raw, err := json.Marshal(v)
			require.NoError(t, err)
			var pretty bytes.Buffer
			require.NoError(t, json.Indent(&pretty, raw, "", "  "))
			pretty.WriteByte('\n')
			file := filepath.Join("testdata", "json", name+".json")
			if *update {
				require.NoError(t, os.WriteFile(file, pretty.Bytes(), 0o600))
			}
			want, err := os.ReadFile(file)
			require.NoError(t, err)
			require.Equal(t, string(want), pretty.String())
		})
	}
}

func TestJSONRoundTrip(t *testing.T) {
	t.Parallel()

	for _, j := range []boardwatch.Job{openJob, closedJob} {
		raw, err := json.Marshal(j)
		require.NoError(t, err)
		var back boardwatch.Job
		require.NoError(t, json.Unmarshal(raw, &back))
		back.Key = j.Key // never shown
		require.Equal(t, j, back)
	}
	view := board.View(boardwatch.Subscription{AddedAt: noon})
	raw, err := json.Marshal(view)
	require.NoError(t, err)
	var back boardwatch.BoardView
	require.NoError(t, json.Unmarshal(raw, &back))
	require.Equal(t, view, back)
}

func TestPayloadBytesAreStable(t *testing.T) {
	t.Parallel()

	p := boardwatch.JobsPayload("p", boardwatch.EventJobFound, board, "Northwind Labs", []boardwatch.Job{openJob}, noon)
	first := p.Body("65f0c0ffee000000000000ff")
	again := p.Body("65f0c0ffee000000000000ff")
	require.Equal(t, first, again)
	require.True(t, json.Valid(p.Body("65f0c0ffee000000000000ff")))
	require.Equal(t, p.Body("65f0c0ffee000000000000ff")[32:], p.Body("65f0c0ffee000000000000fe")[32:], "only the id differs")
}
