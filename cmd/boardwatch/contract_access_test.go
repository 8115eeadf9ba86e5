package main_test

import (
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
)

// operations are a request to each of the five.
func operations() map[string][2]string {
	return map[string][2]string{
		"getStatus":   {http.MethodGet, "/v1/status"},
		"listBoards":  {http.MethodGet, "/v1/boards"},
		"addBoard":    {http.MethodPost, "/v1/boards"},
		"deleteBoard": {http.MethodDelete, "/v1/boards/4f1c9a27d05be83176aa20c5"},
		"listJobs":    {http.MethodGet, "/v1/jobs"},
	}
}

func authenticationRules() map[string]func(*testing.T, *contract) {
	return map[string]func(*testing.T, *contract){
		"every operation needs a key": func(t *testing.T, c *contract) {
			for _, o := range operations() {
				r := c.request(t, o[0], o[1], "")
				r.fails(t, http.StatusUnauthorized, boardwatch.CodeUnauthorized)
				require.True(t, strings.HasPrefix(r.header.Get("WWW-Authenticate"), "Bearer"))
			}
		},
		"a key comes as a bearer token and in no other form": func(t *testing.T, c *contract) {
			who := c.caller(t, account.PlanPro)
			for _, header := range []string{
				"", "Bearer", "Bearer ", who.key, "Basic " + who.key, "Token " + who.key, "Bearer " + who.key + " x", "Bearer x " + who.key,
				"Bearer " + who.key + "," + who.key, "Bearer\t" + who.key, "Bearer=" + who.key, `Bearer "` + who.key + `"`, "Bearer " + who.key + "x",
				"Bearer " + strings.ToLower(who.key), "Bearer bw_", "Bearer \x80\xff",
			} {
				c.request(t, http.MethodGet, "/v1/status", "", "Authorization", header).fails(t, http.StatusUnauthorized, boardwatch.CodeUnauthorized)
			}
			c.request(t, http.MethodGet, "/v1/status", "", "Authorization", "Bearer "+who.key, "Authorization", "Bearer "+who.key).
				fails(t, http.StatusUnauthorized, boardwatch.CodeUnauthorized)
			for _, path := range []string{"/v1/status?key=" + who.key, "/v1/status?access_token=" + who.key} {
				c.request(t, http.MethodGet, path, "").fails(t, http.StatusUnauthorized, boardwatch.CodeUnauthorized)
			}
			c.request(t, http.MethodGet, "/v1/status", "", "X-Api-Key", who.key).fails(t, http.StatusUnauthorized, boardwatch.CodeUnauthorized)
			require.Equal(t, http.StatusOK, who.try(t, http.MethodGet, "/v1/status", "").status)
		},
		"a cookie is ignored": func(t *testing.T, c *contract) {
			who := c.caller(t, account.PlanPro)
			for _, name := range []string{"session", "__Host-session", "boardwatch_session"} {
				c.request(t, http.MethodGet, "/v1/status", "", "Cookie", name+"="+who.key).fails(t, http.StatusUnauthorized, boardwatch.CodeUnauthorized)
				r := c.request(t, http.MethodGet, "/v1/status", "", "Cookie", name+"=nonsense", "Authorization", "Bearer "+who.key)
				require.Equal(t, http.StatusOK, r.status)
			}
		},
		"a key that does not exist is unauthorized": func(t *testing.T, c *contract) {
			_, secret := account.NewAPIKey(boardwatch.NewID(), "stranger", time.Now())
			c.request(t, http.MethodGet, "/v1/status", "", "Authorization", "Bearer "+secret).fails(t, http.StatusUnauthorized, boardwatch.CodeUnauthorized)
		},
		"an address that is not confirmed is refused, before the plan is looked at": func(t *testing.T, c *contract) {
			for _, plan := range []account.PlanName{account.PlanFree, account.PlanPro} {
				who := c.caller(t, account.PlanPro)
				require.NoError(t, c.store.SetPlan(t.Context(), who.ID, plan))
				require.NoError(t, c.store.SetVerified(t.Context(), who.ID, false))
				for _, o := range operations() {
					who.try(t, o[0], o[1], "").fails(t, http.StatusForbidden, boardwatch.CodeEmailNotVerified)
				}
			}
		},
		"the plan free is refused by every operation, never given an empty list": func(t *testing.T, c *contract) {
			who := c.caller(t, account.PlanPro)
			require.NoError(t, c.store.SetPlan(t.Context(), who.ID, account.PlanFree))
			for _, o := range operations() {
				who.try(t, o[0], o[1], "").fails(t, http.StatusForbidden, boardwatch.CodePlanRequired)
			}
		},
		"refusals come in their order": func(t *testing.T, c *contract) {
			who := c.caller(t, account.PlanPro)
			c.request(t, http.MethodGet, "/v1/nothing", "").fails(t, http.StatusNotFound, boardwatch.CodeNotFound)
			c.request(t, http.MethodPatch, "/v1/jobs", "").fails(t, http.StatusNotFound, boardwatch.CodeNotFound)
			c.request(t, http.MethodGet, "/v1/jobs?limit=0", "").fails(t, http.StatusUnauthorized, boardwatch.CodeUnauthorized)
			who.try(t, http.MethodDelete, "/v1/boards/x?y=1", "").blames(t, "y")
			for range 59 {
				require.Equal(t, http.StatusOK, who.try(t, http.MethodGet, "/v1/status", "").status)
			}
			who.try(t, http.MethodGet, "/v1/jobs?limit=0", "").fails(t, http.StatusTooManyRequests, boardwatch.CodeRateLimited)
			require.NoError(t, c.store.SetPlan(t.Context(), who.ID, account.PlanFree))
			who.try(t, http.MethodGet, "/v1/jobs?limit=0", "").fails(t, http.StatusForbidden, boardwatch.CodePlanRequired)
			require.NoError(t, c.store.SetVerified(t.Context(), who.ID, false))
			who.try(t, http.MethodGet, "/v1/jobs?limit=0", "").fails(t, http.StatusForbidden, boardwatch.CodeEmailNotVerified)
		},
		"a key acts as its account and sees nothing of others": func(t *testing.T, c *contract) {
			who, other := c.caller(t, account.PlanPro), c.caller(t, account.PlanPro)
			added := who.add(t, address(), http.StatusAccepted)
			var list boardsPage
			other.get(t, "/v1/boards", &list)
			require.Empty(t, list.Boards)
			other.try(t, http.MethodDelete, "/v1/boards/"+added.Board.ID, "").fails(t, http.StatusNotFound, boardwatch.CodeNotFound)
			who.get(t, "/v1/boards", &list)
			require.Equal(t, 1, list.Total)
		},
		"no endpoint makes or deletes keys or webhooks": func(t *testing.T, c *contract) {
			who := c.caller(t, account.PlanUltra)
			for _, path := range []string{"/v1/keys", "/v1/webhooks", "/v1/account", "/v1/plan"} {
				for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodDelete} {
					who.try(t, method, path, "").fails(t, http.StatusNotFound, boardwatch.CodeNotFound)
				}
			}
		},
	}
}

func keyRules() map[string]func(*testing.T, *contract) {
	return map[string]func(*testing.T, *contract){
		"the secret is shown once": func(t *testing.T, c *contract) {
			who := c.caller(t, account.PlanPro)
			var made struct{ ID, Name, Hint, Secret string }
			c.install.do(&made, "key", "create", "--account", who.Email, "--name", "laptop")
			require.Regexp(t, `^bw_[0-9A-Za-z]{40}$`, made.Secret)
			require.Equal(t, made.Secret[len(made.Secret)-4:], made.Hint)
			who.key = made.Secret
			var s statusShape
			require.NotContains(t, who.get(t, "/v1/status", &s).body, made.Secret)
			require.Equal(t, "laptop", s.Key.Name)
			require.Equal(t, made.Hint, s.Key.Hint)
		},
		"an account has at most five": func(t *testing.T, c *contract) {
			who := c.caller(t, account.PlanPro)
			for i := range account.MaxKeys - 1 {
				who.newKey(t, strconv.Itoa(i))
			}
			_, _, err := c.keys.Create(t.Context(), who.Account, "one too many")
			require.Equal(t, boardwatch.CodeInvalidRequest, boardwatch.CodeOf(err))
		},
		"a key is dead the instant it is deleted, and the others live on": func(t *testing.T, c *contract) {
			who := c.caller(t, account.PlanPro)
			other := who
			other.key = who.newKey(t, "other")
			require.Equal(t, http.StatusOK, who.try(t, http.MethodGet, "/v1/status", "").status)
			keys, err := c.store.Keys(t.Context(), who.ID)
			require.NoError(t, err)
			for _, k := range keys {
				if k.Hash == account.HashSecret(who.key) {
					require.NoError(t, c.store.DeleteKey(t.Context(), who.ID, k.ID))
				}
			}
			who.try(t, http.MethodGet, "/v1/status", "").fails(t, http.StatusUnauthorized, boardwatch.CodeUnauthorized)
			require.Equal(t, http.StatusOK, other.try(t, http.MethodGet, "/v1/status", "").status)
		},
		"keys survive a drop to free, where they cannot be made but can be deleted": func(t *testing.T, c *contract) {
			who := c.caller(t, account.PlanPro)
			require.NoError(t, c.store.SetPlan(t.Context(), who.ID, account.PlanFree))
			who.try(t, http.MethodGet, "/v1/status", "").fails(t, http.StatusForbidden, boardwatch.CodePlanRequired)
			who.Plan = account.PlanFree
			_, _, err := c.keys.Create(t.Context(), who.Account, "on free")
			require.Equal(t, boardwatch.CodePlanRequired, boardwatch.CodeOf(err))
			keys, err := c.keys.List(t.Context(), who.Account)
			require.NoError(t, err)
			require.Len(t, keys, 1)
			require.NoError(t, c.store.SetPlan(t.Context(), who.ID, account.PlanUltra))
			require.Equal(t, http.StatusOK, who.try(t, http.MethodGet, "/v1/status", "").status)
			require.NoError(t, c.store.SetPlan(t.Context(), who.ID, account.PlanFree))
			require.NoError(t, c.keys.Delete(t.Context(), who.Account, keys[0].ID))
			who.try(t, http.MethodGet, "/v1/status", "").fails(t, http.StatusUnauthorized, boardwatch.CodeUnauthorized)
		},
		"an address that is no longer confirmed shuts the door until it is": func(t *testing.T, c *contract) {
			who := c.caller(t, account.PlanPro)
			require.NoError(t, c.store.SetVerified(t.Context(), who.ID, false))
			who.try(t, http.MethodGet, "/v1/boards", "").fails(t, http.StatusForbidden, boardwatch.CodeEmailNotVerified)
			require.NoError(t, c.store.SetVerified(t.Context(), who.ID, true))
			require.Equal(t, http.StatusOK, who.try(t, http.MethodGet, "/v1/boards", "").status)
		},
		"the last use is noted": func(t *testing.T, c *contract) {
			who := c.caller(t, account.PlanPro)
			keys, err := c.store.Keys(t.Context(), who.ID)
			require.NoError(t, err)
			require.True(t, keys[0].LastUsedAt.IsZero())
			var s statusShape
			who.get(t, "/v1/status", &s)
			keys, err = c.store.Keys(t.Context(), who.ID)
			require.NoError(t, err)
			require.Equal(t, s.Key.LastUsedAt.UTC(), keys[0].LastUsedAt)
			require.WithinDuration(t, time.Now(), keys[0].LastUsedAt, time.Minute)
		},
	}
}

func errorRules() map[string]func(*testing.T, *contract) {
	return map[string]func(*testing.T, *contract){
		"a path that is not an endpoint is not_found": func(t *testing.T, c *contract) {
			who := c.caller(t, account.PlanPro)
			for _, path := range []string{
				"/v1", "/v1/", "/v1/nothing", "/v1/status/", "/v1/boards/", "/v1/boards/a/b", "/v1/jobs/" + boardwatch.NewID(), "/v2/status",
				"/V1/status", "//v1/status", "/v1//status", "/v1/./status", "/v1/boards/../status", "/v1%2Fstatus", "/v1/boards/%2e%2e/status",
				"/v1/status;x=1", "/nothing", "/v1/boards/%00/",
			} {
				for _, r := range []reply{c.request(t, http.MethodGet, path, ""), who.try(t, http.MethodGet, path, "")} {
					r.fails(t, http.StatusNotFound, boardwatch.CodeNotFound)
				}
			}
		},
		"a method that is no endpoint is not_found, and the answer names those that are": func(t *testing.T, c *contract) {
			for path, allowed := range map[string]string{
				"/v1/status": "GET, HEAD", "/v1/boards": "GET, HEAD, POST", "/v1/jobs": "GET, HEAD", "/v1/boards/4f1c9a27d05be83176aa20c5": "DELETE",
			} {
				for _, method := range []string{"PUT", "PATCH", "OPTIONS", "TRACE", "BREW", "get"} {
					r := c.request(t, method, path, "")
					r.fails(t, http.StatusNotFound, boardwatch.CodeNotFound)
					require.Equal(t, allowed, r.header.Get("Allow"), "%s %s", method, path)
				}
			}
		},
		"a page is answered only outside of /v1, and only to who asks for one": func(t *testing.T, c *contract) {
			browser := "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
			r := c.request(t, http.MethodGet, "/nothing", "", "Accept", browser)
			require.Equal(t, http.StatusNotFound, r.status)
			require.Equal(t, "text/html; charset=utf-8", r.header.Get("Content-Type"))
			for _, accept := range []string{"", "*/*", "application/json", "text/html;q=0"} {
				c.request(t, http.MethodGet, "/nothing", "", "Accept", accept).fails(t, http.StatusNotFound, boardwatch.CodeNotFound)
			}
			for _, path := range []string{"/v1", "/v1/nothing", "/v1//status"} {
				c.request(t, http.MethodGet, path, "", "Accept", browser).fails(t, http.StatusNotFound, boardwatch.CodeNotFound)
			}
			c.request(t, http.MethodGet, "/v1/status", "", "Accept", browser).fails(t, http.StatusUnauthorized, boardwatch.CodeUnauthorized)
		},
		"HEAD is answered as GET, without the body": func(t *testing.T, c *contract) {
			who := c.caller(t, account.PlanPro)
			r := who.try(t, http.MethodHead, "/v1/boards", "")
			require.Equal(t, http.StatusOK, r.status)
			require.Equal(t, "application/json", r.header.Get("Content-Type"))
			require.Empty(t, r.body)
		},
		"a body of more than 64 KiB is refused": func(t *testing.T, c *contract) {
			who := c.caller(t, account.PlanPro)
			full := `{"url":"` + address() + `"}`
			fitting := full + strings.Repeat(" ", 64<<10-len(full))
			require.Equal(t, http.StatusAccepted, who.try(t, http.MethodPost, "/v1/boards", fitting).status)
			who.try(t, http.MethodPost, "/v1/boards", fitting+" ").blames(t, "body")
			who.try(t, http.MethodPost, "/v1/boards", strings.Repeat("x", 10<<20)).blames(t, "body")
		},
		"every answer has a number, and none is kept by caches": func(t *testing.T, c *contract) {
			who := c.caller(t, account.PlanPro)
			for _, r := range []reply{who.try(t, http.MethodGet, "/v1/status", ""), who.try(t, http.MethodGet, "/v1/nothing", "")} {
				require.True(t, boardwatch.ValidID(r.header.Get("X-Request-Id")))
				require.Equal(t, "no-store", r.header.Get("Cache-Control"))
			}
		},
	}
}

func limitRules() map[string]func(*testing.T, *contract) {
	return map[string]func(*testing.T, *contract){
		"sixty requests fit into a minute, whatever came of them, and refused ones count": func(t *testing.T, c *contract) {
			who := c.caller(t, account.PlanPro)
			second := who
			second.key = who.newKey(t, "second")
			for left := 59; left >= 0; left -= 3 {
				var s statusShape
				who.get(t, "/v1/status", &s)
				require.Equal(t, 60, s.RateLimit.Limit)
				require.Equal(t, left, s.RateLimit.Remaining)
				require.NotNil(t, s.RateLimit.ResetAt)
				who.try(t, http.MethodGet, "/v1/jobs?limit=0", "").blames(t, "limit")
				second.try(t, http.MethodDelete, "/v1/boards/"+boardwatch.NewID(), "").fails(t, http.StatusNotFound, boardwatch.CodeNotFound)
			}
			<-time.After(2 * time.Second)
			refused := func() int {
				r := second.try(t, http.MethodGet, "/v1/status", "")
				e := r.fails(t, http.StatusTooManyRequests, boardwatch.CodeRateLimited)
				require.Equal(t, strconv.Itoa(*e.Error.RetryAfter), r.header.Get("Retry-After"))
				require.Positive(t, *e.Error.RetryAfter)
				require.LessOrEqual(t, *e.Error.RetryAfter, 60)
				return *e.Error.RetryAfter
			}
			first := refused()
			require.Less(t, first, 60)
			for range 58 {
				refused()
			}
			require.Greater(t, refused(), first, "those that were refused have taken the places")
		},
		"a budget is one account's": func(t *testing.T, c *contract) {
			who, other := c.caller(t, account.PlanPro), c.caller(t, account.PlanPro)
			who.get(t, "/v1/status", &statusShape{})
			var s statusShape
			other.get(t, "/v1/status", &s)
			require.Equal(t, 59, s.RateLimit.Remaining)
		},
		"requests that are no endpoint, or come without a key, cost nothing": func(t *testing.T, c *contract) {
			who := c.caller(t, account.PlanPro)
			who.try(t, http.MethodGet, "/v1/nothing", "")
			who.try(t, http.MethodPut, "/v1/status", "")
			c.request(t, http.MethodGet, "/v1/status", "")
			var s statusShape
			who.get(t, "/v1/status", &s)
			require.Equal(t, 59, s.RateLimit.Remaining)
		},
		"two processes share a budget to the last request": func(t *testing.T, c *contract) {
			who := c.caller(t, account.PlanPro)
			second := c.start(t, "--role", "api")
			var fitting, refused atomic.Int64
			var group sync.WaitGroup
			for i := range 8 {
				group.Go(func() {
					for range 10 {
						base := c.url
						if i%2 == 1 {
							base = second
						}
						switch r := send(t, http.MethodGet, base+"/v1/status", "", "Authorization", "Bearer "+who.key); r.status {
						case http.StatusOK:
							fitting.Add(1)
						case http.StatusTooManyRequests:
							refused.Add(1)
						}
					}
				})
			}
			group.Wait()
			require.EqualValues(t, 60, fitting.Load())
			require.EqualValues(t, 20, refused.Load())
		},
	}
}
