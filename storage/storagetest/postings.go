package storagetest

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/storage"
)

// stating returns a healthy reading of one role that states these facts and this text.
func stating(title string, f boardwatch.Facts, text string) boardwatch.Reading {
	r := roles(title)
	r.Postings[0].Facts, r.Postings[0].Text = f, text
	return r.Normalize()
}

// facts are one of everything.
func facts() boardwatch.Facts {
	return boardwatch.Facts{
		PostedAt: "2026-10-01", UpdatedAt: "2026-10-02T10:00:00+02:00", ValidThrough: "2026-12-01", Mode: boardwatch.ModeRemote,
		Type: boardwatch.TypeFullTime, TypeText: "Vollzeit \"1\"", Requisition: "R-1", Language: "de",
		Pay:    boardwatch.Pay{Min: 60000.5, Max: 80000, Currency: "EUR", Period: boardwatch.PerYear, Text: "60 <b>k</b>"},
		Places: []boardwatch.Place{{Text: "Lisboa, Portugal", Country: "PT", City: "Lisboa"}, {Text: "Remote"}},
	}
}

// text returns the text with a hash.
func (w *world) text(hash string) string {
	w.t.Helper()
	texts, err := w.Texts(w.t.Context(), hash)
	require.NoError(w.t, err)
	return texts[hash]
}

func (w *world) versions(jobID string) []track.Version {
	w.t.Helper()
	versions, err := w.Versions(w.t.Context(), jobID)
	require.NoError(w.t, err)
	return versions
}

func postingCases() cases {
	return cases{
		"facts and the text of a role are kept, also when it closes, and are there for the next check": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			b := w.track(a, "northwind").Board
			text := "# Baker\n\n* bread \x1e\x1f cakes\n" + strings.Repeat("long ", 9000)
			found := w.check(b.ID, stating("Baker", facts(), text)).Change.Found[0]
			j := w.jobs(a, track.JobFilter{}).Jobs[0]
			require.Equal(t, facts(), j.Facts)
			require.Equal(t, found.TextHash, j.TextHash)
			require.Empty(t, j.Text)
			require.Equal(t, found.Text, w.text(j.TextHash))
			one, err := w.Job(t.Context(), a.ID, j.ID)
			require.NoError(t, err)
			require.Equal(t, j, one)

			same := w.check(b.ID, stating("Baker", facts(), text))
			require.True(t, same.Change.Empty())
			require.Empty(t, same.Change.Touched)
			w.check(b.ID, roles())
			w.check(b.ID, roles())
			j = w.jobs(a, track.JobFilter{Status: boardwatch.JobClosed}).Jobs[0]
			require.Equal(t, facts(), j.Facts)
			require.Equal(t, found.Text, w.text(j.TextHash))
			require.Equal(t, []track.Version{{At: found.FirstSeenAt, Facts: facts(), TextHash: found.TextHash}}, w.versions(j.ID))
		},
		"a role that was known without facts learns them in silence": func(t *testing.T, w *world) {
			b := w.track(w.account(account.PlanUltra), "northwind").Board
			j := w.check(b.ID, roles("Baker")).Change.Found[0]
			require.Empty(t, w.versions(j.ID))
			learned := w.check(b.ID, stating("Baker", facts(), "Bake."))
			require.True(t, learned.Change.Empty())
			require.Len(t, w.events(j.ID), 1)
			require.Equal(t, []track.Version{{At: learned.Check.At, Facts: facts(), TextHash: boardwatch.TextHash("Bake.")}}, w.versions(j.ID))
		},
		"ten versions are kept: the first, and the last ones": func(t *testing.T, w *world) {
			b := w.track(w.account(account.PlanUltra), "northwind").Board
			var at []time.Time
			for i := range 15 {
				f := facts()
				f.UpdatedAt = boardwatch.Stated("2026-10-02T10:00:" + strconv.Itoa(10+i) + "Z")
				at = append(at, w.check(b.ID, stating("Baker", f, "Bake "+strconv.Itoa(i))).Check.At)
				f.UpdatedAt = "2026-10-03" // no version of its own
				w.check(b.ID, stating("Baker", f, ""))
			}
			id := w.known(b.ID)[0].ID
			versions := w.versions(id)
			require.Len(t, versions, track.MaxVersions)
			for i, v := range versions {
				n := i + 5
				if i == 0 {
					n = 0
				}
				require.Equal(t, at[n], v.At)
				require.Equal(t, "Bake "+strconv.Itoa(n), w.text(v.TextHash))
			}
			events := w.events(id)
			require.Len(t, events, 15)
			require.Equal(t, []boardwatch.FieldChange{
				{Field: boardwatch.FieldText, From: boardwatch.TextHash("Bake 13"), To: boardwatch.TextHash("Bake 14")},
			}, events[14].Changes)
		},
		"roles are found by what they state, and by the beginnings of words of their texts": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			r := roles("remote", "onsite", "nothing")
			r.Postings[0].Facts, r.Postings[0].Text = facts(), "Kubernetes-Erfahrung, Façade & **Straße**; C++ und C#, Øresund\nİstanbul naïve"
			r.Postings[1].Facts = boardwatch.Facts{Mode: boardwatch.ModeOnsite, Type: boardwatch.TypeOther, TypeText: `"mode":"remote","type":"full_time"`}
			r.Postings[1].Text = "我们正在招聘软件工程师。ソフトウェア エンジニア\nพนักงานขาย 한국어 Программист Ελληνικά हिन्दी"
			w.check(w.track(a, "northwind").Board.ID, r.Normalize())
			for _, tt := range []struct {
				f     track.JobFilter
				title string
			}{
				{track.JobFilter{Only: boardwatch.Criteria{Mode: boardwatch.ModeRemote}}, "remote"},
				{track.JobFilter{Only: boardwatch.Criteria{Mode: boardwatch.ModeOnsite}}, "onsite"},
				{track.JobFilter{Only: boardwatch.Criteria{Type: boardwatch.TypeFullTime}}, "remote"},
				{track.JobFilter{Only: boardwatch.Criteria{Type: boardwatch.TypeFullTime, Mode: boardwatch.ModeOnsite}}, ""},
				{track.JobFilter{Only: boardwatch.Criteria{Words: "kubern"}}, "remote"},
				{track.JobFilter{Only: boardwatch.Criteria{Words: "ERFAHRUNG facade"}}, "remote"},
				{track.JobFilter{Only: boardwatch.Criteria{Words: "strasse"}}, "remote"},
				{track.JobFilter{Only: boardwatch.Criteria{Words: "STRASSE c++"}}, "remote"},
				{track.JobFilter{Only: boardwatch.Criteria{Words: "c#"}}, "remote"},
				{track.JobFilter{Only: boardwatch.Criteria{Words: "oresund istanbul naive"}}, "remote"},
				{track.JobFilter{Only: boardwatch.Criteria{Words: "fahrung"}}, ""},
				{track.JobFilter{Only: boardwatch.Criteria{Words: "kubernetes absent"}}, ""},
				{track.JobFilter{Only: boardwatch.Criteria{Words: "kubernetes", Mode: boardwatch.ModeOnsite}}, ""},
				{track.JobFilter{Only: boardwatch.Criteria{Words: "软件工程师"}}, "onsite"},
				{track.JobFilter{Only: boardwatch.Criteria{Words: "师"}}, "onsite"},
				{track.JobFilter{Only: boardwatch.Criteria{Words: "エンジ"}}, "onsite"},
				{track.JobFilter{Only: boardwatch.Criteria{Words: "พนักงาน"}}, "onsite"},
				{track.JobFilter{Only: boardwatch.Criteria{Words: "한국"}}, "onsite"},
				{track.JobFilter{Only: boardwatch.Criteria{Words: "ПРОГРАММ ελληνικα"}}, "onsite"},
				{track.JobFilter{Only: boardwatch.Criteria{Words: "हिन्दी"}}, "onsite"},
				{track.JobFilter{Only: boardwatch.Criteria{Words: `" OR 1 * ' : & ! ( NEAR`}}, ""},
				{track.JobFilter{Only: boardwatch.Criteria{Words: "!?"}}, ""},
				{track.JobFilter{Only: boardwatch.Criteria{Words: "kubernetes' \"erfahrung\" *"}}, "remote"},
			} {
				page := w.jobs(a, tt.f)
				var want []string
				if tt.title != "" {
					want = []string{tt.title}
				}
				require.ElementsMatch(t, want, titles(page.Jobs), "%+v", tt.f)
				require.EqualValues(t, len(want), page.Total)
				tt.f.Skip = 1
				require.EqualValues(t, len(want), w.jobs(a, tt.f).Total, "a page behind the last")
				require.Empty(t, w.jobs(a, tt.f).Jobs)
			}
		},
		"a text that changes is found by its new words only": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			b := w.track(a, "northwind").Board
			w.check(b.ID, stating("Baker", facts(), "bread"))
			w.check(b.ID, stating("Baker", facts(), "cakes"))
			require.Zero(t, w.jobs(a, track.JobFilter{Only: boardwatch.Criteria{Words: "bread"}}).Total)
			require.EqualValues(t, 1, w.jobs(a, track.JobFilter{Only: boardwatch.Criteria{Words: "cakes"}}).Total)
		},
		"a role posted anew with the same title and text has an earlier one": func(t *testing.T, w *world) {
			b := w.track(w.account(account.PlanUltra), "northwind").Board
			posted := func(key string) boardwatch.Reading {
				r := stating("Baker", facts(), "bread")
				r.Postings[0].Key = key
				return r
			}
			first := w.check(b.ID, posted("1")).Change.Found[0]
			id, _, err := w.EarlierPosting(t.Context(), first)
			require.NoError(t, err)
			require.Empty(t, id)
			w.check(b.ID, roles())
			closed := w.check(b.ID, roles()).Check.At
			again := w.check(b.ID, posted("2"))
			require.Len(t, again.Change.Found, 1, "on a hosted system, another id is another role")
			id, at, err := w.EarlierPosting(t.Context(), again.Change.Found[0])
			require.NoError(t, err)
			require.Equal(t, first.ID, id)
			require.Equal(t, closed, at)
		},
		"texts that may not be kept go, and those that no role has, but not at once": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			open, gone := w.track(a, "northwind").Board, w.track(a, "contoso").Board
			w.check(open.ID, stating("Baker", facts(), "bread"))
			w.check(gone.ID, stating("Miller", facts(), "flour"))
			w.check(gone.ID, stating("Miller", facts(), "wheat"))
			w.check(gone.ID, roles())
			closed := w.check(gone.ID, roles()).Change.Closed[0]
			have := func() (kept []bool) {
				for _, text := range []string{"bread", "flour", "wheat"} {
					kept = append(kept, w.text(boardwatch.TextHash(text)) == text)
				}
				return kept
			}
			words := func() []int64 {
				return []int64{w.jobs(a, track.JobFilter{Only: boardwatch.Criteria{Words: "bread"}}).Total, w.jobs(a, track.JobFilter{Only: boardwatch.Criteria{Words: "wheat"}}).Total}
			}
			prune := func(r storage.Retention) {
				t.Helper()
				require.NoError(t, w.Prune(t.Context(), r))
			}
			prune(storage.Retention{TextRule: boardwatch.TextsKept})
			prune(storage.Retention{Texts: time.Hour})
			require.Equal(t, []bool{true, true, true}, have())
			require.Equal(t, []int64{1, 1}, words())
			require.Len(t, w.versions(closed.ID), 2)
			prune(storage.Retention{TextRule: boardwatch.TextsOpen})
			require.Equal(t, []int64{1, 0}, words())
			require.Empty(t, w.versions(closed.ID)[1].TextHash)
			require.Equal(t, facts(), w.versions(closed.ID)[1].Facts, "facts stay")
			require.Equal(t, []bool{true, true, true}, have(), "a check under way may need them")
			prune(storage.Retention{TextRule: boardwatch.TextsOpen, Sweep: time.Nanosecond})
			require.Equal(t, []bool{true, false, false}, have())
			prune(storage.Retention{TextRule: boardwatch.TextsOff})
			require.Equal(t, []int64{0, 0}, words())
			prune(storage.Retention{TextRule: boardwatch.TextsOff, Sweep: time.Nanosecond})
			require.Equal(t, []bool{false, false, false}, have())
		},
		"texts and versions outlive a backup, into either database": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			b := w.track(a, "northwind").Board
			w.check(b.ID, stating("Baker", facts(), "bread"))
			w.check(b.ID, stating("Baker", boardwatch.Facts{Mode: boardwatch.ModeOnsite}, "Crème brûlée"))
			w.check(b.ID, roles())
			w.check(b.ID, roles())
			before := w.jobs(a, track.JobFilter{}).Jobs
			file, _ := w.backUp()
			targets := []Database{SQLite(t)}
			if os.Getenv(PostgresEnv) != "" {
				targets = append(targets, Postgres(t))
			}
			for _, open := range targets {
				target := open(t, storage.Options{NoMigrate: true})
				_, err := target.Restore(t.Context(), bytes.NewReader(file), false)
				require.NoError(t, err)
				require.NoError(t, target.Close())
				o := &world{Store: open(t, options()), t: t}
				require.Equal(t, before, o.jobs(a, track.JobFilter{}).Jobs)
				require.Equal(t, w.versions(before[0].ID), o.versions(before[0].ID))
				for _, v := range o.versions(before[0].ID) {
					require.Equal(t, w.text(v.TextHash), o.text(v.TextHash))
				}
				require.EqualValues(t, 1, o.jobs(a, track.JobFilter{Only: boardwatch.Criteria{Words: "creme"}}).Total)
			}
		},
		"texts count towards what an account's checks may add, and are left out before roles": func(t *testing.T, w *world) {
			l := w.limited(30 * roleBytes)
			b := l.track(l.account(account.PlanUltra), "northwind").Board
			r := roles(many(10)...)
			for i := range r.Postings {
				r.Postings[i].Text = strings.Repeat(strconv.Itoa(i)+" bread, ", 10)
				for n := range 800 {
					r.Postings[i].Text += " " + strconv.Itoa(n*7919+i)
				}
			}
			res := l.check(b.ID, r)
			require.Len(t, res.Change.Found, 10)
			require.Equal(t, boardwatch.HealthOK, res.Check.Health)
			with := 0
			for _, j := range res.Change.Found {
				if j.TextHash != "" {
					with++
				}
			}
			require.Positive(t, with)
			require.Less(t, with, 5)
			require.LessOrEqual(t, res.Grown, 30*roleBytes)
		},
		"a role that merges into another takes its versions and words with it": func(t *testing.T, w *world) {
			a := w.account(account.PlanUltra)
			b := w.track(a, "ending").Board
			w.check(b.ID, stating("Cook", facts(), "soup"))
			w.check(b.ID, stating("Cook", facts(), "stew"))
			old := w.known(b.ID)[0].ID
			survivor := w.track(a, "contoso").Board
			w.check(survivor.ID, stating("Cook", facts(), "broth"))
			w.merge(w.boardOf(a, "greenhouse:ending"), hosted("contoso"))
			require.Empty(t, w.versions(old))
			require.Zero(t, w.jobs(a, track.JobFilter{Only: boardwatch.Criteria{Words: "stew"}}).Total)
			require.EqualValues(t, 1, w.jobs(a, track.JobFilter{Only: boardwatch.Criteria{Words: "broth"}}).Total)
		},
	}
}
