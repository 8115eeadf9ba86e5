package ats_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/publicsuffix"

	"github.com/boardwatch/boardwatch/ats"
	"github.com/boardwatch/boardwatch/boardwatch"
)

// The tests of this file read every adapter's normal board from a system that does wrong in one way at a time. One rule
// holds throughout: a reading that calls itself ok has every role that the normal board has.

// fault is one wrong that a system does to one of its answers.
type fault struct {
	name string
	// spoil changes the answer, or says that this wrong cannot be done to it. before is the answer to the request
	// before, nil for the first.
	spoil func(e exchange, body []byte, before *answered) (answered, bool)
	// asks says that the system asks to be left alone for two minutes.
	asks bool
}

// answered is an answer with its body.
type answered struct {
	exchange

	body []byte
}

const loginPage = `<!DOCTYPE html><html><head><title>Sign in</title></head><body><h1>Sign in</h1><form><input name="user"></form></body></html>`

func status(code int, body string, header map[string]string) func(exchange, []byte, *answered) (answered, bool) {
	return func(e exchange, _ []byte, _ *answered) (answered, bool) {
		return answered{exchange{Request: e.Request, Status: code, Header: header}, []byte(body)}, true
	}
}

func cutAt(numerator, denominator int) func(exchange, []byte, *answered) (answered, bool) {
	return func(e exchange, body []byte, _ *answered) (answered, bool) {
		at := len(bytes.TrimSpace(body)) * numerator / denominator
		return answered{e, body[:at]}, e.Status == http.StatusOK && at > 0
	}
}

func inCharset(contentType string) func(exchange, []byte, *answered) (answered, bool) {
	return func(e exchange, body []byte, _ *answered) (answered, bool) {
		e.Header = maps.Clone(e.Header)
		if e.Header == nil {
			e.Header = make(map[string]string)
		}
		e.Header["Content-Type"] = contentType
		return answered{e, body}, true
	}
}

var faults = []fault{
	{name: "the answer is cut in half", spoil: cutAt(1, 2)},
	{name: "the answer's last tenth is missing", spoil: cutAt(9, 10)},
	{name: "the answer is empty", spoil: status(200, "", nil)},
	{name: "429", spoil: status(429, "slow down", nil)},
	{name: "429 with a wait", spoil: status(429, "slow down", map[string]string{"Retry-After": "120"}), asks: true},
	{name: "429 with a page", spoil: status(429, loginPage, map[string]string{"Retry-After": "120.0"}), asks: true},
	{name: "500", spoil: status(500, `{"error": "internal"}`, nil)},
	{name: "503 with a page", spoil: status(503, loginPage, nil)},
	{name: "403", spoil: status(403, loginPage, nil)},
	{name: "a page in place of data", spoil: status(200, loginPage, map[string]string{"Content-Type": "text/html"})},
	{name: "null", spoil: status(200, "null", nil)},
	{name: "an empty object", spoil: status(200, "{}", nil)},
	{name: "another object", spoil: status(200, `{"error": {"code": 12, "message": "try again"}}`, nil)},
	{name: "another document", spoil: status(200, `<?xml version="1.0"?><error><code>12</code></error>`, map[string]string{"Content-Type": "text/xml"})},
	{name: "a redirect away", spoil: status(302, "", map[string]string{"Location": "https://www.elsewhere.example/careers"})},
	{name: "a redirect to nowhere", spoil: status(301, "", nil)},
	{name: "a redirect to itself", spoil: func(e exchange, _ []byte, _ *answered) (answered, bool) {
		_, address, _ := strings.Cut(e.Request, " ")
		return answered{exchange{Request: e.Request, Status: http.StatusFound, Header: map[string]string{"Location": address}}, nil}, true
	}},
	{name: "an endless answer", spoil: func(e exchange, _ []byte, _ *answered) (answered, bool) {
		return answered{exchange{Request: e.Request, Fault: "too large"}, nil}, true
	}},
	{name: "a connection that breaks", spoil: func(e exchange, _ []byte, _ *answered) (answered, bool) {
		return answered{exchange{Request: e.Request, Fault: "the connection was reset"}, nil}, true
	}},
	{name: "a charset that is not the text's", spoil: inCharset("text/html; charset=utf-16")},
	{name: "a charset that nobody knows", spoil: inCharset("application/json; charset=klingon")},
	{name: "letters that are no UTF-8", spoil: func(e exchange, body []byte, _ *answered) (answered, bool) {
		return answered{e, bytes.ReplaceAll(body, []byte("e"), []byte("\xe9"))}, e.Status == http.StatusOK && !bytes.Contains(body, []byte("{"))
	}},
	{name: "the page before once more", spoil: func(e exchange, _ []byte, before *answered) (answered, bool) {
		if before == nil || !samePlace(before.Request, e.Request) {
			return answered{}, false
		}
		return answered{before.exchange, before.body}, true
	}},
}

// samePlace reports whether two requests differ in no more than the query, the body or the last number of the path.
func samePlace(a, b string) bool {
	number := regexp.MustCompile(`\d+`)
	place := func(request string) string {
		request, _, _ = strings.Cut(request, "?")
		return number.ReplaceAllString(request, "0")
	}
	return place(a) == place(b)
}

// TestMatrix does every wrong to every answer of every adapter's normal board.
func TestMatrix(t *testing.T) {
	t.Parallel()
	for _, a := range ats.All() {
		t.Run(a.Name(), func(t *testing.T) {
			t.Parallel()
			normal := normalBoard(t, a)
			for i := range normal.answers {
				for _, f := range faults {
					w := normal.world(t)
					var before *answered
					if i > 0 {
						before = &normal.answers[i-1]
					}
					spoilt, possible := f.spoil(w.answers[i].exchange, w.answers[i].body, before)
					if !possible {
						continue
					}
					spoilt.Request = normal.answers[i].Request
					w.answers[i] = spoilt
					what := fmt.Sprintf("%s: %s in answer %d of %d", a.Name(), f.name, i+1, len(normal.answers))
					reading := w.read(what)
					if f.asks && reading.Health != boardwatch.HealthOK && reading.Health != "" {
						require.Equal(t, 2*time.Minute, reading.RetryAfter, "%s: %s", what, reading.Reason)
					}
				}
			}
		})
	}
}

// TestMatrixOfTotals lets every system claim more roles than it lists, no total at all, and a single role.
func TestMatrixOfTotals(t *testing.T) {
	t.Parallel()
	for _, a := range ats.All() {
		t.Run(a.Name(), func(t *testing.T) {
			t.Parallel()
			normal := claimingBoard(t, a)
			more, none, one := normal.world(t), normal.world(t), normal.world(t)
			changed := more.replaceTotals(normal.claimed, normal.claimed+50)
			reading := more.read(a.Name() + ": fifty roles more than there are")
			require.True(t, !changed || reading.Health != boardwatch.HealthOK, "fifty roles are missing")
			none.replaceTotals(normal.claimed, 0)
			none.read(a.Name() + ": no total")
			one.replaceTotals(normal.claimed, 1)
			one.read(a.Name() + ": a total of one")
		})
	}
}

// TestMatrixOfSameness asks systems that give the same page whatever they are asked for. An answer that is a whole board of
// its own, as the cases empty and short show, cannot be told from one.
func TestMatrixOfSameness(t *testing.T) {
	t.Parallel()
	for _, a := range ats.All() {
		t.Run(a.Name(), func(t *testing.T) {
			t.Parallel()
			normal := normalBoard(t, a)
			whole := wholeBoards(t, a)
			for i := range normal.answers {
				if slices.Contains(whole, string(normal.answers[i].body)) {
					continue
				}
				w := normal.world(t)
				w.always = &normal.answers[i]
				w.read(fmt.Sprintf("%s: answer %d for everything", a.Name(), i+1))
			}
		})
	}
}

// wholeBoards are the bodies of those two cases, as far as they are one answer: the page without rows that ends some lists,
// and a last page that says neither which one it is nor how many roles there are.
func wholeBoards(tb testing.TB, a ats.Adapter) []string {
	tb.Helper()
	var bodies []string
	for _, name := range []string{"empty", "short"} {
		if exchanges := cases(tb, a.Name())[name].Exchanges; len(exchanges) == 1 {
			bodies = append(bodies, string(exchanges[0].content(tb, a.Name())))
		}
	}
	return bodies
}

// TestMatrixOfEndings ends the context at each of the requests.
func TestMatrixOfEndings(t *testing.T) {
	t.Parallel()
	for _, a := range ats.All() {
		t.Run(a.Name(), func(t *testing.T) {
			t.Parallel()
			normal := normalBoard(t, a)
			for i := range normal.answers {
				w := normal.world(t)
				ctx, cancel := context.WithCancel(t.Context())
				w.ctx, w.cancel, w.cancelAt = ctx, cancel, i+1
				w.read(fmt.Sprintf("%s: the end at request %d", a.Name(), i+1))
				cancel()
			}
		})
	}
}

// hostile are tokens, or parts of tokens, that never name a board and must not reach anybody.
var hostile = []string{
	"..", "../admin", "a/../../b", "a?b=c", "a#b", "a%2f..%2fb", "%2e%2e", "a@evil.example", "evil.example/", "evil.example#", "https://evil.example",
	"a\r\nHost: evil.example", "a\x00b", "a\tb", "a\\..\\b", "\u043dorthwind", "northwind\u202e", "[::1]", "evil.example:8080", "a;b", "a,b;c", "a=b&c=d",
	"${x}", "{{x}}", "<script>", `"'`, strings.Repeat("a", 5000),
}

// TestMatrixOfHostileTokens: what cannot name a board is told so before anybody is asked.
func TestMatrixOfHostileTokens(t *testing.T) {
	t.Parallel()
	for _, a := range ats.All() {
		t.Run(a.Name(), func(t *testing.T) {
			t.Parallel()
			normal := normalBoard(t, a)
			tokens := append([]string{"", "."}, hostile...)
			parts := strings.Split(normal.board, "/")
			for i := range parts {
				for _, h := range append([]string{""}, hostile...) {
					spliced := slices.Clone(parts)
					spliced[i] = h
					tokens = append(tokens, strings.Join(spliced, "/"))
				}
				spliced := slices.Clone(parts)
				spliced[i] += "@evil.example"
				tokens = append(tokens, strings.Join(spliced, "/"), normal.board+"/..", "../"+normal.board, normal.board+"?x", normal.board+"#x")
			}
			for _, token := range tokens {
				w := normal.world(t)
				w.board, w.always = token, &normal.answers[0]
				reading, err := ats.Read(t.Context(), a, w, token)
				require.NoError(t, err, "%q", token)
				require.NotEqual(t, boardwatch.HealthOK, reading.Health, "%q", token)
				if n, ok := a.(ats.Namer); ok {
					name, err := n.Company(t.Context(), w, token)
					require.True(t, err != nil && name == "", "%q", token)
				}
				require.Zero(t, w.requests, "%q was asked for", token)
			}
			for _, token := range []string{"127.0.0.1", "localhost", "169.254.169.254", "metadata.google.internal", "2130706433", "0x7f000001"} {
				w := normal.world(t)
				w.board, w.always = token, &normal.answers[0]
				_, err := ats.Read(t.Context(), a, w, token) // what it may ask is judged with each request
				require.NoError(t, err, "%q", token)
			}
		})
	}
}

// normalBoard is the adapter's normal board: what it answers, and what comes of it.
type normal struct {
	adapter ats.Adapter
	board   string
	answers []answered
	keys    []string
	claimed int
	domains []string // registrable domains of the hosts that any case of the adapter asks
	hosts   []string
}

// claimingBoard is the normal board of a system that says how many roles there are. Others have nothing to show here.
func claimingBoard(t *testing.T, a ats.Adapter) normal {
	t.Helper()
	n := normalBoard(t, a)
	if n.claimed <= 0 {
		t.Skip("the system says no total")
	}
	return n
}

func normalBoard(tb testing.TB, a ats.Adapter) normal {
	tb.Helper()
	all := cases(tb, a.Name())
	c := all["normal"]
	n := normal{adapter: a, board: c.Board}
	for _, e := range c.Exchanges {
		n.answers = append(n.answers, answered{e, e.content(tb, a.Name())})
	}
	for _, c := range all {
		for _, e := range c.Exchanges {
			_, address, _ := strings.Cut(e.Request, " ")
			n.allow(tb, address)
		}
	}
	if l, ok := a.(ats.Locator); ok {
		n.allow(tb, l.CareersURL(n.board))
	}
	reading, err := ats.Read(tb.Context(), a, n.world(tb), c.Board)
	require.NoError(tb, err)
	reading = reading.Normalize()
	require.Equal(tb, boardwatch.HealthOK, reading.Health, reading.Reason)
	require.Greater(tb, len(reading.Postings), 1, "a normal board has roles")
	n.claimed = reading.Claimed
	n.keys = keysOf(reading)
	return n
}

func (n *normal) allow(tb testing.TB, address string) {
	tb.Helper()
	u, err := url.Parse(address)
	require.NoError(tb, err)
	n.hosts = append(n.hosts, u.Hostname())
	if domain, err := publicsuffix.EffectiveTLDPlusOne(u.Hostname()); err == nil {
		n.domains = append(n.domains, domain)
	}
}

func keysOf(r boardwatch.Reading) []string {
	var keys []string
	for _, p := range r.Postings {
		keys = append(keys, p.Key)
	}
	return keys
}

// world answers as the normal board does, but for what a test changes.
type world struct {
	normal

	t        testing.TB
	ctx      context.Context //nolint:containedctx // the reading's, ended by a request
	cancel   context.CancelFunc
	cancelAt int
	answers  []answered // as changed; normal.answers is how they were
	used     []bool
	always   *answered
	requests int
	jar      http.CookieJar
}

func (n normal) world(tb testing.TB) *world {
	tb.Helper()
	return &world{
		normal: n, t: tb, ctx: tb.Context(), answers: slices.Clone(n.answers), used: make([]bool, len(n.answers)), jar: must(cookiejar.New(nil)),
	}
}

// mostRequests is more than any fixture needs, and less than a list without end would take.
const mostRequests = 600

func (w *world) Do(r *http.Request) (*http.Response, error) {
	w.requests++
	w.judge(r)
	if w.requests == w.cancelAt {
		w.cancel()
	}
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	for _, cookie := range w.jar.Cookies(r.URL) {
		r.AddCookie(cookie)
	}
	a := w.find(r)
	switch {
	case a == nil:
		a = &answered{exchange{Status: http.StatusNotFound}, []byte(`{"error": "not found"}`)}
	case a.Fault == "too large":
		return nil, tooLargeError{}
	case a.Fault != "":
		return nil, errors.New(a.Fault)
	}
	response := a.response(a.body, r)
	w.jar.SetCookies(r.URL, response.Cookies())
	return response, nil
}

// judge holds every request to the adapter's own hosts.
func (w *world) judge(r *http.Request) {
	require.LessOrEqual(w.t, w.requests, mostRequests, "%s asks without end", w.adapter.Name())
	require.Equal(w.t, "https", r.URL.Scheme, r.URL)
	require.Nil(w.t, r.URL.User, r.URL)
	require.Empty(w.t, r.URL.Port(), r.URL)
	require.Empty(w.t, r.URL.Fragment, r.URL)
	require.NotContains(w.t, strings.Split(r.URL.Path, "/"), "..", r.URL)
	host := r.URL.Hostname()
	domain, _ := publicsuffix.EffectiveTLDPlusOne(host)
	require.True(w.t, slices.Contains(w.hosts, host) || slices.Contains(w.domains, domain), "%s asks %s", w.adapter.Name(), host)
}

// find is the answer to a request: of several that fit, the first that was not given yet.
func (w *world) find(r *http.Request) *answered {
	if w.always != nil {
		return w.always
	}
	body := ""
	if r.Body != nil {
		body = string(must(io.ReadAll(r.Body)))
	}
	var found *answered
	for i := range w.answers {
		fits := w.normal.answers[i].fits(r, body)
		if fits && !w.used[i] {
			w.used[i] = true
			return &w.answers[i]
		}
		if fits {
			found = &w.answers[i]
		}
	}
	return found
}

// fits reports whether the request, which sends body, is the exchange's.
func (e exchange) fits(r *http.Request, body string) bool {
	return e.Request == r.Method+" "+r.URL.String() &&
		!slices.ContainsFunc(e.Sends, func(s string) bool { return !strings.Contains(body, s) })
}

// read reads the board and holds the outcome to the one rule.
func (w *world) read(what string) boardwatch.Reading {
	w.t.Helper()
	reading := w.readAnything(what)
	if reading.Health == boardwatch.HealthOK {
		require.Subset(w.t, keysOf(reading), w.keys, "%s: ok, with fewer roles than there are", what)
	}
	return reading
}

// readAnything reads the board, whatever is in it now, and holds the outcome to what is true of every reading.
func (w *world) readAnything(what string) boardwatch.Reading {
	w.t.Helper()
	reading, err := ats.Read(w.ctx, w.adapter, w, w.board)
	if err != nil {
		require.Equal(w.t, boardwatch.Reading{}, reading, "%s: an error comes alone", what)
		return reading
	}
	reading = reading.Normalize()
	require.Contains(w.t, []boardwatch.Health{boardwatch.HealthOK, boardwatch.HealthPartial, boardwatch.HealthFailed, boardwatch.HealthBlocked}, reading.Health, what)
	require.True(w.t, reading.Health == boardwatch.HealthOK || reading.Reason != "", "%s: a reason unless all is well", what)
	if !reading.Health.Read() {
		require.Empty(w.t, reading.Postings, what)
	}
	return reading
}

var totalForm = `(?i)((?:total|count|number|hits|found|results|size)[a-z_-]*["']?\s*[:=]\s*["']?)%d\b`

// replaceTotals makes every answer claim another total, and reports whether any claimed the old one.
func (w *world) replaceTotals(from, to int) (changed bool) {
	form := regexp.MustCompile(fmt.Sprintf(totalForm, from))
	for i, a := range w.answers {
		body := form.ReplaceAll(a.body, []byte("${1}"+strconv.Itoa(to)))
		header := maps.Clone(a.Header)
		for name, value := range header {
			if value == strconv.Itoa(from) {
				header[name] = strconv.Itoa(to)
			}
		}
		changed = changed || !bytes.Equal(body, a.body) || !maps.Equal(header, a.Header)
		w.answers[i].body, w.answers[i].Header = body, header
	}
	return changed
}
