package boardwatch_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
)

// laterSicknesses are those that were thought of once the rules stood, and played before anything was mended.
func laterSicknesses() []sickness {
	return slices.Concat(laterLists(), laterMoves(), onlyOn("page", laterAddresses()), onlyOn("hosted", laterIDs()))
}

// laterLists show some of the roles.
func laterLists() []sickness {
	return []sickness{
		{name: "a seventh is away each weekday", show: except(func(v *visit, r role) bool { return r.n%7 == int(v.now.Weekday()) })},
		{name: "half of it on even days of the month", show: except(func(v *visit, r role) bool { return v.now.Day()%2 == 0 && r.n%2 == 0 })},
		{name: "cut at a random place each time", show: func(v *visit) boardwatch.Reading { return v.list(v.live[:1+v.rng.IntN(len(v.live))]) }},
		{name: "cut at a random place, and shuffled, for three days", days: 3, show: func(v *visit) boardwatch.Reading {
			v.rng.Shuffle(len(v.live), func(a, b int) { v.live[a], v.live[b] = v.live[b], v.live[a] })
			return v.list(v.live[:1+v.rng.IntN(len(v.live))])
		}},
		{name: "one department is away every eight hours", show: except(func(v *visit, r role) bool {
			return int(v.since/(8*time.Hour))%3 == 1 && r.department == "Care"
		})},
		{name: "one department a day", show: except(func(v *visit, r role) bool {
			return (int(v.since/day)%2 == 0) == (r.department == "Care")
		})},
		{name: "one country is away at a time, for sixteen hours each", show: except(func(v *visit, r role) bool {
			return r.place == pick(int(v.since/(16*time.Hour)), "Berlin", "Oslo", "Rome")
		})},
		{name: "one page of five in turn", show: except(func(v *visit, r role) bool { return (r.n+v.n)%5 != 0 })},
		{name: "each page shows another", show: func(v *visit) boardwatch.Reading { // a cache that forgets the number of the page
			out := v.rng.IntN(5)
			return v.only(func(r role) bool { return r.n%5 != out || v.n%3 == 0 })
		}},
		{name: "drawn from the list with doubles", show: func(v *visit) boardwatch.Reading {
			drawn := map[int]bool{}
			for range v.live {
				drawn[v.live[v.rng.IntN(len(v.live))].n] = true
			}
			return v.only(func(r role) bool { return drawn[r.n] })
		}},
		{name: "only what is newer than four days, every other time", show: except(func(v *visit, r role) bool {
			return v.n%2 == 0 && v.now.Sub(r.opens) > 4*day
		})},
		{name: "the five newest, half of the day", show: func(v *visit) boardwatch.Reading {
			if v.hour()%4 < 2 {
				return v.list(v.live[max(0, len(v.live)-5):])
			}
			return v.list(v.live)
		}},
		{name: "everything closes for good", truth: func(c *careers) {
			for i := range c.roles {
				c.roles[i].closes = noon.Add(5 * day)
			}
		}, show: func(v *visit) boardwatch.Reading { return v.list(v.live) }},
		{name: "all but one close for good", truth: func(c *careers) {
			for i := range c.roles[1:] {
				c.roles[i+1].closes = noon.Add(5 * day)
			}
			c.roles[0].closes = noon.Add(1000 * day)
		}, show: func(v *visit) boardwatch.Reading { return v.list(v.live) }},
		{name: "two equal roles of which one closes", truth: (*careers).pairs, show: func(v *visit) boardwatch.Reading { return v.list(v.live) }},
		{name: "two equal roles of which one closes, and a third is away each time", truth: (*careers).pairs, show: func(v *visit) boardwatch.Reading {
			return v.only(func(r role) bool { return (r.n/2+v.n)%3 != 0 })
		}},
		{name: "a page of consent every other time", show: func(v *visit) boardwatch.Reading {
			if v.n%2 == 0 {
				return boardwatch.Failed(cause.Consent, "a consent page")
			}
			return v.list(v.live)
		}},
		{name: "a few links in place of the list for a day", days: 1, show: func(v *visit) boardwatch.Reading { return v.list(v.strangers(3)) }},
		{name: "a few links in place of the list every other time", show: func(v *visit) boardwatch.Reading {
			if v.n%2 == 0 {
				return v.list(v.strangers(3))
			}
			return v.list(v.live)
		}},
		{name: "a few links beside one role for two days", days: 2, show: func(v *visit) boardwatch.Reading {
			return v.list(append(v.strangers(3), v.live[:1]...))
		}},
		{name: "unreachable for two days, then a half for a day", days: 3, show: func(v *visit) boardwatch.Reading {
			if v.since < 2*day {
				return boardwatch.Failed(cause.Unreachable, "no connection")
			}
			return v.first(0.5)
		}},
		{name: "partial and whole by chance, both a half", show: func(v *visit) boardwatch.Reading {
			r := v.only(func(role) bool { return v.rng.IntN(2) == 0 })
			if v.rng.IntN(2) == 0 {
				r.Health, r.Cause, r.Reason = boardwatch.HealthPartial, cause.PageMissing, "a page is missing"
			}
			return r
		}},
	}
}

// strangers are entries that are no roles of the company.
func (v *visit) strangers(many int) []role {
	roles := make([]role, many)
	for i := range roles {
		roles[i] = role{n: foreign + i, title: fmt.Sprint("Contact ", i), url: fmt.Sprint("https://northwind.example/contact/", i)}
		if len(v.live) > 0 && v.live[0].id != "" {
			roles[i].id = fmt.Sprint("c", i)
		}
	}
	return roles
}

// pairs makes every two roles alike, and one of each two closes.
func (c *careers) pairs() {
	c.roles = c.roles[:c.size]
	for i := range c.roles {
		c.roles[i].title, c.roles[i].place, c.roles[i].department = fmt.Sprint("Cook ", i/2), "Berlin", "Works"
		if c.roles[i].closes = noon.Add(1000 * day); i%2 == 0 && i > 0 {
			c.roles[i].closes = noon.Add(6 * day)
		}
	}
}

// laterAddresses are pages that write the addresses or the words of their roles otherwise.
func laterAddresses() []sickness {
	each := func(change func(v *visit, r *role, token string)) func(v *visit) boardwatch.Reading {
		return func(v *visit) boardwatch.Reading {
			t := token(v.rng)
			return v.each(func(r *role) { change(v, r, t) })
		}
	}
	path := func(r *role) string { return strings.TrimPrefix(r.url, "https://northwind.example") }
	turn := func(v *visit) int { return int(v.since / (3 * day)) } // a list that changes at each reading is not believed anyway
	renumber := func(v *visit, r *role) {
		r.url = fmt.Sprint("https://northwind.example/stellen/", 5000*(1+turn(v)%2)+r.n)
	}
	return []sickness{
		{name: "a token behind the slug", show: each(func(_ *visit, r *role, t string) { r.url += "-" + t })},
		{name: "a token as the last part of the path", show: each(func(_ *visit, r *role, t string) { r.url += "/" + t })},
		{name: "a token behind the slug, many equal roles", truth: (*careers).twins, show: each(func(_ *visit, r *role, t string) { r.url += "-" + t })},
		{name: "an unknown matrix parameter", show: each(func(_ *visit, r *role, t string) { r.url += ";visit=" + t })},
		{name: "a token in the fragment", show: each(func(_ *visit, r *role, t string) { r.url += "#/" + t })},
		{name: "a route in the fragment with a token", show: each(func(_ *visit, r *role, t string) {
			r.url = "https://northwind.example/app#/" + strings.TrimPrefix(path(r), "/") + "?ctx=" + t
		})},
		{name: "a time in the query", show: each(func(v *visit, r *role, _ string) { r.url += "?ts=" + strconv.FormatInt(v.now.UnixMilli(), 10) })},
		{name: "a chance number in the query", show: each(func(v *visit, r *role, _ string) { r.url += fmt.Sprint("?r=", v.rng.Float64()) })},
		{name: "the number of the conversation", show: each(func(v *visit, r *role, _ string) { r.url += fmt.Sprint("?cid=", v.n) })},
		{name: "the number of the page's version", show: each(func(v *visit, r *role, _ string) {
			r.url = fmt.Sprintf("https://northwind.example/jobs?%d-1.ILinkListener-list-%d-link", v.n, r.n)
		})},
		{name: "a signature of each role", show: each(func(v *visit, r *role, _ string) { r.url += "?sig=" + token(v.rng) })},
		{name: "a signature of each of two equal roles of which one closes", truth: (*careers).pairs, show: each(func(v *visit, r *role, _ string) { r.url += "?sig=" + token(v.rng) })},
		{name: "a token in the path, and two equal roles of which one closes", truth: (*careers).pairs, show: each(func(_ *visit, r *role, t string) {
			r.url = "https://northwind.example/s/" + t + path(r)
		})},
		{name: "a token in the path, and cut at a random place", show: func(v *visit) boardwatch.Reading {
			t := token(v.rng)
			v.live = v.live[:1+v.rng.IntN(len(v.live))]
			return v.each(func(r *role) { r.url = "https://northwind.example/s/" + t + path(r) })
		}},
		{name: "a session in brackets behind another", show: each(func(_ *visit, r *role, t string) { r.url = "https://northwind.example/(X(1)S(" + t + "))" + path(r) })},
		{name: "a language before the path, by chance", show: each(func(v *visit, r *role, _ string) {
			r.url = "https://northwind.example" + pick(v.n/2, "", "/en", "/de-DE") + path(r)
		})},
		{name: "final slash, extension and capitals by chance", show: each(func(v *visit, r *role, _ string) {
			r.url += pick(v.n, "", "/", ".html")
			if v.n%4 == 3 {
				r.url = strings.Replace(r.url, "-role", "-Role", 1)
			}
		})},
		{name: "a file in front of the path in turn", show: each(func(v *visit, r *role, _ string) {
			r.url = "https://northwind.example" + pick(v.n, "", "/index.php") + path(r)
		})},
		{name: "numbers in the query or in the path", show: each(func(v *visit, r *role, _ string) {
			if v.n%2 == 0 {
				r.url = fmt.Sprint("https://northwind.example/job?id=", 100+r.n)
			}
		})},
		{name: "other numbers, and marks of gender", show: each(func(v *visit, r *role, _ string) {
			renumber(v, r)
			r.title += pick(turn(v), "", " (m/w/d)")
		})},
		{name: "other numbers, and unusual marks of gender", show: each(func(v *visit, r *role, _ string) {
			renumber(v, r)
			r.title += pick(turn(v), "", " (w/m/x)", " (all genders)", " (d/m/f)", " [m|f|d]", " H/F", " (m/w/divers)", " - m/w/d", " (gn)", " (F/M/NB)", " (div./m/w)")
		})},
		{name: "other numbers, and capitals", show: each(func(v *visit, r *role, _ string) {
			renumber(v, r)
			if turn(v)%2 == 1 {
				r.title, r.place = strings.ToUpper(r.title), strings.ToUpper(r.place)
			}
		})},
		{name: "other numbers, and letters composed otherwise", truth: foreignWords, show: each(func(v *visit, r *role, _ string) {
			renumber(v, r)
			if turn(v)%2 == 1 {
				r.title, r.place = decompose(r.title), decompose(r.place)
			}
		})},
		{name: "other numbers, and capitals of a sharp s", truth: foreignWords, show: each(func(v *visit, r *role, _ string) {
			renumber(v, r)
			if turn(v)%2 == 1 {
				r.title = strings.ToUpper(strings.ReplaceAll(r.title, "ß", "ss"))
			}
		})},
		{name: "other numbers, and signs escaped twice", truth: func(c *careers) {
			for i := range c.roles {
				c.roles[i].title = fmt.Sprint("R&D Engineer ", i)
			}
		}, show: each(func(v *visit, r *role, _ string) {
			renumber(v, r)
			if turn(v)%2 == 1 {
				r.title = strings.ReplaceAll(r.title, "&", "&amp;")
			}
		})},
		{name: "other numbers, and the country behind the place", show: each(func(v *visit, r *role, _ string) {
			renumber(v, r)
			r.place += pick(turn(v), "", ", Deutschland")
		})},
		{name: "titles in another language in turn, same addresses", show: each(func(v *visit, r *role, _ string) {
			if v.n%2 == 1 {
				r.title, r.place = "Stelle "+strconv.Itoa(r.n*7), pick(r.n, "Berlin", "Oslo", "Rom")
			}
		})},
		{name: "a layout without places, and other addresses", show: each(func(v *visit, r *role, _ string) {
			if turn(v)%2 == 1 {
				renumber(v, r)
				r.place, r.department = "", ""
			}
		})},
		{name: "a layout without places or addresses, and equal roles in three places", truth: func(c *careers) {
			for i := range c.roles {
				c.roles[i].title = fmt.Sprint("Cook ", i/3)
			}
		}, show: each(func(v *visit, r *role, _ string) {
			if v.n%2 == 1 {
				r.url, r.place = "", ""
			}
		})},
		{name: "a layout whose titles hold the place, same addresses", show: each(func(v *visit, r *role, _ string) {
			if v.n%2 == 1 {
				r.title, r.place = r.title+" in "+r.place, ""
			}
		})},
		{name: "a layout whose titles hold the place, other addresses", show: each(func(v *visit, r *role, _ string) {
			if turn(v)%2 == 1 {
				renumber(v, r)
				r.title += " - " + r.place // as the reader gives it
			}
		})},
		{name: "posted anew every week with a day between", show: func(v *visit) boardwatch.Reading {
			week, at := int(v.since/(7*day)), v.since%(7*day)
			v.live = append([]role(nil), v.live...)
			kept := v.live[:0]
			for _, r := range v.live {
				if r.n%4 == 0 && at < 20*time.Hour && week > 0 {
					continue
				}
				kept = append(kept, r)
			}
			v.live = kept
			return v.each(func(r *role) {
				if r.n%4 == 0 {
					r.url = fmt.Sprintf("https://northwind.example/jobs/%d-role", 9000+1000*week+r.n)
				}
			})
		}},
		{name: "down for twenty days, then other addresses", show: func(v *visit) boardwatch.Reading {
			if v.since < 20*day {
				return boardwatch.Failed(cause.SiteError, "an error")
			}
			return v.each(func(r *role) { r.url = fmt.Sprint("https://northwind.example/stellen/", r.n) })
		}},
		{name: "other addresses while a half is away for ten hours", show: func(v *visit) boardwatch.Reading {
			if v.since < 10*time.Hour {
				v.live = v.live[:(len(v.live)+1)/2]
			}
			return v.each(func(r *role) { r.url = fmt.Sprint("https://northwind.example/stellen/", r.n) })
		}},
	}
}

func foreignWords(c *careers) {
	for i := range c.roles {
		c.roles[i].title, c.roles[i].place = fmt.Sprint("Chargé d'études Großküche ", i), pick(i, "Orléans", "Zürich", "Köln")
	}
}

// decompose writes letters with their marks as two.
func decompose(text string) string {
	return strings.NewReplacer("é", "e\u0301", "ü", "u\u0308", "ö", "o\u0308").Replace(text)
}

// laterIDs are hosted systems.
func laterIDs() []sickness {
	id := func(r *role, id string) { r.id, r.url = id, "https://hosted.example/northwind/"+id }
	return []sickness{
		{name: "ids by chance each time", show: func(v *visit) boardwatch.Reading {
			return v.each(func(r *role) { id(r, token(v.rng)) })
		}},
		{name: "ids by chance each time, and a half at random", show: func(v *visit) boardwatch.Reading {
			kept := v.live[:0:0]
			for _, r := range v.live {
				if v.rng.IntN(2) == 0 {
					kept = append(kept, r)
				}
			}
			v.live = kept
			return v.each(func(r *role) { id(r, token(v.rng)) })
		}},
		{name: "ids by chance each time, and marks of gender", show: func(v *visit) boardwatch.Reading {
			return v.each(func(r *role) { id(r, token(v.rng)); r.title += pick(v.n, "", " (m/w/d)") })
		}},
		{name: "ids that are positions", show: func(v *visit) boardwatch.Reading {
			i := 0
			return v.each(func(r *role) { id(r, strconv.Itoa(i)); i++ })
		}},
		{name: "ids that are positions in a shuffled list", show: func(v *visit) boardwatch.Reading {
			v.rng.Shuffle(len(v.live), func(a, b int) { v.live[a], v.live[b] = v.live[b], v.live[a] })
			i := 0
			return v.each(func(r *role) { id(r, strconv.Itoa(i)); i++ })
		}},
		{name: "ids given anew, each that of another role", show: func(v *visit) boardwatch.Reading {
			shift := v.live[len(v.live)-1].id
			return v.each(func(r *role) { own := r.id; id(r, shift); shift = own })
		}},
		{name: "a version behind each id", show: func(v *visit) boardwatch.Reading {
			return v.each(func(r *role) { id(r, fmt.Sprint(4000+r.n, "-", v.n)) })
		}},
		{name: "a version behind each id, of a tenth of the roles each day", show: func(v *visit) boardwatch.Reading {
			return v.each(func(r *role) {
				if version := (int(v.since/day) + r.n) / 10; version > 0 {
					id(r, fmt.Sprint(4000+r.n, "-", version))
				}
			})
		}},
		{name: "zeros before each id in turn", show: func(v *visit) boardwatch.Reading {
			return v.each(func(r *role) { id(r, pick(v.n, "", "000")+r.id) })
		}},
		{name: "each role posted anew every ten days, old beside new for a day", show: func(v *visit) boardwatch.Reading {
			turn := int(v.since / (10 * day))
			all := v.list(nil)
			for k := max(0, turn-1); k <= turn; k++ {
				if k < turn && v.since%(10*day) > day {
					continue
				}
				for _, r := range v.live {
					if r.n%5 == 0 {
						if k > 0 {
							id(&r, strconv.Itoa(7000+1000*k+r.n))
						}
					} else if k < turn {
						continue
					}
					all.Postings = append(all.Postings, v.list([]role{r}).Postings...)
				}
			}
			return all
		}},
		{name: "two equal roles of which one closes, and all imported anew", truth: (*careers).pairs, show: func(v *visit) boardwatch.Reading {
			return v.each(func(r *role) { id(r, strconv.Itoa(90_000+r.n)) })
		}},
	}
}

// laterMoves are companies that go elsewhere.
func laterMoves() []sickness {
	there := func(v *visit) boardwatch.Reading {
		return v.each(func(r *role) {
			if r.id != "" {
				r.id = strconv.Itoa(700_000 + r.n)
			}
			r.url = fmt.Sprint("https://elsewhere.example/northwind/", 700_000+r.n)
		})
	}
	unknown := func() boardwatch.Reading {
		r := boardwatch.Failed(cause.UnknownBoard, "no such board")
		r.Unknown = true
		return r
	}
	moves := []sickness{
		{name: "a board whose old system shows nothing for a day", show: func(v *visit) boardwatch.Reading {
			if v.since < day {
				return v.list(nil)
			}
			return there(v)
		}},
		{name: "a board whose old system shows nothing for sixty hours", show: func(v *visit) boardwatch.Reading {
			if v.since < 60*time.Hour {
				return v.list(nil)
			}
			return there(v)
		}},
		{name: "a board whose old system does not know it for a week", show: func(v *visit) boardwatch.Reading {
			if v.since < 7*day {
				return unknown()
			}
			return there(v)
		}},
		{name: "a board whose old system shows others for a day", show: func(v *visit) boardwatch.Reading {
			if v.since < day {
				r := v.list(v.strangers(10))
				r.Company = "Parking"
				return r
			}
			return there(v)
		}},
		{name: "a board that moves with marks of gender", show: func(v *visit) boardwatch.Reading {
			if v.n < 4 {
				return unknown()
			}
			for i := range v.live {
				v.live[i].title += " (m/w/d)"
			}
			return there(v)
		}},
		{name: "a board that moves, with places that say more", show: func(v *visit) boardwatch.Reading {
			if v.n < 4 {
				return unknown()
			}
			for i := range v.live {
				v.live[i].place += ", Europe"
			}
			return there(v)
		}},
	}
	for i := range moves {
		moves[i].on, moves[i].moves = "hosted", "lever:northwind"
	}
	return moves
}
