package main_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/demo"
)

// statusShape is the published Status object.
type statusShape struct {
	Status  string `json:"status"`
	Account struct {
		Plan   string `json:"plan"`
		Boards struct {
			Tracked int `json:"tracked"`
			Limit   int `json:"limit"`
			Locked  int `json:"locked"`
		} `json:"boards"`
	} `json:"account"`
	Key struct {
		Name       string    `json:"name"`
		Hint       string    `json:"hint"`
		LastUsedAt time.Time `json:"lastUsedAt"`
	} `json:"key"`
	RateLimit struct {
		Limit     int        `json:"limit"`
		Remaining int        `json:"remaining"`
		ResetAt   *time.Time `json:"resetAt"`
	} `json:"rateLimit"`
	PolledAt time.Time `json:"polledAt"`
}

func statusRules() map[string]func(*testing.T, *contract) {
	return map[string]func(*testing.T, *contract){
		"it tells the plan, the list, the key and the budget": func(t *testing.T, c *contract) {
			who := c.caller(t, account.PlanPro)
			for range contractProBoards + 1 {
				who.add(t, address(), http.StatusAccepted)
			}
			var s statusShape
			before := time.Now().Add(-time.Second)
			who.get(t, "/v1/status", &s)
			require.Equal(t, "ok", s.Status)
			require.Equal(t, "pro", s.Account.Plan)
			require.Equal(t, contractProBoards+1, s.Account.Boards.Tracked)
			require.Equal(t, contractProBoards, s.Account.Boards.Limit)
			require.Equal(t, 1, s.Account.Boards.Locked)
			require.Equal(t, "nightly import", s.Key.Name)
			require.Equal(t, who.key[len(who.key)-4:], s.Key.Hint)
			require.Equal(t, 60-contractProBoards-2, s.RateLimit.Remaining)
			require.WithinRange(t, *s.RateLimit.ResetAt, before.Add(time.Minute-5*time.Second), time.Now().Add(time.Minute+time.Second))
			require.WithinRange(t, s.PolledAt, before, time.Now().Add(time.Second))
		},
		"it takes no parameters": func(t *testing.T, c *contract) {
			c.caller(t, account.PlanPro).try(t, http.MethodGet, "/v1/status?verbose=1&x", "").blames(t, "verbose", "x")
		},
		"times have milliseconds and are in UTC": func(t *testing.T, c *contract) {
			r := c.caller(t, account.PlanPro).try(t, http.MethodGet, "/v1/status", "")
			require.Regexp(t, `"polledAt":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"`, r.body)
			require.Regexp(t, `"resetAt":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"`, r.body)
		},
	}
}

func listBoardsRules() map[string]func(*testing.T, *contract) {
	return map[string]func(*testing.T, *contract){
		"boards come in the order in which they were added": func(t *testing.T, c *contract) {
			who := c.caller(t, account.PlanUltra)
			var want []string
			for range 6 {
				want = append(want, who.add(t, address(), http.StatusAccepted).Board.ID)
			}
			var list boardsPage
			who.get(t, "/v1/boards", &list)
			require.Equal(t, 6, list.Total)
			for i, b := range list.Boards {
				require.Equal(t, want[i], b.ID)
			}
		},
		"an empty list is a list": func(t *testing.T, c *contract) {
			r := c.caller(t, account.PlanPro).try(t, http.MethodGet, "/v1/boards", "")
			require.JSONEq(t, `{"boards":[],"total":0}`, r.body)
		},
		"a status chooses boards, and the total counts those": func(t *testing.T, c *contract) {
			who := c.reader(t)
			for status, want := range map[string]int{"ready": 1, "failed": 0, "all": 1, "pending": 0, "scraping": 0} {
				var list boardsPage
				who.get(t, "/v1/boards?status="+status, &list)
				require.Equal(t, want, list.Total, status)
				require.Len(t, list.Boards, want, status)
			}
		},
		"locked boards are on the list": func(t *testing.T, c *contract) {
			who := c.caller(t, account.PlanPro)
			for range contractProBoards + 1 {
				who.add(t, address(), http.StatusAccepted)
			}
			var list boardsPage
			who.get(t, "/v1/boards", &list)
			require.Equal(t, boardwatch.TrackingActive, list.Boards[0].Tracking)
			require.Equal(t, boardwatch.TrackingLocked, list.Boards[contractProBoards].Tracking)
		},
		"wrong parameters are named": func(t *testing.T, c *contract) {
			who := c.caller(t, account.PlanPro)
			for query, fields := range map[string][]string{
				"status=": {"status"}, "status": {"status"}, "status=READY": {"status"}, "status=ready&status=ready": {"status"},
				"status=open": {"status"}, "limit=5": {"limit"}, "status=x&limit=5&y": {"status", "limit", "y"}, "Status=ready": {"Status"},
				"status=%ff": {"status"}, "status=%zz": {"status"}, "status=ready%00": {"status"},
			} {
				who.try(t, http.MethodGet, "/v1/boards?"+query, "").blames(t, fields...)
			}
		},
	}
}

func addBoardRules() map[string]func(*testing.T, *contract) {
	return map[string]func(*testing.T, *contract){
		"a board that is not known is added pending": func(t *testing.T, c *contract) {
			who := c.caller(t, account.PlanPro)
			url := address()
			added := who.add(t, url, http.StatusAccepted)
			require.Equal(t, boardwatch.BoardPending, added.Board.Status)
			require.Equal(t, boardwatch.TrackingActive, added.Board.Tracking)
			require.False(t, added.Locked)
			require.Equal(t, url, added.Board.CareersURL)
			require.Empty(t, added.Board.Company)
			require.True(t, boardwatch.ValidID(added.Board.ID))
			require.WithinDuration(t, time.Now(), added.Board.AddedAt, time.Minute)
		},
		"a board that is known and fresh is ready at once, with its roles": func(t *testing.T, c *contract) {
			who := c.caller(t, account.PlanPro)
			added := who.add(t, c.site.URL+"/careers", http.StatusCreated)
			require.Equal(t, boardwatch.BoardReady, added.Board.Status)
			require.Equal(t, c.siteID, added.Board.ID)
			require.Equal(t, demo.Company, added.Board.Company)
			var jobs jobsPage
			who.get(t, "/v1/jobs", &jobs)
			require.EqualValues(t, contractOpen, jobs.Total)
			require.True(t, jobs.Jobs[0].FirstSeenAt.Before(added.Board.AddedAt), "roles keep their age")
		},
		"a board that is on the list is already tracked, by whatever address": func(t *testing.T, c *contract) {
			who := c.caller(t, account.PlanPro)
			token := strings.TrimPrefix(address(), "https://boards.greenhouse.io/")
			first := who.add(t, "https://boards.greenhouse.io/"+token, http.StatusAccepted)
			for _, same := range []string{
				"https://boards.greenhouse.io/" + token, "https://job-boards.greenhouse.io/" + token + "/", "HTTPS://Boards.Greenhouse.IO/" + token,
				"https://boards.greenhouse.io/embed/job_board?for=" + token, "https://boards-api.greenhouse.io/v1/boards/" + token + "/jobs",
			} {
				r := who.try(t, http.MethodPost, "/v1/boards", `{"url":"`+same+`"}`)
				e := r.fails(t, http.StatusConflict, boardwatch.CodeAlreadyTracked)
				require.JSONEq(t, `{"boardId":"`+first.Board.ID+`"}`, string(e.Error.Details), same)
				c.described(t, http.MethodPost, "/v1/boards", r)
			}
			var list boardsPage
			who.get(t, "/v1/boards", &list)
			require.Equal(t, 1, list.Total)
		},
		"a board past the plan's limit is kept, locked": func(t *testing.T, c *contract) {
			who := c.caller(t, account.PlanPro)
			for range contractProBoards {
				require.False(t, who.add(t, address(), http.StatusAccepted).Locked)
			}
			added := who.add(t, c.site.URL+"/careers", http.StatusCreated)
			require.True(t, added.Locked)
			require.Equal(t, boardwatch.TrackingLocked, added.Board.Tracking)
			var jobs jobsPage
			who.get(t, "/v1/jobs", &jobs)
			require.Zero(t, jobs.Total)
			who.get(t, "/v1/jobs?boardId="+c.siteID, &jobs)
			require.Zero(t, jobs.Total)
		},
		"many adds of one board at once make one place": func(t *testing.T, c *contract) {
			who := c.caller(t, account.PlanPro)
			body := `{"url":"` + address() + `"}`
			var mu sync.Mutex
			counts := map[int]int{}
			var group sync.WaitGroup
			for range 20 {
				group.Go(func() {
					r := who.try(t, http.MethodPost, "/v1/boards", body)
					mu.Lock()
					defer mu.Unlock()
					counts[r.status]++
				})
			}
			group.Wait()
			require.Equal(t, map[int]int{http.StatusAccepted: 1, http.StatusConflict: 19}, counts)
		},
		"an account's own name for a company is its own": func(t *testing.T, c *contract) {
			who, other := c.caller(t, account.PlanPro), c.caller(t, account.PlanPro)
			url := address()
			r := who.try(t, http.MethodPost, "/v1/boards", `{"url":"`+url+`","companyName":"  My Lighthouse "}`)
			require.Contains(t, r.body, `"company":"My Lighthouse"`)
			r = other.try(t, http.MethodPost, "/v1/boards", `{"url":"`+url+`"}`)
			require.Contains(t, r.body, `"company":null`)
			require.NotContains(t, r.body, "Lighthouse")
		},
		"it does not wait for the page, and the page may take its time": func(t *testing.T, c *contract) {
			asked, done := make(chan struct{}, 100), make(chan struct{})
			slow := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				asked <- struct{}{}
				select {
				case <-done:
				case <-r.Context().Done():
				}
			}))
			t.Cleanup(slow.Close)
			t.Cleanup(func() { close(done) })
			begin := time.Now()
			c.caller(t, account.PlanPro).add(t, slow.URL+"/careers", http.StatusAccepted)
			require.Less(t, time.Since(begin), 5*time.Second)
			<-asked
		},
		"the roles of a new board arrive by themselves": func(t *testing.T, c *contract) {
			site := newCareersSite(t, demo.Roles()...)
			who := c.caller(t, account.PlanPro)
			id := who.add(t, site.URL+"/careers", http.StatusAccepted).Board.ID
			require.Eventually(t, func() bool { return who.stored(t, id).Board.Status == boardwatch.BoardReady }, time.Minute, 20*time.Millisecond)
			var jobs jobsPage
			who.get(t, "/v1/jobs?boardId="+id, &jobs)
			require.EqualValues(t, len(demo.Roles()), jobs.Total)
		},
		"addresses keep to their bounds": func(t *testing.T, c *contract) {
			who := c.caller(t, account.PlanUltra)
			long := address() + "?x="
			add := func(url string) reply {
				body, err := json.Marshal(map[string]string{"url": url})
				require.NoError(t, err)
				return who.try(t, http.MethodPost, "/v1/boards", string(body))
			}
			require.Equal(t, http.StatusAccepted, add(long+strings.Repeat("a", 500-len(long))).status)
			require.Equal(t, http.StatusAccepted, add("northwind-"+boardwatch.NewID()+".example").status, "a bare domain")
			for _, url := range []string{
				"", " ", long + strings.Repeat("a", 501-len(long)), "ftp://northwind.example/", "https://user:secret@northwind.example/", "https://",
				"javascript:alert(1)", "https://northwind.example/\x00", "https://[::1", "file:///etc/passwd", "careers",
			} {
				r := add(url)
				r.blames(t, "url")
				require.NotContains(t, r.body, "secret")
			}
		},
		"names keep to their bounds, which are in characters": func(t *testing.T, c *contract) {
			who := c.caller(t, account.PlanUltra)
			for name, status := range map[string]int{
				"": 202, "é": 202, strings.Repeat("é", 120): 202, strings.Repeat("😀", 120): 202, strings.Repeat("é", 121): 400, "\x00": 400,
			} {
				body, err := json.Marshal(map[string]string{"url": address(), "companyName": name})
				require.NoError(t, err)
				r := who.try(t, http.MethodPost, "/v1/boards", string(body))
				require.Equal(t, status, r.status, r.body)
				if status == 400 {
					r.blames(t, "companyName")
				}
			}
		},
		"a wrong body is refused, and every wrong field is named": func(t *testing.T, c *contract) {
			bodies := map[string][]string{
				``: {"body"}, ` `: {"body"}, `null`: {"body"}, `[]`: {"body"}, `"x"`: {"body"}, `{`: {"body"}, `{"url":"https://a.example/"`: {"body"},
				`{"url":"https://a.example/",}`: {"body"}, `{"url":"https://a.example/"} {}`: {"body"}, `{"url":"https://a.example/"}x`: {"body"},
				"\xef\xbb\xbf" + `{"url":"https://a.example/"}`: {"body"}, "{\"url\":\"https://a.example/\xff\"}": {"body"}, `url=https://a.example/`: {"body"},
				`{}`: {"url"}, `{"url":null}`: {"url"}, `{"url":5}`: {"url"}, `{"url":["https://a.example/"]}`: {"url"}, `{"url":{}}`: {"url"},
				`{"URL":"https://a.example/"}`:                                                    {"url", "URL"},
				`{"url":"https://a.example/","companyName":null}`:                                 {"companyName"},
				`{"url":"https://a.example/","companyName":true}`:                                 {"companyName"},
				`{"url":"https://a.example/","notes":1}`:                                          {"notes"},
				`{"url":"https://a.example/","url":"https://a.example/"}`:                         {"url"},
				`{"url":"https://a.example/","companyName":"\ud800"}`:                             {"companyName"},
				`{"url":"nonsense","companyName":7,"notes":{"deep":[1]},"more":null}`:             {"url", "companyName", "notes", "more"},
				`{"url":"https://a.example/","companyname":"x"}`:                                  {"companyname"},
				`{"url":"https://a.example/","companyName":"` + strings.Repeat("x", 60000) + `"}`: {"companyName"},
				strings.Repeat("[", 20000):                                                        {"body"},
			}
			var who caller
			i := 0
			for body, fields := range bodies {
				if i%50 == 0 {
					who = c.caller(t, account.PlanPro)
				}
				i++
				r := who.try(t, http.MethodPost, "/v1/boards", body)
				r.blames(t, fields...)
				c.described(t, http.MethodPost, "/v1/boards", r)
			}
			who.try(t, http.MethodPost, "/v1/boards?dry=1", `{"url":"ftp://x","z":1}`).blames(t, "dry", "url", "z")
			var list boardsPage
			who.get(t, "/v1/boards", &list)
			require.Empty(t, list.Boards, "nothing was added")
		},
	}
}

func deleteBoardRules() map[string]func(*testing.T, *contract) {
	return map[string]func(*testing.T, *contract){
		"a board goes off the list, without a body": func(t *testing.T, c *contract) {
			who := c.caller(t, account.PlanPro)
			id := who.add(t, address(), http.StatusAccepted).Board.ID
			r := who.try(t, http.MethodDelete, "/v1/boards/"+id, "")
			require.Equal(t, http.StatusNoContent, r.status)
			require.Empty(t, r.body)
			require.Empty(t, r.header.Get("Content-Type"))
			who.try(t, http.MethodDelete, "/v1/boards/"+id, "").fails(t, http.StatusNotFound, boardwatch.CodeNotFound)
		},
		"an unknown board, another account's and a malformed id look the same": func(t *testing.T, c *contract) {
			who, other := c.caller(t, account.PlanPro), c.caller(t, account.PlanPro)
			id := other.add(t, address(), http.StatusAccepted).Board.ID
			want := who.try(t, http.MethodDelete, "/v1/boards/"+boardwatch.NewID(), "")
			want.fails(t, http.StatusNotFound, boardwatch.CodeNotFound)
			for _, no := range []string{id, strings.ToUpper(id), id[:23], id + "0", "x", "%20", "%00", "%ff", strings.Repeat("a", 2000)} {
				require.Equal(t, want.body, who.try(t, http.MethodDelete, "/v1/boards/"+no, "").body, no)
			}
		},
		"adding it again restores everything": func(t *testing.T, c *contract) {
			who := c.reader(t)
			var before, after jobsPage
			who.get(t, "/v1/jobs?status=all&limit=100", &before)
			require.Equal(t, http.StatusNoContent, who.try(t, http.MethodDelete, "/v1/boards/"+c.siteID, "").status)
			who.get(t, "/v1/jobs?status=all&limit=100", &after)
			require.Empty(t, after.Jobs)
			who.add(t, c.site.URL+"/careers", http.StatusCreated)
			who.get(t, "/v1/jobs?status=all&limit=100", &after)
			require.Equal(t, before.Total, after.Total)
			for i := range after.Jobs {
				require.Equal(t, before.Jobs[i].ID, after.Jobs[i].ID)
				require.Equal(t, before.Jobs[i].FirstSeenAt, after.Jobs[i].FirstSeenAt)
			}
		},
		"room that is made unlocks the oldest locked board at once": func(t *testing.T, c *contract) {
			who := c.caller(t, account.PlanPro)
			first := who.add(t, address(), http.StatusAccepted).Board.ID
			for range contractProBoards + 1 {
				who.add(t, address(), http.StatusAccepted)
			}
			require.Equal(t, http.StatusNoContent, who.try(t, http.MethodDelete, "/v1/boards/"+first, "").status)
			var list boardsPage
			who.get(t, "/v1/boards", &list)
			var tracking []boardwatch.Tracking
			for _, b := range list.Boards {
				tracking = append(tracking, b.Tracking)
			}
			require.Equal(t, []boardwatch.Tracking{"active", "active", "locked"}, tracking)
		},
		"it takes no parameters": func(t *testing.T, c *contract) {
			who := c.caller(t, account.PlanPro)
			id := who.add(t, address(), http.StatusAccepted).Board.ID
			who.try(t, http.MethodDelete, "/v1/boards/"+id+"?force=true", "").blames(t, "force")
			var list boardsPage
			who.get(t, "/v1/boards", &list)
			require.Equal(t, 1, list.Total)
		},
		"a board that merged into another goes by its old id too": func(t *testing.T, c *contract) {
			home := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != "/" {
					c.site.serve(w, r)
					return
				}
				_, _ = w.Write([]byte(`<!doctype html><title>Harbourlight</title><a href="/careers">Careers</a>`))
			}))
			t.Cleanup(home.Close)
			who := c.caller(t, account.PlanPro)
			known := who.add(t, home.URL+"/careers", http.StatusAccepted).Board.ID
			require.Eventually(t, func() bool { return who.stored(t, known).Board.OpenJobs > 0 }, time.Minute, 20*time.Millisecond)
			late := c.caller(t, account.PlanPro)
			old := late.add(t, home.URL+"/", http.StatusAccepted).Board.ID
			require.NotEqual(t, known, old)
			require.Eventually(t, func() bool { return late.stored(t, old).Board.ID == known }, time.Minute, 20*time.Millisecond)
			var jobs jobsPage
			late.get(t, "/v1/jobs?boardId="+old, &jobs)
			require.EqualValues(t, contractOpen, jobs.Total)
			require.Equal(t, known, jobs.Jobs[0].BoardID)
			r := late.try(t, http.MethodPost, "/v1/boards", `{"url":"`+home.URL+`/"}`)
			e := r.fails(t, http.StatusConflict, boardwatch.CodeAlreadyTracked)
			require.JSONEq(t, `{"boardId":"`+known+`"}`, string(e.Error.Details))
			require.Equal(t, http.StatusNoContent, late.try(t, http.MethodDelete, "/v1/boards/"+old, "").status)
		},
	}
}

// query escapes names and values in turn.
func query(pairs ...string) string {
	v := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		v.Add(pairs[i], pairs[i+1])
	}
	return "?" + v.Encode()
}
