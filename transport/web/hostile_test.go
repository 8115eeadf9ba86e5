package web_test

import (
	"encoding/xml"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/transport"
	"github.com/boardwatch/boardwatch/transport/oidc/oidctest"
)

// TestFormsFromElsewhereDoNothing tries all combinations of headers with which browsers name the origin of a form.
func TestFormsFromElsewhereDoNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	w.account(ownerEmail, account.PlanUltra, false)
	b := w.signedIn(ownerEmail)
	for name, tt := range map[string]struct {
		header map[string]string
		want   int
	}{
		"same origin":                          {map[string]string{"Sec-Fetch-Site": "same-origin", "Origin": w.site.URL}, http.StatusSeeOther},
		"typed by a person":                    {map[string]string{"Sec-Fetch-Site": "none"}, http.StatusSeeOther},
		"a program that says nothing":          {nil, http.StatusSeeOther},
		"an old browser, the same origin":      {map[string]string{"Origin": w.site.URL}, http.StatusSeeOther},
		"another site":                         {map[string]string{"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"}, http.StatusForbidden},
		"another host of the same site":        {map[string]string{"Sec-Fetch-Site": "same-site", "Origin": "https://evil.northwind.example"}, http.StatusForbidden},
		"an old browser, another site":         {map[string]string{"Origin": "https://evil.example"}, http.StatusForbidden},
		"an old browser that hides its origin": {map[string]string{"Origin": "null"}, http.StatusForbidden},
		"another scheme of the same host":      {map[string]string{"Sec-Fetch-Site": "cross-site", "Origin": strings.Replace(w.site.URL, "http:", "https:", 1)}, http.StatusForbidden},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, w.site.URL+"/theme", strings.NewReader("theme=dark"))
			require.NoError(t, err)
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			for k, v := range tt.header {
				r.Header.Set(k, v)
			}
			client := &http.Client{Jar: b.http.Jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
			answer, err := client.Do(r)
			require.NoError(t, err)
			require.NoError(t, answer.Body.Close())
			require.Equal(t, tt.want, answer.StatusCode)
		})
	}
}

func TestAProxyThatChangesTheHostIsTrustedByTheBaseURL(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{baseURL: "https://boards.northwind.example"})
	w.account(ownerEmail, account.PlanUltra, false)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, w.site.URL+"/signin",
		strings.NewReader(url.Values{"email": {ownerEmail}, "password": {password}}.Encode()))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Origin", "https://boards.northwind.example")
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answer, err := client.Do(r)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	require.Equal(t, http.StatusSeeOther, answer.StatusCode)
	cookie := answer.Header.Get("Set-Cookie")
	require.Contains(t, cookie, "__Host-boardwatch=")
	for _, part := range []string{"Secure", "HttpOnly", "SameSite=Lax", "Path=/"} {
		require.Contains(t, cookie, part)
	}
	require.NotContains(t, cookie, "Domain")
}

// An attacker's page can point its own name to this address, and could then read everything. It is recognised by that
// name.
func TestANameThatIsNotOursGetsNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{baseURL: "https://boards.northwind.example"})
	w.account(ownerEmail, account.PlanUltra, false)
	proxy, err := netip.ParsePrefix("127.0.0.0/8")
	require.NoError(t, err)
	behind := httptest.NewServer(transport.Forwarded(w.site.Config.Handler, []netip.Prefix{proxy}))
	t.Cleanup(behind.Close)
	ask := func(site, method, path, host string) page {
		r, err := http.NewRequestWithContext(t.Context(), method, site+path, strings.NewReader(""))
		require.NoError(t, err)
		r.Host = host
		b := w.browser()
		b.http.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
		return b.do(r)
	}
	for host, ours := range map[string]bool{
		"boards.northwind.example": true, "BOARDS.northwind.example:443": true, "boards.northwind.example.": true, "127.0.0.1:8080": true,
		"[::1]:8080": true, "192.0.2.7": true, "localhost:8080": true,
		"evil.example": false, "evil.example:8080": false, "boards.northwind.example.evil.example": false, "northwind.example": false,
		"localhost.evil.example": false, "127.0.0.1.evil.example": false, "boardwatch": false,
	} {
		for _, path := range []string{"/signin", "/", "/api/boards", "/nothing"} {
			for _, method := range []string{http.MethodGet, http.MethodPost} {
				answer := ask(w.site.URL, method, path, host)
				require.Equal(t, ours, answer.status != http.StatusMisdirectedRequest, "%s %s at %s", method, path, host)
				if !ours {
					require.Contains(t, answer.text, "boards.northwind.example")
					require.Contains(t, answer.text, "trusted_proxies")
					require.NotContains(t, answer.text, "password")
				}
			}
		}
		require.Equal(t, http.StatusOK, ask(behind.URL, http.MethodGet, "/signin", host).status, "a trusted proxy may call us what it likes")
	}
}

// hostile is text that an employer's page may contain.
const hostile = `"><script>alert(1)</script><img src=x onerror=alert(2)>'`

func TestWhatSitesSayIsOnlyText(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	owner := w.account(ownerEmail, account.PlanUltra, true)
	evil := w.board(owner, boardwatch.Reading{
		Health: boardwatch.HealthOK, Claimed: -1, Company: "Evil " + hostile, Domain: "evil.example",
		Postings: []boardwatch.Posting{
			{Key: "1", Title: "Role " + hostile, Location: hostile, Department: hostile, URL: "javascript:alert(3)"},
			{Key: "2", Title: "Honest", URL: "https://evil.example/jobs/2?a=\"onclick=\"alert(4)"},
		},
	})
	w.readNext(evil, boardwatch.Reading{
		Health: boardwatch.HealthOK, Claimed: -1, Company: "Evil " + hostile, Domain: "evil.example",
		Postings: []boardwatch.Posting{
			{Key: "1", Title: "Other " + hostile, Location: "", Department: "x" + hostile, URL: "javascript:alert(5)"},
			{Key: "2", Title: "Honest", URL: "https://evil.example/jobs/2?a=\"onclick=\"alert(4)"},
			{Key: "3", Title: "New " + hostile, Location: hostile, URL: "javascript:alert(6)"},
		},
	})
	w.board(owner, boardwatch.Failed(cause.SiteError, "It says "+hostile))
	b := w.signedIn(ownerEmail)
	token := feedToken(t, b)
	jobs, err := w.store.Jobs(t.Context(), owner.ID, track.JobFilter{Search: "Other"})
	require.NoError(t, err)
	for _, path := range []string{"/roles/" + jobs.Jobs[0].ID, "/boards/" + evil, "/boards", "/roles", "/changes", "/admin", "/boards?q=" + url.QueryEscape(hostile), "/roles?search=" + url.QueryEscape(hostile)} {
		page := b.get(path)
		require.Equal(t, http.StatusOK, page.status, "%s\n%s", path, w.log)
		require.NotContains(t, page.text, "<script>alert", path)
		require.NotContains(t, page.text, "<img src=x", path)
		require.NotContains(t, page.text, `href="javascript:`, path)
	}
	var feed struct {
		Entries []struct {
			Content string `xml:"content"`
		} `xml:"entry"`
	}
	require.NoError(t, xml.Unmarshal([]byte(b.get("/feeds/"+token).text), &feed))
	require.NotEmpty(t, feed.Entries)
	require.Contains(t, feed.Entries[0].Content, "New &#34;&gt;&lt;script&gt;")
	require.Contains(t, feed.Entries[0].Content, "Title: Role &#34;&gt;&lt;script&gt;")
	for _, e := range feed.Entries { // as a feed reader decodes it
		require.NotContains(t, e.Content, "<script>")
		require.NotContains(t, e.Content, "<img")
		require.NotContains(t, e.Content, "javascript:")
	}
}

// TestPagesHoldNothingInline searches every page for anything the policy would block, and for what people who cannot
// see the page need.
func TestPagesHoldNothingInline(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{mode: "open", mail: true, provider: oidctest.New(t), localhost: true})
	owner := w.account(ownerEmail, account.PlanUltra, true)
	w.populate(owner)
	w.lesson(owner)
	w.webhooks(owner)
	w.channels(owner)
	w.waysIn(owner)
	b, stranger := w.signedIn(ownerEmail), w.browser()
	for _, s := range w.everyPage(owner) {
		at := b
		if s.open {
			at = stranger
		}
		page := at.get(s.path)
		require.Contains(t, page.header.Get("Content-Security-Policy"), "default-src 'none'")
		require.NotContains(t, page.header.Get("Content-Security-Policy"), "unsafe")
		require.Equal(t, "same-origin", page.header.Get("Referrer-Policy"))
		require.Equal(t, "no-store", page.header.Get("Cache-Control"))
		doc, err := html.Parse(strings.NewReader(page.text))
		require.NoError(t, err)
		inspect(t, s.path, doc)
	}
	for kind, path := range map[account.LinkKind]string{
		account.LinkReset: account.ResetPath, account.LinkSignUp: account.VerifyPath, account.LinkInvite: account.SignUpPath,
	} {
		l, token := account.NewLink(kind, w.clock())
		l.Email, l.Plan = ownerEmail, account.PlanFree
		if kind != account.LinkSignUp {
			l.AccountID = owner.ID
		}
		require.NoError(t, w.store.CreateLink(t.Context(), l))
		page := stranger.get(path + "?token=" + token)
		require.Equal(t, http.StatusOK, page.status, path)
		require.Contains(t, page.text, `type="password"`)
		doc, err := html.Parse(strings.NewReader(page.text))
		require.NoError(t, err)
		inspect(t, path, doc)
	}
}

var handlerAttribute = regexp.MustCompile(`^on[a-z]+$`)

func inspect(t *testing.T, path string, doc *html.Node) {
	t.Helper()
	labelled, ids := map[string]bool{}, map[string]int{}
	headings, mains := 0, 0
	var fields []*html.Node
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		a := attributes(n)
		require.NotContains(t, a, "style", "%s: <%s style>", path, n.Data)
		for key := range a {
			require.False(t, handlerAttribute.MatchString(key), "%s: <%s %s>", path, n.Data, key)
		}
		if id, ok := a["id"]; ok {
			ids[id]++
			require.Equal(t, 1, ids[id], "%s: id %s", path, id)
		}
		switch n.Data {
		case "style":
			t.Fatalf("%s holds a style", path)
		case "script":
			require.NotEmpty(t, a["src"], path)
			require.Nil(t, n.FirstChild, path)
		case "form":
			named, asks := false, false
			for field := range n.Descendants() {
				f := attributes(field)
				named, asks = named || f["autocomplete"] == "username" && f["type"] == "email", asks || f["type"] == "password"
			}
			require.True(t, named || !asks, "%s: the form to %s asks for a password, and does not say whose", path, a["action"])
		case "h1":
			headings++
		case "main":
			mains++
		case "label":
			labelled[a["for"]] = true
		case "input", "select", "textarea":
			fields = append(fields, n)
		}
	}
	require.Equal(t, 1, headings, "%s: headings of the first level", path)
	require.Equal(t, 1, mains, path)
	for _, f := range fields {
		a := attributes(f)
		if a["type"] == "hidden" || within(f, "label") || strings.TrimSpace(a["aria-label"]) != "" {
			continue
		}
		if _, hidden := a["hidden"]; hidden {
			continue
		}
		require.True(t, labelled[a["id"]], "%s: the field %q has no label", path, a["name"])
	}
}

func attributes(n *html.Node) map[string]string {
	out := map[string]string{}
	for _, a := range n.Attr {
		out[a.Key] = a.Val
	}
	return out
}

func within(n *html.Node, name string) bool {
	for p := n.Parent; p != nil; p = p.Parent {
		if p.Data == name {
			return true
		}
	}
	return false
}

func TestTheScriptsRoutesKnowSignInsAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	owner := w.account(ownerEmail, account.PlanUltra, false)
	_, secret, err := w.keys.Create(t.Context(), owner, "Laptop")
	require.NoError(t, err)
	ask := func(b *browser, authorization string) page {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, w.site.URL+"/api/boards", nil)
		require.NoError(t, err)
		if authorization != "" {
			r.Header.Set("Authorization", authorization)
		}
		return b.do(r)
	}
	for name, answer := range map[string]page{
		"nobody":                 ask(w.browser(), ""),
		"a key":                  ask(w.browser(), "Bearer "+secret),
		"a key beside a sign-in": ask(w.signedIn(ownerEmail), "Bearer "+secret),
	} {
		require.Equal(t, http.StatusUnauthorized, answer.status, name)
		require.Regexp(t, `^\{"error":"[^"]+"\}\n$`, answer.text, name)
	}
	require.Equal(t, http.StatusOK, ask(w.signedIn(ownerEmail), "").status)
	lost := w.signedIn(ownerEmail).get("/api/nothing")
	require.Equal(t, http.StatusNotFound, lost.status)
	require.Regexp(t, `^\{"error":"[^"]+"\}\n$`, lost.text)

	require.Equal(t, "/api", w.browser().get("/api").path, "nothing is redirected")

	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, w.site.URL+"/api/webhooks/"+boardwatch.NewID()+"/test", nil)
	require.NoError(t, err)
	r.Header.Set("Sec-Fetch-Site", "cross-site")
	foreign := w.signedIn(ownerEmail).do(r)
	require.Equal(t, http.StatusForbidden, foreign.status)
	require.Regexp(t, `^\{"error":"[^"]+"\}\n$`, foreign.text)
}

func TestPagesOfOthersAreNotThere(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	owner := w.account(ownerEmail, account.PlanUltra, false)
	w.account("eve@northwind.example", account.PlanUltra, false)
	mine := w.board(owner, boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: -1, Postings: []boardwatch.Posting{{Key: "1", Title: "Secret role"}}})
	w.webhooks(owner)
	key, _, err := w.keys.Create(t.Context(), owner, "Laptop")
	require.NoError(t, err)
	hooks, err := w.store.Webhooks(t.Context(), owner.ID)
	require.NoError(t, err)
	told := w.channel(owner)
	sessions, err := w.store.Sessions(t.Context(), owner.ID)
	require.NoError(t, err)
	require.Empty(t, sessions)
	owners := w.signedIn(ownerEmail)
	search := owners.post("/searches", url.Values{"search": {"secret"}, "name": {"Secret plan"}})
	require.Contains(t, search.text, "Secret role")
	owners.post("/boards/"+mine+"/tags", url.Values{"tags": {"hush"}})
	sessions, err = w.store.Sessions(t.Context(), owner.ID)
	require.NoError(t, err)

	eve := w.signedIn("eve@northwind.example")
	require.Equal(t, http.StatusNotFound, eve.get("/boards/"+mine).status)
	require.Equal(t, http.StatusNotFound, eve.get(search.path).status)
	require.Equal(t, http.StatusNotFound, eve.get("/settings/channels/"+told.ID).status)
	require.NotContains(t, eve.get("/roles?board="+mine).text, "Secret role")
	for _, path := range []string{"/roles", "/boards", "/boards?tag=hush", "/roles?tag=hush"} {
		require.NotContains(t, eve.get(path).text, "Secret", path)
	}
	require.NotContains(t, eve.get("/changes?board="+mine).text, "Secret role")
	for _, path := range []string{
		search.path + "/delete", "/boards/" + mine + "/tags", "/boards/" + mine + "/check", "/boards/" + mine + "/remove", "/settings/keys/" + key.ID + "/delete",
		"/settings/webhooks/" + hooks[0].ID + "/delete", "/settings/webhooks/" + hooks[0].ID + "/test", "/settings/webhooks/" + hooks[0].ID + "/on", "/settings/webhooks/" + hooks[0].ID + "/secret",
		"/settings/webhooks/" + hooks[0].ID + "/deliveries/" + boardwatch.NewID() + "/resend",
		"/settings/channels/" + told.ID + "/delete", "/settings/channels/" + told.ID + "/test", "/settings/channels/" + told.ID,
		"/settings/channels/" + told.ID + "/on", "/settings/channels/" + told.ID + "/off",
		"/settings/account/sessions/" + sessions[0].ID + "/delete", "/api/webhooks/" + hooks[0].ID + "/test",
	} {
		require.Equal(t, http.StatusNotFound, eve.post(path, nil).status, path)
	}
	require.Equal(t, "/boards", owners.get("/boards").path, "the owner is still signed in")
	left, err := w.store.Keys(t.Context(), owner.ID)
	require.NoError(t, err)
	require.Len(t, left, 1)
}

func TestPagesStayLight(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	w.populate(w.account(ownerEmail, account.PlanUltra, false))
	b := w.signedIn(ownerEmail)
	b.http.Transport = &http.Transport{DisableCompression: true} // so that the bytes arrive as they were sent
	t.Cleanup(b.http.CloseIdleConnections)
	total := 0
	home := b.compressed("/boards")
	total += len(home.text)
	for _, address := range regexp.MustCompile(`/assets/[a-z0-9.]+`).FindAllString(b.get("/boards").text, -1) {
		asset := b.compressed(address)
		require.Equal(t, http.StatusOK, asset.status, address)
		require.Contains(t, asset.header.Get("Cache-Control"), "immutable")
		total += len(asset.text)
	}
	t.Logf("%d bytes", total)
	require.Less(t, total, 30<<10)
}

func (b *browser) compressed(path string) page {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), http.MethodGet, b.w.site.URL+path, nil)
	require.NoError(b.t, err)
	r.Header.Set("Accept-Encoding", "gzip")
	return b.do(r)
}

func BenchmarkBoardsPage(b *testing.B) {
	w := newWorld(b, worldOptions{})
	owner := w.account(ownerEmail, account.PlanPro, false)
	for range 500 {
		w.board(owner, boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: -1, Company: "Northwind", Postings: []boardwatch.Posting{{Key: "1", Title: "Engineer"}}})
		w.pass(time.Minute)
	}
	browser := w.signedIn(ownerEmail)
	for b.Loop() {
		require.Equal(b, http.StatusOK, browser.get("/boards").status)
	}
}
