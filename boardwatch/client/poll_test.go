package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/client"
)

// at is a moment of the day on which the scripts play.
func at(minute int) time.Time { return time.Date(2026, 11, 20, 9, minute, 0, 0, time.UTC) }

// page is an answer with these roles, first seen at the minute before the poll, or after that of minute 1 if they are late.
func page(minute int, ids ...string) string {
	jobs := []boardwatch.Job{}
	for _, id := range ids {
		seen := at(minute - 1)
		if strings.HasPrefix(id, "late") {
			seen = at(1).Add(time.Second)
		}
		jobs = append(jobs, boardwatch.Job{ID: id, Title: "Role " + id, Status: boardwatch.JobOpen, FirstSeenAt: seen})
	}
	raw, err := json.Marshal(map[string]any{"jobs": jobs, "total": len(jobs), "polledAt": at(minute)})
	if err != nil {
		panic(err)
	}
	return "200 " + string(raw)
}

func names(from, to int) (ids []string) {
	for i := from; i < to; i++ {
		ids = append(ids, fmt.Sprintf("r%03d", i))
	}
	return ids
}

// parameter is one parameter of each request.
func (s *service) parameter(t *testing.T, name string) (values []string) {
	t.Helper()
	for _, a := range s.asked() {
		u, err := url.Parse(strings.TrimPrefix(a, "GET "))
		require.NoError(t, err)
		values = append(values, u.Query().Get(name))
	}
	return values
}

// take ranges over a poll until n roles have come or it ends.
func take(ctx context.Context, p *client.Poll, n int) (ids []string, err error) {
	for job, err := range p.Jobs(ctx) {
		if err != nil {
			return ids, err
		}
		ids = append(ids, job.ID)
		if len(ids) == n {
			return ids, nil
		}
	}
	return ids, nil
}

func TestPoll(t *testing.T) {
	t.Parallel()
	unauthorized := `401 {"error":{"code":"unauthorized","message":"this key does not exist, or no longer"}}`

	t.Run("hands out what is new, once, and passes polledAt on", func(t *testing.T) {
		t.Parallel()
		s := newService(t, client.Options{}, page(0, "old"), limited, page(1, "late1", "a"), page(2, "b", "late1"), page(3), unauthorized)
		var saved []client.Cursor
		p := s.Poll(client.PollOptions{BoardID: "4f1c9a27d05be83176aa20c5", Save: func(_ context.Context, c client.Cursor) error {
			saved = append(saved, c)
			return nil
		}})
		ids, err := take(t.Context(), p, -1)
		require.Equal(t, boardwatch.CodeUnauthorized, client.CodeOf(err))
		require.Equal(t, []string{"late1", "a", "b"}, ids)
		instant := func(m int) string { return at(m).Format(time.RFC3339Nano) }
		require.Equal(t, []string{"", instant(0), instant(0), instant(1), instant(2), instant(3)}, s.parameter(t, "addedAfter"))
		for _, status := range s.parameter(t, "status") {
			require.Equal(t, "all", status)
		}
		require.Equal(t, []client.Cursor{{After: at(0)}, {After: at(1), Seen: []string{"late1"}}, {After: at(2)}, {After: at(3)}}, saved)
		require.Equal(t, client.DefaultEvery, s.waited[0])
	})

	t.Run("goes on after a restart where it was", func(t *testing.T) {
		t.Parallel()
		s := newService(t, client.Options{}, page(2, "late1", "new"))
		raw, err := json.Marshal(client.Cursor{After: at(1), Seen: []string{"late1"}})
		require.NoError(t, err)
		var from client.Cursor
		require.NoError(t, json.Unmarshal(raw, &from))
		ids, err := take(t.Context(), s.Poll(client.PollOptions{From: from}), 1)
		require.NoError(t, err)
		require.Equal(t, []string{"new"}, ids)
	})

	t.Run("asks again for a poll that was not taken to its end", func(t *testing.T) {
		t.Parallel()
		s := newService(t, client.Options{}, page(2, "c", "b", "a"), page(3, "d", "c", "b", "a"))
		p := s.Poll(client.PollOptions{From: client.Cursor{After: at(1)}, Save: func(context.Context, client.Cursor) error {
			return errors.New("nothing is whole yet")
		}})
		ids, err := take(t.Context(), p, 2)
		require.NoError(t, err)
		require.Equal(t, []string{"c", "b"}, ids)
		ids, err = take(t.Context(), p, 2)
		require.NoError(t, err)
		require.Equal(t, []string{"d", "a"}, ids)
		require.Equal(t, []string{at(1).Format(time.RFC3339Nano), at(1).Format(time.RFC3339Nano)}, s.parameter(t, "addedAfter"))
	})

	t.Run("ends when its place cannot be kept", func(t *testing.T) {
		t.Parallel()
		full := errors.New("the disk is full")
		s := newService(t, client.Options{}, page(2, "a"))
		_, err := take(t.Context(), s.Poll(client.PollOptions{
			From: client.Cursor{After: at(1)}, Save: func(context.Context, client.Cursor) error { return full },
		}), -1)
		require.ErrorIs(t, err, full)
	})

	t.Run("ends with its context", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(t.Context())
		s := newService(t, client.Options{}, page(0))
		s.SetWait(func(ctx context.Context, _ time.Duration) error {
			cancel()
			return ctx.Err()
		})
		_, err := take(ctx, s.Poll(client.PollOptions{}), -1)
		require.ErrorIs(t, err, context.Canceled)
	})
}

func TestAllJobs(t *testing.T) {
	t.Parallel()

	t.Run("goes through pages that overlap", func(t *testing.T) {
		t.Parallel()
		s := newService(t, client.Options{}, page(1, names(0, 100)...), page(1, names(99, 199)...), page(1, names(198, 201)...))
		ids := all(t, s)
		require.Equal(t, names(0, 201), ids)
		require.Equal(t, []string{"", "99", "198"}, s.parameter(t, "skip"))
	})

	t.Run("shows roles once that new ones moved to the next page", func(t *testing.T) {
		t.Parallel()
		s := newService(t, client.Options{}, page(1, names(0, 100)...), page(1, names(90, 120)...))
		require.Equal(t, names(0, 120), all(t, s))
	})

	t.Run("goes on behind more new roles than fit on a page", func(t *testing.T) {
		t.Parallel()
		var found []string
		for i := range 150 {
			found = append(found, fmt.Sprintf("new%03d", i))
		}
		s := newService(t, client.Options{},
			page(1, names(0, 100)...), page(1, found[50:]...), page(1, names(48, 120)...))
		require.Equal(t, slices.Concat(names(0, 100), found[50:], names(100, 120)), all(t, s))
		require.Equal(t, []string{"", "99", "198"}, s.parameter(t, "skip"))
	})

	t.Run("begins again when roles have left the list, so that none is skipped", func(t *testing.T) {
		t.Parallel()
		// Ten roles of the first page leave. What was to be on the second page begins ten roles later.
		s := newService(t, client.Options{},
			page(1, names(0, 100)...), page(1, names(109, 150)...), page(1, names(10, 110)...), page(1, names(109, 150)...))
		require.ElementsMatch(t, names(0, 150), all(t, s))
		require.Equal(t, []string{"", "99", "", "99"}, s.parameter(t, "skip"))
	})
}

func all(t *testing.T, s *service) (ids []string) {
	t.Helper()
	for job, err := range s.AllJobs(t.Context(), client.JobFilter{Status: client.StatusAll}) {
		require.NoError(t, err)
		ids = append(ids, job.ID)
	}
	return ids
}
