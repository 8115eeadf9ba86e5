package track_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

func TestDaysOfATimeZone(t *testing.T) {
	t.Parallel()
	for zone, days := range map[string]map[string]string{ // the days, and when they begin
		"UTC":              {"2026-11-20": "2026-11-20T00:00:00Z"},
		"Asia/Tokyo":       {"2026-11-20": "2026-11-19T15:00:00Z"},
		"America/New_York": {"2026-03-08": "2026-03-08T05:00:00Z", "2026-03-09": "2026-03-09T04:00:00Z", "2026-11-02": "2026-11-02T05:00:00Z"},
		"Africa/Cairo":     {"2026-04-24": "2026-04-23T22:00:00Z", "2026-04-25": "2026-04-24T21:00:00Z"}, // midnight is skipped
		"America/Havana":   {"2026-11-01": "2026-11-01T04:00:00Z", "2026-11-02": "2026-11-02T05:00:00Z"}, // midnight comes twice
		"Asia/Kathmandu":   {"2026-11-20": "2026-11-19T18:15:00Z"},
	} {
		loc, err := time.LoadLocation(zone)
		require.NoError(t, err)
		for day, begins := range days {
			date, err := time.Parse(time.DateOnly, day)
			require.NoError(t, err)
			at := track.DayBegins(date, loc)
			require.Equal(t, begins, at.UTC().Format(time.RFC3339), "%s in %s", day, zone)
			require.Equal(t, loc, at.Location())
			require.Equal(t, date, track.Date(at, loc))
			require.Equal(t, date.AddDate(0, 0, -1), track.Date(at.Add(-time.Millisecond), loc))
		}
	}
}

func TestJoinFields(t *testing.T) {
	t.Parallel()
	change := func(field boardwatch.JobField, from, to string) boardwatch.FieldChange {
		return boardwatch.FieldChange{Field: field, From: from, To: to}
	}
	title, place := boardwatch.FieldTitle, boardwatch.FieldLocation
	type changes = []boardwatch.FieldChange
	for name, tt := range map[string]struct{ first, second, want changes }{
		"nothing":                       {},
		"one after the other":           {changes{change(title, "A", "B")}, changes{change(title, "B", "C")}, changes{change(title, "A", "C")}},
		"different fields":              {changes{change(place, "x", "y")}, changes{change(title, "A", "B")}, changes{change(title, "A", "B"), change(place, "x", "y")}},
		"what it was before is nothing": {changes{change(title, "A", "B"), change(place, "x", "")}, changes{change(title, "B", "A")}, changes{change(place, "x", "")}},
		"only the first":                {changes{change(title, "A", "B")}, nil, changes{change(title, "A", "B")}},
	} {
		require.Equal(t, tt.want, track.JoinFields(tt.first, tt.second), name)
	}
}
