package storagetest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

// changes lists what has changed for an account.
func (w *world) changes(a account.Account, f track.ChangeFilter) track.ChangePage {
	w.t.Helper()
	page, err := w.Changes(w.t.Context(), a.ID, f)
	require.NoError(w.t, err)
	return page
}

func feedCases() cases {
	return cases{
		"a change tells what was found, closed and updated, newest first": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			b := w.track(a, "northwind").Board
			w.check(b.ID, roles("B", "A"))
			w.check(b.ID, roles("B", "A"))
			w.check(b.ID, roles("C", "A"))
			last := w.check(b.ID, roles("C", "A")) // closes B
			reading := roles("A", "B", "C")
			reading.Postings[0].Location = "Zürich"
			reopened := w.check(b.ID, reading)
			page := w.changes(a, track.ChangeFilter{})
			require.Len(t, page.Changes, 4)
			require.False(t, page.More)
			top := page.Changes[0]
			require.False(t, top.Beginning)
			require.Equal(t, 3, top.Open)
			require.Equal(t, reopened.Check.ID, top.CheckID)
			require.Equal(t, reopened.Check.At, top.At)
			require.Equal(t, b.ID, top.BoardID)
			require.Equal(t, b.URL, top.CareersURL)
			require.True(t, top.Found.Empty())
			require.Equal(t, []string{"B"}, titles(top.Reopened.Jobs))
			require.Equal(t, 1, top.Reopened.Total)
			require.Equal(t, []string{"A"}, titles(top.Updated.Jobs))
			require.Equal(t, map[string][]boardwatch.FieldChange{
				top.Updated.Jobs[0].ID: {{Field: boardwatch.FieldLocation, From: "Berlin", To: "Zürich"}},
			}, top.Fields, "before and after")
			require.True(t, top.Closed.Empty())
			require.Equal(t, last.Check.ID, page.Changes[1].CheckID)
			require.Equal(t, []string{"B"}, titles(page.Changes[1].Closed.Jobs))
			require.Equal(t, []string{"C"}, titles(page.Changes[2].Found.Jobs))
			require.Equal(t, []string{"A", "B"}, titles(page.Changes[3].Found.Jobs), "by title")
			require.True(t, page.Changes[3].Beginning, "the first reading is no news")
			require.Zero(t, page.Changes[3].News())
			require.Equal(t, 1, page.Changes[2].News())
			require.True(t, page.PolledAt.Before(w.now()) || page.PolledAt.Equal(w.now()))
		},
		"changes of one kind are found, however many others came later": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			b := w.track(a, "northwind").Board
			w.check(b.ID, roles("A", "B", "C"))
			w.check(b.ID, roles("A", "B"))
			closing := w.check(b.ID, roles("A", "B", "D")) // closes C, as roles do after two absences here
			for _, place := range []string{"Bergen", "Delft", "Porto"} {
				reading := roles("A", "B", "D")
				reading.Postings[0].Location = place
				w.check(b.ID, reading)
			}
			closed := w.changes(a, track.ChangeFilter{Kind: boardwatch.ChangeClosed, Limit: 1})
			require.Len(t, closed.Changes, 1)
			require.False(t, closed.More)
			require.Equal(t, closing.Check.ID, closed.Changes[0].CheckID)
			require.Equal(t, []string{"C"}, titles(closed.Changes[0].Closed.Jobs))
			require.True(t, closed.Changes[0].Found.Empty(), "that check also found D")
			require.Len(t, w.changes(a, track.ChangeFilter{Kind: boardwatch.ChangeUpdated}).Changes, 3)
			require.Len(t, w.changes(a, track.ChangeFilter{Kind: boardwatch.ChangeFound}).Changes, 1, "the first reading is no news")
			require.Empty(t, w.changes(a, track.ChangeFilter{Kind: boardwatch.ChangeReopened}).Changes)
		},
		"changes are the account's own, of active boards, under its own names": func(t *testing.T, w *world) {
			a, other := w.account(account.PlanFree), w.account(account.PlanUltra)
			_, _, err := w.Subscribe(t.Context(), boardwatch.Subscription{AccountID: a.ID, CompanyName: "Mine"}, hosted("one"), "https://one.example/")
			require.NoError(t, err)
			w.track(a, "two")
			for _, token := range []string{"one", "two", "three"} {
				w.track(other, token)
				w.check(w.boardOf(other, "greenhouse:"+token), roles("A"))
			}
			locked := w.track(a, "three")
			require.True(t, locked.Subscription.Locked)
			require.Len(t, w.changes(a, track.ChangeFilter{}).Changes, 2)
			require.Len(t, w.changes(other, track.ChangeFilter{}).Changes, 3)
			one := w.boardOf(a, "greenhouse:one")
			mine, theirs := w.changes(a, track.ChangeFilter{BoardID: one}), w.changes(other, track.ChangeFilter{BoardID: one})
			require.Equal(t, "Mine", mine.Changes[0].Company)
			require.Equal(t, "Mine", mine.Changes[0].Found.Jobs[0].Company)
			require.Empty(t, theirs.Changes[0].Company)
			require.Empty(t, w.changes(a, track.ChangeFilter{BoardID: locked.Board.ID}).Changes)
			_, err = w.Changes(t.Context(), w.account(account.PlanFree).ID, track.ChangeFilter{BoardID: one})
			hasCode(t, boardwatch.CodeNotFound, err)
			series, err := w.Series(t.Context(), a.ID, "", time.Time{})
			require.NoError(t, err)
			require.Len(t, series, 3, "locked boards are shown too")
			for _, token := range []string{"one", "two", "three"} {
				w.check(w.boardOf(other, "greenhouse:"+token), roles("A", "B"))
			}
			activity, err := w.Activity(t.Context(), a.ID, time.Time{})
			require.NoError(t, err)
			require.Len(t, activity, 2)
		},
		"changes are read page by page, none twice and none missing": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			b, other := w.track(a, "northwind").Board, w.track(a, "contoso").Board
			for i := 1; i <= 6; i++ {
				w.check(b.ID, roles(many(i)...))
				w.check(other.ID, roles(many(i)...))
			}
			all := w.changes(a, track.ChangeFilter{})
			require.Len(t, all.Changes, 12)
			for limit := 1; limit <= 12; limit++ {
				var got []track.BoardChange
				f := track.ChangeFilter{Limit: limit}
				for {
					page := w.changes(a, f)
					require.GreaterOrEqual(t, len(page.Changes), min(limit, 12-len(got)))
					got = append(got, page.Changes...)
					if !page.More {
						break
					}
					f.Before = page.Next
				}
				require.Equal(t, all.Changes, got, "limit %d", limit)
			}
			mark := all.Changes[3].At
			later := slices.IndexFunc(all.Changes, func(c track.BoardChange) bool { return !c.At.After(mark) })
			require.Equal(t, all.Changes[:later], w.changes(a, track.ChangeFilter{After: mark}).Changes)
		},
		"a board that was read before is watched from when it is added": func(t *testing.T, w *world) {
			first, late := w.account(account.PlanUltra), w.account(account.PlanUltra)
			b := w.track(first, "northwind").Board
			w.check(b.ID, roles("A", "B"))
			w.check(b.ID, roles("A", "B", "C"))
			w.passMoment()
			w.track(late, "northwind")
			w.passMoment()
			began := w.changes(late, track.ChangeFilter{})
			require.Len(t, began.Changes, 1, "what changed before is no news")
			require.True(t, began.Changes[0].Beginning)
			require.Equal(t, 3, began.Changes[0].Open)
			require.Equal(t, 3, began.Changes[0].Found.Total)
			require.Empty(t, began.Changes[0].Found.Jobs)
			require.Regexp(t, "^[0-9a-f]{24}$", began.Changes[0].CheckID)
			require.Empty(t, w.changes(late, track.ChangeFilter{After: began.Changes[0].At}).Changes)
			w.check(b.ID, roles("A", "B", "C", "D"))
			news := w.changes(late, track.ChangeFilter{})
			require.Len(t, news.Changes, 2)
			require.Equal(t, []string{"D"}, titles(news.Changes[0].Found.Jobs))
			require.Equal(t, began.Changes, news.Changes[1:], "it keeps its id")
			for a, want := range map[string]int{first.ID: 2, late.ID: 1} {
				activity, err := w.Activity(t.Context(), a, time.Time{})
				require.NoError(t, err)
				require.Equal(t, want, activity[b.ID].Found)
			}
			require.Len(t, w.changes(first, track.ChangeFilter{}).Changes, 3, "who was there sees all of it")
		},
		"a board that is unlocked is watched from then on": func(t *testing.T, w *world) {
			owner, a := w.account(account.PlanUltra), w.account(account.PlanFree) // reads two
			one := w.track(a, "one").Board
			w.track(a, "two")
			b := w.track(owner, "northwind").Board
			require.True(t, w.track(a, "northwind").Subscription.Locked)
			w.check(b.ID, roles("A", "B"))
			w.check(b.ID, roles("A", "B", "C"))
			w.passMoment()
			require.NoError(t, w.Unsubscribe(t.Context(), a.ID, one.ID))
			changes := w.changes(a, track.ChangeFilter{}).Changes
			require.Len(t, changes, 1)
			require.True(t, changes[0].Beginning)
			require.Equal(t, 3, changes[0].Open)
		},
		"the first healthy reading after incomplete ones is not news either": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			b := w.track(a, "northwind").Board
			part := roles("A")
			part.Health, part.Cause, part.Reason = boardwatch.HealthPartial, cause.PageMissing, "a page is missing"
			w.check(b.ID, part)
			w.check(b.ID, roles("A", "B", "C"))
			w.check(b.ID, roles("A", "B", "C", "D"))
			var news []bool
			for _, c := range w.changes(a, track.ChangeFilter{}).Changes {
				news = append(news, !c.Beginning)
			}
			require.Equal(t, []bool{true, false, false}, news)
		},
		"long lists of roles are cut and counted": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			w.check(w.track(a, "northwind").Board.ID, roles(many(45)...))
			list := w.changes(a, track.ChangeFilter{}).Changes[0].Found
			require.Len(t, list.Jobs, 20)
			require.Equal(t, 45, list.Total)
			require.Equal(t, 25, list.More())
			require.Len(t, w.changes(a, track.ChangeFilter{Jobs: 100}).Changes[0].Found.Jobs, 45)
		},
		"a reader that asks with the last answer's time gets the changes since": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			b := w.track(a, "northwind").Board
			w.check(b.ID, roles("A"))
			w.passMoment()
			first := w.changes(a, track.ChangeFilter{})
			w.passMoment()
			w.check(b.ID, roles("A", "B"))
			second := w.changes(a, track.ChangeFilter{After: first.PolledAt})
			require.Len(t, second.Changes, 1)
			require.Equal(t, []string{"B"}, titles(second.Changes[0].Found.Jobs))
		},
		"a series has the last check of each day, and the last one before": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			b := w.track(a, "northwind").Board
			w.track(a, "never")
			w.check(b.ID, roles("A"))
			w.check(b.ID, roles("A", "B", "C"))
			today := w.now().Truncate(24 * time.Hour)
			want := []track.Point{{Day: today, Open: 3}}
			for _, since := range []time.Time{{}, today, today.Add(24 * time.Hour)} {
				series, err := w.Series(t.Context(), a.ID, b.ID, since)
				require.NoError(t, err)
				require.Equal(t, map[string][]track.Point{b.ID: want}, series, since)
			}
			_, err := w.Series(t.Context(), w.account(account.PlanFree).ID, b.ID, time.Time{})
			hasCode(t, boardwatch.CodeNotFound, err)
		},
		"activity counts what was found and closed since a moment": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			b := w.track(a, "northwind").Board
			w.check(b.ID, roles("A", "B"))
			w.check(b.ID, roles("A"))
			last := w.check(b.ID, roles("A"))
			count := func(since time.Time) map[string]track.Activity {
				got, err := w.Activity(t.Context(), a.ID, since)
				require.NoError(t, err)
				return got
			}
			require.Equal(t, map[string]track.Activity{b.ID: {Closed: 1}}, count(time.Time{}), "without the first reading")
			require.Equal(t, map[string]track.Activity{b.ID: {Closed: 1}}, count(last.Check.At.Add(-time.Millisecond)))
			require.Empty(t, count(last.Check.At))
		},
		"roles are news after a moment, except those of a first reading and those from before their board was watched": func(t *testing.T, w *world) {
			a, late, stranger := w.account(account.PlanUltra), w.account(account.PlanUltra), w.account(account.PlanUltra)
			b := w.track(a, "northwind").Board
			w.check(b.ID, roles("A"))
			first := w.check(b.ID, roles("A", "B")).Check.At
			w.passMoment()
			w.track(late, "northwind")
			w.check(b.ID, roles("A", "B", "C"))
			page, err := w.Jobs(t.Context(), a.ID, track.JobFilter{})
			require.NoError(t, err)
			var ids []string
			titles := map[string]string{}
			for _, j := range page.Jobs {
				ids, titles[j.ID] = append(ids, j.ID), j.Title
			}
			news := func(of account.Account, after time.Time, ids ...string) (list []string) {
				got, err := w.News(t.Context(), of.ID, after, ids)
				require.NoError(t, err)
				for id := range got {
					list = append(list, titles[id])
				}
				return list
			}
			require.ElementsMatch(t, []string{"B", "C"}, news(a, time.Time{}, ids...))
			require.ElementsMatch(t, []string{"C"}, news(a, first, ids...))
			require.ElementsMatch(t, []string{"C"}, news(late, time.Time{}, ids...))
			require.Empty(t, news(stranger, time.Time{}, ids...))
			require.Empty(t, news(a, time.Time{}))
		},
		"opened and closed roles are counted by day": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			b := w.track(a, "northwind").Board
			w.check(b.ID, roles("A", "B"))
			other := w.track(a, "contoso").Board
			w.check(other.ID, roles("C"))
			w.check(other.ID, roles("C", "E", "F"))
			last := w.check(b.ID, roles("A", "B", "D"))
			today := last.Check.At.Truncate(24 * time.Hour)
			for since, want := range map[time.Time][]track.DayFlow{today: {{Day: today, Found: 3}}, today.Add(24 * time.Hour): nil} {
				got, err := w.FlowPerDay(t.Context(), a.ID, nil, since)
				require.NoError(t, err)
				require.Equal(t, want, got, "without first readings")
			}
			got, err := w.FlowPerDay(t.Context(), a.ID, []string{other.ID}, today)
			require.NoError(t, err)
			require.Equal(t, []track.DayFlow{{Day: today, Found: 2}}, got, "of one board")
			for _, zone := range []*time.Location{time.FixedZone("east", 14*3600), time.FixedZone("west", -12*3600)} {
				day := track.Date(last.Check.At, zone)
				got, err := w.FlowPerDay(t.Context(), a.ID, nil, track.DayBegins(day.AddDate(0, 0, -1), zone))
				require.NoError(t, err)
				require.Equal(t, []track.DayFlow{{Day: day, Found: 3}}, got, "the day of the zone")
				series, err := w.Series(t.Context(), a.ID, b.ID, track.DayBegins(day, zone))
				require.NoError(t, err)
				require.Equal(t, []track.Point{{Day: day, Open: 3}}, series[b.ID])
			}
			for range 2 {
				w.check(b.ID, roles("A", "D"))
			}
			got, err = w.FlowPerDay(t.Context(), a.ID, []string{b.ID}, time.Time{})
			require.NoError(t, err)
			found, closed := 0, 0
			for _, f := range got {
				found, closed = found+f.Found, closed+f.Closed
			}
			require.Equal(t, []int{1, 1}, []int{found, closed})
			stranger := w.account(account.PlanFree)
			got, err = w.FlowPerDay(t.Context(), stranger.ID, nil, time.Time{})
			require.NoError(t, err)
			require.Empty(t, got)
			_, err = w.FlowPerDay(t.Context(), stranger.ID, []string{b.ID}, time.Time{})
			hasCode(t, boardwatch.CodeNotFound, err)
		},
		"open roles are counted by department and place": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			b := w.track(a, "northwind").Board
			other := w.track(a, "contoso").Board
			reading := func(places ...string) boardwatch.Reading {
				r := roles("A", "B", "C")
				for i := range r.Postings {
					r.Postings[i].Department, r.Postings[i].Location = "Flight", places[i]
				}
				return r
			}
			w.check(b.ID, reading("Oslo", "Oslo; Bergen", ""))
			w.check(other.ID, reading("Oslo", "Oslo", "Rome"))
			count := func(accountID string, boardIDs ...string) map[track.Share]int {
				shares, err := w.Shares(t.Context(), accountID, boardIDs)
				require.NoError(t, err)
				counts := map[track.Share]int{}
				for _, s := range shares {
					counts[track.Share{Department: s.Department, Location: s.Location}] += s.Open
				}
				return counts
			}
			at := func(place string) track.Share { return track.Share{Department: "Flight", Location: place} }
			require.Equal(t, map[track.Share]int{at("Oslo"): 3, at("Oslo; Bergen"): 1, at(""): 1, at("Rome"): 1}, count(a.ID))
			require.Equal(t, count(a.ID), count(a.ID, b.ID, other.ID, boardwatch.NewID()))
			require.Equal(t, map[track.Share]int{at("Oslo"): 1, at("Oslo; Bergen"): 1, at(""): 1}, count(a.ID, b.ID))
			require.Empty(t, count(w.account(account.PlanFree).ID, b.ID), "somebody else's board")
			for range 2 {
				w.check(b.ID, roles("B", "C"))
			}
			require.NotContains(t, count(a.ID, b.ID), at("Oslo"), "closed roles do not count")
		},
		"the median of how long roles were open": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			b := w.track(a, "northwind").Board
			w.check(b.ID, roles("A", "Z", "Y"))
			stay, closed, err := w.MedianStay(t.Context(), a.ID, b.ID)
			require.NoError(t, err)
			require.Zero(t, stay)
			require.Zero(t, closed)
			opened := w.check(b.ID, roles("A", "Z", "Y", "B")).Check.At
			var ended time.Time
			for range 2 {
				ended = w.check(b.ID, roles("Z", "Y")).Check.At
			}
			stay, closed, err = w.MedianStay(t.Context(), a.ID, b.ID)
			require.NoError(t, err)
			require.Equal(t, 1, closed, "without the one that the first reading showed")
			require.Equal(t, ended.Sub(opened), stay)
			_, closed, err = w.MedianStay(t.Context(), w.account(account.PlanFree).ID, b.ID)
			require.NoError(t, err)
			require.Zero(t, closed, "somebody else's board")
		},
		"figures count everything": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			w.account(account.PlanFree)
			require.NoError(t, w.SetVerified(t.Context(), a.ID, false))
			w.session(a, w.now())
			w.session(a, w.now().Add(-account.SessionIdle))
			hook := w.webhook(a)
			w.check(w.track(a, "northwind").Board.ID, roles("A"))
			bad := w.track(a, "contoso").Board
			w.check(bad.ID, boardwatch.Failed(cause.SiteError, "no answer"))
			w.pending(a, "https://fabrikam.example/")
			f, err := w.Figures(t.Context())
			require.NoError(t, err)
			require.Equal(t, map[account.PlanName]int{account.PlanUltra: 1, account.PlanFree: 1}, f.Accounts)
			require.Equal(t, 1, f.Unverified)
			require.Equal(t, 1, f.Sessions)
			require.Equal(t, 3, f.Boards.Total)
			require.Equal(t, 3, f.Due)
			require.Equal(t, []account.SystemVerdict{
				{System: "", Health: "", Boards: 1},
				{System: "greenhouse", Health: boardwatch.HealthFailed, Boards: 1},
				{System: "greenhouse", Health: boardwatch.HealthOK, Boards: 1},
			}, f.Verdicts)
			require.Len(t, f.Failing, 1)
			require.Equal(t, w.board(bad.ID), f.Failing[0].Board)
			require.Equal(t, 1, f.Failing[0].Trackers)
			require.Equal(t, bad.AddedAt, f.Failing[0].Since)
			require.Equal(t, 1, f.WebhooksOn)
			require.Zero(t, f.WebhooksOff)
			require.Equal(t, len(w.deliveriesOf(hook)), f.Deliveries[boardwatch.DeliveryPending], fmt.Sprint(f.Deliveries))
			require.Equal(t, f.Deliveries[boardwatch.DeliveryPending], f.Waiting)
		},
	}
}
