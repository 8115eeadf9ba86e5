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

// siteSicknesses are what content systems, caches, search indexes and vendors do to the lists of roles, as those who read them
// complain in public, and what companies truly do.
func siteSicknesses() []sickness {
	return slices.Concat(siteLists(), siteCompanies(), onlyOn("page", siteWords()), onlyOn("page", siteAddresses()), onlyOn("hosted", siteIDs()))
}

// siteLists are lists that software cuts, delays or empties.
func siteLists() []sickness {
	chance := func(one int, some, most func(v *visit) boardwatch.Reading) func(v *visit) boardwatch.Reading {
		return func(v *visit) boardwatch.Reading {
			if v.rng.IntN(one) == 0 {
				return some(v)
			}
			return most(v)
		}
	}
	whole := func(v *visit) boardwatch.Reading { return v.list(v.live) }
	top := func(many int) func(v *visit) boardwatch.Reading {
		return func(v *visit) boardwatch.Reading { return v.list(v.live[:min(many, len(v.live))]) }
	}
	without := func(many int) func(v *visit) boardwatch.Reading {
		return func(v *visit) boardwatch.Reading {
			v.rng.Shuffle(len(v.live), func(a, b int) { v.live[a], v.live[b] = v.live[b], v.live[a] })
			return v.list(v.live[max(0, min(many, len(v.live)-1)):])
		}
	}
	few := func(v *visit) boardwatch.Reading {
		v.rng.Shuffle(len(v.live), func(a, b int) { v.live[a], v.live[b] = v.live[b], v.live[a] })
		return top(3)(v)
	}
	half := func(v *visit) boardwatch.Reading { return v.first(0.5) }
	failed := func(*visit) boardwatch.Reading { return boardwatch.Failed(cause.SiteError, "an error") }
	claims := func(more func(v *visit) int, show func(v *visit) boardwatch.Reading) func(v *visit) boardwatch.Reading {
		return func(v *visit) boardwatch.Reading {
			claimed := len(v.live) + more(v)
			r := show(v)
			r.Claimed, r.EndSeen = max(0, claimed), true
			return r
		}
	}
	turns := func(shows ...func(v *visit) boardwatch.Reading) func(v *visit) boardwatch.Reading {
		return func(v *visit) boardwatch.Reading { return shows[v.n%len(shows)](v) }
	}
	jitter := func(v *visit) int { return v.rng.IntN(7) - 3 }
	return []sickness{
		{name: "the first ten until somebody scrolls, one time in four", show: chance(4, top(10), whole)},
		{name: "two at random are missing each time", show: without(2)},
		{name: "empty one time in ten", show: chance(10, top(0), whole)},
		{name: "four caches of which each is some hours older", show: func(v *visit) boardwatch.Reading {
			return v.list(v.at(v.now.Add(-time.Duration(v.n%4) * 6 * time.Hour)))
		}},
		{name: "one shard of five is out at a time, for twelve hours each", show: func(v *visit) boardwatch.Reading {
			return v.only(func(r role) bool { return r.n%5 != int(v.since/(12*time.Hour))%5 })
		}},
		{name: "an index that is built anew for thirty hours", days: 1.25, show: func(v *visit) boardwatch.Reading { return v.first(v.since.Hours() / 30) }},
		{name: "an index that is built anew every week, for twenty hours", show: func(v *visit) boardwatch.Reading {
			return v.first(min(1, (v.since%(7*day)).Hours()/20))
		}},
		{name: "ten results after a deployment, for twenty hours", days: 0.83, show: top(10)},
		{name: "another design with the top third, one day in ten", show: func(v *visit) boardwatch.Reading {
			if int(v.since/day)%10 == 1 {
				return v.first(0.34)
			}
			return v.list(v.live)
		}},
		{name: "five for whoever looks like a program, one time in five", show: chance(5, top(5), whole)},
		{name: "each role is taken down once, for twenty hours", show: func(v *visit) boardwatch.Reading {
			return v.only(func(r role) bool {
				down := time.Duration(r.n%40) * 17 * time.Hour
				return v.since < down || v.since > down+20*time.Hour
			})
		}},
		{name: "deadlines pass at midnight, and are put off in the morning", show: func(v *visit) boardwatch.Reading {
			return v.only(func(r role) bool { return r.n%7 != int(v.now.Weekday()) || v.hour() >= 9 })
		}},
		{name: "one role in a hundred is missing each time", show: func(v *visit) boardwatch.Reading {
			return v.only(func(role) bool { return v.rng.IntN(100) > 0 })
		}},
		{name: "a failure, then a half from a cold cache, then all", show: turns(failed, half, whole)},
		{name: "three of ours on a page that says not found, for ten hours", days: 0.4, show: few},
		{name: "three of ours under another heading, one time in three", show: turns(whole, few, whole)},
		{name: "a wall nine times of ten", show: func(v *visit) boardwatch.Reading {
			if v.n%10 == 3 {
				return v.list(v.live)
			}
			return boardwatch.Reading{Health: boardwatch.HealthBlocked, Cause: cause.Wall, Claimed: -1}
		}},
		{name: "a wall, a half that says so, an error, all", show: turns(func(*visit) boardwatch.Reading {
			return boardwatch.Reading{Health: boardwatch.HealthBlocked, Cause: cause.Wall, Claimed: -1}
		}, claims(func(*visit) int { return 0 }, half), failed, whole)},
		{name: "a count that is off by a few", show: claims(jitter, whole)},
		{name: "a count that is off by a few, and a half every third time", show: turns(claims(jitter, whole), claims(jitter, whole), claims(jitter, half))},
		{name: "a count of twelve hours ago", show: claims(func(v *visit) int { return len(v.at(v.now.Add(-12*time.Hour))) - len(v.live) }, whole)},
		{name: "pages in another order each time, some roles twice and others not", show: func(v *visit) boardwatch.Reading {
			first := slices.Clone(v.live[:(len(v.live)+1)/2])
			v.rng.Shuffle(len(v.live), func(a, b int) { v.live[a], v.live[b] = v.live[b], v.live[a] })
			r := v.list(append(first, v.live[len(first):]...))
			r.Claimed = len(v.live)
			return r
		}},
	}
}

// siteWords are pages that write titles and places otherwise, while they give their roles other addresses or none.
func siteWords() []sickness {
	// worded writes the changed title into the address, beside the number of the role.
	worded := func(change func(v *visit, r *role)) func(v *visit) boardwatch.Reading {
		return func(v *visit) boardwatch.Reading {
			return v.each(func(r *role) {
				change(v, r)
				r.url = fmt.Sprintf("https://northwind.example/jobs/%d-%s", 100+r.n, slug(r.title))
			})
		}
	}
	turned := func(v *visit) bool { return v.since%(6*day) > 3*day }
	renumbered := func(change func(r *role)) func(v *visit) boardwatch.Reading {
		return func(v *visit) boardwatch.Reading {
			return v.each(func(r *role) {
				r.url = fmt.Sprint("https://northwind.example/stellen/", 6000+r.n)
				if turned(v) {
					r.url = fmt.Sprint("https://northwind.example/jobs/", 17_000+r.n)
					change(r)
				}
			})
		}
	}
	nowhere := func(change func(v *visit, r *role)) func(v *visit) boardwatch.Reading {
		return func(v *visit) boardwatch.Reading { return v.each(func(r *role) { r.url = ""; change(v, r) }) }
	}
	titled := func(title, place string) func(c *careers) {
		return func(c *careers) {
			for i := range c.roles {
				c.roles[i].title, c.roles[i].place = fmt.Sprint(title, " ", i), place
			}
		}
	}
	places := func(c *careers) {
		for i := range c.roles {
			c.roles[i].title, c.roles[i].place = fmt.Sprint("Cook ", i/7), fmt.Sprint("Town ", i%7)
		}
	}
	gathered := func(name func(places []string) string) func(v *visit) boardwatch.Reading {
		return func(v *visit) boardwatch.Reading {
			r := v.gathered()
			if int(v.since/(4*day))%2 == 1 {
				r = v.list(v.live)
			}
			for i, p := range r.Postings {
				if all := strings.Split(p.Location, "; "); len(all) > 1 {
					r.Postings[i].Location = name(all)
				}
			}
			return r
		}
	}
	return []sickness{
		{name: "the title is in the address, and Senior comes and goes", show: worded(func(v *visit, r *role) {
			if turned(v) {
				r.title = "Senior " + r.title
			}
		})},
		{name: "the pay is in title and address from the third day on", show: worded(func(v *visit, r *role) {
			if v.since > 3*day {
				r.title += fmt.Sprintf(" (%d000 to %d000 a year)", 40+r.n%20, 60+r.n%20)
			}
		})},
		{name: "the workload is in title and address by turns", show: worded(func(v *visit, r *role) {
			if turned(v) {
				r.title += " 60-80%"
			}
		})},
		{name: "a reference number is in title and address by turns", show: worded(func(v *visit, r *role) {
			if turned(v) {
				r.title += fmt.Sprintf(" [Ref. %d]", 70_000+31*r.n)
			}
		})},
		{name: "new roles say so in title and address", show: worded(func(v *visit, r *role) {
			if v.now.Sub(r.opens) < 7*day {
				r.title = "NEW: " + r.title
			}
		})},
		{name: "title, place and address are translated by turns", show: worded(func(v *visit, r *role) {
			if turned(v) {
				translate(r)
			}
		})},
		{name: "title, place and address are translated by chance", show: worded(func(v *visit, r *role) {
			if v.n%7%2 == 1 {
				translate(r)
			}
		})},
		{name: "the address has a long id, a language and the translated title", show: func(v *visit) boardwatch.Reading {
			return v.each(func(r *role) {
				language := "en"
				if turned(v) {
					language = "de"
					translate(r)
				}
				r.url = fmt.Sprintf("https://northwind.example/%s/jobs/%08x-4b53-9a51-2f6f0c1d8e90/%s", language, 7919*(r.n+1), slug(r.title))
			})
		}},
		{name: "the number moves to the query, and all titles are reworded", show: func(v *visit) boardwatch.Reading {
			return v.each(func(r *role) {
				r.title = "Our next " + r.title
				r.url = fmt.Sprintf("https://northwind.example/job?id=%d&name=%s", 100+r.n, slug(r.title))
			})
		}},
		{name: "no addresses, and a postal code before the place by turns", show: nowhere(func(v *visit, r *role) {
			if turned(v) {
				r.place = fmt.Sprint(10115+r.n%3, " ", r.place)
			}
		})},
		{name: "other numbers, and a postal code before the place", show: renumbered(func(r *role) { r.place = fmt.Sprint(10115+r.n%3, " ", r.place) })},
		{name: "other numbers, and the country's code before the place", show: renumbered(func(r *role) { r.place = "DE-" + r.place })},
		{name: "other numbers, and the country behind the place without a comma", show: renumbered(func(r *role) { r.place += " Germany" })},
		{name: "other numbers, and places that say hybrid", show: renumbered(func(r *role) { r.place += pick(r.n, " (hybrid)", " / Remote", ", vor Ort", " oder Remote") })},
		{name: "other numbers, and umlauts written as two letters", truth: titled("Bäcker für Süßes", "Köln"), show: renumbered(func(r *role) {
			r.title, r.place = strings.NewReplacer("ä", "ae", "ü", "ue", "ß", "ss").Replace(r.title), "Koeln"
		})},
		{name: "other numbers, and letters without accents", truth: titled("Chargé d'études", "Orléans"), show: renumbered(func(r *role) {
			r.title, r.place = strings.ReplaceAll(r.title, "é", "e"), "Orleans"
		})},
		{name: "other numbers, and words for signs", truth: titled("Sales & Service", "Oslo"), show: renumbered(func(r *role) {
			r.title = strings.Replace(r.title, "&", "and", 1)
		})},
		{name: "other numbers, and other dashes and quotes", truth: titled("Cook – \"Grill\"", "Oslo"), show: renumbered(func(r *role) {
			r.title = strings.NewReplacer("–", "-", "\"", "”").Replace(r.title)
		})},
		{name: "seven places in one entry with commas, and back", truth: places, show: gathered(func(all []string) string { return strings.Join(all, ", ") })},
		{name: "seven places in one entry with strokes, and back", truth: places, show: gathered(func(all []string) string { return strings.Join(all, " | ") })},
		{name: "seven places in one entry that names one of them, and back", truth: places, show: gathered(func(all []string) string {
			return fmt.Sprint(all[0], " + ", len(all)-1, " more")
		})},
		{name: "seven places in one entry that says how many, and back", truth: places, show: gathered(func(all []string) string {
			return fmt.Sprint(len(all), " Locations")
		})},
	}
}

func slug(title string) string {
	return strings.Trim(strings.Map(func(r rune) rune {
		if strings.ContainsRune(letters+"lo", r) {
			return r
		}
		return '-'
	}, strings.ToLower(title)), "-")
}

// translate writes a role in another language.
func translate(r *role) {
	r.title = strings.NewReplacer("Welder", "Schweißer", "Cook", "Koch", "Nurse", "Pflegekraft", "Engineer", "Ingenieur").Replace(r.title)
	r.place = strings.NewReplacer("Rome", "Rom", "Berlin", "Berlin, Deutschland").Replace(r.place)
}

// siteAddresses are pages that show their roles under several addresses at once, or under others each day.
func siteAddresses() []sickness {
	twice := func(which func(v *visit, r role) bool, url func(r role) string) func(v *visit) boardwatch.Reading {
		return func(v *visit) boardwatch.Reading {
			var all []role
			for _, r := range v.live {
				if which(v, r) {
					again := r
					again.url = url(r)
					all = append(all, again)
				}
			}
			return v.list(append(all, v.live...))
		}
	}
	every := func(*visit, role) bool { return true }
	featured := func(v *visit, r role) bool { return (r.n+int(v.since/(5*day)))%7 == 0 }
	numbered := func(prefix string) func(r role) string {
		return func(r role) string { return fmt.Sprint("https://northwind.example", prefix, 100+r.n, "-role") }
	}
	each := func(url func(v *visit, r *role) string) func(v *visit) boardwatch.Reading {
		return func(v *visit) boardwatch.Reading { return v.each(func(r *role) { r.url = url(v, r) }) }
	}
	return []sickness{
		{name: "old and new addresses side by side for three days, then the new ones", show: func(v *visit) boardwatch.Reading {
			renewed := numbered("/careers/")
			if v.since < 3*day {
				return twice(every, renewed)(v)
			}
			return v.each(func(r *role) { r.url = renewed(*r) })
		}},
		{name: "featured roles stand twice, in a folder of their own", show: twice(featured, numbered("/featured/"))},
		{name: "featured roles stand twice, with a word in the query", show: twice(featured, func(r role) string { return r.url + "?featured=1" })},
		{name: "two languages side by side", show: twice(every, numbered("/en/jobs/"))},
		{name: "a number behind the address that grows at each import", show: each(func(v *visit, r *role) string {
			return fmt.Sprintf("https://northwind.example/jobs/%s-%d", slug(r.title), 2+int(v.since/(2*day)))
		})},
		{name: "the date in the address", show: each(func(v *visit, r *role) string {
			return fmt.Sprintf("https://northwind.example/%s/%d-role", v.now.Format("2006/01/02"), 100+r.n)
		})},
		{name: "the host of another country by turns", show: each(func(v *visit, r *role) string {
			return strings.Replace(r.url, "northwind.example", pick(v.n, "northwind.example", "de.northwind.example", "northwind-group.example"), 1)
		})},
		{name: "an address that leads there over a counter of clicks", show: each(func(v *visit, r *role) string {
			return "https://clicks.example/go?to=" + strings.NewReplacer(":", "%3A", "/", "%2F").Replace(r.url) + "&visit=" + token(v.rng)
		})},
		{name: "umlauts in the address, escaped by turns", show: each(func(v *visit, r *role) string {
			return fmt.Sprint("https://northwind.example/jobs/f", pick(v.n, "ü", "%C3%BC", "%c3%bc", "u%CC%88"), "r-", 100+r.n)
		})},
		{name: "the place in the list before the title", show: func(v *visit) boardwatch.Reading {
			v.rng.Shuffle(len(v.live), func(a, b int) { v.live[a], v.live[b] = v.live[b], v.live[a] })
			i := 1000
			return v.each(func(r *role) { i++; r.url = fmt.Sprintf("https://northwind.example/jobs/%d-%s", i, slug(r.title)) })
		}},
	}
}

// siteIDs are hosted systems that give their roles other ids, words or names.
func siteIDs() []sickness {
	id := func(r *role, id string) { r.id, r.url = id, "https://hosted.example/northwind/"+id }
	turned := func(v *visit) bool { return v.since%(6*day) > 3*day }
	places := func(c *careers) {
		for i := range c.roles {
			c.roles[i].title, c.roles[i].place = fmt.Sprint("Cook ", i/7), fmt.Sprint("Town ", i%7)
		}
	}
	return []sickness{
		{name: "titles in another language by turns, same ids", show: func(v *visit) boardwatch.Reading {
			return v.each(func(r *role) {
				if turned(v) {
					translate(r)
				}
			})
		}},
		{name: "the language before each id by turns", show: func(v *visit) boardwatch.Reading {
			return v.each(func(r *role) {
				if turned(v) {
					id(r, "de-"+r.id)
				}
			})
		}},
		{name: "the language before each id, and the words of it, by turns", show: func(v *visit) boardwatch.Reading {
			return v.each(func(r *role) {
				if turned(v) {
					id(r, "de-"+r.id)
					translate(r)
				} else {
					id(r, "en-"+r.id)
				}
			})
		}},
		{name: "the company has another name", show: func(v *visit) boardwatch.Reading {
			r := v.list(v.live)
			r.Company = "Northwind Group"
			return r
		}},
		{name: "the company has another name by turns", show: func(v *visit) boardwatch.Reading {
			r := v.list(v.live)
			r.Company = pick(v.n, "Northwind Group", "Northwind")
			return r
		}},
		{name: "the company has another name, and all is imported anew", show: func(v *visit) boardwatch.Reading {
			r := v.each(func(r *role) { id(r, strconv.Itoa(90_000+r.n)) })
			r.Company = "Northwind Group"
			return r
		}},
		{name: "places become a number of places by turns", truth: places, show: func(v *visit) boardwatch.Reading {
			return v.each(func(r *role) {
				if turned(v) {
					r.place = fmt.Sprint(2+r.n%4, " Locations")
				}
			})
		}},
		{name: "all imported anew, with places that say less", show: func(v *visit) boardwatch.Reading {
			return v.each(func(r *role) { id(r, strconv.Itoa(90_000+r.n)); r.place = "" })
		}},
		{name: "all imported anew, with a postal code before the place", show: func(v *visit) boardwatch.Reading {
			return v.each(func(r *role) { id(r, strconv.Itoa(90_000+r.n)); r.place = fmt.Sprint(10115+r.n%3, " ", r.place) })
		}},
		{name: "all imported anew over a day, an old or a new copy by chance", show: func(v *visit) boardwatch.Reading {
			if v.since > day || v.n%2 == 0 {
				return v.each(func(r *role) { id(r, strconv.Itoa(90_000+r.n)) })
			}
			return v.list(v.live)
		}},
	}
}

// siteCompanies are what companies truly do. Their closings are not late.
func siteCompanies() []sickness {
	again := func(c *careers, from time.Time, until time.Time, many int) {
		for range many {
			c.open(from, c.roles[0].id != "")
			c.roles[len(c.roles)-1].closes = until
		}
	}
	all := []sickness{
		{name: "half of the roles close on one day", truth: func(c *careers) {
			settle(c)
			for i := range c.roles[:len(c.roles)/2] {
				c.roles[i].closes = onDay(4.3)
			}
		}},
		{name: "two thirds of the roles close on one day", truth: func(c *careers) {
			settle(c)
			for i := range c.roles[:(2*len(c.roles)+2)/3] {
				c.roles[i].closes = onDay(4.3)
			}
		}},
		{name: "a tenth of the roles closes each day until none is left", late: 6 * day, truth: func(c *careers) {
			settle(c)
			for i := range c.roles {
				c.roles[i].closes = onDay(4 + float64(i*10/len(c.roles)))
			}
		}},
		{name: "all close, and others open a day later", truth: func(c *careers) {
			settle(c)
			for i := range c.roles {
				c.roles[i].closes = onDay(4)
			}
			again(c, onDay(5), onDay(1000), c.size)
		}},
		{name: "all are replaced by others at once", truth: func(c *careers) {
			settle(c)
			for i := range c.roles {
				c.roles[i].closes = onDay(4)
			}
			again(c, onDay(4), onDay(1000), c.size)
		}},
		{name: "the one role is another one every five days", truth: func(c *careers) {
			settle(c)
			c.roles = c.roles[:1]
			c.roles[0].closes = onDay(4)
			for n := range 20 {
				again(c, onDay(4+5*float64(n)), onDay(9+5*float64(n)), 1)
			}
		}},
		{name: "four times as many for the season", truth: func(c *careers) {
			settle(c)
			again(c, onDay(4), onDay(9), 3*c.size+50)
		}},
		{name: "the roles of a company that was bought, for good", truth: func(c *careers) {
			settle(c)
			again(c, onDay(4), onDay(1000), 2*c.size)
		}},
		{name: "a part of the company leaves with its roles", truth: func(c *careers) {
			settle(c)
			for i := range c.roles {
				if c.roles[i].department == "Care" {
					c.roles[i].closes = onDay(4)
				}
			}
		}},
		{name: "a role closes each day, and one of the same title opens in another place", truth: func(c *careers) {
			settle(c)
			for n := range 30 {
				r := &c.roles[n]
				r.closes = onDay(4 + float64(n))
				again(c, r.closes, onDay(1000), 1)
				c.roles[len(c.roles)-1].title, c.roles[len(c.roles)-1].place = c.roles[n].title, c.roles[n].place+" Mitte"
				if n+1 >= c.size {
					break
				}
			}
		}},
	}
	for i := range all {
		all[i].show, all[i].late = healthy, max(all[i].late, 3*day)
	}
	return all
}
