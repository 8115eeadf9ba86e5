package scraper_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/scraper/page"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// web is a small Internet: answers by host and path, whatever the query. A host that it does not hold does not exist.
type web map[string]answer

func (w web) RoundTrip(req *http.Request) (*http.Response, error) {
	exists := false
	for key := range w {
		host, _, _ := strings.Cut(key, "/")
		exists = exists || host == req.URL.Host
	}
	if !exists {
		return nil, &outbound.Error{Kind: outbound.KindUnknownHost, Message: "the host " + req.URL.Host + " does not exist"}
	}
	key := req.URL.Host + strings.TrimSuffix(req.URL.Path, "/")
	a, ok := w[key]
	if !ok {
		a = answer{Status: http.StatusNotFound}
	}
	return site{strings.TrimSuffix(req.URL.String(), "/"): a}.RoundTrip(req)
}

// greenhouse is a board of that system, as it answers programs.
func greenhouse(token, company string, titles ...string) web {
	rows := make([]string, len(titles))
	for i, title := range titles {
		rows[i] = fmt.Sprintf(`{"id":%d,"title":%q,"absolute_url":"https://boards.greenhouse.io/%s/jobs/%d","location":{"name":"Oslo"},"company_name":%q}`, 100+i, title, token, 100+i, company)
	}
	json := map[string]any{"Content-Type": "application/json"}
	return web{
		"boards-api.greenhouse.io/v1/boards/" + token + "/jobs": {Header: json, Body: []byte(`{"jobs":[` + strings.Join(rows, ",") + fmt.Sprintf(`],"meta":{"total":%d}}`, len(rows)))},
		"boards-api.greenhouse.io/v1/boards/" + token:           {Header: json, Body: []byte(fmt.Sprintf(`{"name":%q,"content":""}`, company))},
	}
}

func and(parts ...web) web {
	all := web{}
	for _, part := range parts {
		maps.Copy(all, part)
	}
	return all
}

func sendTo(address string) answer {
	return answer{Status: http.StatusFound, Header: map[string]any{"Location": address}}
}

func gzipped(text string) answer {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write([]byte(text))
	_ = w.Close()
	return answer{Header: map[string]any{"Content-Type": "application/gzip"}, Body: b.Bytes()}
}

func sitemap(addresses ...string) string {
	return `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>` +
		strings.Join(addresses, "</loc></url>\n<url><loc>") + `</loc></url></urlset>`
}

const (
	listed  = `<h1>Open positions</h1><ul><li><a href="/jobs/deck-officer-1">Deck Officer</a></li><li><a href="/jobs/ship-cook-2">Ship's Cook</a></li><li><a href="/jobs/welder-3">Welder</a></li></ul>`
	company = `<header><nav><a href="/">Home</a><a href="/ships">Ships</a><a href="/contact">Contact</a></nav></header><main><h1>Northwind</h1><p>We build ships that carry grain over every ocean, in yards on three continents.</p></main>`
)

// found is what a discovery finds.
func found(t *testing.T, next http.RoundTripper, input string) (boardwatch.Board, int, error) {
	t.Helper()
	client := outbound.New(outbound.Options{Transport: next, Pause: -1, Backoff: []time.Duration{}})
	b, err := scraper.New(client, scraper.Options{Trace: func(step string) { t.Log(step) }}).Discover(t.Context(), input)
	require.LessOrEqual(t, client.Requests(), 25)
	return b, client.Requests(), err
}

func TestDiscoverFromAnyShapeOfSite(t *testing.T) {
	t.Parallel()
	const home = "northwind.example"
	board := greenhouse("northwind", "Northwind", "Deck Officer", "Ship's Cook", "Welder")
	stranger := greenhouse("otherfirm", "Otherfirm", "Clerk", "Painter")
	feed, err := os.ReadFile(filepath.Join("..", "ats", "testdata", "teamtailor", "normal.xml"))
	require.NoError(t, err)
	page := func(body string) answer { return html("<title>Northwind</title>", company+body) }
	link := func(href, text string) answer {
		return page(`<footer><a href="` + href + `">` + text + `</a></footer>`)
	}
	for _, tt := range []struct {
		name   string
		input  string
		web    web
		source string
		url    string
		domain string
	}{
		{"a link in the footer", home, web{home: link("/company/people/join", "Careers"), home + "/company/people/join": html("", listed)}, "page:https://northwind.example/company/people/join", "https://northwind.example/company/people/join", home},
		{"a link with a count", home, web{home: link("/x", "Jobs (12)"), home + "/x": html("", listed)}, "page:https://northwind.example/x", "https://northwind.example/x", home},
		{"a link that is a picture", home, web{home: page(`<a href="/x"><img src="i.png" alt="Careers"></a>`), home + "/x": html("", listed)}, "page:https://northwind.example/x", "https://northwind.example/x", home},
		{"a link whose address alone tells", home, web{home: link("/unternehmen/karriere", "Mehr über uns"), home + "/unternehmen/karriere": html("", listed)}, "page:https://northwind.example/unternehmen/karriere", "https://northwind.example/unternehmen/karriere", home},
		{"no link at all, the usual address", home, web{home: page(""), home + "/careers": html("", listed)}, "page:https://northwind.example/careers", "https://northwind.example/careers", home},
		{"no link at all, the usual host", home, web{home: page(""), "jobs." + home: html("", listed)}, "page:https://jobs.northwind.example", "https://jobs.northwind.example", home},
		{
			"no link at all, an address in the language of the site", home,
			web{home: html("", `<html lang="nl-NL">`+company), home + "/vacatures": html("", `<h1>Vacatures</h1><ul><li><a href="/vacatures/kok">Scheepskok</a></li><li><a href="/vacatures/lasser">Lasser</a></li></ul>`)},
			"page:https://northwind.example/vacatures", "https://northwind.example/vacatures", home,
		},
		{"the site is at www only", home, web{"www." + home: link("/jobs", "Jobs"), "www." + home + "/jobs": html("", listed)}, "page:https://www.northwind.example/jobs", "https://www.northwind.example/jobs", home},
		{"the site moved to another domain", "old-northwind.example", web{"old-northwind.example": sendTo("https://northwind.example/"), home: link("/jobs", "Jobs"), home + "/jobs": html("", listed)}, "page:https://northwind.example/jobs", "https://northwind.example/jobs", home},
		{"a careers site on a domain of its own", home, web{home: link("https://northwindcareers.example/", "Careers"), "northwindcareers.example": html("<title>Northwind Careers</title>", listed)}, "page:https://northwindcareers.example", "https://northwindcareers.example", "northwindcareers.example"},
		{
			"a sitemap that robots.txt names", home,
			web{home: page(""), home + "/robots.txt": robotsTxt("Sitemap: https://northwind.example/maps/all.xml"), home + "/maps/all.xml": answer{Body: []byte(sitemap("https://northwind.example/ships", "https://northwind.example/people/open-roles", "https://northwind.example/blog/careers"))}, home + "/people/open-roles": html("", listed)},
			"page:https://northwind.example/people/open-roles", "https://northwind.example/people/open-roles", home,
		},
		{
			"an index of sitemaps, compressed", home,
			web{
				home:                             page(""),
				home + "/sitemap.xml":            {Body: []byte(`<sitemapindex><sitemap><loc>https://northwind.example/post-sitemap.xml</loc></sitemap><sitemap><loc>https://northwind.example/vacancy-sitemap.xml.gz</loc></sitemap></sitemapindex>`)},
				home + "/vacancy-sitemap.xml.gz": gzipped(sitemap("https://northwind.example/people/vacancies/deck-officer-1", "https://northwind.example/people/vacancies/ship-cook-2")),
				home + "/people/vacancies":       html("", listed),
			},
			"page:https://northwind.example/people/vacancies", "https://northwind.example/people/vacancies/", home,
		},
		{
			"roles in the sitemap, and each of them on a hosted board", home,
			and(board, web{home: page(""), home + "/sitemap.xml": {Body: []byte(sitemap("https://northwind.example/roles/deck-officer-1"))}, home + "/roles/deck-officer-1": html("", `<h1>Deck Officer</h1><p>You command.</p><a href="https://boards.greenhouse.io/northwind/jobs/100">Apply now</a>`)}),
			"greenhouse:northwind", "https://northwind.example/roles/deck-officer-1", home,
		},
		{"the page of one role, and the list above it", home + "/jobs/deck-officer-1", web{home + "/jobs/deck-officer-1": html("", `<h1>Deck Officer</h1><p>You command.</p><a href="/apply">Apply now</a>`), home + "/jobs": html("", listed)}, "page:https://northwind.example/jobs", "https://northwind.example/jobs", home},
		{"the page of a role that is gone", home + "/company/jobs/old-4711", web{home + "/company/jobs": html("", listed)}, "page:https://northwind.example/company/jobs", "https://northwind.example/company/jobs", home},
		{"featured roles at home, all of them elsewhere", home, web{home: page(`<h2>Open positions</h2><ul><li><a href="/jobs/deck-officer-1">Deck Officer</a></li><li><a href="/jobs/ship-cook-2">Ship's Cook</a></li></ul><a href="/jobs">View all jobs</a>`), home + "/jobs": html("", listed)}, "page:https://northwind.example/jobs", "https://northwind.example/jobs", home},

		{"a hosted board behind a link", home, and(board, web{home: link("https://boards.greenhouse.io/northwind", "Careers")}), "greenhouse:northwind", "https://northwind.example", home},
		{"a hosted board behind the usual host", home, and(board, web{home: page(""), "careers." + home: sendTo("https://boards.greenhouse.io/northwind"), "boards.greenhouse.io/northwind": html("", "")}), "greenhouse:northwind", "https://boards.greenhouse.io/northwind", ""},
		{"a hosted board in a script", home + "/careers", and(board, web{home + "/careers": html("<title>Careers</title>", `<h1>Careers</h1><div id="jobs"></div><script>const token = "northwind"; fetch("https://boards-api.greenhouse.io/v1/boards/" + token + "/jobs").then(show)</script>`)}), "greenhouse:northwind", "https://northwind.example/careers", home},
		{"a hosted board in a template text", home + "/careers", and(board, web{home + "/careers": html("<title>Careers</title>", "<h1>Careers</h1><div id=jobs></div><script>var c={board:'northwind'};fetch(`https://boards-api.greenhouse.io/v1/boards/${c.board}/jobs`)</script>")}), "greenhouse:northwind", "https://northwind.example/careers", home},
		{
			"a hosted board in the policy of the page", home + "/careers",
			and(board, web{home + "/careers": {Header: map[string]any{"Content-Security-Policy": "default-src 'self'; frame-src https://boards.greenhouse.io/northwind *.video.example"}, Body: html("<title>Careers</title>", "<h1>Careers</h1><p>Come aboard.</p>").Body}}),
			"greenhouse:northwind", "https://northwind.example/careers", home,
		},
		{
			"a hosted board and a partner's in the footer", home + "/careers",
			and(board, stranger, web{home + "/careers": html("<title>Careers</title>", `<h1>Careers</h1><a href="https://boards.greenhouse.io/northwind">See our jobs</a><footer><a href="https://boards.greenhouse.io/otherfirm">Jobs at our partner</a></footer>`)}),
			"greenhouse:northwind", "https://northwind.example/careers", home,
		},
		{
			"two boards, of which one bears the name", home + "/careers",
			and(board, stranger, web{home + "/careers": html("<title>Careers</title>", `<h1>Careers</h1><a href="https://boards.greenhouse.io/otherfirm">Open positions</a><a href="https://boards.greenhouse.io/northwind">Open positions</a>`)}),
			"greenhouse:northwind", "https://northwind.example/careers", home,
		},
		{
			"a board that the page shows under another name", home + "/careers",
			and(greenhouse("nw4711", "Nordvind Holding", "Deck Officer"), web{home + "/careers": html("<title>Careers</title>", `<h1>Careers</h1><iframe src="https://boards.greenhouse.io/embed/job_board?for=nw4711"></iframe>`)}),
			"greenhouse:nw4711", "https://boards.greenhouse.io/nw4711", "",
		},
		{
			"a careers site of a hosted system at the company's own host", home,
			web{
				home:                            link("https://careers.northwind.example/jobs", "Careers"),
				"careers." + home + "/jobs":     html(`<link rel="alternate" type="application/rss+xml" title="Jobs" href="/jobs.rss"><link rel="stylesheet" href="https://assets-aws.teamtailor-cdn.com/assets/careersite.css">`, "<h1>Jobs</h1>"),
				"careers." + home + "/jobs.rss": {Header: map[string]any{"Content-Type": "application/rss+xml"}, Body: feed},
			},
			"teamtailor:careers.northwind.example", "https://careers.northwind.example/jobs", home,
		},
		{
			"a page that shows its own roles, and a stranger's board in a frame", home + "/careers",
			and(stranger, web{home + "/careers": html("<title>Careers</title>", listed+`<iframe src="https://boards.greenhouse.io/embed/job_board?for=otherfirm"></iframe>`)}),
			"page:https://northwind.example/careers", "https://northwind.example/careers", home,
		},
		{
			"a page that shows roles of its hosted board", home + "/careers",
			and(board, web{home + "/careers": html("<title>Careers</title>", `<h1>Open positions</h1><ul><li><a href="/careers/deck-officer?gh_jid=100">Deck Officer</a></li><li><a href="/careers/cook?gh_jid=101">Ship's Cook</a></li></ul><a href="https://boards.greenhouse.io/northwind">View all openings</a>`)}),
			"greenhouse:northwind", "https://northwind.example/careers", home,
		},
		{
			"a board whose name begins like the site's", "meta.example/careers",
			and(greenhouse("metalworks", "Metalworks", "Welder"), web{"meta.example/careers": html("<title>Careers</title>", listed+`<a href="https://boards.greenhouse.io/metalworks">Open positions</a>`)}),
			"page:https://meta.example/careers", "https://meta.example/careers", "meta.example",
		},
		{
			"a site that answers everything with one page", home,
			web{home: page(`<a href="/team/offene-stellen">Offene Stellen</a>`), home + "/careers": page(`<a href="/team/offene-stellen">Offene Stellen</a>`), home + "/jobs": page(`<a href="/team/offene-stellen">Offene Stellen</a>`), home + "/team/offene-stellen": html("", listed)},
			"page:https://northwind.example/team/offene-stellen", "https://northwind.example/team/offene-stellen", home,
		},
		{
			"a careers page that says that it has none", home,
			web{home: link("/careers", "Careers"), home + "/careers": html("<title>Careers</title>", "<h1>Careers</h1><p>There are no open positions at the moment.</p>")},
			"page:https://northwind.example/careers", "https://northwind.example/careers", home,
		},
		{
			"a home page that robots.txt keeps closed, with a careers page that it does not", home + "/careers",
			web{home + "/robots.txt": robotsTxt("User-agent: *\nDisallow: /\nAllow: /careers"), home + "/careers": html("", listed)},
			"page:https://northwind.example/careers", "https://northwind.example/careers", home,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b, _, err := found(t, tt.web, tt.input)
			require.NoError(t, err)
			require.Equal(t, tt.source, b.Source)
			require.Equal(t, tt.url, b.URL)
			require.Equal(t, tt.domain, b.Domain)
		})
	}
}

func TestDiscoverInManyLanguages(t *testing.T) {
	t.Parallel()
	for _, words := range []string{
		"Careers", "Jobs", "Join us", "Work with us", "We're hiring!", "Open positions", "View all jobs", "Karriere", "Jobs & Karriere", "Offene Stellen",
		"Stellenangebote", "Arbeiten bei Northwind", "Recrutement", "Carrières", "Nos offres d'emploi", "Rejoignez-nous", "Nous rejoindre", "Empleo",
		"Trabaja con nosotros", "Únete a nosotros", "Ofertas de empleo", "Carreiras", "Trabalhe conosco", "Vagas", "Lavora con noi", "Posizioni aperte",
		"Vacatures", "Werken bij Northwind", "Lediga jobb", "Jobba hos oss", "Karriär", "Ledige stillinger", "Ledige job", "Job hos Northwind",
		"Avoimet työpaikat", "Ura", "Kariera", "Praca", "Oferty pracy", "Kariéra", "Volné pozice", "Karrier", "Állások", "Cariere", "Locuri de muncă",
		"Kariyer", "Açık pozisyonlar", "Καριέρα", "Θέσεις εργασίας", "Карьера", "Вакансии", "Вакансії", "採用情報", "募集職種", "人才招募", "加入我们", "招聘",
		"채용", "채용공고", "وظائف", "الوظائف الشاغرة", "משרות", "ร่วมงานกับเรา", "Tuyển dụng", "Lowongan",
	} {
		t.Run(words, func(t *testing.T) {
			t.Parallel()
			w := web{"northwind.example": html("", company+`<footer><a href="/ships">Ships</a><a href="/p/17">`+words+`</a></footer>`), "northwind.example/p/17": html("", listed)}
			b, requests, err := found(t, w, "northwind.example")
			require.NoError(t, err)
			require.Equal(t, "page:https://northwind.example/p/17", b.Source)
			require.LessOrEqual(t, requests, 3, "robots.txt and two pages")
		})
	}
}

func TestDiscoverFindsNothing(t *testing.T) {
	t.Parallel()
	stranger := greenhouse("otherfirm", "Otherfirm", "Clerk")
	for _, tt := range []struct {
		name   string
		input  string
		web    web
		reason string
	}{
		{"on a page that does not exist, whatever else the site has", "northwind.example/about.html", web{"northwind.example": html("", listed), "northwind.example/careers": html("", listed)}, "the page does not exist (status 404)"},
		{"on a page that says that it does not exist", "northwind.example/offers", web{"northwind.example/offers": html("<title>404 - page not found</title>", `<nav><a href="/careers">Careers</a></nav><h1>Page not found</h1>`), "northwind.example/careers": html("", listed)}, "the page says that it does not exist"},
		{"on a careers page that needs a browser", "northwind.example/careers", web{"northwind.example/careers": html("<title>Careers</title>", `<div id="root"></div><script src="/app.js"></script>`), "northwind.example/jobs": html("", listed)}, "reading it needs a browser"},
		{"where there is no site", "northwind.example", web{}, "the host northwind.example does not exist"},
		{"on a site without jobs", "northwind.example", web{"northwind.example": html("", company)}, "no roles were found"},
		{"on a site with a partner's board", "northwind.example", and(stranger, web{"northwind.example": html("", company+`<footer><a href="https://boards.greenhouse.io/otherfirm">Jobs at our partner</a></footer>`)}), "no roles were found"},
		{"on a site whose vendor's board is named in a script", "northwind.example", and(stranger, web{"northwind.example": html("", company+`<script>var jobs="https://boards.greenhouse.io/otherfirm"</script>`)}), "no roles can be read at northwind.example"},
		{"on a portal", "northwind.example", web{"northwind.example": html("", company+`<a href="https://www.indeed.com/cmp/northwind">Jobs</a>`), "www.indeed.com/cmp/northwind": html("", listed)}, "no roles were found"},
		{"on a site of somebody else that says careers", "northwind.example", web{"northwind.example": html("", company+`<a href="https://agency.example/">Careers</a>`), "agency.example": html("<title>Agency</title>", listed)}, "no roles were found"},
		{"where robots.txt keeps programs out", "northwind.example/careers", web{"northwind.example/robots.txt": robotsTxt("User-agent: *\nDisallow: /"), "northwind.example/careers": html("", listed)}, "disallowed by robots.txt of northwind.example"},
		{"on a page that is down", "northwind.example/careers", web{"northwind.example/careers": {Status: 500}, "northwind.example": html("", listed)}, "has a server error"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, _, err := found(t, tt.web, tt.input)
			require.ErrorContains(t, err, tt.reason)
		})
	}
}

func TestFindLooksFurtherForABoardThatIsGone(t *testing.T) {
	t.Parallel()
	const home = "northwind.example"
	link := html("<title>Northwind</title>", company+`<footer><a href="/work">Work with us</a></footer>`)
	board := greenhouse("northwind", "Northwind", "Deck Officer")
	for _, tt := range []struct {
		name   string
		known  boardwatch.Board
		web    web
		source string
	}{
		{
			"a page that is gone",
			boardwatch.Board{Source: "page:https://northwind.example/careers", URL: "https://northwind.example/careers", Domain: home},
			web{home: link, home + "/work": html("", listed)},
			"page:https://northwind.example/work",
		},
		{
			"a page that leads to the home page",
			boardwatch.Board{Source: "page:https://northwind.example/careers", URL: "https://northwind.example/careers", Domain: home},
			web{home + "/careers": sendTo("/"), home: link, home + "/work": html("", listed)},
			"page:https://northwind.example/work",
		},
		{
			"a hosted board that is gone, by the domain of its company",
			boardwatch.Board{Source: "lever:northwind", URL: "https://jobs.lever.co/northwind", Domain: home},
			and(board, web{home: html("", company+`<a href="https://jobs.lever.co/northwind">Old jobs</a><a href="https://boards.greenhouse.io/northwind">Jobs</a>`)}), "greenhouse:northwind",
		},
		{
			"a hosted board that is gone, by the page that showed it",
			boardwatch.Board{Source: "lever:northwind", URL: "https://northwind.example/careers", Company: "Northwind"},
			and(board, web{home + "/careers": html("<title>Careers</title>", `<h1>Careers</h1><iframe src="https://boards.greenhouse.io/embed/job_board?for=northwind"></iframe>`)}), "greenhouse:northwind",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			client := outbound.New(outbound.Options{Transport: tt.web, Pause: -1, Backoff: []time.Duration{}})
			b, err := scraper.New(client, scraper.Options{Trace: func(step string) { t.Log(step) }}).Find(t.Context(), tt.known)
			require.NoError(t, err)
			require.Equal(t, tt.source, b.Source)
		})
	}
}

// Whoever runs a page can call it by any name and show any board on it. A board that another account tracks as well must not get
// its address from such a page, and not be looked for there when it is gone.
func TestAPageThatOnlySaysThatItIsTheEmployersGivesABoardNothing(t *testing.T) {
	t.Parallel()
	const frame = `<h1>Careers</h1><iframe src="https://boards.greenhouse.io/embed/job_board?for=northwind"></iframe>`
	says := `<title>Careers at Northwind</title><meta property="og:site_name" content="Northwind">` + company
	board := greenhouse("northwind", "Northwind", "Deck Officer")
	for at, want := range map[string]string{
		"www.quarry.example/careers":    "https://boards.greenhouse.io/northwind",
		"northwind.quarry.example/jobs": "https://boards.greenhouse.io/northwind",
		"northwind.github.io/careers":   "https://boards.greenhouse.io/northwind", // anybody gets a name there
		"www.northwind.example/careers": "https://www.northwind.example/careers",
		"jobs.northwind-group.example":  "https://jobs.northwind-group.example",

		"www.northwind.example/jobs?lang=en&gh_src=quarry": "https://www.northwind.example/jobs?lang=en",
	} {
		t.Run(at, func(t *testing.T) {
			t.Parallel()
			client := outbound.New(outbound.Options{Transport: and(board, web{strings.Split(at, "?")[0]: html(says, frame)}), Pause: -1, Backoff: []time.Duration{}})
			b, err := scraper.New(client, scraper.Options{Trace: func(step string) { t.Log(step) }}).Discover(t.Context(), "https://"+at)
			require.NoError(t, err)
			require.Equal(t, "greenhouse:northwind", b.Source)
			require.Equal(t, want, strings.TrimSuffix(b.URL, "/"))
			require.Equal(t, want != "https://boards.greenhouse.io/northwind", b.Domain != "")
		})
	}
	require.True(t, page.HostNames("karriere.xn--mller-kva.example", "Müller GmbH"))
	require.True(t, page.HostNames("www.salt-marsh.example", "Salt Marsh Energy"))
	require.False(t, page.HostNames("www.energy.example", "Salt Marsh Energy"))
	require.False(t, page.HostNames("www.salt-marsh.github.io", "Salt Marsh Energy"))
	known := boardwatch.Board{ID: "1", Source: "lever:northwind", URL: "https://www.quarry.example/careers", Company: "Northwind", Domain: "quarry.example"}
	client := outbound.New(outbound.Options{
		Transport: and(board, web{"www.quarry.example/careers": html(says, frame+listed), "quarry.example": html(says, listed)}),
		Pause:     -1, Backoff: []time.Duration{},
	})
	b, err := scraper.New(client, scraper.Options{}).Find(t.Context(), known)
	require.Error(t, err)
	require.Empty(t, b.Source, "it was given its address before pages had to be vouched for")
}

// endless is a site of careers pages without roles, each of which leads to many more.
type endless struct{ asked atomic.Int64 }

func (e *endless) RoundTrip(req *http.Request) (*http.Response, error) {
	n := e.asked.Add(1)
	var body strings.Builder
	body.WriteString("<title>Careers</title><h1>Careers</h1><p>Read on.</p>")
	for i := range 20 {
		fmt.Fprintf(&body, `<a href="https://www%d.northwind.example/careers/%d">Open positions</a>`, i, n*100+int64(i))
	}
	return site{strings.TrimSuffix(req.URL.String(), "/"): html("", body.String())}.RoundTrip(req)
}

func TestDiscoverGivesUpInTime(t *testing.T) {
	t.Parallel()
	for _, input := range []string{"northwind.example", "northwind.example/careers"} {
		e := new(endless)
		_, _, err := found(t, e, input)
		require.ErrorContains(t, err, "no roles were found")
		require.LessOrEqual(t, e.asked.Load(), int64(25))
	}
}
