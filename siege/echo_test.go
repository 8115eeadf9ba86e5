//go:build siege

package siege_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// echo is a receiver that answers every delivery with an error that repeats what it was sent (address, headers, signature,
// body) and the secret that it was made with. Each answer is in another encoding. Its account has a webhook and a channel
// of each kind that lead to it.
type echo struct {
	*httptest.Server

	person *person
	plans  []place // in the order in which they are created

	mu       sync.Mutex
	secrets  []string // that must not come back: parts of addresses, tokens, signing secrets, signatures
	answers  int
	poisoned int      // deliveries that contained invented roles
	said     []string // what the app, REST and the command line answered
}

// place is a webhook or a channel.
type place struct{ noun, kind, path, id string }

// secretAddress is the address of the webhook, which its owner sees and the table of webhooks contains.
const secretAddress = "Hk7qT2vXw9LmNp4R"

func newEcho(t *testing.T, p *person) *echo {
	t.Helper()
	e := &echo{person: p}
	secret := func() string {
		s := "S" + boardwatch.NewID()
		e.secrets = append(e.secrets, s)
		return s
	}
	e.plans = []place{
		{noun: "webhook", path: "/hooks/" + secretAddress},
		{noun: "channel", kind: "slack", path: "/services/T000/B000/" + secret()},
		{noun: "channel", kind: "discord", path: "/api/webhooks/123/" + secret()},
		{noun: "channel", kind: "teams", path: "/workflows/x/triggers/manual/paths/invoke?api-version=1&sig=" + secret()},
		{noun: "channel", kind: "mattermost", path: "/hooks/" + secret()},
		{noun: "channel", kind: "telegram", path: "/bot123456:" + secret() + "/sendMessage?chat_id=-100" + secret()},
		{noun: "channel", kind: "ntfy", path: "/" + secret() + "?token=tk_" + secret()},
		{noun: "channel", kind: "gotify", path: "/message?token=" + secret()},
		{noun: "channel", kind: "matrix", path: "/!" + secret() + ":northwind.example?token=" + secret()},
		{noun: "channel", kind: "apprise", path: "/notify/" + secret()},
	}
	e.Server = httptest.NewServer(e)
	t.Cleanup(e.Close)
	return e
}

// encodings are the ways in which the receiver repeats what it got.
func encodings() []func(s string) string {
	each := func(format string) func(s string) string {
		return func(s string) string {
			var out strings.Builder
			for _, c := range []byte(s) {
				fmt.Fprintf(&out, format, c)
			}
			return out.String()
		}
	}
	return []func(s string) string{
		func(s string) string { return s }, url.QueryEscape, html.EscapeString, each("%%%02x"), each("%%%02X"), each("&#%d;"), each("&#x%x;"),
		each(`\u%04x`), func(s string) string { return url.QueryEscape(html.EscapeString(s)) }, strings.ToUpper,
		func(s string) string { return hex.EncodeToString([]byte(s)) },
		func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) },
		func(s string) string { return base64.URLEncoding.EncodeToString([]byte("x" + s)) },
		func(s string) string { return base64.StdEncoding.EncodeToString([]byte("xy" + s)) },
	}
}

func (e *echo) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var sent struct {
		Chat  string `json:"chat_id"` //nolint:tagliatelle // Telegram
		Topic string `json:"topic"`
	}
	body, _ := io.ReadAll(r.Body)
	_ = json.Unmarshal(body, &sent) // what is something else has no secret
	signature := r.Header.Get("X-Boardwatch-Signature")
	e.mu.Lock()
	if bytes.Contains(body, []byte(inventedTitle)) {
		e.poisoned++
	}
	const enough = 64
	if _, mac, ok := strings.Cut(signature, "v1="); ok && len(e.secrets) < enough {
		e.secrets = append(e.secrets, mac)
	}
	plain := strings.Join([]string{
		r.RequestURI, r.Header.Get("Authorization"), r.Header.Get("X-Gotify-Key"), sent.Chat, sent.Topic, signature,
	}, " ")
	if signature != "" && len(e.plans[0].id) > 0 {
		plain += " " + e.secrets[0]
	}
	e.answers++
	n := e.answers
	e.mu.Unlock()
	w.Header().Set("Location", r.RequestURI)
	w.WriteHeader([]int{http.StatusNotFound, http.StatusInternalServerError, http.StatusForbidden, http.StatusFound}[n%4])
	all := encodings()
	_, _ = io.WriteString(w, "cannot take "+all[n%len(all)](plain))
}

// settle makes the webhook and the channels, by the command line.
func (e *echo) settle(t *testing.T, s *service) {
	t.Helper()
	base := strings.Replace(e.URL, "127.0.0.1", "localhost", 1)
	for i, p := range e.plans {
		var made struct{ ID, Secret string }
		arguments := []string{"channel", "add", "--kind", p.kind, "--to", base + p.path, "--all"}
		if p.noun == "webhook" {
			arguments = []string{"webhook", "create", "--url", base + p.path, "--events", "job.found,job.archived"}
		}
		out := s.run(t, append(arguments, "--account", e.person.account.Email)...)
		require.NoError(t, json.Unmarshal([]byte(out), &made), out)
		e.mu.Lock()
		e.plans[i].id = made.ID
		if made.Secret != "" {
			e.secrets = slices.Insert(e.secrets, 0, strings.TrimPrefix(made.Secret, "whsec_"))
		}
		e.mu.Unlock()
	}
}

// test has the app send tests to all places, until the context ends.
func (e *echo) test(ctx context.Context, s *service) {
	if err := e.person.signIn(ctx, s); err != nil {
		e.person.failed(ctx, err)
		return
	}
	for n := 0; ctx.Err() == nil; n++ {
		p := e.plans[n%len(e.plans)]
		res, text, err := e.person.form(ctx, s, "/settings/"+p.noun+"s/"+p.id+"/test", url.Values{})
		if err == nil {
			e.hear(string(text))
			if at, err := res.Location(); err == nil {
				e.look(ctx, s, at.RequestURI())
			}
		}
		pause(ctx, 4*time.Second) // all tests of an account have a budget, and some are left for ask
	}
}

// look opens a page of the app.
func (e *echo) look(ctx context.Context, s *service, path string) string {
	_, text, err := e.person.ask(ctx, http.MethodGet, s.url+path, "", "", nil)
	if err != nil {
		return ""
	}
	e.hear(string(text))
	return string(text)
}

func (e *echo) hear(text string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.said = append(e.said, text)
}

var deliveryPage = regexp.MustCompile(`/settings/webhooks/[a-f0-9]{24}/deliveries/[a-f0-9]{24}`)

// ask asks every interface for what it knows of the places.
func (e *echo) ask(t *testing.T, s *service) {
	t.Helper()
	account := []string{"--account", e.person.account.Email}
	for _, p := range e.plans {
		out := s.run(t, append([]string{p.noun, "test", p.id}, account...)...)
		require.Contains(t, out, "answered ", "the test of %s %s", p.kind, p.noun)
		e.hear(out)
		page := e.look(t.Context(), s, "/settings/"+p.noun+"s/"+p.id)
		for _, path := range deliveryPage.FindAllString(page, -1) {
			e.look(t.Context(), s, path)
		}
	}
	out := s.run(t, append([]string{"webhook", "deliveries", e.plans[0].id}, account...)...)
	require.Contains(t, out, "answered ", "deliveries to the webhook")
	e.hear(out)
	e.hear(s.run(t, append([]string{"webhook", "list"}, account...)...))
	e.hear(s.run(t, append([]string{"channel", "list"}, account...)...))
	for _, path := range []string{"/v1/boards", "/v1/jobs?limit=50"} {
		_, text, err := e.person.ask(t.Context(), http.MethodGet, s.url+path, "", "", http.Header{"Authorization": {"Bearer " + e.person.key}})
		require.NoError(t, err)
		e.hear(string(text))
	}
}

// judge requires that no secret is in what the service kept, logged and answered, in any encoding.
func (e *echo) judge(t *testing.T, log, database string) {
	t.Helper()
	own := strings.Replace(e.URL, "127.0.0.1", "localhost", 1) + e.plans[0].path // shown to its owner, and stored
	kept := map[string]string{
		"the log": log, "the database": strings.ReplaceAll(database, own, ""), "an answer": strings.ReplaceAll(strings.Join(e.said, "\n"), own, ""),
	}
	require.Greater(t, e.answers, len(e.plans), "the receiver was asked")
	require.NotZero(t, strings.Count(database, "cannot take "), "this is where the secrets would be")
	require.NotZero(t, strings.Count(kept["an answer"], "cannot take "), "and here")
	for where, text := range kept {
		text = strings.ToLower(text)
		for _, secret := range append(slices.Clone(e.secrets), secretAddress) {
			for _, encode := range encodings() {
				encoded := strings.ToLower(encode(secret))
				at := strings.Index(text, encoded[3:len(encoded)-6]) // the ends of base64 depend on what stands beside it
				require.Negative(t, at, "%s contains a secret: %s", where, text[max(0, at-200):min(len(text), max(at, 0)+200)])
			}
		}
	}
	t.Logf("echo: %d answers with %d secrets, none of them in %d answers, %d bytes of logs and %d bytes of the database", e.answers, len(e.secrets)+1,
		len(e.said), len(log), len(database))
}

// dump is everything that a database contains, as text.
func dump(t *testing.T, database string) string {
	t.Helper()
	driver, tables := "pgx", "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
	file, sqlite := strings.CutPrefix(database, "sqlite:")
	if sqlite {
		driver, database, tables = "sqlite", "file:"+file+"?mode=ro", "SELECT name FROM sqlite_master WHERE type = 'table'"
	}
	db, err := sql.Open(driver, database)
	require.NoError(t, err)
	defer db.Close()
	var out strings.Builder
	for _, table := range column(t, db, tables) {
		row := `"` + table + `"`
		if sqlite {
			names := column(t, db, "SELECT name FROM pragma_table_info('"+table+"')")
			row = `concat_ws(' ', "` + strings.Join(names, `", "`) + `")`
		} else {
			row += "::text"
		}
		for _, text := range column(t, db, `SELECT `+row+` FROM "`+table+`"`) {
			out.WriteString(text + "\n")
		}
	}
	return out.String()
}

func column(t *testing.T, db *sql.DB, query string) (texts []string) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), query)
	require.NoError(t, err, query)
	defer rows.Close()
	for rows.Next() {
		var text sql.NullString
		require.NoError(t, rows.Scan(&text))
		texts = append(texts, text.String)
	}
	require.NoError(t, rows.Err())
	return texts
}

// run runs a command of the program with the service's settings, and returns everything that it printed.
func (s *service) run(t *testing.T, arguments ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), s.cmd.Path, arguments...)
	cmd.Env = s.cmd.Env
	out, err := cmd.CombinedOutput()
	if _, failed := err.(*exec.ExitError); err != nil && !failed { //nolint:errorlint // it is not wrapped
		require.NoError(t, err)
	}
	return string(out)
}

// logged is what the service has logged.
func (s *service) logged(t *testing.T) string {
	t.Helper()
	log, err := os.ReadFile(s.log)
	require.NoError(t, err)
	return string(log)
}
