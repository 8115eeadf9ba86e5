package ats_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/ats"
	"github.com/boardwatch/boardwatch/boardwatch"
)

var update = flag.Bool("update", false, "rewrite the wanted results in testdata")

func TestAll(t *testing.T) {
	t.Parallel()
	var names []string
	for _, a := range ats.All() {
		names = append(names, a.Name())
	}
	require.NotEmpty(t, names)
	require.True(t, slices.IsSorted(names), "sorted by name: %v", names)
	require.Len(t, slices.Compact(slices.Clone(names)), len(names), "each name once")
	require.NotContains(t, names, boardwatch.PageSystem, "the name of ordinary pages is taken")
}

func TestAbout(t *testing.T) {
	t.Parallel()
	for _, a := range ats.All() {
		t.Run(a.Name(), func(t *testing.T) {
			t.Parallel()
			described, ok := a.(ats.Described)
			require.True(t, ok, "it tells people nothing")
			about := described.About()
			for field, value := range map[string]string{
				"Name": about.Name, "Site": about.Site, "Endpoint": about.Endpoint, "Reads": about.Reads, "Addresses": strings.Join(about.Addresses, ""),
			} {
				require.NotEmpty(t, value, field)
			}
			require.Contains(t, []ats.Evidence{ats.Recording, ats.Several, ats.Single}, about.Evidence)
		})
	}
}

// TestAddresses walks testdata/<system>/addresses.txt: one address per line, after "->" the board that it names, or
// nothing when it names none.
func TestAddresses(t *testing.T) {
	t.Parallel()
	for _, a := range ats.All() {
		t.Run(a.Name(), func(t *testing.T) {
			t.Parallel()
			matching, refused := 0, 0
			for line := range strings.Lines(string(fixture(t, a.Name(), "addresses.txt"))) {
				if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
					continue
				}
				address, want, ok := strings.Cut(line, "->")
				require.True(t, ok, "no -> in %q", line)
				address, want = strings.TrimSpace(address), strings.TrimSpace(want)
				u, err := url.Parse(address)
				require.NoError(t, err)
				if want == "" {
					refused++
					system, board, _ := ats.Match(u, ats.All())
					require.Empty(t, system+board, address)
					continue
				}
				matching++
				for _, other := range ats.All() {
					board, ok := other.Match(u)
					require.Equal(t, other.Name() == a.Name(), ok, "%s and %s", other.Name(), address)
					if ok {
						require.Equal(t, want, board, address)
					}
				}
			}
			require.Positive(t, matching, "addresses that match")
			require.Positive(t, refused, "addresses that do not")
		})
	}
}

// TestCareersURL holds every adapter to its own addresses: the page it names is a page of the board.
func TestCareersURL(t *testing.T) {
	t.Parallel()
	for _, a := range ats.All() {
		locator, ok := a.(ats.Locator)
		if !ok {
			continue
		}
		t.Run(a.Name(), func(t *testing.T) {
			t.Parallel()
			for _, c := range cases(t, a.Name()) {
				if c.Impossible {
					continue
				}
				u, err := url.Parse(locator.CareersURL(c.Board))
				require.NoError(t, err)
				board, ok := a.Match(u)
				require.True(t, ok || c.OwnDomain, u)
				require.True(t, board == c.Board || c.OwnDomain, "%s is a page of %s, not of %s", u, board, c.Board)
			}
		})
	}
}

// TestExchanges plays testdata/<system>/exchanges.json against the adapters and compares with want.json.
func TestExchanges(t *testing.T) {
	t.Parallel()
	for _, a := range ats.All() {
		t.Run(a.Name(), func(t *testing.T) {
			t.Parallel()
			got := make(map[string]result)
			used := []string{"addresses.txt", "embeds.json", "exchanges.json", "want.json"}
			for name, c := range cases(t, a.Name()) {
				got[name] = play(t, a, name, c)
				for _, e := range c.Exchanges {
					used = append(used, e.Body)
				}
			}
			for _, f := range must(os.ReadDir(filepath.Join("testdata", a.Name()))) {
				require.Contains(t, used, f.Name(), "no exchange uses this file")
			}
			if *update {
				require.NoError(t, os.WriteFile(filepath.Join("testdata", a.Name(), "want.json"), encoded(t, got), 0o600))
			}
			want := make(map[string]result)
			require.NoError(t, json.Unmarshal(fixture(t, a.Name(), "want.json"), &want))
			for name := range got {
				require.Equal(t, want[name], got[name], "case %q", name)
			}
			require.Len(t, got, len(want), "want.json has cases that exchanges.json lacks")
			for _, name := range []string{"normal", "empty", "unknown"} {
				require.Contains(t, want, name, "every system has this case")
			}
		})
	}
}

// testCase is one reading of a board, or one question for its company's name, and the requests that it makes in order.
type testCase struct {
	Board      string     `json:"board"`
	Impossible bool       `json:"impossible"` // the system can have no board of this name
	OwnDomain  bool       `json:"ownDomain"`  // the board lives at an address of the company's own, which tells nothing
	Ask        string     `json:"ask"`        // "company" asks for the name; otherwise the board is read
	Exchanges  []exchange `json:"exchanges"`
}

// exchange is one request and its answer.
type exchange struct {
	Request string            `json:"request"` // method and address
	Accept  string            `json:"accept"`  // what the request must accept, when it matters
	With    map[string]string `json:"with"`    // headers that the request must have
	Cookie  string            `json:"cookie"`  // a cookie that the request must bring back: name=value
	Sends   texts             `json:"sends"`   // what the request's body must contain: a text or several
	Status  int               `json:"status"`
	Header  map[string]string `json:"header"`
	Body    string            `json:"body"`  // a file beside exchanges.json, or
	Text    string            `json:"text"`  // the body itself
	Fault   string            `json:"fault"` // what the client says in place of an answer: "too large", "unchanged", or anything
}

// texts is a text or a list of texts.
type texts []string

// UnmarshalJSON takes either.
func (t *texts) UnmarshalJSON(document []byte) error {
	if bytes.HasPrefix(document, []byte("[")) {
		return json.Unmarshal(document, (*[]string)(t))
	}
	*t = texts{""}
	return json.Unmarshal(document, &(*t)[0])
}

// result is what came of a case.
type result struct {
	Error      string        `json:"error,omitempty"`
	Company    string        `json:"company,omitempty"`
	Health     string        `json:"health,omitempty"`
	Reason     string        `json:"reason,omitempty"`
	Unknown    bool          `json:"unknown,omitempty"`
	RetryAfter string        `json:"retryAfter,omitempty"`
	Claimed    int           `json:"claimed,omitempty"`
	Skipped    []string      `json:"skipped,omitempty"`
	Present    []string      `json:"present,omitempty"`
	Postings   []wantPosting `json:"postings,omitempty"`
}

type wantPosting struct {
	Key        string `json:"key"`
	Title      string `json:"title"`
	Location   string `json:"location,omitempty"`
	Department string `json:"department,omitempty"`
	URL        string `json:"url,omitempty"`

	Facts boardwatch.Facts `json:"facts,omitzero"`
	Text  string           `json:"text,omitempty"`
}

func play(t *testing.T, a ats.Adapter, name string, c testCase) result {
	t.Helper()
	p := newPlayer(t, a, name, c)
	defer func() { require.Empty(t, p.exchanges, "%s: requests that were not made", name) }()
	if c.Ask == "company" {
		company, err := a.(ats.Namer).Company(t.Context(), p, c.Board)
		return result{Company: company, Error: sentence(err)}
	}
	reading, err := ats.Read(t.Context(), a, p, c.Board)
	if err != nil {
		require.Equal(t, boardwatch.Reading{}, reading, "an error comes alone")
		return result{Error: sentence(err)}
	}
	reading = reading.Normalize()
	out := result{
		Company: reading.Company, Health: string(reading.Health), Reason: reading.Reason, Unknown: reading.Unknown,
		Claimed: reading.Claimed, Skipped: reading.Skipped, Present: append([]string(nil), reading.Present...),
	}
	if reading.RetryAfter > 0 {
		out.RetryAfter = reading.RetryAfter.String()
	}
	for i, posting := range reading.Postings {
		if i >= 3 { // long lists repeat themselves
			posting.Facts, posting.Text = boardwatch.Facts{}, ""
		}
		out.Postings = append(out.Postings, wantPosting(posting))
	}
	return out
}

// player answers a case's requests in their order and fails the test at any other. It keeps cookies, as a client does.
type player struct {
	t            *testing.T
	system, name string
	exchanges    []exchange
	jar          http.CookieJar
}

func newPlayer(t *testing.T, a ats.Adapter, name string, c testCase) *player {
	t.Helper()
	return &player{t: t, system: a.Name(), name: name, exchanges: c.Exchanges, jar: must(cookiejar.New(nil))}
}

func (p *player) Do(r *http.Request) (*http.Response, error) {
	asked := r.Method + " " + r.URL.String()
	require.NotEmpty(p.t, p.exchanges, "%s: one request too many: %s", p.name, asked)
	e := p.exchanges[0]
	p.exchanges = p.exchanges[1:]
	require.Equal(p.t, e.Request, asked, p.name)
	p.check(r, e)
	switch e.Fault {
	case "":
	case "unchanged":
		return nil, fmt.Errorf("same as last time: %w", ats.ErrUnchanged)
	case "too large":
		return nil, tooLargeError{}
	default:
		return nil, errors.New(e.Fault)
	}
	response := e.response(e.content(p.t, p.system), r)
	p.jar.SetCookies(r.URL, response.Cookies())
	return response, nil
}

// check holds the request to what the exchange says of it.
func (p *player) check(r *http.Request, e exchange) {
	require.Contains(p.t, r.Header.Get("Accept"), e.Accept, p.name)
	for name, value := range e.With {
		require.Equal(p.t, value, r.Header.Get(name), "%s: %s", p.name, name)
	}
	for _, cookie := range p.jar.Cookies(r.URL) {
		r.AddCookie(cookie)
	}
	require.Contains(p.t, r.Header.Get("Cookie"), e.Cookie, p.name)
	if r.Body != nil {
		body := string(must(io.ReadAll(r.Body)))
		for _, sent := range e.Sends {
			require.Contains(p.t, body, sent, p.name)
		}
	}
}

// content is the body of the exchange's answer, from the system's folder or as it stands there.
func (e exchange) content(tb testing.TB, system string) []byte {
	tb.Helper()
	if e.Body == "" {
		return []byte(e.Text)
	}
	return fixture(tb, system, e.Body)
}

// response is the exchange's answer with this body.
func (e exchange) response(body []byte, r *http.Request) *http.Response {
	response := &http.Response{StatusCode: e.Status, Header: make(http.Header), Body: io.NopCloser(bytes.NewReader(body)), Request: r}
	for name, value := range e.Header {
		response.Header.Set(name, value)
	}
	return response
}

type tooLargeError struct{}

func (tooLargeError) Error() string  { return "the answer is larger than 1 MiB" }
func (tooLargeError) TooLarge() bool { return true }

func TestReadPassesOnUnchanged(t *testing.T) {
	t.Parallel()
	client := doerFunc(func(*http.Request) (*http.Response, error) { return nil, ats.ErrUnchanged })
	for _, a := range ats.All() {
		t.Run(a.Name(), func(t *testing.T) {
			t.Parallel()
			_, err := ats.Read(t.Context(), a, client, cases(t, a.Name())["normal"].Board)
			require.ErrorIs(t, err, ats.ErrUnchanged)
		})
	}
}

type doerFunc func(*http.Request) (*http.Response, error)

func (f doerFunc) Do(r *http.Request) (*http.Response, error) { return f(r) }

func cases(tb testing.TB, system string) map[string]testCase {
	tb.Helper()
	out := make(map[string]testCase)
	require.NoError(tb, json.Unmarshal(fixture(tb, system, "exchanges.json"), &out))
	require.NotEmpty(tb, out)
	return out
}

// fixture reads a file of testdata/<system>; that it is missing is a reason to fail.
func fixture(tb testing.TB, system, name string) []byte {
	tb.Helper()
	content, err := os.ReadFile(filepath.Join("testdata", system, name))
	wanted := "every adapter brings its fixtures"
	if name == "want.json" {
		wanted = "go test ./ats -run /" + system + " -update writes it, and after that, once more, what docs/ats.md takes from it"
	}
	require.NoError(tb, err, wanted)
	return content
}

func encoded(t *testing.T, v any) []byte {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	require.NoError(t, e.Encode(v))
	return b.Bytes()
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func sentence(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
