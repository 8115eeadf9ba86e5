package storage_test

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/storagetest"
)

// BenchmarkChannels saves checks that find ten roles, in an installation of 1,000 accounts with ten saved searches
// each, all of which notify a channel. The number in its name is how many of the accounts track the board.
func BenchmarkChannels(b *testing.B) {
	const accounts, searches, roles = 1000, 10, 10
	for name, database := range map[string]func(testing.TB) storagetest.Database{
		"sqlite": storagetest.SQLite, "postgres": storagetest.Postgres,
	} {
		for _, tracking := range []int{1, 10, 100, 1000} {
			b.Run(name+"/"+strconv.Itoa(tracking)+" of 1000 track the board", func(b *testing.B) {
				s := database(b)(b, storage.Options{SealKey: []byte(storagetest.SealKey), Plans: account.Plans{
					account.PlanUltra: {Boards: 1 << 20, Cadence: time.Millisecond},
				}})
				for i := range accounts {
					tellSearches(b, s, i, searches, i < tracking)
				}
				reportCPU(b)
				from := 0
				for b.Loop() {
					claims, err := s.ClaimDue(b.Context(), 1, time.Minute, boardwatch.ClaimFilter{})
					require.NoError(b, err)
					require.Len(b, claims, 1)
					saveReading(b, s, claims[0], 0, from+roles)
					from += roles
				}
			})
		}
	}
}

// tellSearches creates an account with a channel for saved searches; every tenth search finds the roles.
func tellSearches(b *testing.B, s *storage.Store, n, searches int, tracks bool) {
	b.Helper()
	a := account.Account{ID: boardwatch.NewID(), Email: fmt.Sprintf("person%d@northwind.example", n), Plan: account.PlanUltra}
	require.NoError(b, s.CreateAccount(b.Context(), a))
	if tracks {
		_, _, err := s.Subscribe(b.Context(), boardwatch.Subscription{AccountID: a.ID}, boardwatch.Board{
			Source: "greenhouse:northwind", URL: "https://northwind.example/jobs",
		}, "")
		require.NoError(b, err)
	}
	c := boardwatch.Channel{ID: boardwatch.NewID(), AccountID: a.ID, Kind: account.ChannelNtfy, To: "https://ntfy.example/x"}
	for i := range searches {
		q := boardwatch.Search{ID: boardwatch.NewID(), AccountID: a.ID, Name: strconv.Itoa(i), Criteria: boardwatch.Criteria{Text: "Surgeon", Location: "berlin"}}
		if i == 0 {
			q.Text = "engineer"
		}
		require.NoError(b, s.CreateSearch(b.Context(), q, track.MaxSearches))
		c.Searches = append(c.Searches, q.ID)
	}
	require.NoError(b, s.CreateChannel(b.Context(), c, account.MaxChannels))
}
