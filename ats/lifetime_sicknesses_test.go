package ats_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// lifeSickness is what is wrong with a hosted system, or with a company.
type lifeSickness struct {
	name   string
	days   float64 // how long it lasts; 0 means for good
	shows  func(l *glance) shelf
	status func(l *glance) int // of its answers; nil means 200
	needs  func(v vendor) bool
	truth  func(f *firm) // what is special about the company
	moves  bool          // the company's page leads to another system
}

func lifeSicknesses() []lifeSickness {
	counts := func(v vendor) bool { return v.counts }
	enveloped := func(v vendor) bool { return v.enveloped }
	healthy := func(l *glance) shelf { return l.list(l.live) }
	imported := func(base func(l *glance) int) func(l *glance) shelf {
		return func(l *glance) shelf {
			l.base = base(l)
			return l.list(l.live)
		}
	}
	reworded := func(change func(o *opening)) func(l *glance) shelf {
		return func(l *glance) shelf {
			s := l.list(l.live)
			for i := range s.rows {
				if l.n%4 > 1 {
					change(&s.rows[i])
				}
			}
			return s
		}
	}
	places := func(f *firm) {
		for i := range f.roles {
			f.roles[i].title, f.roles[i].place = fmt.Sprint("Cook ", i/7), fmt.Sprint("Town ", i%7)
		}
	}
	return []lifeSickness{
		{name: "healthy", shows: healthy},
		{name: "half is lost for thirty hours", days: 1.25, shows: func(l *glance) shelf { return l.first(0.5) }},
		{name: "half is lost for thirty hours, but not in the count", days: 1.25, needs: counts, shows: func(l *glance) shelf {
			s := l.first(0.5)
			s.total = len(l.live)
			return s
		}},
		{name: "a third is lost for thirty hours", days: 1.25, shows: func(l *glance) shelf { return l.first(2.0 / 3) }},
		{name: "empty for thirty hours", days: 1.25, shows: func(l *glance) shelf { return l.first(0) }},
		{name: "all imported anew", shows: imported(func(*glance) int { return 300_000 })},
		{name: "all imported anew, with equal titles", truth: (*firm).twins, shows: imported(func(*glance) int { return 300_000 })},
		{name: "two mirrors in turn", shows: imported(func(l *glance) int { return 300_000 * (1 + l.n%2) })},
		{name: "roles that are posted anew every five days", truth: (*firm).evergreen, shows: func(l *glance) shelf {
			s := l.list(l.live)
			for i, o := range s.rows {
				if o.opens.Equal(firstNoon.Add(evergreenFrom)) {
					s.rows[i].id = l.id(o.n + 10_000*(1+int(l.now.Sub(o.opens)/(5*day))))
				}
			}
			return s
		}},
		{name: "the company moves, and its old board is empty", moves: true, shows: func(l *glance) shelf { return l.first(0) }},
		{name: "a count that is missing every third time, with a cut", needs: counts, shows: func(l *glance) shelf {
			if l.n%3 != 2 {
				return l.list(l.live)
			}
			s := l.first(0.7)
			s.total = -1
			return s
		}},
		{name: "a count that is too low", days: 5, needs: counts, shows: func(l *glance) shelf {
			s := l.list(l.live)
			s.total = len(l.live) / 2
			return s
		}},
		{name: "a count that is always two too high", needs: counts, shows: func(l *glance) shelf {
			s := l.list(l.live)
			s.total += 2
			return s
		}},
		{name: "every fourth row twice", shows: func(l *glance) shelf {
			s := l.list(l.live)
			for i, o := range l.list(l.live).rows {
				if i%4 == 0 {
					s.rows = append(s.rows, o)
				}
			}
			if l.vendor.counts {
				s.total = len(s.rows)
			}
			return s
		}},
		{name: "a half that says in a field of its own that it goes on", days: 5, needs: enveloped, shows: func(l *glance) shelf {
			s := l.first(0.5)
			s.more = pick(l.n, `"hasMore":true`, `"nextPageToken":"Q2"`, `"pagination":{"next":"/page/2"}`, `"links":{"next":"/page/2"}`)
			return s
		}},
		{name: "three thousand foreign roles for ten hours", days: 0.4, shows: func(l *glance) shelf {
			rows := l.live
			for i := range foreignRoles {
				rows = append(rows, opening{n: foreign + i, id: "", title: fmt.Sprint("Lorem ", i), place: "Ipsum"})
			}
			return l.list(rows)
		}},
		{name: "seven places become one entry, and come back", truth: places, shows: func(l *glance) shelf {
			if int(l.since/(4*day))%2 == 1 {
				return l.list(l.live)
			}
			at := make(map[string]int)
			var rows []opening
			for _, o := range l.live {
				if i, ok := at[o.title]; ok {
					rows[i].place += "; " + o.place
					continue
				}
				at[o.title] = len(rows)
				rows = append(rows, o)
			}
			return l.list(rows)
		}},
		{name: "rows in another order each time", shows: func(l *glance) shelf {
			l.rng.Shuffle(len(l.live), func(a, b int) { l.live[a], l.live[b] = l.live[b], l.live[a] })
			return l.list(l.live)
		}},
		{name: "a count of twelve hours ago", needs: counts, shows: func(l *glance) shelf {
			s := l.list(l.live)
			s.total = len(l.at(l.now.Add(-day / 2)))
			return s
		}},
		{name: "empty, with an error beside the list, for ten days", days: 10, needs: enveloped, shows: func(l *glance) shelf {
			s := l.first(0)
			s.more = pick(l.n, `"error":"timeout"`, `"errors":[{"message":"shard failed"}]`, `"error":{"code":503}`)
			return s
		}},
		{name: "a half, with an error beside the list, for ten days", days: 10, needs: enveloped, shows: func(l *glance) shelf {
			s := l.first(0.5)
			s.more = pick(l.n, `"error":"timeout"`, `"errors":[{"message":"shard failed"}]`, `"error":{"code":503}`)
			return s
		}},
		{name: "no such board for thirty hours", days: 1.25, shows: healthy, status: func(*glance) int { return http.StatusNotFound }},
		{name: "forbidden for nine days", days: 9, shows: healthy, status: func(*glance) int { return http.StatusForbidden }},
		{name: "slow down, every third time", shows: healthy, status: func(l *glance) int {
			return []int{http.StatusOK, http.StatusTooManyRequests, http.StatusOK}[l.n%3]
		}},
		{name: "titles in another language by turns", shows: reworded(func(o *opening) { o.title = "Stelle " + o.title })},
		{name: "a number of places by turns", shows: reworded(func(o *opening) { o.place = fmt.Sprint(2+o.n%3, " Locations") })},
		{name: "titles with signs of markup by turns", shows: reworded(func(o *opening) { o.title += " <b>&amp; more</b>" })},
		{name: "no places by turns", shows: reworded(func(o *opening) { o.place = "" })},
		{name: "roles of the company alone, every third time", shows: func(l *glance) shelf { // others are of an agency
			return l.list(slices.DeleteFunc(slices.Clone(l.live), func(o opening) bool { return l.n%3 == 0 && o.n%4 == 1 }))
		}},
		{name: "ten rows at most, for twenty hours", days: 0.83, shows: func(l *glance) shelf { return l.list(l.live[:min(10, len(l.live))]) }},
		{name: "an index that is built anew for thirty hours", days: 1.25, shows: func(l *glance) shelf { return l.first(l.since.Hours() / 30) }},
		{name: "three nodes, each some hours behind", shows: func(l *glance) shelf { return l.list(l.at(l.now.Add(-time.Duration(l.n%3) * 7 * time.Hour))) }},
		{name: "half of the roles truly close on one day", shows: healthy, truth: func(f *firm) {
			f.roles = f.roles[:f.size]
			for i := range f.roles {
				if f.roles[i].closes = firstNoon.Add(1000 * day); i%2 == 0 {
					f.roles[i].closes = firstNoon.Add(5 * day)
				}
			}
		}},
		{name: "all roles truly close, and others open two days later", shows: healthy, truth: func(f *firm) {
			f.roles = f.roles[:f.size]
			for i := range f.roles {
				f.roles[i].closes = firstNoon.Add(5 * day)
			}
			for range f.size {
				f.open(firstNoon.Add(7 * day))
			}
		}},
		{name: "all imported anew, and urgent says each title", shows: func(l *glance) shelf {
			l.base = 300_000
			s := l.list(l.live)
			for i := range s.rows {
				s.rows[i].title = "Urgent: " + s.rows[i].title
			}
			return s
		}},
		{name: "all imported anew, and the place stands in the title alone", shows: func(l *glance) shelf {
			l.base = 300_000
			s := l.list(l.live)
			for i := range s.rows {
				s.rows[i].title, s.rows[i].place = s.rows[i].place+": "+s.rows[i].title, ""
			}
			return s
		}},
		{name: "all imported anew twice within a day", shows: imported(func(l *glance) int { return 100_000 * (2 + min(2, int(l.since/(9*time.Hour)))) })},
		{name: "all imported anew, and three come first for ten hours", shows: func(l *glance) shelf {
			l.base = 300_000
			if l.since < 10*time.Hour {
				return l.list(l.live[:min(3, len(l.live))])
			}
			return l.list(l.live)
		}},
		{name: "a backup of three days ago is there for a day", shows: func(l *glance) shelf {
			if l.since > 2*day && l.since%(8*day) < 23*time.Hour {
				return l.list(l.at(l.now.Add(-3 * day)))
			}
			return l.list(l.live)
		}},
		{name: "each name in capitals, with marks of gender, by turns", shows: reworded(func(o *opening) { o.title = strings.ToUpper(o.title) + " (M/W/D)" })},
		{name: "out of order every other time", shows: healthy, status: func(l *glance) int {
			if l.n%2 == 0 {
				return http.StatusServiceUnavailable
			}
			return http.StatusOK
		}},
	}
}

// twins makes all roles alike, and none of them comes or goes: nobody could say which.
func (f *firm) twins() {
	f.roles = f.roles[:f.size]
	for i := range f.roles {
		f.roles[i].title, f.roles[i].place, f.roles[i].closes = pick(i, "Cook", "Welder"), "Oslo", firstNoon.Add(1000*day)
	}
}

const evergreenFrom = 8 * day

// evergreen lets some roles end and be posted anew again and again. The first posting is a role of its own: nobody can know
// that it will be.
func (f *firm) evergreen() {
	for i := range f.roles[:max(1, f.size/5)] {
		f.roles[i].closes = firstNoon.Add(evergreenFrom)
		again := f.roles[i]
		again.n, again.opens, again.closes = len(f.roles), firstNoon.Add(evergreenFrom), firstNoon.Add(1000*day)
		f.roles = append(f.roles, again)
	}
}
