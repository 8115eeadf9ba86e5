package account_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch/account"
)

func TestDigestAt(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		hour  int
		zone  string
		now   string
		date  string
		at    string
		after string // the next one
	}{
		{"before the hour it is yesterday's", 7, "", "2026-11-20T06:59:59Z", "2026-11-19", "2026-11-19T07:00:00Z", "2026-11-20T07:00:00Z"},
		{"at the hour it is today's", 7, "", "2026-11-20T07:00:00Z", "2026-11-20", "2026-11-20T07:00:00Z", "2026-11-21T07:00:00Z"},
		{"midnight belongs to the day that begins", 0, "", "2026-11-20T00:00:00Z", "2026-11-20", "2026-11-20T00:00:00Z", "2026-11-21T00:00:00Z"},
		{"the day is that of the zone", 7, "Pacific/Auckland", "2026-11-19T18:30:00Z", "2026-11-20", "2026-11-19T18:00:00Z", "2026-11-20T18:00:00Z"},
		{"the first of a month", 23, "", "2027-01-01T05:00:00Z", "2026-12-31", "2026-12-31T23:00:00Z", "2027-01-01T23:00:00Z"},
		{"summer begins", 7, "Europe/Berlin", "2027-03-27T12:00:00Z", "2027-03-27", "2027-03-27T06:00:00Z", "2027-03-28T05:00:00Z"},
		{"summer ends", 7, "Europe/Berlin", "2026-10-24T12:00:00Z", "2026-10-24", "2026-10-24T05:00:00Z", "2026-10-25T06:00:00Z"},
		{"an hour that is leapt over is the moment of the leap", 2, "Europe/Berlin", "2027-03-28T01:00:00Z", "2027-03-28", "2027-03-28T01:00:00Z", "2027-03-29T00:00:00Z"},
		{"just before the leap it is yesterday's", 2, "Europe/Berlin", "2027-03-28T00:59:59Z", "2027-03-27", "2027-03-27T01:00:00Z", "2027-03-28T01:00:00Z"},
		{"an hour that comes twice counts the first time", 2, "Europe/Berlin", "2026-10-25T00:30:00Z", "2026-10-25", "2026-10-25T00:00:00Z", "2026-10-26T01:00:00Z"},
		{"and not the second", 2, "Europe/Berlin", "2026-10-25T01:30:00Z", "2026-10-25", "2026-10-25T00:00:00Z", "2026-10-26T01:00:00Z"},
		{"a leap of half an hour", 2, "Australia/Lord_Howe", "2026-10-03T20:00:00Z", "2026-10-04", "2026-10-03T15:30:00Z", "2026-10-04T15:00:00Z"},
		{"a day that begins at one", 0, "Africa/Cairo", "2026-04-24T10:00:00Z", "2026-04-24", "2026-04-23T22:00:00Z", "2026-04-24T21:00:00Z"},
		{"a zone of three quarters", 7, "Asia/Kathmandu", "2026-11-20T01:15:00Z", "2026-11-20", "2026-11-20T01:15:00Z", "2026-11-21T01:15:00Z"},
		{"a zone that nobody knows is UTC", 7, "Europe/Nowhere", "2026-11-20T07:00:00Z", "2026-11-20", "2026-11-20T07:00:00Z", "2026-11-21T07:00:00Z"},
		{"who chose no hour has the installation's", account.DefaultHour, "", "2026-11-20T18:00:00Z", "2026-11-20", "2026-11-20T18:00:00Z", "2026-11-21T18:00:00Z"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			now, err := time.Parse(time.RFC3339, tt.now)
			require.NoError(t, err)
			p := account.Preferences{DigestHour: tt.hour, TimeZone: tt.zone}
			day := p.DigestAt(now, 18)
			require.Equal(t, tt.date, day.Date)
			require.Equal(t, tt.at, day.At.Format(time.RFC3339))
			require.Equal(t, tt.after, day.Next.Format(time.RFC3339))
		})
	}
}

func TestDigestAtNeverGoesBackAndLeavesNoDayOut(t *testing.T) {
	t.Parallel()
	for _, zone := range []string{"", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Cairo", "Pacific/Apia", "America/Sao_Paulo"} {
		for _, hour := range []int{0, 1, 2, 3, 4, 12, 23} { // clocks change early in the day
			p := account.Preferences{DigestHour: hour, TimeZone: zone}
			now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
			last := p.DigestAt(now, 7)
			for range 370 {
				day := p.DigestAt(last.Next, 7)
				require.Equal(t, last.Next, day.At, "%s %d", zone, hour)
				before, err := time.Parse(time.DateOnly, last.Date)
				require.NoError(t, err)
				require.Equal(t, before.AddDate(0, 0, 1).Format(time.DateOnly), day.Date, "%s %d", zone, hour)
				last = day
			}
		}
	}
}

func TestSessionExpires(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	s, token := account.NewSession("account", "203.0.113.7", "Browser/1.0", now)
	require.True(t, account.ValidToken(token))
	require.Equal(t, account.HashSecret(token), s.Hash)
	require.True(t, s.Live(now.Add(account.SessionIdle-time.Millisecond)))
	require.False(t, s.Live(now.Add(account.SessionIdle)))
	s.LastUsedAt = now.Add(account.SessionLife - time.Hour)
	require.True(t, s.Live(now.Add(account.SessionLife-time.Millisecond)))
	require.False(t, s.Live(now.Add(account.SessionLife)), "in use, but too old")
	for _, bad := range []string{"", "x", token + "A", token[1:], token[:42] + "!"} {
		require.False(t, account.ValidToken(bad), bad)
	}
}
