package main_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/demo"
)

func listJobsRules() map[string]func(*testing.T, *contract) {
	return map[string]func(*testing.T, *contract){
		"a role has every field": func(t *testing.T, c *contract) {
			who := c.reader(t)
			var page jobsPage
			who.get(t, "/v1/jobs"+query("search", "Optical Engineer"), &page)
			require.Len(t, page.Jobs, 1)
			j := page.Jobs[0]
			require.Equal(t, c.siteID, j.BoardID)
			require.Equal(t, demo.Company, j.Company)
			require.Equal(t, "Bergen", j.Location)
			require.Equal(t, "Engineering", j.Department)
			require.Equal(t, c.site.URL+"/careers/1", j.URL)
			require.Equal(t, boardwatch.JobOpen, j.Status)
			require.False(t, j.FirstSeenAt.IsZero())
			require.False(t, j.LastSeenAt.Before(j.FirstSeenAt))
			require.True(t, j.ClosedAt.IsZero())
		},
		"fifty open roles come by default, newest first": func(t *testing.T, c *contract) {
			who := c.reader(t)
			var page jobsPage
			who.get(t, "/v1/jobs", &page)
			require.Len(t, page.Jobs, 50)
			require.EqualValues(t, contractOpen, page.Total)
			for i, j := range page.Jobs {
				require.Equal(t, boardwatch.JobOpen, j.Status)
				if i > 0 {
					last := page.Jobs[i-1]
					require.False(t, j.FirstSeenAt.After(last.FirstSeenAt))
					require.True(t, j.FirstSeenAt.Before(last.FirstSeenAt) || j.ID < last.ID, "equal moments are ordered by id")
				}
			}
		},
		"a status chooses roles": func(t *testing.T, c *contract) {
			who := c.reader(t)
			for status, want := range map[string]int64{"open": contractOpen, "closed": 1, "all": contractOpen + 1} {
				var page jobsPage
				who.get(t, "/v1/jobs?status="+status, &page)
				require.Equal(t, want, page.Total, status)
			}
			var page jobsPage
			who.get(t, "/v1/jobs?status=closed", &page)
			require.Equal(t, "Lamplighter", page.Jobs[0].Title)
			require.False(t, page.Jobs[0].ClosedAt.IsZero())
			require.True(t, page.Jobs[0].LastSeenAt.Before(page.Jobs[0].ClosedAt))
		},
		"pages of any size show every role once, and the same total": func(t *testing.T, c *contract) {
			who := c.reader(t)
			for _, limit := range []int{7, 100} {
				seen := map[string]bool{}
				for skip := 0; skip < contractOpen; skip += limit {
					var page jobsPage
					who.get(t, "/v1/jobs"+query("limit", strconv.Itoa(limit), "skip", strconv.Itoa(skip)), &page)
					require.EqualValues(t, contractOpen, page.Total)
					require.Len(t, page.Jobs, min(limit, contractOpen-skip))
					for _, j := range page.Jobs {
						require.False(t, seen[j.ID])
						seen[j.ID] = true
					}
				}
				require.Len(t, seen, contractOpen)
			}
		},
		"bounds are taken, and what passes them is refused": func(t *testing.T, c *contract) {
			who := c.reader(t)
			long := strings.Repeat("é", 200)
			for _, q := range []string{
				"limit=1", "limit=100", "skip=0", "skip=9007199254740991", "search=" + long, "location=" + strings.Repeat("😀", 200), "search=%20",
				"boardId=" + strings.Repeat("a", 24), "addedAfter=2026-11-20T09:00:00Z", "addedAfter=2026-11-20T09:00:00.123456789%2B02:00",
				"addedAfter=0001-01-01T00:00:00Z", "addedAfter=9999-12-31T23:59:59.999Z", "addedAfter=2026-11-20t09:00:00z", "", "&", "status=all&",
			} {
				require.Equal(t, http.StatusOK, who.try(t, http.MethodGet, "/v1/jobs?"+q, "").status, q)
			}
			other := c.reader(t)
			for i, q := range []string{
				"limit=0", "limit=101", "limit=-1", "limit=1.5", "limit=1e1", "limit=ten", "limit=%2B5", "limit=0x10", "limit=5%20", "limit=99999999999999999999",
				"limit=", "limit", "limit=5&limit=5", "skip=-1", "skip=9007199254740992", "skip=18446744073709551616", "skip=", "skip=x", "search=",
				"search=" + long + "é", "search=%ff", "search=a%00b", "search=%zz", "location=", "location=" + long + "é", "location=%c0%80",
				"boardId=", "boardId=" + strings.Repeat("a", 23), "boardId=" + strings.Repeat("a", 25), "boardId=" + strings.Repeat("A", 24),
				"boardId=" + strings.Repeat("g", 24), "addedAfter=", "addedAfter=yesterday", "addedAfter=2026-11-20", "addedAfter=2026-11-20T09:00:00",
				"addedAfter=2026-11-20T09:00:00+02:00", "addedAfter=2026-13-20T09:00:00Z", "addedAfter=2026-02-30T09:00:00Z", "addedAfter=1763629200",
				"addedAfter=2026-11-20%2009:00:00Z", "addedAfter=2026-11-20T9:00:00Z", "addedAfter=2026-11-20T09:00:00,5Z", "status=", "status=OPEN",
				"status=ready", "status=open,closed", "status=open&status=closed",
			} {
				if i == 40 {
					other = c.reader(t)
				}
				name, _, _ := strings.Cut(q, "=")
				r := other.try(t, http.MethodGet, "/v1/jobs?"+q, "")
				require.Equal(t, http.StatusBadRequest, r.status, q)
				r.blames(t, name)
			}
		},
		"every wrong parameter is named at once": func(t *testing.T, c *contract) {
			who := c.reader(t)
			r := who.try(t, http.MethodGet, "/v1/jobs?boardId=x&addedAfter=x&status=x&search=&location=&limit=0&skip=-1&page=2&Limit=5&limit=5", "")
			r.blames(t, "boardId", "addedAfter", "status", "search", "location", "limit", "skip", "page", "Limit")
			c.described(t, http.MethodGet, "/v1/jobs", r)
		},
		"text matches inside the title, whatever its case, and wildcards mean themselves": func(t *testing.T, c *contract) {
			who := c.reader(t)
			for search, want := range map[string]int64{
				"sailor": 115, "SAILOR 0": 100, "école": 1, "ÉCOLE": 1, "ecole": 0, "100%": 1, "100": 3, "%": 1, "_": 0, `\`: 1, "back\\S": 1, "Bergen": 0,
				"' OR 1=1 --": 0, "remote writer": 2,
			} {
				var page jobsPage
				who.get(t, "/v1/jobs"+query("search", search), &page)
				require.Equal(t, want, page.Total, search)
			}
		},
		"text matches inside the location": func(t *testing.T, c *contract) {
			who := c.reader(t)
			for location, want := range map[string]int64{
				"bergen": 2, "ZÜRICH": 1, "STRASSE": 1, "remote_eu": 1, "remote": 2, "_": 1, "halifax": 115, "sailor": 0,
			} {
				var page jobsPage
				who.get(t, "/v1/jobs"+query("location", location), &page)
				require.Equal(t, want, page.Total, location)
			}
			var page jobsPage
			who.get(t, "/v1/jobs"+query("location", "bergen", "search", "fitter"), &page)
			require.EqualValues(t, 1, page.Total, "filters hold together")
		},
		"a board chooses its roles, and one that is not on the list has none": func(t *testing.T, c *contract) {
			who := c.reader(t)
			other := who.add(t, address(), http.StatusAccepted).Board.ID
			for id, want := range map[string]int64{c.siteID: contractOpen, other: 0, boardwatch.NewID(): 0} {
				var page jobsPage
				who.get(t, "/v1/jobs?boardId="+id, &page)
				require.Equal(t, want, page.Total)
			}
			var page jobsPage
			stranger := c.caller(t, account.PlanPro)
			stranger.get(t, "/v1/jobs?boardId="+c.siteID, &page)
			require.Zero(t, page.Total)
		},
		"a skip past the end is an empty page with the total": func(t *testing.T, c *contract) {
			who := c.reader(t)
			for _, skip := range []string{strconv.Itoa(contractOpen), "9007199254740991"} {
				r := who.try(t, http.MethodGet, "/v1/jobs?skip="+skip, "")
				require.Contains(t, r.body, `"jobs":[]`)
				require.Contains(t, r.body, `"total":`+strconv.Itoa(contractOpen))
			}
		},
		"addedAfter is a moment after which a role was first seen": func(t *testing.T, c *contract) {
			who := c.reader(t)
			var page jobsPage
			who.get(t, "/v1/jobs?limit=1", &page)
			seen := page.Jobs[0].FirstSeenAt
			for at, want := range map[time.Time]int64{seen: 0, seen.Add(-time.Millisecond): contractOpen, seen.Add(-time.Hour): contractOpen} {
				who.get(t, "/v1/jobs"+query("addedAfter", at.In(time.FixedZone("", 7200)).Format(time.RFC3339Nano)), &page)
				require.Equal(t, want, page.Total)
			}
		},
		"polling shows a new role": func(t *testing.T, c *contract) {
			site := newCareersSite(t, demo.Roles()...)
			who := c.caller(t, account.PlanPro)
			id := who.add(t, site.URL+"/careers", http.StatusAccepted).Board.ID
			require.Eventually(t, func() bool { return who.stored(t, id).Board.OpenJobs == len(demo.Roles()) }, time.Minute, 20*time.Millisecond)
			var first, second jobsPage
			who.get(t, "/v1/jobs", &first)
			require.False(t, first.PolledAt.After(time.Now()))
			site.show(append(demo.Roles(), demo.Role{ID: 7000, Title: "Pilot", Location: "Halifax", Department: "Sea"})...)
			require.Eventually(t, func() bool { return who.stored(t, id).Board.OpenJobs == len(demo.Roles())+1 }, time.Minute, 20*time.Millisecond)
			who.get(t, "/v1/jobs"+query("addedAfter", first.PolledAt.Format(boardwatch.TimeFormat)), &second)
			titles := map[string]bool{}
			for _, j := range second.Jobs {
				titles[j.Title] = true
			}
			require.True(t, titles["Pilot"])
			require.False(t, second.PolledAt.Before(first.PolledAt))
		},
		"reading fetches nothing": func(t *testing.T, c *contract) {
			site := newCareersSite(t, demo.Roles()...)
			who := c.caller(t, account.PlanPro)
			for range contractProBoards {
				who.add(t, address(), http.StatusAccepted)
			}
			require.True(t, who.add(t, site.URL+"/careers", http.StatusAccepted).Locked)
			for range 10 {
				who.get(t, "/v1/jobs", &jobsPage{})
				who.get(t, "/v1/boards", &boardsPage{})
			}
			require.Zero(t, site.count(), "a locked board is not read at all")
		},
	}
}

func descriptionRules() map[string]func(*testing.T, *contract) {
	return map[string]func(*testing.T, *contract){
		"the document is OpenAPI 3.1, version 1.0.0, open to all": func(t *testing.T, c *contract) {
			r := c.request(t, http.MethodGet, "/openapi.json", "")
			require.Equal(t, http.StatusOK, r.status)
			require.Equal(t, "application/json", r.header.Get("Content-Type"))
			require.Contains(t, r.body, `"openapi": "3.1.0"`)
			require.Contains(t, r.body, `"version": "1.0.0"`)
		},
		"the page loads nothing from elsewhere": func(t *testing.T, c *contract) {
			r := c.request(t, http.MethodGet, "/docs", "")
			require.Equal(t, http.StatusOK, r.status)
			require.Equal(t, "text/html; charset=utf-8", r.header.Get("Content-Type"))
			require.NotRegexp(t, `src="(https?:)?//`, r.body)
			require.Contains(t, r.header.Get("Content-Security-Policy"), "default-src 'none'; script-src 'self'")
			for operation := range operations() {
				require.Contains(t, r.body, operation)
			}
		},
	}
}
