package storagetest

import (
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

func jobCases() cases {
	return cases{
		"the newest come first, page by page, each once": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			for i := range 3 {
				b := w.track(a, fmt.Sprintf("company%d", i)).Board
				w.check(b.ID, roles(many(20)...))
				w.check(b.ID, roles(many(30)...))
			}
			all := w.jobs(a, track.JobFilter{Limit: 1000}).Jobs
			require.Len(t, all, 90)
			require.True(t, slices.IsSortedFunc(all, func(a, b boardwatch.Job) int {
				if c := b.FirstSeenAt.Compare(a.FirstSeenAt); c != 0 {
					return c
				}
				if a.ID > b.ID {
					return -1
				}
				return 1
			}))
			var paged []boardwatch.Job
			for skip := int64(0); ; skip += 7 {
				page := w.jobs(a, track.JobFilter{Limit: 7, Skip: skip})
				require.EqualValues(t, 90, page.Total)
				if len(page.Jobs) == 0 {
					break
				}
				paged = append(paged, page.Jobs...)
			}
			require.Equal(t, all, paged)
			require.Len(t, w.jobs(a, track.JobFilter{}).Jobs, 50, "the default")
		},
		"a skip past the end is an empty page with its total": func(t *testing.T, w *world) {
			a := w.account(account.PlanPro)
			w.check(w.track(a, "northwind").Board.ID, roles("Cook"))
			for _, f := range []track.JobFilter{{Skip: 1}, {Skip: 1<<53 - 1}, {Skip: 1<<53 - 1, Search: "c"}} {
				page := w.jobs(a, f)
				require.NotNil(t, page.Jobs)
				require.Empty(t, page.Jobs)
				require.EqualValues(t, 1, page.Total)
			}
		},
		"search and place fold case and take wildcards literally": func(t *testing.T, w *world) {
			a := w.account(account.PlanPro)
			r := boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: -1}
			for i, p := range []boardwatch.Posting{
				{Title: "Ingénieur Données", Location: "Paris"},
				{Title: "Straßenplaner", Location: "ZÜRICH"},
				{Title: "100% Remote_Role \\ x", Location: "São Paulo"},
				{Title: "1000 Remote Role", Location: "Sao Paulo"},
				{Title: "It's a ? \"role\"", Location: "ﬁeld"},
				{Title: "ΟΔΥΣΣΕΎΣ", Location: "Αθήνα"},
			} {
				p.Key = strconv.Itoa(i)
				r.Postings = append(r.Postings, p)
			}
			w.check(w.track(a, "northwind").Board.ID, r.Normalize())
			for _, tt := range []struct {
				search, location string
				keys             int
				title            string
			}{
				{search: "INGÉNIEUR", keys: 1, title: "Ingénieur Données"},
				{search: "strasse", keys: 1, title: "Straßenplaner"},
				{location: "zürich", keys: 1, title: "Straßenplaner"},
				{search: "0%", keys: 1, title: "100% Remote_Role \\ x"},
				{search: "remote_", keys: 1, title: "100% Remote_Role \\ x"},
				{search: "\\", keys: 1, title: "100% Remote_Role \\ x"},
				{search: "remote", keys: 2},
				{search: "remote", location: "sao", keys: 1, title: "1000 Remote Role"},
				{search: "?", keys: 1, title: "It's a ? \"role\""},
				{search: "'s a ? \"", keys: 1, title: "It's a ? \"role\""},
				{location: "FI", keys: 1, title: "It's a ? \"role\""},
				{search: "οδυσσεύσ", keys: 1, title: "ΟΔΥΣΣΕΎΣ"},
				{search: "nothing like it", keys: 0},
				{search: "%", keys: 1},
				{search: "\xff\x00", keys: 0},
			} {
				page := w.jobs(a, track.JobFilter{Search: tt.search, Location: tt.location})
				require.Len(t, page.Jobs, tt.keys, "%q %q", tt.search, tt.location)
				require.EqualValues(t, tt.keys, page.Total)
				if tt.title != "" {
					require.Equal(t, tt.title, page.Jobs[0].Title)
				}
			}
		},
		"long texts are kept and found": func(t *testing.T, w *world) {
			a := w.account(account.PlanPro)
			long := make([]byte, 0, 3000)
			for i := 0; len(long) < 900; i++ {
				long = fmt.Appendf(long, "ŧitle %d ", i*7919)
			}
			r := boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: -1, Postings: []boardwatch.Posting{
				{Key: "1", Title: string(long[:600]), Location: string(long)},
			}}
			w.check(w.track(a, "northwind").Board.ID, r.Normalize())
			require.Len(t, w.jobs(a, track.JobFilter{Search: "ŦITLE 7919"}).Jobs, 1)
		},
		"addedAfter excludes its own instant": func(t *testing.T, w *world) {
			a := w.account(account.PlanPro)
			b := w.track(a, "northwind").Board
			first := w.check(b.ID, roles("Cook")).Check.At
			second := w.check(b.ID, roles("Cook", "Baker")).Check.At
			require.Equal(t, []string{"Baker"}, titles(w.jobs(a, track.JobFilter{AddedAfter: first}).Jobs))
			require.EqualValues(t, 1, w.jobs(a, track.JobFilter{AddedAfter: first}).Total)
			require.Len(t, w.jobs(a, track.JobFilter{AddedAfter: first.Add(-time.Millisecond)}).Jobs, 2)
			require.Empty(t, w.jobs(a, track.JobFilter{AddedAfter: second}).Jobs)
		},
		"only active boards of the account show their jobs": func(t *testing.T, w *world) {
			a, other := w.account(account.PlanFree), w.account(account.PlanPro)
			var ids []string
			for _, token := range []string{"a", "b", "c"} {
				w.track(other, token)
				b := w.track(a, token)
				ids = append(ids, b.Board.ID)
				w.check(b.Board.ID, roles(token))
			}
			require.ElementsMatch(t, []string{"a", "b"}, titles(w.jobs(a, track.JobFilter{}).Jobs))
			require.EqualValues(t, 2, w.jobs(a, track.JobFilter{}).Total)
			require.Len(t, w.jobs(other, track.JobFilter{}).Jobs, 3)
			for id, n := range map[string]int{ids[0]: 1, ids[2]: 0, boardwatch.NewID(): 0, "": 2, "no\x00id": 0} {
				page := w.jobs(a, track.JobFilter{BoardID: id})
				require.Len(t, page.Jobs, n, id)
				require.EqualValues(t, n, page.Total)
				require.False(t, page.PolledAt.IsZero())
			}
		},
		"the account's own name for a company is used until the real one is known": func(t *testing.T, w *world) {
			a, other := w.account(account.PlanPro), w.account(account.PlanPro)
			b, s, err := w.Subscribe(t.Context(), boardwatch.Subscription{AccountID: a.ID, CompanyName: "Ours"}, hosted("northwind"), "")
			require.NoError(t, err)
			require.Equal(t, "Ours", s.CompanyName)
			w.track(other, "northwind")
			w.check(b.ID, roles("Cook"))
			require.Equal(t, "Ours", w.jobs(a, track.JobFilter{}).Jobs[0].Company)
			require.Empty(t, w.jobs(other, track.JobFilter{}).Jobs[0].Company)
			r := roles("Cook")
			r.Company = "Northwind Labs"
			w.check(b.ID, r)
			require.Equal(t, "Northwind Labs", w.jobs(a, track.JobFilter{}).Jobs[0].Company)
			require.Equal(t, "Northwind Labs", w.jobs(other, track.JobFilter{}).Jobs[0].Company)
		},
	}
}
