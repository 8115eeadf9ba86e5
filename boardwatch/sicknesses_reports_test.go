package boardwatch_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// reportedSicknesses are what people who gather roles from many systems report in public of roles that are told twice, and of
// those that become one.
func reportedSicknesses() []sickness {
	return slices.Concat(onlyOn("page", reportedAddresses()), onlyOn("hosted", reportedIDs()))
}

func reportedAddresses() []sickness {
	requisitions := func(c *careers) {
		for i := range c.roles {
			r := &c.roles[i]
			r.url = fmt.Sprintf("https://northwind.example/jobs/%s_R%d", slug(r.title), 16_000+r.n)
		}
	}
	without := func(change func(v *visit, r *role)) func(v *visit) boardwatch.Reading {
		return func(v *visit) boardwatch.Reading {
			return v.each(func(r *role) { r.url = ""; change(v, r) })
		}
	}
	renumbered := func(change func(r *role)) func(v *visit) boardwatch.Reading {
		return func(v *visit) boardwatch.Reading {
			return v.each(func(r *role) {
				if v.turned() {
					r.url = fmt.Sprintf("https://northwind.example/jobs/%d-role", 9000+7*r.n)
					change(r)
				}
			})
		}
	}
	return []sickness{
		{name: "a fifth is retitled, the address with it, and its number gets a second one", truth: requisitions, show: func(v *visit) boardwatch.Reading {
			return v.each(func(r *role) {
				if r.n%5 == 1 && v.since > day {
					r.title = "Senior " + r.title
					r.url = fmt.Sprintf("https://northwind.example/jobs/%s_R%d-1", slug(r.title), 16_000+r.n)
				}
			})
		}},
		{name: "a second site shows each role under its number for two days", days: 2, truth: requisitions, show: func(v *visit) boardwatch.Reading {
			all := slices.Clone(v.live)
			for _, r := range v.live {
				r.url = strings.Replace(r.url, "northwind.example/jobs", "partner.example/feed/northwind", 1) + "-1"
				all = append(all, r)
			}
			return v.list(all)
		}},
		{name: "places come two days late, no addresses", show: without(func(v *visit, r *role) {
			if v.now.Sub(r.opens) < 2*day {
				r.place = ""
			}
		})},
		{name: "other numbers, and the country behind each of several places", truth: func(c *careers) {
			for i := range c.roles {
				c.roles[i].place += "; Lima"
			}
		}, show: renumbered(func(r *role) { r.place = strings.ReplaceAll(r.place, ";", ", Europe;") + ", Peru" })},
		{name: "other numbers, and remote before the place", show: renumbered(func(r *role) { r.place = "Remote; " + r.place })},
		{name: "signs in addresses are escaped by turns", truth: func(c *careers) {
			for i := range c.roles {
				c.roles[i].url = fmt.Sprintf("https://northwind.example/jobs/%d-café", 100+i)
			}
		}, show: func(v *visit) boardwatch.Reading {
			return v.each(func(r *role) { r.url = strings.Replace(r.url, "é", pick(v.n, "é", "%C3%A9", "%c3%a9"), 1) })
		}},
		{name: "each role relisted every ten days behind its slug, old beside new for a day", truth: func(c *careers) {
			for i := range c.roles {
				c.roles[i].url = "https://northwind.example/job/" + slug(c.roles[i].title)
			}
		}, show: func(v *visit) boardwatch.Reading {
			var all []role
			for _, r := range v.live {
				at := v.since + time.Duration(r.n%10)*day
				listing, old := int(at/(10*day)), r
				if listing > 0 {
					r.url += "-" + strconv.Itoa(listing+1)
				}
				if listing > 1 {
					old.url += "-" + strconv.Itoa(listing)
				}
				if all = append(all, r); listing > 0 && at%(10*day) < day {
					all = append(all, old)
				}
			}
			return v.list(all)
		}},
		{name: "the place stands behind the title alone by turns, no addresses", show: without(func(v *visit, r *role) {
			if v.turned() {
				r.title, r.place = r.title+" ("+r.place+" only)", ""
			}
		})},
		{name: "a long word is short by turns, no addresses", truth: several, show: without(func(v *visit, r *role) {
			if r.title = "Senior " + r.title; v.turned() {
				r.title = strings.Replace(r.title, "Senior", "Sr.", 1)
			}
		})},
	}
}

func reportedIDs() []sickness {
	return []sickness{
		{name: "each row twice, once without its place", show: func(v *visit) boardwatch.Reading {
			all := slices.Clone(v.live)
			for _, r := range v.live {
				r.place = ""
				all = append(all, r)
			}
			v.rng.Shuffle(len(all), func(a, b int) { all[a], all[b] = all[b], all[a] })
			return v.list(all)
		}},
		{name: "the text in another language takes the place of a third, with another id", truth: several, show: func(v *visit) boardwatch.Reading {
			return v.each(func(r *role) {
				if r.n%3 == 1 {
					r.title = fmt.Sprint("Stelle ", 7*r.n)
					r.id = strconv.Itoa(70_000 + r.n)
					r.url = "https://hosted.example/northwind/" + r.id
				}
			})
		}},
		{name: "a requisition stands on the sites of two employers' brands by turns", show: func(v *visit) boardwatch.Reading {
			return v.each(func(r *role) {
				if v.turned() {
					r.url = strings.Replace(r.url, "hosted.example/northwind", "hosted.example/contoso", 1)
				}
			})
		}},
	}
}
