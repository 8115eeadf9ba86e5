package storagetest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

// hits returns the requested changes, as kind and title.
func (w *world) hits(a account.Account, f track.HitFilter) (list []string) {
	w.t.Helper()
	page, err := w.Hits(w.t.Context(), a.ID, f)
	require.NoError(w.t, err)
	for _, h := range page.Hits {
		list = append(list, string(h.Kind)+" "+h.Job.Title)
	}
	require.GreaterOrEqual(w.t, page.Total, len(list))
	return list
}

func hitCases() cases {
	return cases{
		"hits are the changes of roles that a search asks for, newest first": func(t *testing.T, w *world) {
			a, other := w.account(account.PlanUltra), w.account(account.PlanUltra)
			b := w.track(a, "northwind").Board
			w.check(b.ID, roles("Data Engineer", "Writer"))
			require.Empty(t, w.hits(a, track.HitFilter{}), "the first reading is no news")
			w.check(b.ID, roles("Data Engineer", "Writer", "Data Analyst"))
			w.check(b.ID, roles("Writer", "Data Analyst"))
			w.check(b.ID, roles("Writer", "Data Analyst")) // closes one
			again := roles("Data Engineer", "Writer", "Data Analyst")
			again.Postings[2].Location = "Zürich"
			last := w.check(b.ID, again)
			require.ElementsMatch(t, []string{"updated Data Analyst", "reopened Data Engineer"}, w.hits(a, track.HitFilter{})[:2])
			require.Equal(t, []string{"closed Data Engineer", "found Data Analyst"}, w.hits(a, track.HitFilter{})[2:])
			page, err := w.Hits(t.Context(), a.ID, track.HitFilter{Only: boardwatch.Criteria{Location: "ZÜRICH"}})
			require.NoError(t, err)
			require.Equal(t, 2, page.Total, "a role is compared as it is now")
			require.Equal(t, last.Check.ID, page.Hits[0].CheckID)
			require.Equal(t, last.Check.At, page.Hits[0].At)
			require.Equal(t, b.ID, page.Hits[0].Job.BoardID)
			require.Equal(t, []string{"reopened Data Engineer"}, w.hits(a, track.HitFilter{Kinds: []boardwatch.ChangeKind{boardwatch.ChangeReopened}}))
			require.Empty(t, w.hits(a, track.HitFilter{Only: boardwatch.Criteria{Text: "writer"}}))
			require.Empty(t, w.hits(a, track.HitFilter{Only: boardwatch.Criteria{Tags: []string{"x"}}}))
			require.Len(t, w.hits(a, track.HitFilter{Limit: 3}), 3)
			page, err = w.Hits(t.Context(), a.ID, track.HitFilter{Limit: 1})
			require.NoError(t, err)
			require.Equal(t, 4, page.Total)

			for !w.now().After(last.Check.At) { // so that the check is in the past
				continue
			}
			w.track(other, "northwind")
			require.Empty(t, w.hits(other, track.HitFilter{}), "what happened before is no news to them")
			require.Empty(t, w.hits(w.account(account.PlanUltra), track.HitFilter{}))
		},
		"every hit is in exactly one time window": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			b := w.track(a, "northwind").Board
			w.check(b.ID, roles("Zero"))
			var after time.Time
			var told []string
			titles := []string{"Zero"}
			for _, title := range []string{"One", "Two", "Three", "Four"} {
				titles = append(titles, title)
				w.check(b.ID, roles(titles...))
				page, err := w.Hits(t.Context(), a.ID, track.HitFilter{After: after})
				require.NoError(t, err)
				for _, h := range page.Hits {
					if !h.At.After(page.PolledAt) {
						told = append(told, h.Job.Title)
					}
				}
				require.Len(t, w.hits(a, track.HitFilter{After: after, Until: page.PolledAt}), countUntil(page))
				after = page.PolledAt
			}
			page, err := w.Hits(t.Context(), a.ID, track.HitFilter{After: after})
			require.NoError(t, err)
			for _, h := range page.Hits {
				told = append(told, h.Job.Title)
			}
			require.ElementsMatch(t, []string{"One", "Two", "Three", "Four"}, told)
		},
		"roles that a merge brings to an account count as found then": func(t *testing.T, w *world) {
			a, other := w.account(account.PlanUltra), w.account(account.PlanUltra)
			into, from := w.track(other, "northwind").Board, w.track(a, "tailspin").Board
			w.check(into.ID, roles("Data Engineer", "Writer"))
			w.check(from.ID, roles("Baker"))
			_, merged, err := w.Resolve(t.Context(), w.claim(from.ID), hosted("northwind"))
			require.NoError(t, err)
			require.True(t, merged)
			require.Equal(t, []string{"found Data Engineer"}, w.hits(a, track.HitFilter{Only: boardwatch.Criteria{Text: "data"}}))
			require.Empty(t, w.hits(a, track.HitFilter{Kinds: []boardwatch.ChangeKind{boardwatch.ChangeClosed}}))
		},
	}
}

// countUntil counts the hits of a page before the moment that it promises.
func countUntil(page track.HitPage) (n int) {
	for _, h := range page.Hits {
		if !h.At.After(page.PolledAt) {
			n++
		}
	}
	return n
}
