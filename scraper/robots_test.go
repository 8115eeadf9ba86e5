package scraper_test

import (
	"maps"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// visitors is a site that remembers what it was asked for.
type visitors struct {
	site site

	mu    sync.Mutex
	asked []string
}

func (v *visitors) RoundTrip(req *http.Request) (*http.Response, error) {
	v.mu.Lock()
	v.asked = append(v.asked, req.URL.String())
	v.mu.Unlock()
	return v.site.RoundTrip(req)
}

func robotsTxt(text string) answer {
	return answer{Header: map[string]any{"Content-Type": "text/plain"}, Body: []byte(text)}
}

const twoRoles = `<h1>Open positions</h1><ul><li><a href="/careers/welder-1">Welder</a></li><li><a href="/careers/fitter-2">Pipe Fitter</a></li></ul>`

func TestReadObeysRobots(t *testing.T) {
	t.Parallel()
	const careers = "https://www.northwind.example/careers"
	const file = "https://www.northwind.example/robots.txt"
	const elsewhere = "https://jobs.northwind.example"
	shut := robotsTxt("User-agent: *\nDisallow: /")
	for _, tt := range []struct {
		name   string
		robots map[string]answer
		page   answer
		access boardwatch.Access
		ignore bool
		health boardwatch.Health
		reason string
		asked  []string
	}{
		{name: "a site without one", health: boardwatch.HealthOK, asked: []string{file, careers}},
		{name: "a site that allows it", robots: map[string]answer{file: robotsTxt("User-agent: *\nDisallow: /private")}, health: boardwatch.HealthOK, asked: []string{file, careers}},
		{
			name: "a site that does not", robots: map[string]answer{file: shut},
			health: boardwatch.HealthFailed, reason: "disallowed by robots.txt of www.northwind.example", asked: []string{file},
		},
		{
			name: "a board for which the operator knows better", robots: map[string]answer{file: shut}, access: boardwatch.Access{Robots: boardwatch.RobotsIgnore},
			health: boardwatch.HealthOK, asked: []string{careers},
		},
		{name: "a program that ignores it", robots: map[string]answer{file: shut}, ignore: true, health: boardwatch.HealthOK, asked: []string{careers}},
		{
			name: "a board that obeys it in such a program", robots: map[string]answer{file: shut}, ignore: true, access: boardwatch.Access{Robots: boardwatch.RobotsObey},
			health: boardwatch.HealthFailed, reason: "disallowed by robots.txt", asked: []string{file},
		},
		{name: "a site that refuses to show it", robots: map[string]answer{file: {Status: 403}}, health: boardwatch.HealthOK, asked: []string{file, careers}},
		{
			name: "a site in trouble", robots: map[string]answer{file: {Status: 503, Header: map[string]any{"Retry-After": "1800"}, Body: []byte("<h1>Down</h1>")}},
			health: boardwatch.HealthFailed, reason: "not available just now (status 503), and nothing else is read while its robots.txt cannot be", asked: []string{file},
		},
		{
			name:   "a wall before it, and not before the page",
			robots: map[string]answer{file: {Status: 503, Header: map[string]any{"Cf-Mitigated": "challenge", "Server": "cloudflare"}}},
			health: boardwatch.HealthOK, asked: []string{file, careers},
		},
		{
			name:   "a page that sends on to where it is disallowed",
			robots: map[string]answer{elsewhere + "/robots.txt": shut}, page: answer{Status: 302, Header: map[string]any{"Location": elsewhere + "/open"}},
			health: boardwatch.HealthFailed, reason: "disallowed by robots.txt of jobs.northwind.example",
			asked: []string{file, careers, elsewhere + "/robots.txt"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			v := &visitors{site: site{careers: html("", twoRoles)}}
			if tt.page.Status != 0 {
				v.site[careers] = tt.page
			}
			maps.Copy(v.site, tt.robots)
			client := outbound.New(outbound.Options{Transport: v, Pause: -1, Backoff: []time.Duration{}})
			s := scraper.New(client, scraper.Options{IgnoreRobots: tt.ignore})
			r, err := s.Read(t.Context(), boardwatch.Board{Source: "page:" + careers, State: boardwatch.BoardState{Access: tt.access}})
			require.NoError(t, err)
			require.Equal(t, tt.health, r.Health, r.Reason)
			require.Contains(t, r.Reason, tt.reason)
			require.Equal(t, tt.asked, v.asked)
			require.Equal(t, len(v.asked), r.Requests)
			if strings.Contains(tt.name, "trouble") {
				require.Equal(t, 30*time.Minute, r.RetryAfter)
			}
		})
	}
}

func TestReadAsksForRobotsOnceADay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const careers = "https://www.northwind.example/careers"
		const file = "https://www.northwind.example/robots.txt"
		v := &visitors{site: site{careers: html("", twoRoles), file: robotsTxt("User-agent: *\nDisallow: /private")}}
		client := outbound.New(outbound.Options{Transport: v, Pause: -1, Backoff: []time.Duration{}})
		s := scraper.New(client, scraper.Options{})
		read := func() boardwatch.Health {
			v.asked = nil
			r, err := s.Read(t.Context(), boardwatch.Board{Source: "page:" + careers})
			require.NoError(t, err)
			return r.Health
		}
		require.Equal(t, boardwatch.HealthOK, read())
		require.Equal(t, []string{file, careers}, v.asked)
		<-time.After(23 * time.Hour)
		require.Equal(t, boardwatch.HealthOK, read())
		require.Equal(t, []string{careers}, v.asked)

		<-time.After(2 * time.Hour)
		v.site[file] = answer{Status: 500}
		require.Equal(t, boardwatch.HealthOK, read(), "the old one counts while there is no other")
		v.site[file] = robotsTxt("User-agent: *\nDisallow: /careers")
		require.Equal(t, boardwatch.HealthFailed, read())
	})
}

func TestReadDoesNotAskHostedSystemsForRobots(t *testing.T) {
	t.Parallel()
	v := &visitors{site: site{"https://api.hosted.example/northwind": text("Welder\n"), "https://api.hosted.example/robots.txt": robotsTxt("User-agent: *\nDisallow: /")}}
	r, err := hosted(t, v, system{}).Read(t.Context(), boardwatch.Board{Source: "hosted:northwind", Company: "Northwind"})
	require.NoError(t, err)
	require.Equal(t, boardwatch.HealthOK, r.Health)
	require.Equal(t, []string{"https://api.hosted.example/northwind"}, v.asked)
}

func TestReadTakesNoOtherWayThanTheOneSet(t *testing.T) {
	t.Parallel()
	v := &visitors{site: site{}}
	client := outbound.New(outbound.Options{Transport: v, Pause: -1, Backoff: []time.Duration{}})
	b := boardwatch.Board{Source: "page:https://www.northwind.example/careers", State: boardwatch.BoardState{Access: boardwatch.Access{Proxy: "sealed"}}}
	r, err := scraper.New(client, scraper.Options{}).Read(t.Context(), b)
	require.NoError(t, err)
	require.Equal(t, boardwatch.HealthFailed, r.Health)
	require.Contains(t, r.Reason, "the proxy set for this board cannot be read")
	require.Empty(t, v.asked)
}
