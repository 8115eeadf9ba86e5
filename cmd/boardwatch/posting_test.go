package main_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"html"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	html5 "golang.org/x/net/html"

	"github.com/boardwatch/boardwatch/boardwatch"
	main "github.com/boardwatch/boardwatch/cmd/boardwatch"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/app"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/demo"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/storagetest"
	"github.com/boardwatch/boardwatch/transport/mail/mailtest"
)

// describedRole is what "role show" prints of a role.
type describedRole struct {
	ID     string
	Status boardwatch.JobStatus
	Facts  boardwatch.Facts
	Text   string
}

// keepReadings has a board read in the past, at intervals of an hour where the store's clock can be set, and returns when the last
// reading was.
func keepReadings(t *testing.T, database string, readings ...[]boardwatch.Posting) (last time.Time) {
	t.Helper()
	now := time.Now().Add(-30 * time.Minute)
	for range readings {
		now = now.Add(-time.Hour)
	}
	store, err := app.OpenStore(t.Context(), config.Config{Database: config.Secret(database)}, storage.Options{
		SealKey: []byte(storagetest.SealKey), Now: func() time.Time { return now },
	})
	require.NoError(t, err)
	a, err := store.AccountByEmail(t.Context(), e2eEmail)
	require.NoError(t, err)
	b, _, err := store.Subscribe(t.Context(), boardwatch.Subscription{AccountID: a.ID},
		boardwatch.Board{Source: "greenhouse:northwind", URL: "https://boards.greenhouse.example/northwind"}, "https://northwind.example/")
	require.NoError(t, err)
	for _, postings := range readings {
		now = now.Add(time.Hour)
		r := boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: -1, Company: "Northwind", Postings: postings}.Normalize()
		claims, err := store.ClaimDue(t.Context(), 1, time.Minute, boardwatch.ClaimFilter{})
		require.NoError(t, err)
		require.Len(t, claims, 1)
		require.Equal(t, b.ID, claims[0].Board.ID)
		require.NoError(t, store.SaveCheck(t.Context(), claims[0], func(in boardwatch.CheckInput) boardwatch.CheckResult {
			result := boardwatch.Decide(in, r, false, boardwatch.Rules{}, boardwatch.NewID)
			result.Board.NextCheckAt, last = in.Now, in.Now
			return result
		}))
	}
	require.NoError(t, store.Close())
	return last
}

// describedReadings are those of a role whose facts and text change, and that closes then.
func describedReadings() [][]boardwatch.Posting {
	others := []boardwatch.Posting{{Key: "2", Title: "Sailor"}, {Key: "3", Title: "Writer"}}
	fitter := boardwatch.Posting{
		Key: "1", Title: "Fitter", Text: "# Fitter\n\nYou repair sails.\n\nOn board.",
		Facts: boardwatch.Facts{Mode: boardwatch.ModeOnsite, Pay: boardwatch.Pay{Min: 40000, Currency: "NOK", Period: boardwatch.PerMonth}, TypeText: "=HYPERLINK(1)"},
	}
	changed := fitter
	changed.Text, changed.Facts.Mode = "# Fitter\n\nYou repair engines.\n\nOn board.", boardwatch.ModeHybrid
	return [][]boardwatch.Posting{append(slices.Clone(others), fitter), append(slices.Clone(others), changed), others, others, others}
}

// TestAClosedRoleIsStillDescribed asks the built program about a role that closed long ago: where it was kept, and after a backup
// and a restore into the other kind of database.
func TestAClosedRoleIsStillDescribed(t *testing.T) {
	t.Parallel()
	binary := buildBinary(t)
	others := map[string]string{"on SQLite": "on PostgreSQL", "on PostgreSQL": "on SQLite"}
	for name, database := range databases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i := install(t, database(t))
			run := func(i *installation, args ...string) string {
				t.Helper()
				cmd := exec.CommandContext(t.Context(), binary, args...)
				cmd.Env = i.env
				out, err := cmd.Output()
				require.NoError(t, err, "%v: %s", args, out)
				return string(out)
			}
			run(i, "account", "create", "--email", e2eEmail, "--plan", "ultra", "--verified")
			keepReadings(t, strings.TrimPrefix(i.env[2], "BOARDWATCH_DATABASE="), describedReadings()...)
			file := filepath.Join(t.TempDir(), "boards.backup")
			run(i, "backup", file)
			other := others[name]
			if os.Getenv(storagetest.PostgresEnv) == "" {
				other = name
			}
			o := install(t, databases()[other](t))
			run(o, "restore", "--force", file)
			var before string
			for _, i := range []*installation{i, o} {
				var found []describedRole
				require.NoError(t, json.Unmarshal([]byte(run(i, "role", "list", "--status", "all", "--words", "ENGINE repair", "--mode", "hybrid", "--text")), &found))
				require.Len(t, found, 1)
				require.Equal(t, boardwatch.JobClosed, found[0].Status)
				shown := run(i, "role", "show", found[0].ID)
				var role describedRole
				require.NoError(t, json.Unmarshal([]byte(shown), &role))
				require.Equal(t, "# Fitter\n\nYou repair engines.\n\nOn board.", role.Text)
				require.Equal(t, role.Text+"\n", run(i, "role", "show", "--text", role.ID))
				require.Equal(t, "from 40,000 NOK per month", role.Facts.Pay.String())
				var history []roleEvent
				require.NoError(t, json.Unmarshal([]byte(run(i, "role", "history", role.ID)), &history))
				require.Equal(t, boardwatch.ChangeUpdated, history[1].Kind)
				require.Equal(t, []string{"mode", "onsite", "hybrid"}, []string{history[1].Changes[0].Field, *history[1].Changes[0].From, *history[1].Changes[0].To})
				require.Equal(t, "text", history[1].Changes[1].Field)
				csv := run(i, "role", "list", "--status", "all", "--text", "-o", "csv")
				require.Contains(t, csv, ",'=HYPERLINK(1),")
				require.Equal(t, "[]\n", run(i, "role", "list", "--status", "all", "--words", "sails"))
				if before != "" {
					require.Equal(t, before, shown)
				}
				before = shown
			}
		})
	}
}

// hostileDescriptions would do something if any of the places that show texts of roles let them.
func hostileDescriptions() map[string]string {
	const text = "<p>You sail.</p>"
	return map[string]string{
		"Script": text + `<script>alert("evil")</script><style>@import "https://evil.example/x.css"; p { color: red }</style>`,
		"Attributes": `<p onclick="alert('evil')" style="background: url(https://evil.example/t.gif)">You sail.</p><img src="https://evil.example/t.gif" onerror="alert('evil')">` +
			`<iframe src="https://evil.example/"></iframe><form action="https://evil.example/"><input name="password"></form><svg onload="alert('evil')"><text>x</text></svg>`,
		"Links": text + `<a href="javascript:alert('evil')">one</a> <a href="data:text/html,<script>alert('evil')</script>">two</a> <a href="java&#10;script:alert('evil')">three</a>` +
			`<a href="https://ann:sesame@evil.example/">four</a> <a href="vbscript:evil">five</a> <a href="https://honest.example/?a=1&amp;b=2">six</a>`,
		"Escaped twice":      "&lt;p&gt;You sail.&lt;/p&gt;&lt;script&gt;alert('evil')&lt;/script&gt;&lt;img src=x onerror=alert('evil')&gt;",
		"Markdown":           text + `<p>[x](javascript:alert('evil')) ![t](https://evil.example/t.gif) &lt;javascript:evil&gt; [a]: javascript:evil &lt;b onclick=evil&gt;</p>`,
		"Bidi":               "<p>You \u202esail\u2066 \u200bnow\ufeff\U000e0041.\x1b[31m</p>",
		"Autolinks":          text + `<p>&lt;&lt;script/@x&gt;alert("evil")//&lt;&lt;/script/@x&gt; &lt;bar"onclick="alert('evil')"@foo&gt; [&lt;svg/onload=alert('evil')//]()</p>`,
		"Characters by name": text + `<p>[a](javascript&amp;colon;alert('evil')) [b](javascript&amp;#058alert('evil')) [c](javascript&amp;Tab;:alert('evil'))</p><a href="javascript&colon;alert('evil')">d</a> <a href="&#1;javascript:alert('evil')">e</a>`,
		"A title":            text + `<p>[a](https://honest.example/ "onmouseover=alert('evil')") [b](https://honest.example/"onerror="alert('evil'))</p><a href='https://honest.example/"onclick="alert(1)'>c</a>`,
		"Code":               text + "<p>&lt;x![](`&lt;a\n&gt;`)&gt;&lt;svg onload=alert('evil')![](`&lt;a\n&gt;`)</p>",
		"Mutation":           text + `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert('evil')&gt;"><noscript><p title="</noscript><img src=x onerror=alert('evil')>">`,
		"Escaped four times": "&amp;amp;amp;lt;p&amp;amp;amp;gt;You sail.&amp;amp;lt;img src=x onerror=alert('evil')&amp;amp;gt;",
		"CDATA":              "<![CDATA[<p>You sail.</p>]]><![CDA<![CDATA[TA[<img src=x onerror=alert('evil')>]]>]]><script>alert('evil')</script>",
		"Lines":              `You sail.\n\n[x]: javascript:alert('evil')\n\n[x]\n\n<img src=x onerror=alert('evil')>`,
		"Fillers":            "<p>You sail\u3164\uffa0\U000e0101\U000e0152\ufe01\u115f\u034f.</p>",
		"\u00a0=1+1;\u3000@SUM(1)\t+1 <https://evil.example|Apply> &lt;!here&gt; <@U1>": "<p>\u00a0=1+1 &lt;!channel&gt; &lt;https://evil.example|Apply&gt;</p>",
		"Long": text + strings.Repeat("<p>wide </p>", 20_000),
		"Tags": text + strings.Repeat("<b><i><x-y z=1>", 10_000),
		"=HYPERLINK(\"https://evil.example/\") <!channel> @everyone *x* _y_ [z](https://evil.example/) <b>|": "<p>=HYPERLINK(1) @everyone https://evil.example/</p>",
	}
}

// hostilePage is a page whose roles state the texts in linked data.
func hostilePage(t *testing.T, texts map[string]string) []byte {
	t.Helper()
	var page bytes.Buffer
	page.WriteString("<!doctype html><html lang=en><head><title>Jobs</title></head><body><h1>Open positions</h1><ul>")
	for n, title := range slices.Sorted(maps.Keys(texts)) {
		hostile := "<b onclick=evil>|*_`[x](javascript:evil)"
		data, err := json.Marshal(map[string]any{
			"@context": "https://schema.org", "@type": "JobPosting", "title": title, "url": fmt.Sprintf("/jobs/%d", n), "description": texts[title],
			"employmentType": "=cmd|' /C calc'!A0 " + hostile, "identifier": "@SUM(1) " + hostile, "datePosted": "2026-10-01",
			"jobLocation": map[string]any{"@type": "Place", "address": map[string]any{"addressLocality": "+1 " + hostile}},
		})
		require.NoError(t, err)
		fmt.Fprintf(&page, `<li><a href="/jobs/%d">%s</a></li><script type="application/ld+json">%s</script>`, n, html.EscapeString(title), data)
	}
	page.WriteString("</ul></body></html>")
	return page.Bytes()
}

// requireOnlyText checks that a page of the app, a feed's entry or a mail holds no more than text and links to web pages from
// what employers write.
func requireOnlyText(t *testing.T, where, page string) {
	t.Helper()
	root, err := html5.Parse(strings.NewReader(page))
	require.NoError(t, err)
	for n := range root.Descendants() {
		if n.Type != html5.ElementNode {
			continue
		}
		require.NotContains(t, []string{"iframe", "object", "embed", "x-y"}, n.Data, where)
		for _, a := range n.Attr {
			require.False(t, strings.HasPrefix(a.Key, "on"), "%s: %s of %s", where, a.Key, n.Data)
			if a.Key == "href" || a.Key == "src" || a.Key == "action" {
				require.NotRegexp(t, `(?i)^\s*(?:java\s*script|data|vbscript):`, a.Val, where)
				require.False(t, a.Key != "href" && strings.Contains(a.Val, "evil"), "%s: %s", where, a.Val)
				require.NotContains(t, a.Val, "sesame", where)
			}
		}
		if n.Data == "script" || n.Data == "style" {
			if n.FirstChild != nil {
				require.NotContains(t, n.FirstChild.Data, "evil", where)
			}
		}
	}
	requirePlain(t, where, page)
}

// requirePlain checks that nothing invisible is in a text.
func requirePlain(t *testing.T, where, text string) {
	t.Helper()
	require.NotRegexp(t, `[\x{034f}\x{115f}\x{3164}\x{ffa0}\x{fe00}-\x{fe0d}\x{e0100}-\x{e01ef}\x{202a}-\x{202e}\x{2066}-\x{2069}\x{feff}\x{e0000}-\x{e007f}\x1b]`, text, where)
}

// TestTextsOfRolesOnlyReachPeopleAsText follows hostile descriptions from a careers page to everything that shows them.
func TestTextsOfRolesOnlyReachPeopleAsText(t *testing.T) {
	t.Parallel()
	const password = "a long sentence nobody guesses"
	post := mailtest.New(t, mailtest.Options{Password: "sesame"})
	var mu sync.Mutex
	told := map[string]string{} // bodies by the first part of the path
	chats := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		mu.Lock()
		defer mu.Unlock()
		told[strings.Split(r.URL.Path, "/")[1]] += string(body)
	}))
	t.Cleanup(chats.Close)
	chat := strings.Replace(chats.URL, "127.0.0.1", "localhost", 1)
	site := newCareersSite(t, demo.Role{ID: 1, Title: "Lock Keeper", Location: "Delft", Department: "Water"})
	i := install(t, onSQLite(t), "BOARDWATCH_DEV=true", "BOARDWATCH_BROWSER_MODE=never", "BOARDWATCH_PLANS_ULTRA_CADENCE=200ms", "BOARDWATCH_LOG_LEVEL=error",
		"BOARDWATCH_MAIL_SMTP_URL="+post.URL(), "BOARDWATCH_ADMIN_EMAIL="+e2eEmail, "BOARDWATCH_ADMIN_PASSWORD="+password)
	service := i.serve()
	kinds := map[string]string{"slack": "/slack/T0/B0/x", "discord": "/api/webhooks/1/x", "mattermost": "/hooks/x", "ntfy": "/topic", "telegram": "/bot1:x/sendMessage?chat_id=1"}
	for kind, path := range kinds {
		i.do(&struct{}{}, "channel", "add", "--account", e2eEmail, "--kind", kind, "--to", chat+path, "--all")
	}
	i.do(&struct{}{}, "board", "add", "--account", e2eEmail, site.URL+"/careers")
	i.eventually("the board is read", func() bool { return len(i.roles()) == 1 })
	texts := hostileDescriptions()
	page := hostilePage(t, texts)
	site.breakWith(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(page) })
	i.eventually("the roles are found", func() bool { return len(i.roles()) == 1+len(texts) })
	i.eventually("all chats are told", func() bool {
		mu.Lock()
		defer mu.Unlock()
		return len(told) == len(kinds)
	})

	var roles []describedRole
	i.do(&roles, "role", "list", "--account", e2eEmail, "--text")
	person := signedIn(t, service.url, e2eEmail, password)
	get := func(path string) string {
		t.Helper()
		answer, err := person.Get(service.url + path)
		require.NoError(t, err)
		defer answer.Body.Close()
		body, err := io.ReadAll(answer.Body)
		require.NoError(t, err)
		require.Equal(t, http.StatusOK, answer.StatusCode, path)
		return string(body)
	}
	described := 0
	for _, r := range roles {
		require.LessOrEqual(t, len(r.Text), boardwatch.MaxText)
		requirePlain(t, r.ID, r.Text)
		if strings.Contains(r.Text, "You") {
			described++
		}
		requireOnlyText(t, "role "+r.ID, get("/roles/"+r.ID))
	}
	require.GreaterOrEqual(t, described, 6, "the rest of the texts is there")
	for _, path := range []string{"/roles", "/changes", "/boards", "/export?what=roles&format=json"} {
		requireOnlyText(t, path, get(path))
	}
	feed := regexp.MustCompile(`/feeds/[A-Za-z0-9_-]+`).FindString(get("/changes"))
	var atom struct {
		Entries []struct {
			Content string `xml:"content"`
		} `xml:"entry"`
	}
	require.NoError(t, xml.Unmarshal([]byte(get(feed)), &atom))
	for _, e := range atom.Entries {
		requireOnlyText(t, "feed", e.Content)
	}
	for _, file := range []string{get("/export?what=roles&format=csv"), i.output("role", "list", "--account", e2eEmail, "--text", "-o", "csv")} {
		rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(file, "\ufeff"))).ReadAll()
		require.NoError(t, err)
		require.Len(t, rows, 2+len(texts))
		for _, row := range rows {
			for _, cell := range row {
				require.NotRegexp(t, `(?:^|[;\t\r\n])[\p{Z}"]*[=+\-@＝＋－＠]`, cell, "a formula")
				requirePlain(t, "csv", cell)
			}
		}
	}
	var sent struct{ Sent bool }
	i.do(&sent, "digest", "send", "--account", e2eEmail)
	letter := post.Wait(1)[0]
	requireOnlyText(t, "mail", letter.HTML)
	requirePlain(t, "mail", letter.Text)
	mu.Lock()
	defer mu.Unlock()
	for place, body := range told {
		requirePlain(t, place, body)
		require.NotContains(t, body, "<!", place)
		require.NotContains(t, body, "<@U1", place)
		require.NotContains(t, body, "<https://evil", place)
		require.NotContains(t, body, "@everyone", place)
		require.NotContains(t, body, "](https://evil", place)
		require.NotContains(t, body, "javascript:alert", place)
	}
	var out, errs output
	c := i.cli(&out, &errs)
	c.In = strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_jobs","arguments":{"includeText":true}}}` + "\n")
	require.Zero(t, main.Execute(t.Context(), c, []string{"mcp", "--account", e2eEmail}), errs.String())
	var answer struct {
		Result struct {
			StructuredContent struct{ Jobs []describedRole }
		}
	}
	require.NoError(t, json.Unmarshal([]byte(out.String()), &answer))
	require.Len(t, answer.Result.StructuredContent.Jobs, 1+len(texts))
	for _, j := range answer.Result.StructuredContent.Jobs {
		requirePlain(t, "mcp", j.Text)
		require.Less(t, len(j.Text), 9<<10)
	}
}

// output runs a command line that has to succeed, and returns what it prints.
func (i *installation) output(args ...string) string {
	i.t.Helper()
	var out, errs output
	require.Zero(i.t, main.Execute(i.t.Context(), i.cli(&out, &errs), args), "%v: %s", args, &errs)
	return out.String()
}
