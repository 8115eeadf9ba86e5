package storagetest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/storage"
)

// search saves a search of an account.
func (w *world) search(a account.Account, name string, c boardwatch.Criteria) boardwatch.Search {
	w.t.Helper()
	q := boardwatch.Search{ID: boardwatch.NewID(), AccountID: a.ID, Name: name, CreatedAt: w.now(), Criteria: c}
	require.NoError(w.t, w.CreateSearch(w.t.Context(), q, track.MaxSearches))
	return q
}

// idsOf returns the ids of jobs, nil for none.
func idsOf(jobs []boardwatch.Job) []string {
	var out []string
	for _, j := range jobs {
		out = append(out, j.ID)
	}
	return out
}

func searchCases() cases {
	return cases{
		"only its owner changes a search, whose name stays free of others": func(t *testing.T, w *world) {
			a, other := w.account(account.PlanFree), w.account(account.PlanFree)
			q, second := w.search(a, "One", boardwatch.Criteria{Text: "data"}), w.search(a, "Two", boardwatch.Criteria{})
			q.Name, q.Criteria, q.Kinds = "ONE", boardwatch.Criteria{Location: "oslo", Tags: []string{"near home"}, Mode: boardwatch.ModeRemote, Type: boardwatch.TypeContract, PayFrom: 60_000, Currency: "EUR", Words: "soup stew"}, []boardwatch.ChangeKind{boardwatch.ChangeClosed}
			require.NoError(t, w.ChangeSearch(t.Context(), q))
			list, err := w.Searches(t.Context(), a.ID)
			require.NoError(t, err)
			slices.SortFunc(list, func(a, b boardwatch.Search) int { return strings.Compare(a.Name, b.Name) }) // both may be of one moment
			require.Equal(t, []boardwatch.Search{q, second}, list)
			second.Name = "one"
			hasCode(t, boardwatch.CodeInvalidRequest, w.ChangeSearch(t.Context(), second))
			q.AccountID = other.ID
			hasCode(t, boardwatch.CodeNotFound, w.ChangeSearch(t.Context(), q))
		},
		"a search comes back as it was saved, to its account only": func(t *testing.T, w *world) {
			a, other := w.account(account.PlanFree), w.account(account.PlanFree)
			q := boardwatch.Search{
				ID: boardwatch.NewID(), AccountID: a.ID, Name: "Züri", CreatedAt: w.now().Add(-time.Second),
				Criteria: boardwatch.Criteria{
					Boards: []string{boardwatch.NewID(), boardwatch.NewID()}, Tags: []string{"near home", "Robotics"}, Text: `50% "data"`,
					Location: "zürich", Department: "R&D",
				},
				Kinds: []boardwatch.ChangeKind{boardwatch.ChangeFound, boardwatch.ChangeReopened},
			}
			require.NoError(t, w.CreateSearch(t.Context(), q, 20))
			second := w.search(a, "All", boardwatch.Criteria{})
			list, err := w.Searches(t.Context(), a.ID)
			require.NoError(t, err)
			require.Equal(t, []boardwatch.Search{q, second}, list, "oldest first")
			list, err = w.Searches(t.Context(), other.ID)
			require.NoError(t, err)
			require.Empty(t, list)
			hasCode(t, boardwatch.CodeNotFound, w.DeleteSearch(t.Context(), other.ID, q.ID))
			require.NoError(t, w.DeleteSearch(t.Context(), a.ID, q.ID))
			hasCode(t, boardwatch.CodeNotFound, w.DeleteSearch(t.Context(), a.ID, q.ID))
			list, err = w.Searches(t.Context(), a.ID)
			require.NoError(t, err)
			require.Equal(t, []boardwatch.Search{second}, list)
		},
		"a search is found by its token while its owner publishes it": func(t *testing.T, w *world) {
			a, other := w.account(account.PlanFree), w.account(account.PlanFree)
			q, private := w.search(a, "Mine", boardwatch.Criteria{Text: "data"}), w.search(a, "Private", boardwatch.Criteria{})
			token := account.NewToken()
			hasCode(t, boardwatch.CodeNotFound, w.Publish(t.Context(), other.ID, q.ID, token))
			require.NoError(t, w.Publish(t.Context(), a.ID, q.ID, token))
			require.NoError(t, w.Publish(t.Context(), a.ID, q.ID, account.NewToken()), "it keeps its token")
			found, err := w.PublishedSearch(t.Context(), token)
			require.NoError(t, err)
			require.Equal(t, q, found)
			tokens, err := w.Published(t.Context(), a.ID)
			require.NoError(t, err)
			require.Equal(t, map[string]string{q.ID: token}, tokens)
			tokens, err = w.Published(t.Context(), other.ID)
			require.NoError(t, err)
			require.Empty(t, tokens)
			require.NoError(t, w.Unpublish(t.Context(), other.ID, q.ID))
			_, err = w.PublishedSearch(t.Context(), token)
			require.NoError(t, err, "only its owner ends that")
			require.NoError(t, w.Unpublish(t.Context(), a.ID, q.ID))
			_, err = w.PublishedSearch(t.Context(), token)
			hasCode(t, boardwatch.CodeNotFound, err)
			require.NoError(t, w.Publish(t.Context(), a.ID, private.ID, token))
			require.NoError(t, w.DeleteSearch(t.Context(), a.ID, private.ID))
			_, err = w.PublishedSearch(t.Context(), token)
			hasCode(t, boardwatch.CodeNotFound, err)
		},
		"searches are deleted with their account": func(t *testing.T, w *world) {
			a := w.account(account.PlanFree)
			w.search(a, "Mine", boardwatch.Criteria{})
			require.NoError(t, w.DeleteAccount(t.Context(), a.ID))
			list, err := w.Searches(t.Context(), a.ID)
			require.NoError(t, err)
			require.Empty(t, list)
			err = w.CreateSearch(t.Context(), boardwatch.Search{ID: boardwatch.NewID(), AccountID: a.ID, Name: "Mine"}, 20)
			hasCode(t, boardwatch.CodeNotFound, err)
		},
		"an account has at most its limit of searches, each with a different name": func(t *testing.T, w *world) {
			a := w.account(account.PlanFree)
			save := func(name string, limit int) error {
				return w.CreateSearch(t.Context(), boardwatch.Search{ID: boardwatch.NewID(), AccountID: a.ID, Name: name}, limit)
			}
			require.NoError(t, save("Data", 2))
			hasCode(t, boardwatch.CodeInvalidRequest, save("dATA", 2))
			require.NoError(t, save("Other", 2))
			hasCode(t, boardwatch.CodeInvalidRequest, save("Third", 2))
			var group sync.WaitGroup
			for i := range 8 {
				group.Go(func() { _ = save(strconv.Itoa(i), 5) }) // searches past the limit are refused
			}
			group.Wait()
			list, err := w.Searches(t.Context(), a.ID)
			require.NoError(t, err)
			require.Len(t, list, 5)
		},
		"criteria in SQL select the same roles as the rule in Go": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			one, two := w.track(a, "one").Board, w.track(a, "two").Board
			var postings []boardwatch.Posting
			for i, title := range []string{"Data Engineer", "DATA ENGINEER (m/w/d)", "Straßenbauer", "100% remote writer", "100 remote writer", "Ingénieur"} {
				for k, place := range []string{"Zürich", "Berlin, Straße 1", ""} {
					postings = append(postings, boardwatch.Posting{
						Key: fmt.Sprint(i, k), Title: title, Location: place, Department: []string{"R&D", "Übersee", ""}[(i+k)%3],
					})
				}
			}
			r := boardwatch.Reading{Claimed: -1, Health: boardwatch.HealthOK, Postings: postings}.Normalize()
			w.check(one.ID, r)
			w.check(two.ID, r)
			_, err := w.Tag(t.Context(), a.ID, two.ID, []string{"Robotics"}, nil)
			require.NoError(t, err)
			tracked, err := w.Tracked(t.Context(), a.ID, "")
			require.NoError(t, err)
			subs := map[string]boardwatch.Subscription{}
			for _, b := range tracked {
				subs[b.Board.ID] = b.Subscription
			}
			all := w.jobs(a, track.JobFilter{Limit: 100}).Jobs
			require.Len(t, all, 2*len(postings))
			matched := 0
			for _, text := range []string{"", "data engineer", "STRASSEN", "100%", "nothing", "ingenieur"} {
				for _, place := range []string{"", "ZÜRICH", "strasse", "_"} {
					for _, department := range []string{"", "r&d", "ÜBERSEE", "x"} {
						for _, c := range []boardwatch.Criteria{{}, {Boards: []string{one.ID}}, {Tags: []string{"ROBOTICS"}}, {Tags: []string{"none"}}} {
							c.Text, c.Location, c.Department = text, place, department
							var want []string
							for _, j := range all {
								if c.Covers(subs[j.BoardID]) && c.Folded(storage.Fold).Fits(j, storage.Fold, nil) {
									want = append(want, j.ID)
								}
							}
							matched += len(want)
							page := w.jobs(a, track.JobFilter{Only: c, Limit: 100})
							require.Equal(t, want, idsOf(page.Jobs), "%+v", c)
							require.EqualValues(t, len(want), page.Total, "%+v", c)
						}
					}
				}
			}
			require.Greater(t, matched, 100)
			page := w.jobs(a, track.JobFilter{Only: boardwatch.Criteria{Text: "data"}, Search: "m/w/d", Location: "berlin", BoardID: one.ID})
			require.EqualValues(t, 1, page.Total, "on top of the filter's own conditions")
		},
		"roles are found by what they pay in a year, as the rule in Go finds them": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			r := boardwatch.Reading{Claimed: -1, Health: boardwatch.HealthOK}
			for i, pay := range []boardwatch.Pay{
				{},
				{Text: `"pay":{"max":99999999}`},
				{Min: 50_000, Max: 60_000, Currency: "EUR", Period: boardwatch.PerYear},
				{Max: 60_000.5, Currency: "USD"},
				{Min: 5_000, Currency: "EUR", Period: boardwatch.PerMonth},
				{Min: 1, Max: 28.85, Period: boardwatch.PerHour},
				{Min: 1_200, Period: boardwatch.PerWeek},
				{Min: 230.5, Currency: "EUR", Period: boardwatch.PerDay},
				{Min: 1e12, Currency: "JPY"},
			} {
				r.Postings = append(r.Postings, boardwatch.Posting{Key: strconv.Itoa(i), Title: "Cook", Facts: boardwatch.Facts{Pay: pay, TypeText: `"currency":"EUR" "pay":{`}})
			}
			w.check(w.track(a, "northwind").Board.ID, r.Normalize())
			all := w.jobs(a, track.JobFilter{}).Jobs
			require.Len(t, all, 9)
			matched := 0
			for _, from := range []int{0, 1, 59_930, 59_999, 60_000, 60_001, 62_400, 1e12} {
				for _, currency := range []string{"", "EUR", "USD", "SEK"} {
					c := boardwatch.Criteria{PayFrom: from, Currency: currency}
					var want []string
					for _, j := range all {
						if c.Fits(j, storage.Fold, nil) {
							want = append(want, j.ID)
						}
					}
					matched += len(want)
					require.Equal(t, want, idsOf(w.jobs(a, track.JobFilter{Only: c}).Jobs), "%+v", c)
				}
			}
			require.Greater(t, matched, 40)
		},
		"a search for a board finds the board it was merged into": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			known, waits := w.track(a, "northwind").Board, w.pending(a, "https://northwind.example/jobs")
			w.check(known.ID, roles("A"))
			require.Empty(t, w.jobs(a, track.JobFilter{Only: boardwatch.Criteria{Boards: []string{waits.ID}}}).Jobs)
			_, merged, err := w.Resolve(t.Context(), w.claim(waits.ID), hosted("northwind"))
			require.NoError(t, err)
			require.True(t, merged)
			require.Len(t, w.jobs(a, track.JobFilter{Only: boardwatch.Criteria{Boards: []string{waits.ID}}}).Jobs, 1)
		},
		"tags belong to the account": func(t *testing.T, w *world) {
			a, other := w.account(account.PlanUltra), w.account(account.PlanUltra)
			b := w.track(a, "northwind").Board
			w.track(other, "northwind")
			tagged, err := w.Tag(t.Context(), a.ID, b.ID, []string{"robotics", " near  home ", "Robotics"}, nil)
			require.NoError(t, err)
			require.Equal(t, []string{"near home", "robotics"}, tagged.Subscription.Tags)
			theirs, err := w.TrackedBoard(t.Context(), other.ID, b.ID)
			require.NoError(t, err)
			require.Empty(t, theirs.Subscription.Tags)
			w.check(b.ID, roles("A"))
			only := track.JobFilter{Only: boardwatch.Criteria{Tags: []string{"ROBOTICS"}}}
			require.Len(t, w.jobs(a, only).Jobs, 1)
			require.Empty(t, w.jobs(other, only).Jobs)
			tagged, err = w.Tag(t.Context(), a.ID, b.ID, nil, []string{"ROBOTICS", "unknown"})
			require.NoError(t, err)
			require.Equal(t, []string{"near home"}, tagged.Subscription.Tags)
			mine, err := w.TrackedBoard(t.Context(), a.ID, b.ID)
			require.NoError(t, err)
			require.Equal(t, []string{"near home"}, mine.Subscription.Tags)
		},
		"a board that is not on the list, or an invalid tag, is refused": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			b := w.track(w.account(account.PlanUltra), "northwind").Board
			_, err := w.Tag(t.Context(), a.ID, b.ID, []string{"x"}, nil)
			hasCode(t, boardwatch.CodeNotFound, err)
			mine := w.track(a, "contoso").Board
			for _, tag := range []string{"", " ", "a,b", "a\x01b", strings.Repeat("x", boardwatch.MaxTag+1)} {
				_, err := w.Tag(t.Context(), a.ID, mine.ID, []string{tag}, nil)
				hasCode(t, boardwatch.CodeInvalidRequest, err)
			}
			many := make([]string, boardwatch.MaxTags+1)
			for i := range many {
				many[i] = fmt.Sprint("tag", i)
			}
			_, err = w.Tag(t.Context(), a.ID, mine.ID, many, nil)
			hasCode(t, boardwatch.CodeInvalidRequest, err)
			_, err = w.Tag(t.Context(), a.ID, mine.ID, many[1:], nil)
			require.NoError(t, err)
		},
		"tags that are added at the same time are all saved": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			b := w.track(a, "northwind").Board
			var group sync.WaitGroup
			for i := range 8 {
				group.Go(func() {
					if _, err := w.Tag(t.Context(), a.ID, b.ID, []string{fmt.Sprint("tag", i)}, nil); err != nil {
						t.Error(err)
					}
				})
			}
			group.Wait()
			tracked, err := w.TrackedBoard(t.Context(), a.ID, b.ID)
			require.NoError(t, err)
			require.Len(t, tracked.Subscription.Tags, 8)
		},
		"tags of boards that merge are those of both": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			known, waits := w.track(a, "northwind").Board, w.pending(a, "https://northwind.example/jobs")
			for id, tag := range map[string]string{known.ID: "one", waits.ID: "two"} {
				_, err := w.Tag(t.Context(), a.ID, id, []string{tag}, nil)
				require.NoError(t, err)
			}
			_, _, err := w.Resolve(t.Context(), w.claim(waits.ID), hosted("northwind"))
			require.NoError(t, err)
			b, err := w.TrackedBoard(t.Context(), a.ID, waits.ID)
			require.NoError(t, err)
			require.Equal(t, known.ID, b.Board.ID)
			require.Equal(t, []string{"one", "two"}, b.Subscription.Tags)
		},
	}
}
