package serve

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/boardwatch/watch"
)

func TestAnnouncerTellsOfTheHealthOfEachBoard(t *testing.T) {
	t.Parallel()
	causes := map[string]cause.Cause{
		"the page answered 500": cause.SiteError, "the page answered 403": cause.Refused,
	}
	report := func(id string, health boardwatch.Health, reason string) watch.CheckReport {
		return watch.CheckReport{
			Board: boardwatch.Board{ID: id, URL: "https://" + id + ".example"}, Check: boardwatch.Check{Health: health, Cause: causes[reason], Reason: reason},
		}
	}
	const down, shut = "the page answered 500", "the page answered 403"
	tests := []struct {
		name    string
		reports []watch.CheckReport
		want    string
	}{
		{
			"a board that stays failed is told of once, whatever other boards do",
			[]watch.CheckReport{
				report("a", boardwatch.HealthFailed, down), report("b", boardwatch.HealthOK, ""), report("a", boardwatch.HealthFailed, down),
				{Board: boardwatch.Board{ID: "b"}, Unchanged: true},
				report("a", boardwatch.HealthFailed, down),
			},
			"09:00:00  trouble   https://a.example: the page answered 500 (nothing is closed by it)\n",
		},
		{
			"another cause is told, and a healthy check ends it",
			[]watch.CheckReport{
				report("a", boardwatch.HealthFailed, down), report("a", boardwatch.HealthFailed, shut), report("a", boardwatch.HealthOK, ""),
				report("a", boardwatch.HealthOK, ""),
			},
			"09:00:00  trouble   https://a.example: the page answered 500 (nothing is closed by it)\n" +
				"09:00:00  trouble   https://a.example: the page answered 403 (nothing is closed by it)\n" +
				"09:00:00  well      https://a.example is read again\n",
		},
		{
			"so does one that finds nothing changed",
			[]watch.CheckReport{
				report("a", boardwatch.HealthFailed, down),
				{Board: boardwatch.Board{ID: "a", URL: "https://a.example"}, Unchanged: true},
			},
			"09:00:00  trouble   https://a.example: the page answered 500 (nothing is closed by it)\n" +
				"09:00:00  well      https://a.example is read again\n",
		},
		{
			"a check that was not saved ends nothing",
			[]watch.CheckReport{
				report("a", boardwatch.HealthFailed, down),
				{Board: boardwatch.Board{ID: "a"}, Err: errors.New("lost")},
				{Board: boardwatch.Board{ID: "a"}, Merged: true},
			},
			"09:00:00  trouble   https://a.example: the page answered 500 (nothing is closed by it)\n",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			n := newAnnouncer(&out, func() time.Time { return time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC) })
			for i, r := range tt.reports {
				if i == 1 {
					require.Empty(t, out.String(), "the introduction comes first")
					n.begin()
				}
				n.observe(r)
			}
			require.Equal(t, tt.want, out.String())
		})
	}
}
