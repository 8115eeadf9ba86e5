package boardwatch_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
)

// publicSicknesses are what people report of careers pages, content systems and job boards in public, and what companies do
// beside that.
func publicSicknesses() []sickness {
	return slices.Concat(publicLists(), publicCompanies(), onlyOn("page", publicWords()), onlyOn("page", publicAddresses()), onlyOn("hosted", publicIDs()))
}

// timely are sicknesses that leave true closings no more time than their hold.
func timely(list []sickness) []sickness {
	for i := range list {
		list[i].late = max(list[i].late, 4*day)
	}
	return list
}

// turned says that it is the second half of four days.
func (v *visit) turned() bool { return int(v.since/(50*time.Hour))%2 == 1 }

// several makes sure that a company has more than one role: nobody could tell whether the only one is another one elsewhere.
func several(c *careers) {
	for i := c.size; i < 4; i++ {
		c.open(noon.Add(-day), c.roles[0].id != "")
	}
}

// publicLists show some of the roles, or those of another time.
func publicLists() []sickness {
	newest := func(share float64) func(v *visit) boardwatch.Reading {
		return func(v *visit) boardwatch.Reading {
			return v.list(v.live[int(math.Floor((1-share)*float64(len(v.live)))):])
		}
	}
	during := func(now func(v *visit) bool, some func(v *visit) boardwatch.Reading) func(v *visit) boardwatch.Reading {
		return func(v *visit) boardwatch.Reading {
			if now(v) {
				return some(v)
			}
			return v.list(v.live)
		}
	}
	empty := func(v *visit) boardwatch.Reading { return v.list(nil) }
	ago := func(by time.Duration) func(v *visit) boardwatch.Reading {
		return func(v *visit) boardwatch.Reading { return v.list(v.at(v.now.Add(-by))) }
	}
	return []sickness{
		{name: "the newest three quarters, for eighteen hours", days: 0.75, show: newest(0.75)},
		{name: "the newest three quarters, one day in three", show: during(func(v *visit) bool {
			return int(v.since/(20*time.Hour))%3 == 1
		}, newest(0.75))},
		{name: "new roles wait until noon to be shown", show: except(func(v *visit, r role) bool {
			return v.hour() < 12 && v.now.Sub(r.opens) < 12*time.Hour
		})},
		{name: "built anew for three hours, at another hour each night", show: during(func(v *visit) bool {
			return (v.hour()+7*int(v.since/day))%24 < 3
		}, onlyFirst(0.2))},
		{name: "what is due today is away from six in the evening", show: except(func(v *visit, r role) bool {
			return v.hour() >= 18 && r.n%5 == v.now.Day()%5
		})},
		{name: "a tenth is away for each visitor, who is another one every day", show: except(func(v *visit, r role) bool {
			return rand.New(rand.NewPCG(uint64(r.n), uint64(v.since/day))).IntN(10) == 0
		})},
		{name: "the rest of the last page is away two times of three", show: during(func(v *visit) bool { return v.n%3 > 0 }, func(v *visit) boardwatch.Reading {
			return v.list(v.live[:max(1, len(v.live)/5*5)])
		})},
		{name: "one place is away each wednesday", show: except(func(v *visit, r role) bool {
			return v.now.Weekday() == time.Wednesday && r.place == "Berlin"
		})},
		{name: "empty for an hour, and some days later for ten", show: during(func(v *visit) bool {
			return v.since%(5*day) < time.Hour || v.since%(5*day) > 2*day && v.since%(5*day) < 58*time.Hour
		}, empty)},
		{name: "empty for five days", days: 5, show: empty},
		{name: "empty for ten days", days: 10, show: empty},
		{name: "under maintenance with the list of the first day, for twelve hours", show: during(func(v *visit) bool {
			return v.since%(4*day) < 12*time.Hour
		}, func(v *visit) boardwatch.Reading { return v.list(v.at(noon.Add(day))) })},
		{name: "a backup of three days ago is there for a day", show: during(func(v *visit) bool {
			return v.since > 2*day && v.since%(8*day) < 23*time.Hour
		}, ago(3*day))},
		{name: "a seventh flickers at each visit", show: except(func(v *visit, r role) bool { return r.n%7 == 3 && v.n%2 == 0 })},
		{name: "a seventh flickers, and stays away half as long again each time", show: except(func(v *visit, r role) bool {
			at, away := day, 6*time.Hour
			for at+away <= v.since {
				at, away = at+away+day, away*3/2
			}
			return r.n%7 == 3 && v.since > at
		})},
		{name: "three samples for eight hours, by turns", show: during(func(v *visit) bool {
			return int(v.since/(8*time.Hour))%3 == 1
		}, func(v *visit) boardwatch.Reading { return v.list(v.live[:min(3, len(v.live))]) })},
		{name: "the five newest on mondays", show: during(func(v *visit) bool { return v.now.Weekday() == time.Monday }, func(v *visit) boardwatch.Reading {
			return v.list(v.live[max(0, len(v.live)-5):])
		})},
		{name: "a test that hides a quarter for two days, then another", show: except(func(v *visit, r role) bool { return r.n%4 == int(v.since/(2*day))%2 })},
		{name: "a test that hides a quarter for twenty hours, then another", show: except(func(v *visit, r role) bool {
			return r.n%4 == int(v.since/(20*time.Hour))%2
		})},
		{name: "a count that holds closed ones for three days", show: func(v *visit) boardwatch.Reading {
			r := v.list(v.live)
			for _, gone := range v.roles {
				if r.Claimed = max(r.Claimed, len(v.live)); gone.closes.Before(v.now) && v.now.Sub(gone.closes) < 3*day {
					r.Claimed++
				}
			}
			r.EndSeen = true
			return r
		}},
		{name: "a count of nothing by turns", show: func(v *visit) boardwatch.Reading {
			r := v.list(v.live)
			r.Claimed = v.n % 2 * len(v.live)
			return r
		}},
		{name: "one cache lacks the newest day, and the other the oldest tenth", show: func(v *visit) boardwatch.Reading {
			return pick(v.n, ago(day), newest(0.9))(v)
		}},
		{name: "a third is down for an hour after each release", show: during(func(v *visit) bool { return v.hour()%9 == 4 }, onlyFirst(0.67))},
		{name: "each place has a list of its own, of which one loads by chance", show: except(func(v *visit, r role) bool {
			return v.rng.IntN(4) == 0 && r.place != "Oslo" && v.n%4 > 0
		})},
		{name: "another order each time, and a cap of nine tenths", show: func(v *visit) boardwatch.Reading {
			v.rng.Shuffle(len(v.live), func(a, b int) { v.live[a], v.live[b] = v.live[b], v.live[a] })
			return v.first(0.9)
		}},
	}
}

// publicCompanies are what companies truly do. All of it is told, and no later than the hold.
func publicCompanies() []sickness {
	again := func(c *careers, title, place string, from, until time.Time) {
		c.open(from, c.roles[0].id != "")
		r := &c.roles[len(c.roles)-1]
		r.title, r.place, r.closes = title, place, until
	}
	all := []sickness{
		{name: "a manager is found, and an assistant of the same name is sought that moment", truth: func(c *careers) {
			settle(c)
			for i := range c.size / 3 {
				r := &c.roles[i]
				r.closes = onDay(4 + float64(i)/2)
				again(c, "Assistant "+r.title, r.place, r.closes, onDay(1000))
			}
		}},
		{name: "a role is found, and the same is sought elsewhere that moment", truth: func(c *careers) {
			settle(c)
			for i := range c.size / 3 {
				r := &c.roles[i]
				r.closes = onDay(4 + float64(i)/2)
				again(c, r.title, "Lima", r.closes, onDay(1000))
			}
		}},
		{name: "a role is found, and the same is sought again four days later", truth: func(c *careers) {
			settle(c)
			for i := range (c.size + 2) / 3 {
				r := &c.roles[i]
				r.closes = onDay(4 + float64(i)/2)
				again(c, r.title, r.place, r.closes.Add(4*day), onDay(1000))
			}
		}},
		{name: "thirty helpers of one kind for five days", truth: func(c *careers) {
			settle(c)
			for range 30 {
				again(c, "Helper", "Berlin", onDay(4), onDay(9))
			}
		}},
		{name: "ten helpers of the same kinds every ten days, for five days", truth: func(c *careers) {
			settle(c)
			for wave := range 4 {
				for i := range 10 {
					again(c, fmt.Sprint("Helper ", i), "Berlin", onDay(4+10*float64(wave)), onDay(9+10*float64(wave)))
				}
			}
		}},
		{name: "five equal roles, of which one is found each second day", truth: func(c *careers) {
			settle(c)
			for i := range 5 {
				again(c, "Driver", "Oslo", onDay(1), onDay(5+2*float64(i)))
			}
		}},
		{name: "all but the newest close, two days apart", truth: func(c *careers) {
			settle(c)
			for i := range c.size - 1 {
				c.roles[i].closes = onDay(4 + 2*float64(i%3))
			}
		}},
		{name: "a role of several places loses one after the other", truth: func(c *careers) {
			settle(c)
			c.roles[0].place = "Berlin; Oslo; Rome; Lima"
		}, show: func(v *visit) boardwatch.Reading {
			return v.each(func(r *role) {
				if r.n == 0 {
					r.place = pick(min(3, int(v.since/(2*day))), "Berlin; Oslo; Rome; Lima", "Oslo; Rome; Lima", "Oslo; Lima", "Lima")
				}
			})
		}},
	}
	for i := range all {
		if all[i].late = 3 * day; all[i].show == nil {
			all[i].show = healthy
		}
	}
	return all
}

// publicWords are pages whose addresses are made of the titles, without any number, or that have none.
func publicWords() []sickness {
	// slugged writes the title into the address.
	slugged := func(change func(v *visit, r *role)) func(v *visit) boardwatch.Reading {
		return func(v *visit) boardwatch.Reading {
			return v.each(func(r *role) {
				change(v, r)
				r.url = "https://northwind.example/jobs/" + slug(r.title) + "-" + slug(r.place)
			})
		}
	}
	turned := func(change func(r *role)) func(v *visit) boardwatch.Reading {
		return slugged(func(v *visit, r *role) {
			if v.turned() {
				change(r)
			}
		})
	}
	// moved gives other numbers, which have nothing in common with the old ones.
	moved := func(change func(r *role)) func(v *visit) boardwatch.Reading {
		return func(v *visit) boardwatch.Reading {
			return v.each(func(r *role) {
				if r.url = fmt.Sprint("https://northwind.example/stellen/", 6000+r.n); v.turned() {
					r.url = fmt.Sprint("https://northwind.example/jobs/", 17_000+r.n)
					change(r)
				}
			})
		}
	}
	nowhere := func(change func(v *visit, r *role)) func(v *visit) boardwatch.Reading {
		return func(v *visit) boardwatch.Reading { return v.each(func(r *role) { r.url = ""; change(v, r) }) }
	}
	titled := func(before, after string) func(c *careers) {
		return func(c *careers) {
			for i := range c.roles {
				c.roles[i].title = fmt.Sprint(before, " ", i, " ", after)
			}
		}
	}
	all := []sickness{
		{name: "urgent, says each title by turns", show: turned(func(r *role) { r.title = "Urgent: " + r.title })},
		{name: "a role is called new in its first five days", show: slugged(func(v *visit, r *role) {
			if v.now.Sub(r.opens) < 5*day {
				r.title += " (new)"
			}
		})},
		{name: "a fifth is called urgent for some days", show: slugged(func(v *visit, r *role) {
			if int(v.since/(2*day))%5 == r.n%5 {
				r.title = "URGENT - " + r.title
			}
		})},
		{name: "the contract is in each title by turns", show: turned(func(r *role) { r.title += ", full-time, permanent" })},
		{name: "the workload of each is in its title by turns", show: turned(func(r *role) { r.title += fmt.Sprint(" ", 40+10*(r.n%6), "%") })},
		{name: "the place stands before the title by turns, and nowhere else", show: turned(func(r *role) { r.title, r.place = r.place+": "+r.title, "" })},
		{name: "the place stands in brackets behind the title by turns, and nowhere else", show: turned(func(r *role) {
			r.title, r.place = r.title+" ("+r.place+")", ""
		})},
		{name: "the place stands before the title and beside it by turns", show: turned(func(r *role) { r.title = r.place + " - " + r.title })},
		{name: "the company stands before each title by turns", show: turned(func(r *role) { r.title = "Northwind | " + r.title })},
		{name: "a reference stands behind each title by turns", show: turned(func(r *role) { r.title += fmt.Sprint(" (REF", 700+31*r.n, "K)") })},
		{name: "the month stands behind each title, no addresses", truth: several, show: nowhere(func(v *visit, r *role) {
			r.title += " (from " + v.now.Add(v.since*6).Format("January") + ")"
		})},
		{name: "the rows of the list are numbered by turns, no addresses", show: func(v *visit) boardwatch.Reading {
			row := 0
			return nowhere(func(v *visit, r *role) {
				if row++; v.turned() {
					r.title = fmt.Sprint(row, ". ", r.title)
				}
			})(v)
		}},
		{name: "the rows of the list are numbered, no addresses", show: func(v *visit) boardwatch.Reading {
			row := 0
			return nowhere(func(_ *visit, r *role) { row++; r.title = fmt.Sprint(row, ". ", r.title) })(v)
		}},
		{name: "both genders in one word by turns", truth: titled("Filiale", "Verkäufer"), show: slugged(func(v *visit, r *role) {
			r.title += pick(int(v.since/(50*time.Hour)), "", ":in", "*in", "/-in", "_in", "(in)", "·in", "/in")
		})},
		{name: "both genders in one word of a fifth by turns", truth: titled("Filiale", "Verkäufer"), show: slugged(func(v *visit, r *role) {
			if int(v.since/(2*day))%5 == r.n%5 {
				r.title += pick(r.n, ":in", "*in", "/-in", "/in")
			}
		})},
		{name: "both genders in one word of another language by turns", truth: titled("Salle", "Infirmier"), show: slugged(func(v *visit, r *role) {
			r.title += pick(int(v.since/(50*time.Hour)), "", "(ne)", "·ne", "/ne", "-ne")
		})},
		{name: "other numbers, and spaces and hyphens that nobody sees", show: moved(func(r *role) {
			r.title = strings.Replace(r.title, " ", "\u202f", 1)
			r.title, r.place = r.title[:2]+"\u00ad"+r.title[2:], "\u200b"+r.place+"\u00a0"
		})},
		{name: "other numbers, and ligatures and wide letters", truth: titled("Office", "ABC"), show: moved(func(r *role) {
			r.title = strings.NewReplacer("ffi", "\ufb03", "ABC", "\uff21\uff22\uff23").Replace(r.title)
		})},
		{name: "other numbers, and signs around each title", show: moved(func(r *role) { r.title = "\U0001F525 " + r.title + " ™ ✓" })},
		{name: "other numbers, and letters for the places", truth: several, show: moved(func(r *role) {
			r.place = map[string]string{"Berlin": "BLN", "Oslo": "OSL", "Rome": "FCO"}[r.place]
		})},
		{name: "other numbers, and places of another language", truth: several, show: moved(func(r *role) {
			r.place = map[string]string{"Berlin": "Berlino", "Oslo": "Cristiania", "Rome": "Roma"}[r.place]
		})},
		{name: "other numbers, and the country in place of the place", truth: several, show: moved(func(r *role) {
			r.place = map[string]string{"Berlin": "Germany", "Oslo": "Norway", "Rome": "Italy"}[r.place]
		})},
		{name: "other numbers, and titles that are cut", truth: titled("Desk", "for everything that nobody else wants to do"), show: moved(func(r *role) {
			r.title = r.title[:24] + "…"
		})},
		{name: "other numbers, words for signs, and several places", show: moved(func(r *role) {
			r.title, r.place = "Welcome & Service, "+r.title, r.place+" / Remote"
		})},
		{name: "title, place and address are of another language by turns", show: turned(translate)},
		{name: "the words of each title stand in another order by turns", show: turned(func(r *role) {
			said := strings.Fields(r.title)
			slices.Reverse(said)
			r.title = strings.Join(said, ", ")
		})},
		{name: "three layouts by chance, of which one says the company and one the place", truth: several, show: func(v *visit) boardwatch.Reading {
			layout := v.rng.IntN(3)
			return slugged(func(_ *visit, r *role) {
				r.title = pick(layout, r.title, "Northwind "+r.title, r.place+": "+r.title)
			})(v)
		}},
		{name: "urgent, says each title of many equal roles by turns", truth: (*careers).twins, show: moved(func(r *role) { r.title = "Urgent " + r.title })},
		{name: "the company is in each title, while a half is away for ten hours", show: func(v *visit) boardwatch.Reading {
			if v.since < 10*time.Hour {
				v.live = v.live[:(len(v.live)+1)/2]
			}
			return slugged(func(_ *visit, r *role) { r.title += " - Northwind" })(v)
		}},
		{name: "down for twenty days, then other titles and addresses", late: 30 * day, show: func(v *visit) boardwatch.Reading {
			if v.since < 20*day {
				return boardwatch.Failed(cause.SiteError, "an error")
			}
			return slugged(func(_ *visit, r *role) { r.title += " (Northwind)" })(v)
		}},
		{name: "two titles become one entry for two days, and part again", late: 14 * day, show: func(v *visit) boardwatch.Reading {
			if v.since%(6*day) > 2*day {
				return v.list(v.live)
			}
			var all []role
			for i := 0; i < len(v.live); i += 2 {
				r := v.live[i]
				if i+1 < len(v.live) {
					r.title += " / " + v.live[i+1].title
				}
				all = append(all, r)
			}
			return v.list(all)
		}},
	}
	return timely(all)
}

// publicAddresses are pages that write addresses otherwise, or show roles under several.
func publicAddresses() []sickness {
	each := func(url func(v *visit, r *role) string) func(v *visit) boardwatch.Reading {
		return func(v *visit) boardwatch.Reading { return v.each(func(r *role) { r.url = url(v, r) }) }
	}
	sided := func(url, again func(r role) string) func(v *visit) boardwatch.Reading {
		return func(v *visit) boardwatch.Reading {
			var all []role
			for _, r := range v.live {
				other := r
				r.url, other.url = url(r), again(r)
				all = append(all, other, r)
			}
			return v.list(all)
		}
	}
	onHost := func(host string) func(r role) string {
		return func(r role) string { return "https://" + host + "/jobs/" + slug(r.title) }
	}
	old, renewed := onHost("northwind.example"), onHost("www2.northwind.example")
	places := func(c *careers) {
		for i := range c.roles {
			c.roles[i].title, c.roles[i].place = fmt.Sprint("Cook ", i/4), fmt.Sprint("Town ", i%4)
		}
	}
	all := []sickness{
		{name: "the query in another order by turns", show: each(func(v *visit, r *role) string {
			return fmt.Sprintf("https://northwind.example/job?"+pick(v.n, "lang=en&id=%d", "id=%d&lang=en"), 100+r.n)
		})},
		{name: "signs without a meaning at the end of addresses", truth: (*careers).twins, show: each(func(v *visit, r *role) string { return r.url + pick(v.n, "", "?", "#", "/#", "?&", "//") })},
		{name: "the host in capitals and with a port by turns", truth: (*careers).twins, show: each(func(v *visit, r *role) string {
			return strings.Replace(r.url, "northwind.example", pick(v.n, "northwind.example", "Northwind.Example", "northwind.example:443"), 1)
		})},
		{name: "a new design: addresses, capitals, marks of gender, countries, and no departments", show: func(v *visit) boardwatch.Reading {
			return v.each(func(r *role) {
				r.title, r.place, r.department = strings.ToUpper(r.title)+" (M/W/D)", r.place+", EU", ""
				r.url = "https://careers.northwind.example/vacancy/" + slug(r.title)
			})
		}},
		{name: "a new design, and half truly closes that moment", truth: func(c *careers) {
			c.roles = c.roles[:c.size]
			for i := range c.roles {
				if c.roles[i].closes = noon.Add(1000 * day); i%2 == 1 {
					c.roles[i].closes = noon.Add(3 * day)
				}
			}
		}, show: each(func(_ *visit, r *role) string { return "https://careers.northwind.example/vacancy/" + slug(r.title) })},
		{name: "a new design in two steps, two days apart", show: each(func(v *visit, r *role) string {
			if r.n%2 == 0 || v.since > 2*day {
				return "https://careers.northwind.example/vacancy/" + slug(r.title)
			}
			return r.url
		})},
		{name: "a new design that is taken back after thirty hours", show: func(v *visit) boardwatch.Reading {
			return v.each(func(r *role) {
				if v.since < 30*time.Hour {
					r.title += " - Northwind Careers"
					r.url = "https://careers.northwind.example/vacancy/" + slug(r.title)
				}
			})
		}},
		{name: "a partner's site with words and numbers of its own by turns", show: func(v *visit) boardwatch.Reading {
			return v.each(func(r *role) {
				if v.turned() {
					r.title += " at Northwind"
					r.url = fmt.Sprint("https://partner.example/p/", 930_000+7*r.n)
				}
			})
		}},
		{name: "the same path on two hosts for three days, then on the second", show: func(v *visit) boardwatch.Reading {
			if v.since > 3*day {
				return each(func(_ *visit, r *role) string { return renewed(*r) })(v)
			}
			return sided(old, renewed)(v)
		}},
		{name: "a copy for tests stands beside it for ten hours", days: 0.4, show: sided(func(r role) string { return r.url }, func(r role) string {
			return strings.Replace(r.url, "northwind.example", "staging.northwind.example", 1)
		})},
		{name: "each role twice, in the second language without numbers", show: sided(onHost("northwind.example"), onHost("northwind.example/en"))},
		{name: "one entry of four places comes apart after four days", truth: places, show: func(v *visit) boardwatch.Reading {
			if v.since < 4*day {
				return v.gathered()
			}
			return v.list(v.live)
		}},
		{name: "four places become one entry under another address, and back", truth: places, show: func(v *visit) boardwatch.Reading {
			if v.turned() {
				return v.list(v.live)
			}
			r := v.gathered()
			for i, p := range r.Postings {
				r.Postings[i].Key, r.Postings[i].URL = "", "https://northwind.example/all/"+slug(p.Title)
			}
			return r
		}},
		{name: "a role whose places grow, and with them its address", show: func(v *visit) boardwatch.Reading {
			return v.each(func(r *role) {
				r.place = strings.Join([]string{r.place, "Lima", "Bern", "Cork", "Pisa"}[:1+min(4, int(v.since/(2*day)))], "; ")
				r.url = "https://northwind.example/jobs/" + slug(r.title+"-"+r.place)
			})
		}},
		{name: "neighbours change their titles, and get them back", show: func(v *visit) boardwatch.Reading {
			roles := slices.Clone(v.live)
			for i := 0; v.turned() && i+1 < len(roles); i += 2 {
				roles[i].title, roles[i+1].title = roles[i+1].title, roles[i].title
				roles[i].place, roles[i+1].place = roles[i+1].place, roles[i].place
			}
			return v.list(roles)
		}},
	}
	return timely(all)
}

// publicIDs are hosted systems that give their roles other ids.
func publicIDs() []sickness {
	id := func(r *role, id string) { r.id, r.url = id, "https://hosted.example/northwind/"+id }
	imported := func(change func(v *visit, r *role)) func(v *visit) boardwatch.Reading {
		return func(v *visit) boardwatch.Reading {
			return v.each(func(r *role) { id(r, strconv.Itoa(90_000+r.n)); change(v, r) })
		}
	}
	all := []sickness{
		{name: "all imported anew, and urgent says each title", show: imported(func(_ *visit, r *role) { r.title = "Urgent: " + r.title })},
		{name: "all imported anew, and the place stands in the title alone", show: imported(func(_ *visit, r *role) {
			r.title, r.place = r.title+" - "+r.place, ""
		})},
		{name: "all imported anew, and a reference stands in each title", show: imported(func(_ *visit, r *role) { r.title += fmt.Sprint(" REF", 700+31*r.n, "K") })},
		{name: "all imported anew, with the country in place of the place", truth: several, show: imported(func(_ *visit, r *role) {
			r.place = map[string]string{"Berlin": "Germany", "Oslo": "Norway", "Rome": "Italy"}[r.place]
		})},
		{name: "a board that moves, and the company is in each title there", late: 6 * day, moves: "lever:northwind", show: func(v *visit) boardwatch.Reading {
			if v.n < 4 {
				r := boardwatch.Failed(cause.UnknownBoard, "no such board")
				r.Unknown = true
				return r
			}
			return imported(func(_ *visit, r *role) { r.title += " at Northwind" })(v)
		}},
		{name: "a third imported anew each day", show: func(v *visit) boardwatch.Reading {
			return v.each(func(r *role) {
				if int(v.since/day) >= r.n%3 {
					id(r, strconv.Itoa(90_000+r.n))
				}
			})
		}},
		{name: "all imported anew twice within a day", show: func(v *visit) boardwatch.Reading {
			return v.each(func(r *role) {
				id(r, strconv.Itoa(pick(min(2, int(v.since/(9*time.Hour))), 90_000, 60_000, 80_000)+r.n))
			})
		}},
		{name: "all imported anew, and three come first for ten hours", show: func(v *visit) boardwatch.Reading {
			if v.since < 10*time.Hour {
				v.live = v.live[:min(3, len(v.live))]
			}
			return imported(func(*visit, *role) {})(v)
		}},
		{name: "all imported anew, and half truly closes that moment", truth: func(c *careers) {
			c.roles = c.roles[:c.size]
			for i := range c.roles {
				if c.roles[i].closes = noon.Add(1000 * day); i%2 == 1 {
					c.roles[i].closes = noon.Add(3 * day)
				}
			}
		}, show: imported(func(*visit, *role) {})},
		{name: "ids in capitals by turns", show: func(v *visit) boardwatch.Reading {
			return v.each(func(r *role) { id(r, pick(v.n, "r-", "R-")+r.id) })
		}},
		{name: "the ids of two sites by turns, and places written otherwise", show: func(v *visit) boardwatch.Reading {
			return v.each(func(r *role) {
				if v.turned() {
					id(r, r.id+"-1")
					r.place = "Office " + r.place
				}
			})
		}},
		{name: "titles with and without a reference by turns, same ids", show: func(v *visit) boardwatch.Reading {
			return v.each(func(r *role) {
				if v.turned() {
					r.title += fmt.Sprint(" - ", 40_000+r.n)
				}
			})
		}},
		{name: "one entry of four places comes apart after four days", truth: func(c *careers) {
			for i := range c.roles {
				c.roles[i].title, c.roles[i].place = fmt.Sprint("Cook ", i/4), fmt.Sprint("Town ", i%4)
			}
		}, show: func(v *visit) boardwatch.Reading {
			if v.since < 4*day {
				return v.gathered()
			}
			return v.list(v.live)
		}},
	}
	return timely(all)
}
