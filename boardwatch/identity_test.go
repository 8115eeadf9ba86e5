package boardwatch_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
)

// list is a board whose readings are written as rows: "key | title | place", or "address | title | place" on a page.
type list struct {
	*world
}

func newPage(t *testing.T) list {
	t.Helper()
	w := newWorld(t, boardwatch.DefaultRules())
	w.board.Source = "page:https://northwind.example/jobs"
	return list{w}
}

func newHosted(t *testing.T) list {
	t.Helper()
	return list{newWorld(t, boardwatch.DefaultRules())}
}

func rows(lines ...string) boardwatch.Reading {
	r := boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: -1}
	for _, line := range lines {
		parts := strings.Split(line+" |  | ", " | ")
		p := boardwatch.Posting{Title: parts[1], Location: strings.TrimSpace(parts[2])}
		if p.Key = parts[0]; strings.Contains(p.Key, "/") {
			p.Key, p.URL = "", "https://northwind.example"+p.Key
		}
		r.Postings = append(r.Postings, p)
	}
	return r.Normalize()
}

// shows makes a check without the ledger, and returns the titles of the roles that it found.
func (l list) shows(lines ...string) (found []string) {
	l.t.Helper()
	return l.reads(rows(lines...))
}

func (l list) reads(r boardwatch.Reading) (found []string) {
	l.t.Helper()
	l.now = l.now.Add(time.Hour)
	in := boardwatch.CheckInput{Now: l.now, Board: l.board}
	for _, j := range l.jobs {
		in.Known = append(in.Known, j)
	}
	slices.SortFunc(in.Known, func(a, b boardwatch.Job) int { return strings.Compare(a.ID, b.ID) })
	result := boardwatch.Decide(in, r, false, l.rules, l.newID)
	for _, j := range result.Jobs(in) {
		l.jobs[j.ID] = j
	}
	l.board = result.Board
	for _, j := range result.Change.Found {
		found = append(found, j.Title)
	}
	return found
}

func TestARoleOnAPageIsTheSameUnderAnotherAddress(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before, after, found []string
		page, hosted         bool
	}{
		"with the same title and place": {
			before: []string{"/a/1 | Cook | Rome", "/a/2 | Nurse | Oslo"}, after: []string{"/b/7 | Cook (m/w/d) | ROME", "/a/2 | Nurse | Oslo"},
		},
		"several alike, in order": {
			before: []string{"/a/1 | Cook | Rome", "/a/2 | Cook | Rome"}, after: []string{"/b/1 | Cook | Rome", "/b/2 | Cook | Rome", "/b/3 | Cook | Rome"},
			found: []string{"Cook"},
		},
		"but not with another place": {
			before: []string{"/a/1 | Cook | Rome", "/a/2 | Nurse | Oslo"}, after: []string{"/b/1 | Cook | Lima", "/a/2 | Nurse | Oslo"},
			found: []string{"Cook"},
		},
		"with a place that says more": {
			before: []string{"/a/1 | Cook | Rome", "/a/2 | Nurse | Oslo"}, after: []string{"/b/1 | Cook | Rome, Italy", "/a/2 | Nurse | Oslo"},
		},
		"with a postal code before its place": {
			before: []string{"/a/1 | Cook | Rome", "/a/2 | Nurse | Oslo"}, after: []string{"/b/1 | Cook | 00118 Rome", "/a/2 | Nurse | Oslo"},
		},
		"when its words change, but not the number in its address": {
			before: []string{"/jobs/4711-cook | Cook | Rome", "/jobs/4712-nurse | Nurse | Oslo"},
			after:  []string{"/stellen/4711-koch | Koch | Rom", "/jobs/4712-nurse | Nurse | Oslo"},
		},
		"when all titles say more": {
			before: []string{"/a/1 | Cook | Rome", "/a/2 | Head cook | Rome", "/a/3 | Nurse | Oslo"},
			after:  []string{"/b/4 | Wanted: nurse | Oslo", "/b/5 | Wanted: head cook | Rome", "/b/6 | Wanted: cook | Rome"},
		},
		"when all titles say more, of several alike in order": {
			before: []string{"/a/1 | Cook | Rome", "/a/2 | Cook | Rome"}, after: []string{"/b/1 | Cook 60 % | Rome", "/b/2 | Cook 60 % | Rome"},
		},
		"but not when one title of several says more": {
			before: []string{"/a/1 | Cook | Rome", "/a/2 | Nurse | Oslo"}, after: []string{"/b/1 | Head cook | Rome", "/a/2 | Nurse | Oslo"},
			found: []string{"Head cook"},
		},
		"but not when another is as near": {
			before: []string{"/a/1 | Cook | Rome", "/a/2 | Nurse | Oslo"},
			after:  []string{"/b/1 | Head cook | Rome", "/b/2 | Cold cook | Rome", "/b/3 | Night nurse | Oslo"},
			found:  []string{"Head cook", "Cold cook"},
		},
		"but not when all titles have another number": {
			before: []string{"/a/1 | Cook 2 | Rome", "/a/2 | Nurse 2 | Rome", "/a/3 | Baker | Oslo"},
			after:  []string{"/b/1 | Cook 3 | Rome", "/b/2 | Nurse 3 | Rome", "/a/3 | Baker | Oslo"},
			found:  []string{"Cook 3", "Nurse 3"},
		},
		"but not when all titles have another word": {
			before: []string{"/a/1 | Cook, summer | Rome", "/a/2 | Nurse, summer | Rome", "/a/3 | Baker | Oslo"},
			after:  []string{"/b/1 | Cook, winter | Rome", "/b/2 | Nurse, winter | Rome", "/a/3 | Baker | Oslo"},
			found:  []string{"Cook, winter", "Nurse, winter"},
		},
		"when its place moves into its title": {
			before: []string{"/a/1 | Cook | Rome", "/a/2 | Nurse | Oslo"}, after: []string{"/b/1 | Rome: cook", "/a/2 | Nurse | Oslo"},
		},
		"when all places have other names": {
			before: []string{"/a/1 | Cook | Rome", "/a/2 | Nurse | Oslo"}, after: []string{"/b/1 | Cook | Italy", "/b/2 | Nurse | Norway"},
		},
		"with a remark, or an ending of the other gender": {
			before: []string{"/a/1 | Cook | Rome", "/a/2 | Verkäufer | Bern", "/a/3 | Nurse | Oslo", "/a/4 | Baker | Oslo", "/a/5 | Pilot | Oslo"},
			after:  []string{"/b/1 | Urgent: Cook | Rome", "/b/2 | Verkäufer:in (neu!) | Bern", "/a/3 | Nurse | Oslo", "/a/4 | Baker | Oslo", "/a/5 | Pilot | Oslo"},
		},
		"when it stands twice, on another host": {
			before: []string{"/jobs/cook | Cook | Rome", "/jobs/nurse | Nurse | Oslo"},
			after:  []string{"/jobs/cook | Cook | Rome", "/en/jobs/cook | Cook | Rome", "/jobs/nurse | Nurse | Oslo"},
		},
		"but not by a number that passes from role to role": {
			before: []string{"/jobs/101-cook | Cook | Rome", "/jobs/102-nurse | Nurse | Oslo", "/jobs/103-baker | Baker | Bern"},
			after:  []string{"/jobs/101-welder | Welder | Lima", "/jobs/102-baker | Baker | Bern", "/jobs/103-nurse | Nurse | Oslo"},
			found:  []string{"Welder"},
		},
		"but not by a year": {
			before: []string{"/2026/cook.pdf | Cook | Rome", "/2025/nurse.pdf | Nurse | Oslo"},
			after:  []string{"/2026/welder.pdf | Welder | Lima", "/2025/nurse.pdf | Nurse | Oslo"},
			found:  []string{"Welder"},
		},
		"but not by a number in its title": {
			before: []string{"/jobs/crane-300 | Crane 300 | Rome", "/jobs/nurse-7001 | Nurse | Oslo"},
			after:  []string{"/jobs/welder-300 | Welder 300 | Rome", "/jobs/nurse-7001 | Nurse | Oslo"},
			found:  []string{"Welder 300"},
		},
		"but not by the number of a company": {
			before: []string{"/c4711/1-cook | Cook | Rome", "/c4711/2-nurse | Nurse | Oslo"},
			after:  []string{"/c4711/1-cook | Cook | Rome", "/c4711/3-welder | Welder | Oslo"},
			found:  []string{"Welder"},
		},
		"when it stands twice, in a folder of its own": {
			before: []string{"/jobs/4711-cook | Cook | Rome", "/jobs/4712-nurse | Nurse | Oslo"},
			after:  []string{"/featured/4711-cook | Cook | Rome", "/jobs/4711-cook | Cook | Rome", "/jobs/4712-nurse | Nurse | Oslo"},
		},
		"but not when two that are alike have their own numbers": {
			before: []string{"/c4711/1 | Cook | Rome", "/c4711/2 | Cook | Rome"},
			after:  []string{"/c4711/1 | Cook | Rome", "/c4711/2 | Cook | Rome", "/c4711/3 | Cook | Rome"},
			found:  []string{"Cook"},
		},
		"when its title changes under its address": {
			before: []string{"/a/1 | Cook | Rome", "/a/2 | Nurse | Oslo"}, after: []string{"/a/1 | Senior Cook | Rome", "/a/2 | Nurse | Oslo"},
		},
		"when the address is a position in the list": {
			before: []string{"/job?row=0 | Cook | Rome", "/job?row=1 | Nurse | Oslo"},
			after:  []string{"/job?row=0 | Welder | Lima", "/job?row=1 | Cook | Rome", "/job?row=2 | Nurse | Oslo"},
			found:  []string{"Welder"},
		},
		"when all share one address": {
			before: []string{"/jobs | Cook | Rome", "/jobs | Nurse | Oslo"}, after: []string{"/jobs | Nurse | Oslo", "/jobs | Cook | Rome"},
		},
		"when only a fragment tells them apart": {
			before: []string{"/jobs#1 | Cook | Rome", "/jobs#2 | Nurse | Oslo"}, after: []string{"/jobs#2 | Nurse | Oslo", "/jobs#1 | Cook | Rome"},
		},
		"when one address has several places": {
			before: []string{"/a/1 | Cook | Rome", "/a/1 | Cook | Oslo"}, after: []string{"/b/1 | Cook | Oslo", "/b/1 | Cook | Rome"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newPage(t)
			l.shows(c.before...)
			require.Equal(t, c.found, l.shows(c.after...))
			require.Equal(t, c.found == nil, len(l.jobs) == len(rows(c.before...).Postings))
		})
	}
}

func TestARoleThatClosedThirtyDaysAgoIsNoLongerTheSameUnderAnotherAddress(t *testing.T) {
	t.Parallel()
	for days, found := range map[int][]string{29: nil, 31: {"Cook"}} {
		l := newPage(t)
		l.shows("/1 | Cook | Rome", "/2 | Nurse | Oslo")
		for l.board.ClosedJobs == 0 {
			l.shows("/2 | Nurse | Oslo")
		}
		l.now = l.now.Add(time.Duration(days) * 24 * time.Hour)
		require.Equal(t, found, l.shows("/9 | Cook | Rome", "/2 | Nurse | Oslo"), days)
	}
}

func TestANewIDOfAHostedSystemIsANewRole(t *testing.T) {
	t.Parallel()
	before := []string{"1 | Cook | Rome", "2 | Nurse | Oslo", "3 | Welder | Lima", "4 | Baker | Bern"}

	t.Run("unless more than half of the ids change at once", func(t *testing.T) {
		t.Parallel()
		l := newHosted(t)
		l.shows(before...)
		require.Len(t, l.shows("11 | Cook | Rome", "12 | Nurse | Oslo", "3 | Welder | Lima", "4 | Baker | Bern"), 2, "half of them")
		l = newHosted(t)
		l.shows(before...)
		require.Empty(t, l.shows("11 | Cook | Rome", "12 | Nurse | Oslo", "13 | Welder | Lima", "4 | Baker | Bern"))
	})
	t.Run("and those that such a reading lacks follow later", func(t *testing.T) {
		t.Parallel()
		l := newHosted(t)
		l.shows(before...)
		require.Empty(t, l.shows("11 | Cook | Rome", "12 | Nurse | Oslo"))
		require.Empty(t, l.shows("11 | Cook | Rome", "12 | Nurse | Oslo", "13 | Welder | Lima", "14 | Baker | Bern"))
		require.Len(t, l.jobs, 4)
	})
	t.Run("unless it is posted anew again and again", func(t *testing.T) {
		t.Parallel()
		l := newHosted(t)
		rest := before[1:]
		l.shows(before...)
		require.Equal(t, []string{"Cook"}, l.shows(append(rest, "21 | Cook | Rome")...), "the first time")
		for i := range 5 {
			for range 30 {
				require.Empty(t, l.shows(append(rest, fmt.Sprint(22+i, " | Cook | Rome"))...))
			}
		}
		require.Len(t, l.jobs, 5)
	})
	t.Run("also when its first posting was forgotten long ago, but not after thirty days of rest", func(t *testing.T) {
		t.Parallel()
		l := newHosted(t)
		rest := before[1:]
		l.shows(before...)
		l.shows(append(rest, "21 | Cook | Rome")...)
		for i := range 20 {
			l.now = l.now.Add(5 * 24 * time.Hour)
			require.Empty(t, l.shows(append(rest, fmt.Sprint(22+i, " | Cook | Rome"))...))
			for id, j := range l.jobs { // as a store forgets roles that closed long ago
				if j.Status == boardwatch.JobClosed && l.now.Sub(j.ClosedAt) > boardwatch.ReopenWithin {
					delete(l.jobs, id)
				}
			}
			for range 30 {
				l.shows(append(rest, fmt.Sprint(22+i, " | Cook | Rome"))...)
			}
		}
		require.Len(t, l.jobs, 4, "the first posting is forgotten")
		l.now = l.now.Add(31 * 24 * time.Hour)
		require.Len(t, l.shows(append(rest, "99 | Cook | Rome")...), 1)
	})
	t.Run("a board's only role that gets another id may be posted anew, and so it may beside others later", func(t *testing.T) {
		t.Parallel()
		l := newHosted(t)
		l.shows("1 | Cook | Rome")
		require.Empty(t, l.shows("11 | Cook | Rome"))
		l.shows("11 | Cook | Rome", before[1])
		require.Empty(t, l.shows("21 | Cook | Rome", before[1]))
		require.Len(t, l.jobs, 2)
	})
	t.Run("an import is no sign of that", func(t *testing.T) {
		t.Parallel()
		l := newHosted(t)
		l.shows(before...)
		require.Empty(t, l.shows("11 | Cook | Rome", "12 | Nurse | Oslo", "13 | Welder | Lima", "14 | Baker | Bern"))
		require.Equal(t, []string{"Cook"}, l.shows("21 | Cook | Rome", "12 | Nurse | Oslo", "13 | Welder | Lima", "14 | Baker | Bern"))
	})
	t.Run("seven ids that become one with seven places are one change", func(t *testing.T) {
		t.Parallel()
		l := newHosted(t)
		var all []string
		one := rows("100 | Nurse | Oslo")
		p := boardwatch.Posting{Key: "7", Title: "Cook"}
		for i := range 7 {
			place := fmt.Sprint("Town ", i)
			all = append(all, fmt.Sprint(i+1, " | Cook | ", place))
			p.Location += "; " + place
		}
		p.Location = strings.TrimPrefix(p.Location, "; ")
		one.Postings = append(one.Postings, p)
		l.shows(append(all, "100 | Nurse | Oslo")...)
		for range 100 {
			require.Empty(t, l.reads(one))
		}
		require.Zero(t, l.board.ClosedJobs)
	})
	t.Run("all other roles under another company's name wait", func(t *testing.T) {
		t.Parallel()
		l := newHosted(t)
		first := rows(before...)
		first.Company = "Northwind"
		l.reads(first)
		other := rows("1 | Pilot | Rome", "2 | Judge | Oslo")
		other.Company = "Southwind"
		require.Empty(t, l.reads(other))
		require.Equal(t, cause.Replaced, l.board.State.Cause)
		require.Equal(t, "Northwind", l.board.Company)
	})
}

// status returns the states of roles by their places, and the key of each.
func (l list) status() (states map[string]boardwatch.JobStatus, keys map[string]string) {
	states, keys = make(map[string]boardwatch.JobStatus), make(map[string]string)
	for _, j := range l.jobs {
		states[j.Location], keys[j.Location] = j.Status, j.Key
	}
	return states, keys
}

func TestOneEntryForSeveralRolesHandsItsLastPlaceToTheRoleOfThatPlace(t *testing.T) {
	t.Parallel()
	const open, closed = boardwatch.JobOpen, boardwatch.JobClosed
	one := func(places string) boardwatch.Reading {
		r := rows("100 | Nurse | Oslo")
		r.Postings = append(r.Postings, boardwatch.Posting{Key: "all", Title: "Cook", Location: places})
		return r.Normalize()
	}
	gathered := func(t *testing.T) list {
		t.Helper()
		l := newHosted(t)
		l.shows("100 | Nurse | Oslo", "1 | Cook | Rome", "2 | Cook | Bern", "3 | Cook | Lima")
		for range 30 {
			require.Empty(t, l.reads(one("Rome; Bern; Lima")))
		}
		return l
	}
	t.Run("and all of them stay as long as they are in it", func(t *testing.T) {
		t.Parallel()
		l := gathered(t)
		for range 100 {
			require.Empty(t, l.reads(one("Bern; Lima")))
		}
		states, _ := l.status()
		require.Equal(t, map[string]boardwatch.JobStatus{"Oslo": open, "Bern; Lima": open, "Bern": open, "Lima": open}, states)
		for range 100 {
			require.Empty(t, l.reads(one("Lima")))
		}
		states, keys := l.status()
		require.Equal(t, map[string]boardwatch.JobStatus{"Oslo": open, "Bern; Lima": open, "Bern": closed, "Lima": open}, states)
		require.Equal(t, "all", keys["Bern; Lima"], "no two roles have one key")
		for range 200 {
			require.Empty(t, l.shows("100 | Nurse | Oslo"))
		}
		states, _ = l.status()
		require.Equal(t, map[string]boardwatch.JobStatus{"Oslo": open, "Bern; Lima": closed, "Bern": closed, "Lima": closed}, states)
	})
	t.Run("which is no sign that the ids of the others have changed", func(t *testing.T) {
		t.Parallel()
		l := newHosted(t)
		r := one("Rome; Bern")
		l.reads(r)
		r = one("Bern")
		r.Postings[0].Key = "200"
		require.Equal(t, []string{"Nurse"}, l.reads(r), "a new id is a new role")
	})
	t.Run("but not to one that was gone before", func(t *testing.T) {
		t.Parallel()
		l := newHosted(t)
		l.shows("100 | Nurse | Oslo", "3 | Cook | Lima")
		for range 30 {
			l.shows("100 | Nurse | Oslo")
		}
		require.Equal(t, []string{"Cook"}, l.reads(one("Rome; Bern")))
		require.Empty(t, l.reads(one("Lima")))
		require.Equal(t, 1, l.board.ClosedJobs)
		for _, j := range l.jobs {
			require.True(t, j.Key != "all" || j.Status == open && j.Location == "Lima")
		}
	})
}

// FuzzIdentity reads two random lists of a board one after the other: no role becomes one with another title or place
// under another key, and the order of the rows does not matter.
func FuzzIdentity(f *testing.F) {
	for seed := range uint64(30) {
		f.Add(seed, seed%2 == 0)
	}
	f.Fuzz(func(t *testing.T, seed uint64, page bool) {
		rng := rand.New(rand.NewPCG(seed, 1))
		lines := func() (lines []string) {
			titles := make(map[string]string) // of ids: a hosted system has one for each
			for range 1 + rng.IntN(8) {
				key, title := strconv.Itoa(rng.IntN(20)), pick(rng.IntN(3), "Cook", "Nurse", "Senior cook")
				switch {
				case page:
					key = "/job/" + key
				case titles[key] == "":
					titles[key] = title
				default:
					title = titles[key]
				}
				line := key + " | " + title + " | " + pick(rng.IntN(4), "Rome", "Oslo", "Oslo, Norway", "")
				lines = append(lines, line)
			}
			return lines
		}
		play := func(first, second []string) (shown []string) {
			l := newHosted(t)
			if page {
				l = newPage(t)
			}
			l.shows(first...)
			before, moved := maps.Clone(l.jobs), []bool(nil)
			l.shows(second...)
			for id, j := range l.jobs {
				was, known := before[id]
				if !known {
					id = "new"
				}
				shown = append(shown, fmt.Sprint(id, j.Title, j.Location, j.Status))
				if known && was.Key != j.Key {
					more, less := strings.ToLower(j.Title), strings.ToLower(was.Title)
					require.True(t, strings.Contains(more, less) || strings.Contains(less, more), "%s became %s", was.Title, j.Title)
					moved = append(moved, !placesAgree(was.Location, j.Location))
				}
			}
			require.True(t, page || len(moved) != 1 || !moved[0], "one role alone is in another place")
			slices.Sort(shown)
			return shown
		}
		first, second := lines(), lines()
		once := play(first, second)
		rng.Shuffle(len(second), func(a, b int) { second[a], second[b] = second[b], second[a] })
		require.Equal(t, once, play(first, second), "%q, then %q", first, second)
	})
}

// placesAgree reports whether one of two places, of the few that FuzzIdentity uses, says the same as the other or more.
func placesAgree(a, b string) bool {
	for part := range strings.SplitSeq(a, "; ") {
		if strings.Contains(b, part) || strings.Contains(part, b) {
			return true
		}
	}
	return strings.Contains(b, a)
}
