package scraper_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/ats"
	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

func TestRecognize(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, input, source, address string }{
		{"a hosted board", "https://boards.greenhouse.io/northwind", "greenhouse:northwind", "https://boards.greenhouse.io/northwind"},
		{"a hosted board without a scheme", "jobs.lever.co/northwind", "lever:northwind", "https://jobs.lever.co/northwind"},
		{"a bare domain", "northwind.example", "", "https://northwind.example"},
		{"blanks around it", "  northwind.example/careers\n", "", "https://northwind.example/careers"},
		{"upper case", "HTTPS://WWW.Northwind.Example/Careers", "", "https://www.northwind.example/Careers"},
		{"a scheme left out", "//northwind.example/jobs", "", "https://northwind.example/jobs"},
		{"a port that is the usual one", "https://northwind.example:443/jobs", "", "https://northwind.example/jobs"},
		{"a port of its own", "northwind.example:8443/jobs", "", "https://northwind.example:8443/jobs"},
		{"http", "http://northwind.example:80/jobs", "", "http://northwind.example/jobs"},
		{"slashes at the end", "https://northwind.example/jobs//", "", "https://northwind.example/jobs"},
		{"a fragment", "https://northwind.example/jobs#open", "", "https://northwind.example/jobs"},
		{"tracking parameters", "https://northwind.example/jobs?utm_source=x&team=7&gh_src=y&ref=z", "", "https://northwind.example/jobs?team=7"},
		{"only tracking parameters", "https://northwind.example/jobs?lever-source=x&source=y", "", "https://northwind.example/jobs"},
		{"a name in another script", "bücher.example/karriere", "", "https://xn--bcher-kva.example/karriere"},
		{"a dot after the host", "https://northwind.example./jobs", "", "https://northwind.example/jobs"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r, err := reader(t, site{}).Recognize(tt.input)
			require.NoError(t, err)
			require.Equal(t, tt.source, r.Source)
			require.Equal(t, tt.address, r.Address)
			require.NotEmpty(t, r.URL)
			require.NotEmpty(t, r.Evidence)

			again, err := reader(t, site{}).Recognize(r.Address)
			require.NoError(t, err)
			require.Equal(t, r.Address, again.Address, "the form is a fixed point")
		})
	}
}

func TestSitesForJobSeekersAreRefusedWithAReason(t *testing.T) {
	t.Parallel()
	for input, name := range map[string]string{
		"https://www.linkedin.com/company/northwind/jobs/": "LinkedIn", "linkedin.com": "LinkedIn", "https://uk.linkedin.com/jobs": "LinkedIn",
		"https://de.indeed.com/cmp/Northwind": "Indeed", "indeed.com": "Indeed", "https://www.glassdoor.co.uk/Jobs/x": "Glassdoor",
	} {
		_, err := reader(t, site{}).Recognize(input)
		require.ErrorContains(t, err, "leads to "+name, input)
		require.ErrorContains(t, err, "name the company's own careers page instead")
		require.Equal(t, cause.Refused, boardwatch.CauseOf(err))
	}
	for _, input := range []string{"https://careers.linkedin.com/", "notindeed.example", "indeed.northwind.example"} {
		_, err := reader(t, site{}).Recognize(input)
		require.NoError(t, err, input)
	}
}

func TestRecognizeRefuses(t *testing.T) {
	t.Parallel()
	for name, input := range map[string]string{
		"nothing":                "  ",
		"a sentence":             "the careers page of Northwind",
		"a file":                 "file:///etc/passwd",
		"another scheme":         "ftp://northwind.example/jobs",
		"a mailbox":              "mailto:jobs@northwind.example",
		"a script":               "javascript:alert(1)",
		"a password":             "https://user:secret@northwind.example/jobs",
		"a user name":            "https://jobs@northwind.example/",
		"this machine":           "http://localhost:8080/jobs",
		"this machine by number": "http://127.0.0.1/jobs",
		"a private address":      "http://192.168.1.10/jobs",
		"metadata":               "http://169.254.169.254/latest",
		"IPv6 loopback":          "http://[::1]/jobs",
		"a number for a host":    "http://2130706433/jobs",
		"a bare name":            "intranet",
		"no host":                "https:///jobs",
		"control characters":     "https://northwind.example/jo\x00bs",
		"an endless address":     "https://northwind.example/" + strings.Repeat("a", 2000),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := reader(t, site{}).Recognize(input)
			require.Error(t, err)
			e, ok := errors.AsType[*boardwatch.Error](err)
			require.True(t, ok)
			require.Equal(t, boardwatch.CodeInvalidRequest, e.Code)
			details, ok := e.Details.([]boardwatch.FieldError)
			require.True(t, ok)
			require.Equal(t, "url", details[0].Field)
			require.NotContains(t, e.Error(), "secret")
		})
	}
}

// system is an adapter of an invented hosted system: its list is at https://api.hosted.example/{board}.
type system struct {
	company func() (string, error)
}

func (system) Name() string { return "hosted" }

func (system) Match(u *url.URL) (string, bool) {
	board, ok := strings.CutPrefix(u.Path, "/")
	return board, ok && u.Hostname() == "jobs.hosted.example" && board != "" && !strings.Contains(board, "/")
}

func (system) Read(ctx context.Context, client ats.Doer, board string) (boardwatch.Reading, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://api.hosted.example/"+board, http.NoBody)
	if err != nil {
		return boardwatch.Reading{}, err
	}
	resp, err := client.Do(req)
	if err != nil {
		return boardwatch.Reading{}, err
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode == http.StatusNotFound {
		return boardwatch.Reading{Claimed: -1, Health: boardwatch.HealthFailed, Reason: "no such board", Unknown: true}, nil
	}
	var body strings.Builder
	if _, err := resp.Body.(*outbound.Body).WriteTo(&body); err != nil {
		return boardwatch.Reading{}, err
	}
	r := boardwatch.Reading{Claimed: -1, Health: boardwatch.HealthOK}
	for line := range strings.FieldsFuncSeq(body.String(), func(r rune) bool { return r == '\n' }) {
		r.Postings = append(r.Postings, boardwatch.Posting{Key: line, Title: line})
	}
	return r, nil
}

func (system) CareersURL(board string) string { return "https://jobs.hosted.example/" + board }

func (s system) Company(context.Context, ats.Doer, string) (string, error) {
	if s.company == nil {
		return "", errors.New("no name is shown")
	}
	return s.company()
}

func hosted(t *testing.T, next http.RoundTripper, a system) *scraper.Scraper {
	t.Helper()
	client := outbound.New(outbound.Options{Transport: next, Pause: -1, Backoff: []time.Duration{}})
	return scraper.New(client, scraper.Options{Adapters: []ats.Adapter{a}, Trace: func(step string) { t.Log(step) }})
}

func text(body string) answer { return answer{Body: []byte(body)} }

func TestReadHostedBoard(t *testing.T) {
	t.Parallel()
	board := boardwatch.Board{Source: "hosted:northwind"}

	t.Run("reads roles, counts requests and asks for the employer's name", func(t *testing.T) {
		t.Parallel()
		s := hosted(t, site{"https://api.hosted.example/northwind": text("Welder\nFitter\n")}, system{company: func() (string, error) { return "Northwind Labs", nil }})
		r, err := s.Read(t.Context(), board)
		require.NoError(t, err)
		require.Equal(t, boardwatch.HealthOK, r.Health)
		require.Equal(t, "Northwind Labs", r.Company)
		require.Len(t, r.Postings, 2)
		require.Equal(t, 1, r.Requests)
		require.NotEmpty(t, r.Fingerprint)
	})

	t.Run("a wall is a wall, whatever its answer looks like", func(t *testing.T) {
		t.Parallel()
		wall := answer{Status: http.StatusNotFound, Header: map[string]any{"Cf-Mitigated": "challenge"}}
		r, err := hosted(t, site{"https://api.hosted.example/northwind": wall}, system{}).Read(t.Context(), board)
		require.NoError(t, err)
		require.Equal(t, boardwatch.HealthBlocked, r.Health)
		require.Equal(t, "Cloudflare", r.BlockedBy)
		require.Equal(t, "blocked by Cloudflare, which asks for a browser (status 404)", r.Reason)
		require.False(t, r.Unknown)
	})

	t.Run("does without the name", func(t *testing.T) {
		t.Parallel()
		r, err := hosted(t, site{"https://api.hosted.example/northwind": text("Welder\n")}, system{}).Read(t.Context(), board)
		require.NoError(t, err)
		require.Equal(t, boardwatch.HealthOK, r.Health)
		require.Empty(t, r.Company)
	})

	t.Run("answers unchanged when a healthy board shows the same bytes", func(t *testing.T) {
		t.Parallel()
		s := hosted(t, site{"https://api.hosted.example/northwind": text("Welder\n")}, system{})
		first, err := s.Read(t.Context(), board)
		require.NoError(t, err)
		b := board
		b.State.Fingerprint = first.Fingerprint

		r, err := s.Read(t.Context(), b)
		require.NoError(t, err)
		require.False(t, r.Unchanged, "the last reading was not healthy, or there was none")

		b.State.Health = boardwatch.HealthOK
		r, err = s.Read(t.Context(), b)
		require.NoError(t, err)
		require.True(t, r.Unchanged)
		require.Equal(t, boardwatch.HealthOK, r.Health)
		require.Equal(t, first.Fingerprint, r.Fingerprint)
		require.Empty(t, r.Postings)
	})

	t.Run("an unknown board stays unknown", func(t *testing.T) {
		t.Parallel()
		r, err := hosted(t, site{}, system{}).Read(t.Context(), board)
		require.NoError(t, err)
		require.True(t, r.Unknown)
		require.Equal(t, boardwatch.HealthFailed, r.Health)
	})

	t.Run("a fault of the way there is a failed reading with a sentence", func(t *testing.T) {
		t.Parallel()
		broken := roundTripper(func(*http.Request) (*http.Response, error) { return nil, errors.New("the cable is cut") })
		r, err := hosted(t, broken, system{}).Read(t.Context(), board)
		require.NoError(t, err)
		require.Equal(t, boardwatch.HealthFailed, r.Health)
		require.NotEmpty(t, r.Reason)
	})

	t.Run("the end of the context is an error", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := hosted(t, site{}, system{}).Read(ctx, board)
		require.ErrorIs(t, err, context.Canceled)
	})

	t.Run("a system that this build does not know", func(t *testing.T) {
		t.Parallel()
		r, err := hosted(t, site{}, system{}).Read(t.Context(), boardwatch.Board{Source: "elsewhere:northwind"})
		require.NoError(t, err)
		require.Equal(t, boardwatch.HealthFailed, r.Health)
		require.Contains(t, r.Reason, "elsewhere")
	})
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

// One reading over a real connection, to see that nothing depends on memory.
func TestReadPageOverTheNetwork(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/old" {
			http.Redirect(w, r, "/careers/jobs", http.StatusFound)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=iso-8859-1")
		_, _ = w.Write([]byte("<!doctype html><html><body><h1>Offene Stellen</h1><ul><li><a href=\"/jobs/1\">B\xe4cker (m/w/d)</a></li></ul></body></html>"))
	}))
	t.Cleanup(server.Close)
	client := outbound.New(outbound.Options{AllowLoopback: true})
	r, err := scraper.New(client, scraper.Options{}).Read(t.Context(), boardwatch.Board{Source: "page:" + server.URL + "/old"})
	require.NoError(t, err)
	require.Equal(t, boardwatch.HealthOK, r.Health, r.Reason)
	require.Len(t, r.Postings, 1)
	require.Equal(t, "Bäcker (m/w/d)", r.Postings[0].Title)
	require.Equal(t, 3, r.Requests, "robots.txt, the address asked for and where it led")
	require.Empty(t, r.Domain, "an address by number is nobody's domain")
}
