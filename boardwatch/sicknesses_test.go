package boardwatch_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
)

func sicknesses() []sickness {
	return slices.Concat(samples(), cuts(), caches(), addresses(), hostedIDs(), contents(), troubles(), laterSicknesses(), siteSicknesses(), publicSicknesses(), reportedSicknesses())
}

// unknowable are the cases that nobody could know, and why.
var unknowable = reasons(map[string][]string{
	"nothing came back before the hold was over, and nothing had ever come back: roles that are gone look the same": {
		"*: a new half every three days", "?: a page that is left out for two days", "?: a third for two days", "?: a third on weekends",
		"?: six tenths for six days", "?: half of the rest every day for six days", "?: only the first one for two days",
		"?: a frozen list half of the time, for two weeks", "?: a test that hides a quarter for two days, then another",
		"?: empty for five days", "silent page: two titles become one entry for two days, and part again",
	},
	"chance hid the same roles for longer than twice as long as ever before": {
		"*: a third at random", "*: halves of an A/B test by chance", "*: one language by chance", "*: partial at first, then a third at random",
		"?: the region of whoever asks", "?: twelve of twenty at random", "?: shuffled and cut", "?: a page that is left out", "?: two at random are missing each time",
		"page: a token in the path and a half at random", "silent page: a token in the path and a half at random",
		"silent page: a token in the path, and cut at a random place",
	},
	"after seven days, an own page that is still there counts no longer, and a list after the hold": {
		"*: a third for two weeks", "*: a ramp down over ten days", "*: empty for ten days",
	},
	"the board is always read at the same hours": {
		"*: by the hour", "*: empty at night", "*: one region for five hours twice a day",
		"*: a seventh flickers, and stays away half as long again each time",
	},
	"a new id is a new role when it was not replaced in thirty days": {
		"hosted: another mirror for a third of the roles", "hosted: a version behind each id, of a tenth of the roles each day",
		"hosted: a third imported anew each day",
		"hosted: each role posted anew every ten days, old beside new for a day",
	},
	"a comma in a place may part two places, or say where one is": {
		"silent page: seven places in one entry with commas, and back", "silent page: seven places in one entry with strokes, and back",
	},
	"an entry that does not name its places is that of one role": {
		"silent page: seven places in one entry that names one of them, and back", "silent page: seven places in one entry that says how many, and back",
	},
	"another word is another role, when the address has changed as well": {
		"hosted: the text in another language takes the place of a third, with another id",
		"page: title, place and address are of another language by turns", "silent page: title, place and address are of another language by turns",
		"page: the rows of the list are numbered, no addresses", "silent page: the rows of the list are numbered, no addresses",
		"page: the rows of the list are numbered by turns, no addresses", "silent page: the rows of the list are numbered by turns, no addresses",
	},
	"an entry beside another one with the same title and place is a role of its own": {
		"page: each role relisted every ten days behind its slug, old beside new for a day",
		"silent page: each role relisted every ten days behind its slug, old beside new for a day",
	},
	"two roles that change titles and places look as if they had changed addresses": {
		"page: neighbours change their titles, and get them back", "silent page: neighbours change their titles, and get them back",
	},
	"an address or id that is a position, whose role is replaced while no other moves, is the same role with another title": {
		"hosted: ids given anew, each that of another role", "hosted: ids that are positions",
		"hosted: ids that are positions in a shuffled list",
		"page: an address that is nothing but a position", "silent page: an address that is nothing but a position",
		"page: an address that is nothing but a position in a shuffled list",
		"silent page: an address that is nothing but a position in a shuffled list",
	},
})

// reasons turns lists of cases into one map. "*" is every kind of board, "?" one without a second witness.
func reasons(lists map[string][]string) map[string]string {
	out := make(map[string]string)
	for reason, names := range lists {
		for _, name := range names {
			kind, rest, _ := strings.Cut(name, ": ")
			kinds := []string{kind}
			switch kind {
			case "*":
				kinds = []string{string(onPage), string(onSilentPage), string(onHosted)}
			case "?":
				kinds = []string{string(onSilentPage), string(onHosted)}
			}
			for _, k := range kinds {
				out[k+": "+rest] = reason
			}
		}
	}
	return out
}

// samples are lists that never show all roles.
func samples() []sickness {
	half := func(r role, n int) bool { return rand.New(rand.NewPCG(uint64(r.n), uint64(n))).IntN(2) == 0 }
	return []sickness{
		{name: "healthy", show: func(v *visit) boardwatch.Reading { return v.list(v.live) }},
		{name: "a half at random", show: func(v *visit) boardwatch.Reading { return v.only(func(role) bool { return v.rng.IntN(2) == 0 }) }},
		{name: "twelve of twenty at random", show: func(v *visit) boardwatch.Reading {
			return v.only(func(role) bool { return v.rng.IntN(20) < 12 })
		}},
		{name: "a third at random", show: func(v *visit) boardwatch.Reading { return v.only(func(role) bool { return v.rng.IntN(3) == 0 }) }},
		{name: "one role is missing each time", show: func(v *visit) boardwatch.Reading {
			not := v.live[v.rng.IntN(len(v.live))].n
			return v.only(func(r role) bool { return r.n != not || v.n%4 == 0 })
		}},
		{name: "halves of an A/B test by chance", show: func(v *visit) boardwatch.Reading {
			side := v.rng.IntN(2)
			return v.only(func(r role) bool { return r.n%3 != side })
		}},
		{name: "halves of an A/B test in turn", show: func(v *visit) boardwatch.Reading {
			return v.only(func(r role) bool { return (r.n+v.n)%2 == 0 })
		}},
		{name: "a new half every day", show: func(v *visit) boardwatch.Reading {
			return v.only(func(r role) bool { return half(r, int(v.since/day)) })
		}},
		{name: "a new half every three days", days: 30, show: func(v *visit) boardwatch.Reading {
			return v.only(func(r role) bool { return half(r, int(v.since/(3*day))) })
		}},
		{name: "by the hour", show: func(v *visit) boardwatch.Reading {
			return v.only(func(r role) bool { return (r.n+v.hour())%3 > 0 })
		}},
		{name: "one region for five hours twice a day", show: func(v *visit) boardwatch.Reading {
			region := v.hour()%12 < 5
			return v.only(func(r role) bool { return !region || r.place == "Berlin" })
		}},
		{name: "the region of whoever asks", show: func(v *visit) boardwatch.Reading {
			place := pick(v.rng.IntN(3), "Berlin", "Oslo", "Rome")
			return v.only(func(r role) bool { return r.place == place })
		}},
		{name: "one language a day", show: func(v *visit) boardwatch.Reading {
			return v.only(func(r role) bool { return r.n%2 == int(v.since/day)%2 })
		}},
		{name: "one language by chance", show: func(v *visit) boardwatch.Reading {
			language := v.rng.IntN(2)
			return v.only(func(r role) bool { return r.n%3 == 0 || r.n%2 == language })
		}},
		{name: "a page that is left out", show: func(v *visit) boardwatch.Reading {
			out := v.rng.IntN(10)
			return v.only(func(r role) bool { return r.n/2%10 != out })
		}},
		{name: "a third on weekends", show: func(v *visit) boardwatch.Reading {
			weekend := v.now.Weekday() == time.Saturday || v.now.Weekday() == time.Sunday
			return v.only(func(r role) bool { return !weekend || r.n%3 == 0 })
		}},
		{name: "a page that is left out for two days", show: func(v *visit) boardwatch.Reading {
			return v.only(func(r role) bool { return r.n%10 != int(v.since/(2*day))%10 })
		}},
	}
}

// cuts are lists that end too early, or not at all.
func cuts() []sickness {
	return []sickness{
		{name: "six tenths for twelve hours", days: 0.5, show: onlyFirst(0.6)},
		{name: "six tenths for twenty hours", days: 0.8, show: onlyFirst(0.6)},
		{name: "six tenths for six days", days: 6, show: onlyFirst(0.6)},
		{name: "a third for two days", days: 2, show: onlyFirst(0.34)},
		{name: "a third for two weeks", days: 14, show: onlyFirst(0.34)},
		{name: "only the first one for two days", days: 2, show: func(v *visit) boardwatch.Reading { return v.list(v.live[:1]) }},
		{name: "half of it twelve hours a day", show: func(v *visit) boardwatch.Reading {
			return v.first(1 - float64(v.hour()/12)/2)
		}},
		{name: "shuffled", show: func(v *visit) boardwatch.Reading {
			v.rng.Shuffle(len(v.live), func(a, b int) { v.live[a], v.live[b] = v.live[b], v.live[a] })
			return v.list(v.live)
		}},
		{name: "shuffled and cut", show: func(v *visit) boardwatch.Reading {
			v.rng.Shuffle(len(v.live), func(a, b int) { v.live[a], v.live[b] = v.live[b], v.live[a] })
			return v.first(0.8)
		}},
		{name: "a ramp down over ten days", days: 10, show: func(v *visit) boardwatch.Reading {
			return v.first(1 - v.since.Hours()/240)
		}},
		{name: "half of the rest every day for six days", days: 6, show: func(v *visit) boardwatch.Reading {
			return v.list(v.live[:len(v.live)>>(1+int(v.since/day))])
		}},
		{name: "half of the rest every eight hours for a day", days: 1, show: func(v *visit) boardwatch.Reading {
			return v.list(v.live[:len(v.live)>>(1+int(v.since/(8*time.Hour)))])
		}},
		{name: "empty for thirty hours", days: 1.25, show: onlyFirst(0)},
		{name: "empty for sixty hours", days: 2.5, show: onlyFirst(0)},
		{name: "empty every third time", show: func(v *visit) boardwatch.Reading {
			if v.n%3 == 1 {
				return v.list(nil)
			}
			return v.list(v.live)
		}},
		{name: "empty at night", show: func(v *visit) boardwatch.Reading {
			if v.hour() < 8 {
				return v.list(nil)
			}
			return v.list(v.live)
		}},
		{name: "a count that says it is cut, for two weeks", days: 14, show: func(v *visit) boardwatch.Reading {
			r := v.first(0.6)
			r.Claimed = len(v.live)
			return r
		}},
		{name: "a count that is always two too high", show: func(v *visit) boardwatch.Reading {
			r := v.list(v.live)
			r.Claimed, r.EndSeen = len(v.live)+2, true
			return r
		}},
		{name: "a count that is always too high, and a cut for twelve hours a day", show: func(v *visit) boardwatch.Reading {
			r := v.first(1 - float64(v.hour()/12)/2)
			r.Claimed, r.EndSeen = len(v.live)+2, true
			return r
		}},
		{name: "a count that is too low", show: func(v *visit) boardwatch.Reading {
			r := v.list(v.live)
			r.Claimed = len(v.live) / 2
			return r
		}},
		{name: "a count that is missing every third time, with a cut", show: func(v *visit) boardwatch.Reading {
			if v.n%3 == 2 {
				return v.first(0.7)
			}
			r := v.list(v.live)
			r.Claimed = len(v.live)
			return r
		}},
	}
}

// caches are lists from another time.
func caches() []sickness {
	old := func(v *visit, by time.Duration) boardwatch.Reading { return v.list(v.at(v.now.Add(-by))) }
	return []sickness{
		{name: "a CDN flips between now and two days ago", show: func(v *visit) boardwatch.Reading { return old(v, time.Duration(v.n%2)*2*day) }},
		{name: "three caches by chance", show: func(v *visit) boardwatch.Reading { return old(v, time.Duration(v.rng.IntN(3))*30*time.Hour) }},
		{name: "a frozen list half of the time, for two weeks", days: 14, show: func(v *visit) boardwatch.Reading {
			return old(v, time.Duration(v.rng.IntN(2))*v.since)
		}},
		{name: "four days behind", show: func(v *visit) boardwatch.Reading { return old(v, min(v.since, 4*day)) }},
		{name: "two days behind, every other day", show: func(v *visit) boardwatch.Reading {
			return old(v, time.Duration(int(v.since/day)%2)*2*day)
		}},
		{name: "a cache of half a list, by blocks of five hours", show: func(v *visit) boardwatch.Reading {
			if int(v.since/(5*time.Hour))%2 == 0 {
				return v.list(v.live)
			}
			return v.only(func(r role) bool { return r.n%2 == 0 })
		}},
	}
}

const letters = "abcdefghijkmnpqrstuvwxyz0123456789"

func token(rng *rand.Rand) string {
	b := []byte("t0k")
	for range 13 {
		b = append(b, letters[rng.IntN(len(letters))])
	}
	return string(b)
}

// addresses are pages that give their roles other addresses.
func addresses() []sickness {
	tokened := func(change func(r *role, token string)) func(v *visit) boardwatch.Reading {
		return func(v *visit) boardwatch.Reading {
			t := token(v.rng)
			return v.each(func(r *role) { change(r, t) })
		}
	}
	query := func(name string) func(v *visit) boardwatch.Reading {
		return tokened(func(r *role, t string) { r.url += "?" + name + "=" + t })
	}
	path := func(r *role) string { return strings.TrimPrefix(r.url, "https://northwind.example") }
	on := func(prefix string) func(v *visit) boardwatch.Reading {
		return tokened(func(r *role, t string) { r.url = strings.ReplaceAll(prefix, "TOKEN", t) + path(r) })
	}
	numbered := func(prefix string, base int) func(r *role) {
		return func(r *role) { r.url = fmt.Sprint("https://northwind.example", prefix, base+r.n) }
	}
	positions := func(shuffle bool) func(v *visit) boardwatch.Reading {
		return func(v *visit) boardwatch.Reading {
			if shuffle {
				v.rng.Shuffle(len(v.live), func(a, b int) { v.live[a], v.live[b] = v.live[b], v.live[a] })
			} else {
				slices.Reverse(v.live)
			}
			i := 0
			return v.each(func(r *role) { r.url = fmt.Sprint("https://northwind.example/job?row=", i); i++ })
		}
	}
	places := func(c *careers) {
		for i := range c.roles {
			c.roles[i].title, c.roles[i].place = fmt.Sprint("Cook ", i/7), fmt.Sprint("Town ", i%7)
		}
	}
	kinds := []sickness{
		{name: "a session in the query", show: query("PHPSESSID")},
		{name: "an unknown token in the query", show: query("visit")},
		{name: "a token in the path", show: on("https://northwind.example/s/TOKEN")},
		{name: "a token in the path and a half at random", show: func(v *visit) boardwatch.Reading {
			t := token(v.rng)
			roles := slices.Clone(v.live)
			v.live = slices.DeleteFunc(roles, func(role) bool { return v.rng.IntN(2) == 0 })
			return v.each(func(r *role) { r.url = "https://northwind.example/s/" + t + path(r) })
		}},
		{name: "a jsessionid", show: tokened(func(r *role, t string) { r.url += ";jsessionid=" + t })},
		{name: "a session in brackets", show: on("https://northwind.example/(S(TOKEN))")},
		{name: "a token for each role", show: func(v *visit) boardwatch.Reading {
			return v.each(func(r *role) { r.url = "https://northwind.example/open/" + token(v.rng) })
		}},
		{name: "a token for each of many equal roles", truth: (*careers).twins, show: func(v *visit) boardwatch.Reading {
			return v.each(func(r *role) { r.url = "https://northwind.example/open/" + token(v.rng) })
		}},
		{name: "a token in the path before many equal roles", truth: (*careers).twins, show: on("https://northwind.example/s/TOKEN")},
		{name: "another host each time", show: on("https://TOKEN.cdn.example")},
		{name: "another scheme of addresses", show: func(v *visit) boardwatch.Reading { return v.each(numbered("/careers/role/", 100)) }},
		{name: "another scheme of addresses for many equal roles", truth: (*careers).twins, show: func(v *visit) boardwatch.Reading {
			return v.each(numbered("/careers/role/", 100))
		}},
		{name: "two schemes of addresses in turn", show: func(v *visit) boardwatch.Reading {
			return v.each(numbered(pick(v.n, "/jobs/", "/careers/"), 700))
		}},
		{name: "other numbers every week", show: func(v *visit) boardwatch.Reading {
			return v.each(numbered("/jobs/", 10_000*int(v.since/(7*day))))
		}},
		{name: "a CDN flips between two designs, one of them two days old", show: func(v *visit) boardwatch.Reading {
			v.live = v.at(v.now.Add(-time.Duration(v.n%2) * 2 * day))
			return v.each(numbered(pick(v.n, "/jobs/", "/careers/"), 700))
		}},
		{name: "http and www by chance", show: func(v *visit) boardwatch.Reading {
			return v.each(func(r *role) {
				r.url = pick(v.rng.IntN(3), "http://www.", "https://www.", "http://") + strings.TrimPrefix(r.url, "https://")
			})
		}},
		{name: "another host", show: on("https://jobs.northwind.example")},
		{name: "slugs in another language", show: func(v *visit) boardwatch.Reading {
			return v.each(func(r *role) { r.url = strings.ReplaceAll(r.url, "role", pick(v.n, "stelle", "emploi", "role")) })
		}},
		{name: "tracking", show: tokened(func(r *role, t string) { r.url += "?utm_source=" + t + "&ref=" + t })},
		{name: "a position in the query", show: func(v *visit) boardwatch.Reading {
			i := 0
			v.rng.Shuffle(len(v.live), func(a, b int) { v.live[a], v.live[b] = v.live[b], v.live[a] })
			return v.each(func(r *role) { r.url += fmt.Sprint("?listpos=", i); i++ })
		}},
		{name: "an address that is nothing but a position", show: positions(false)},
		{name: "an address that is nothing but a position in a shuffled list", show: positions(true)},
		{name: "one address for all", show: func(v *visit) boardwatch.Reading {
			return v.each(func(r *role) { r.url = "https://northwind.example/jobs" })
		}},
		{name: "one address and fragments", show: func(v *visit) boardwatch.Reading {
			return v.each(func(r *role) { r.url = fmt.Sprint("https://northwind.example/jobs#r", r.n) })
		}},
		{name: "one address and two days without any fragments", show: func(v *visit) boardwatch.Reading {
			return v.each(func(r *role) {
				r.url = fmt.Sprint("https://northwind.example/jobs#r", r.n)
				if v.since < 2*day {
					r.url = "https://northwind.example/jobs"
				}
			})
		}},
		{name: "no addresses every third time", show: func(v *visit) boardwatch.Reading {
			return v.each(func(r *role) {
				if v.n%3 == 0 {
					r.url = ""
				}
			})
		}},
		{name: "no addresses, and marks of gender now and then", show: func(v *visit) boardwatch.Reading {
			mark := pick(v.rng.IntN(4), "", " (m/w/d)", " (f/m/x)", " - all genders")
			return v.each(func(r *role) { r.url, r.title = "", r.title+mark })
		}},
		{name: "no addresses, and places in another order", show: func(v *visit) boardwatch.Reading {
			return v.each(func(r *role) { r.url, r.place = "", pick(v.n, r.place+", Europe", "Europe, "+r.place) })
		}},
		{name: "no addresses, and departments now and then", show: func(v *visit) boardwatch.Reading {
			return v.each(func(r *role) { r.url, r.department = "", pick(v.n, r.department, "") })
		}},
		{name: "other addresses, and places now and then", show: func(v *visit) boardwatch.Reading {
			return v.each(func(r *role) { numbered(pick(v.n, "/a/", "/b/"), 1)(r); r.place = pick(v.n, r.place, "") })
		}},
		{name: "seven places become one entry, and come back", truth: places, show: func(v *visit) boardwatch.Reading {
			if int(v.since/(4*day))%2 == 1 {
				return v.list(v.live)
			}
			return v.gathered()
		}},
		{name: "titles are reworded", show: func(v *visit) boardwatch.Reading {
			return v.each(func(r *role) { r.title = pick(v.n, r.title, "Senior "+r.title) })
		}},
	}
	return onlyOn("page", kinds)
}

// onlyOn are sicknesses that only boards of one kind have.
func onlyOn(kind string, list []sickness) []sickness {
	for i := range list {
		list[i].on = kind
	}
	return list
}

// gathered lists all roles that differ in nothing but their place as one.
func (v *visit) gathered() boardwatch.Reading {
	at := map[string]int{}
	var all []role
	for _, r := range v.live {
		i, ok := at[r.title]
		if !ok {
			at[r.title] = len(all)
			all = append(all, r)
			continue
		}
		all[i].place += "; " + r.place
	}
	return v.list(all)
}

// hostedIDs are hosted systems that give their roles other ids.
func hostedIDs() []sickness {
	ids := func(base func(v *visit) int) func(v *visit) boardwatch.Reading {
		return func(v *visit) boardwatch.Reading {
			b := base(v)
			return v.each(func(r *role) {
				r.id = strconv.Itoa(b + r.n)
				r.url = "https://hosted.example/northwind/" + r.id
			})
		}
	}
	places := func(c *careers) {
		for i := range c.roles {
			c.roles[i].title, c.roles[i].place = fmt.Sprint("Cook ", i/7), fmt.Sprint("Town ", i%7)
		}
	}
	kinds := []sickness{
		{name: "all imported anew", show: ids(func(*visit) int { return 90_000 })},
		{name: "all imported anew, with equal titles", truth: (*careers).twins, show: ids(func(*visit) int { return 90_000 })},
		{name: "all imported anew, and cut for a day", show: func(v *visit) boardwatch.Reading {
			if v.since < day {
				v.live = v.live[:(len(v.live)+1)/2]
			}
			return ids(func(*visit) int { return 90_000 })(v)
		}},
		{name: "imported anew every week", show: ids(func(v *visit) int { return 20_000 * (1 + int(v.since/(7*day))) })},
		{name: "two mirrors in turn", show: ids(func(v *visit) int { return 20_000 * (1 + v.n%2) })},
		{name: "three mirrors by chance", show: ids(func(v *visit) int { return 20_000 * (1 + v.rng.IntN(3)) })},
		{name: "two mirrors in turn, with equal titles", truth: (*careers).twins, show: ids(func(v *visit) int { return 20_000 * (1 + v.n%2) })},
		{name: "another mirror for a third of the roles", show: func(v *visit) boardwatch.Reading {
			return v.each(func(r *role) {
				if r.n%3 == 0 {
					r.id = strconv.Itoa(20_000*(1+v.n%2) + r.n)
				}
			})
		}},
		{name: "roles that are posted anew every five days", truth: func(c *careers) {
			// The first posting is a role of its own: nobody can know that it will be posted again and again.
			for i := range c.roles[:max(1, c.size/5)] {
				c.roles[i].closes = noon.Add(8 * day)
				again := c.roles[i]
				again.n, again.opens, again.closes = len(c.roles), noon.Add(8*day), noon.Add(1000*day)
				c.roles = append(c.roles, again)
			}
		}, show: func(v *visit) boardwatch.Reading {
			return v.each(func(r *role) {
				if r.opens.Equal(noon.Add(8 * day)) {
					r.id = strconv.Itoa(60_000 + 1000*int(v.since/(5*day)) + r.n)
				}
			})
		}},
		{name: "seven places become one entry", truth: places, show: (*visit).gathered},
		{name: "seven places become one entry with an id of its own", truth: places, show: func(v *visit) boardwatch.Reading {
			r := v.gathered()
			for i, p := range r.Postings {
				r.Postings[i].Key = "all-" + p.Title
			}
			return r
		}},
		{name: "seven places become one entry, and come back", truth: places, show: func(v *visit) boardwatch.Reading {
			if int(v.since/(4*day))%2 == 1 {
				return v.list(v.live)
			}
			return v.gathered()
		}},
		{name: "no ids, and other addresses", show: func(v *visit) boardwatch.Reading {
			return v.each(func(r *role) { r.id, r.url = "", fmt.Sprint("https://hosted.example/", pick(v.n, "a/", "b/"), r.n) })
		}},
		{name: "a board that moves to another system", moves: "lever:northwind", show: func(v *visit) boardwatch.Reading {
			if v.n < 3 {
				r := boardwatch.Failed(cause.UnknownBoard, "no such board")
				r.Unknown = true
				return r
			}
			return ids(func(*visit) int { return 500_000 })(v)
		}},
		{name: "a board that moves to another system, cut at first", moves: "lever:northwind", show: func(v *visit) boardwatch.Reading {
			if v.n < 3 {
				r := boardwatch.Failed(cause.UnknownBoard, "no such board")
				r.Unknown = true
				return r
			}
			if v.n < 5 {
				v.live = v.live[:(len(v.live)+1)/2]
				r := ids(func(*visit) int { return 500_000 })(v)
				r.Health, r.Cause = boardwatch.HealthPartial, cause.PageMissing
				return r
			}
			return ids(func(*visit) int { return 500_000 })(v)
		}},
	}
	return onlyOn("hosted", kinds)
}

// contents are roles of others.
func contents() []sickness {
	others := func(v *visit, many int) []role {
		roles := make([]role, many)
		for i := range roles {
			roles[i] = role{n: foreign + i, title: fmt.Sprint("Lorem ", i), place: "Ipsum", url: fmt.Sprint("https://other.example/", i)}
			if v.live[0].id != "" {
				roles[i].id = fmt.Sprint("x", i)
			}
		}
		return roles
	}
	instead := func(many int, company string) func(v *visit) boardwatch.Reading {
		return func(v *visit) boardwatch.Reading {
			r := v.list(others(v, many))
			r.Company = company
			return r
		}
	}
	return []sickness{
		{name: "staging content for six hours", days: 0.25, show: instead(8, "Northwind")},
		{name: "staging content for two days", days: 2, show: instead(8, "Northwind")},
		{name: "another company's roles for ten hours", days: 0.4, show: instead(12, "Southwind")},
		{name: "another company's roles for two days", days: 2, show: instead(12, "Southwind")},
		{name: "another company's roles for five days", days: 5, show: instead(12, "Southwind")},
		{name: "another company's roles every third time", show: func(v *visit) boardwatch.Reading {
			if v.n%3 == 0 {
				return instead(12, "Southwind")(v)
			}
			return v.list(v.live)
		}},
		{name: "another company's roles under the same ids for a day", days: 1, show: func(v *visit) boardwatch.Reading {
			roles := others(v, len(v.live))
			for i := range roles {
				roles[i].id, roles[i].url = v.live[i].id, v.live[i].url
			}
			r := v.list(roles)
			r.Company = "Southwind"
			return r
		}},
		{name: "600 foreign roles beside ours for ten hours", days: 0.4, show: func(v *visit) boardwatch.Reading {
			return v.list(append(others(v, 600), v.live...))
		}},
		{name: "500 foreign roles beside ours every day at noon", days: 10, show: func(v *visit) boardwatch.Reading {
			if v.hour()/6 == 2 {
				return v.list(append(others(v, 500), v.live...))
			}
			return v.list(v.live)
		}},
	}
}

// troubles are what a reader recognises and says.
func troubles() []sickness {
	some := func(health boardwatch.Health, cause cause.Cause, share float64) func(v *visit) boardwatch.Reading {
		return func(v *visit) boardwatch.Reading {
			r := v.first(share)
			r.Health, r.Cause, r.Reason = health, cause, "the page says so"
			return r
		}
	}
	const partial, blocked, failed = boardwatch.HealthPartial, boardwatch.HealthBlocked, boardwatch.HealthFailed
	return []sickness{
		{name: "on holiday for ten days", days: 10, show: some(partial, cause.Unsure, 0)},
		{name: "some jobs may not be shown, for two weeks", days: 14, show: some(partial, cause.ListError, 0.5)},
		{name: "a filter that is set for five days", days: 5, show: some(partial, cause.Unsure, 0.3)},
		{name: "sign in to see all, for a week", days: 7, show: some(partial, cause.SignIn, 0.2)},
		{name: "a captcha for a week", days: 7, show: some(blocked, cause.Wall, 0)},
		{name: "a captcha every other time", show: func(v *visit) boardwatch.Reading {
			if v.n%2 == 0 {
				return some(blocked, cause.Wall, 0)(v)
			}
			return v.list(v.live)
		}},
		{name: "down for three weeks", days: 21, show: some(failed, cause.SiteError, 0)},
		{name: "down every other time", show: func(v *visit) boardwatch.Reading {
			if v.n%2 == 0 {
				return some(failed, cause.SiteError, 0)(v)
			}
			return v.list(v.live)
		}},
		{name: "a page that fails every third time", show: func(v *visit) boardwatch.Reading {
			if v.n%3 == 0 {
				return some(partial, cause.PageMissing, 0.5)(v)
			}
			return v.list(v.live)
		}},
		{name: "down for three days, then empty for two", days: 5, show: func(v *visit) boardwatch.Reading {
			if v.since < 3*day {
				return some(failed, cause.Unreachable, 0)(v)
			}
			return v.list(nil)
		}},
		{name: "titles that cannot be read for two days", days: 2, show: func(v *visit) boardwatch.Reading {
			return v.each(func(r *role) {
				if r.n%2 == 0 {
					r.title = ""
				}
			})
		}},
		{name: "partial at first, then a third at random", show: func(v *visit) boardwatch.Reading {
			if v.n < 5 {
				return some(partial, cause.PageMissing, 0.5)(v)
			}
			return v.only(func(role) bool { return v.rng.IntN(3) == 0 })
		}},
	}
}

// twins makes all roles alike, and none of them comes or goes: nobody could say which.
func (c *careers) twins() {
	c.roles = c.roles[:c.size]
	for i := range c.roles {
		c.roles[i].title, c.roles[i].place, c.roles[i].closes = pick(i, "Cook", "Welder"), "Berlin", noon.Add(1000*day)
	}
}
