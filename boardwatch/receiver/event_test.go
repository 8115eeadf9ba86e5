package receiver_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/receiver"
)

// golden returns an event from the core's golden file.
func golden(tb testing.TB, name string) []byte {
	tb.Helper()
	body, err := os.ReadFile(filepath.Join("..", "testdata", "json", name+".json"))
	require.NoError(tb, err)
	return body
}

func TestParse(t *testing.T) {
	t.Parallel()

	t.Run("roles found", func(t *testing.T) {
		t.Parallel()
		body := golden(t, "event-found")
		e, err := receiver.Parse(body)
		require.NoError(t, err)
		found, ok := e.(receiver.JobsFound)
		require.True(t, ok)
		require.Equal(t, "65f0c0ffee000000000000ff", found.ID)
		require.Equal(t, boardwatch.EventJobFound, found.Type)
		require.Equal(t, noon, found.CreatedAt)
		require.Equal(t, body, found.Body)
		require.Equal(t, receiver.Board{
			ID: "65f0c0ffee00000000000001", Company: "Northwind Labs", Domain: "northwind.example",
			CareersURL: "https://job-boards.greenhouse.io/northwind",
		}, found.Board)
		require.Len(t, found.Jobs, 1)
		require.Equal(t, `Engineer <Storage> & "Caches"`, found.Jobs[0].Title)
		require.Equal(t, time.Date(2026, 11, 18, 12, 0, 0, 0, time.UTC), found.Jobs[0].FirstSeenAt)
		require.Zero(t, found.Jobs[0].ClosedAt)
		require.Zero(t, found.Truncated)
	})
	t.Run("roles archived, more than fit", func(t *testing.T) {
		t.Parallel()
		e, err := receiver.Parse(golden(t, "event-archived-truncated"))
		require.NoError(t, err)
		archived, ok := e.(receiver.JobsArchived)
		require.True(t, ok)
		require.NotZero(t, archived.Truncated)
		require.Len(t, archived.Jobs, boardwatch.MaxEventJobs)
	})
	t.Run("a board that failed", func(t *testing.T) {
		t.Parallel()
		e, err := receiver.Parse(golden(t, "event-board-failed"))
		require.NoError(t, err)
		failed, ok := e.(receiver.BoardFailed)
		require.True(t, ok)
		require.NotEmpty(t, failed.Reason)
		require.NotEmpty(t, failed.Board.ID)
	})
	t.Run("what is null is empty", func(t *testing.T) {
		t.Parallel()
		e, err := receiver.Parse([]byte(`{"id":"1","type":"board.failed","board":{"id":"b","company":null,"domain":null,"careersUrl":null},"error":null}`))
		require.NoError(t, err)
		failed, ok := e.(receiver.BoardFailed)
		require.True(t, ok)
		require.Equal(t, receiver.Board{ID: "b"}, failed.Board)
		require.Empty(t, failed.Reason)
	})
	t.Run("a ping", func(t *testing.T) {
		t.Parallel()
		e, err := receiver.Parse(golden(t, "event-ping"))
		require.NoError(t, err)
		ping, ok := e.(receiver.Ping)
		require.True(t, ok)
		require.NotEmpty(t, ping.WebhookID)
		require.NotEmpty(t, ping.Events)
	})
	t.Run("what a later version may send", func(t *testing.T) {
		t.Parallel()
		e, err := receiver.Parse([]byte(`{"id":"1","type":"board.renamed","was":"Northwind"}`))
		require.NoError(t, err)
		require.IsType(t, receiver.Unknown{}, e)
		require.Contains(t, string(e.Head().Body), "Northwind")
	})
	t.Run("what is none is an error", func(t *testing.T) {
		t.Parallel()
		for _, bad := range []string{
			"", "null", "[]", "{}", `{"id":"1"}`, `{"type":"ping"}`, `{"id":1,"type":"ping"}`, `{"id":"1","type":"ping","createdAt":"noon"}`,
			`{"id":"1","type":"job.found","jobs":{}}`, `{"id":"1","type":"job.archived","board":7}`, `{"id":"1","type":"ping","webhook":[]}`,
			`{"id":"1","type":"board.failed","error":{}}`,
		} {
			_, err := receiver.Parse([]byte(bad))
			require.ErrorContains(t, err, "parse", bad)
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, name := range []string{"event-found", "event-archived-truncated", "event-board-failed", "event-ping"} {
		f.Add(golden(f, name))
	}
	f.Add([]byte(`{"id":"1","type":"job.found","jobs":[null]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		e, err := receiver.Parse(body)
		if err != nil {
			return
		}
		require.NotEmpty(t, e.Head().ID)
		require.NotEmpty(t, e.Head().Type)
		require.Equal(t, body, e.Head().Body)
	})
}

func TestMemory(t *testing.T) {
	t.Parallel()
	m := receiver.NewMemory(2)
	begin := func(id string) receiver.State {
		state, err := m.Begin(t.Context(), id)
		require.NoError(t, err)
		return state
	}
	take := func(id string) {
		require.Equal(t, receiver.Fresh, begin(id))
		require.Equal(t, receiver.Busy, begin(id))
		require.NoError(t, m.End(t.Context(), id, true))
		require.Equal(t, receiver.Taken, begin(id))
	}
	take("a")
	take("b")
	take("c")
	require.Equal(t, receiver.Taken, begin("b"))
	require.Equal(t, receiver.Fresh, begin("a"), "the oldest is forgotten")
	require.NoError(t, m.End(t.Context(), "a", false))
	require.Equal(t, receiver.Fresh, begin("a"), "what was not taken may be taken anew")
	require.Equal(t, receiver.Busy, begin("a"))

	require.NotPanics(t, func() {
		none := receiver.NewMemory(0)
		require.NoError(t, none.End(t.Context(), "x", true))
	})
}
