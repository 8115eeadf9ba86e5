package scraper_test

import (
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"
	"text/template"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
)

// pagerForm is a way in which a system or a framework writes that a list goes on.
type pagerForm struct {
	name     string
	language string // "" is English
	at       string // what is added to the path of the first page for the others; "?page=%d" when empty
	zero     bool   // addresses count from 0
	step     int    // addresses count entries, so many on a page; if negative, they count up to the end of the page
	grows    bool   // each page holds the entries of those before it too
	script   bool   // nothing but a script, or a form that is posted, leads on
	head     string
	around   string // what holds the list: %s
	above    string // stands above the list, as markup stands below it
	markup   string
}

// pagerPage is what the markup of a pager is made of.
type pagerPage struct {
	N, Of      int
	Prev, Next string // "" when there is none
	First      string
	Last       string
	Pages      []pagerLink
	From, To   int
	Total      int
	NextN      int
}

type pagerLink struct {
	N       int
	URL     string
	Current bool
}

const (
	pagerAddress = "https://www.company.example/jobs"
	pagerPages   = 3
	pagerSize    = 8
)

func (f pagerForm) address(n int) string {
	if n == 1 {
		return "/jobs"
	}
	return f.numbered(n)
}

// numbered is the address of a page with its number, also of the first.
func (f pagerForm) numbered(n int) string {
	at, k := f.at, n
	if at == "" {
		at = "?page=%d"
	}
	switch {
	case f.step < 0:
		k = -f.step * n
	case f.step > 0:
		k = (n - 1) * f.step
	case f.zero:
		k = n - 1
	}
	if !strings.Contains(at, "%d") {
		return "/jobs" + at + strings.Repeat("x", n)
	}
	at = fmt.Sprintf(at, k)
	if strings.HasPrefix(at, "!") { // in place of the path
		return at[1:]
	}
	return "/jobs" + at
}

func (f pagerForm) page(n int) pagerPage {
	p := pagerPage{N: n, Of: pagerPages, First: f.address(1), Last: f.address(pagerPages), From: (n-1)*pagerSize + 1, To: n * pagerSize, Total: pagerPages * pagerSize, NextN: n + 1}
	if n > 1 {
		p.Prev = f.address(n - 1)
	}
	if n < pagerPages {
		p.Next = f.address(n + 1)
	}
	for i := 1; i <= pagerPages; i++ {
		p.Pages = append(p.Pages, pagerLink{i, f.address(i), i == n})
	}
	return p
}

// pagerHeads are the headings of a list of roles.
var pagerHeads = map[string]string{
	"": "Open positions", "de": "Offene Stellen", "fr": "Nos offres d'emploi", "es": "Ofertas de empleo", "it": "Posizioni aperte", "pl": "Oferty pracy", "ja": "募集職種",
	"zh": "招聘职位", "ru": "Вакансии", "nl": "Vacatures", "sv": "Lediga jobb", "pt": "Vagas abertas", "cs": "Volné pozice", "ko": "채용 공고", "tr": "Açık pozisyonlar",
}

var (
	pagerTrades = []string{"Welder", "Pipe Fitter", "Line Cook", "Data Analyst", "Office Manager", "Payroll Accountant", "Backend Engineer", "Night Nurse"}
	pagerTowns  = []string{"Berlin, Germany", "Paris, France", "Madrid, Spain", "Vienna, Austria"}
	pagerRanks  = []string{"Junior", "Senior", "Lead"}
)

// html is a page of the list with what stands around it.
func pagerHTML(language, head, around, above, below string, first, roles int) answer {
	var b strings.Builder
	for i := first; i < first+roles; i++ {
		fmt.Fprintf(&b, `<li class="opening"><a href="/jobs/%d-role"><h3>%s %s</h3></a><span class="location">%s</span></li>`,
			1001+i, pagerRanks[i/pagerSize%len(pagerRanks)], pagerTrades[i%len(pagerTrades)], pagerTowns[i%len(pagerTowns)])
	}
	list := `<ul class="openings">` + b.String() + `</ul>`
	if around != "" {
		list = fmt.Sprintf(around, list)
	}
	return text(`<!doctype html><html lang="` + language + `"><head><title>Careers at Company</title>` + head + `</head><body>` +
		`<header><nav><a href="/">Home</a><a href="/about">About</a><a href="/news">News</a></nav></header>` +
		`<main><h1>` + pagerHeads[language] + `</h1><p>Join us and see whom we are looking for.</p>` + above + list + below + `</main>` +
		`<footer><a href="/privacy">Privacy</a><a href="/imprint">Imprint</a></footer></body></html>`)
}

// site is what the form's server answers.
func (f pagerForm) site(tb testing.TB) site {
	tb.Helper()
	s := make(site)
	part := func(name, markup string, p pagerPage) string {
		t, err := template.New(name).Parse(markup)
		require.NoError(tb, err, f.name)
		var b strings.Builder
		require.NoError(tb, t.Execute(&b, p), f.name)
		return b.String()
	}
	for n := 1; n <= pagerPages; n++ {
		p := f.page(n)
		first, roles := (n-1)*pagerSize, pagerSize
		if f.grows {
			first, roles = 0, n*pagerSize
		}
		a := pagerHTML(f.language, part("head", f.head, p), f.around, part("above", f.above, p), part("markup", f.markup, p), first, roles)
		for _, at := range []string{f.address(n), f.numbered(n)} {
			if strings.HasPrefix(at, "/") {
				at = "https://www.company.example" + at
			}
			at, _, _ = strings.Cut(at, "#")
			s[strings.TrimSuffix(at, "/")] = a
		}
	}
	return s
}

// However a system writes that a list goes on, the list is read to its end, or the reading says that it is a part.
func TestPagers(t *testing.T) {
	t.Parallel()
	forms := append(systemPagers(), frameworkPagers()...)
	forms = append(forms, loadingPagers()...)
	forms = append(forms, wordPagers()...)
	forms = append(forms, laterPagers()...)
	forms = append(forms, defaultPagers()...)
	forms = append(forms, furtherPagers()...)
	forms = append(forms, widePagers()...)
	require.GreaterOrEqual(t, len(forms), 100)
	names := make(map[string]bool)
	followed := 0
	for _, f := range forms {
		require.False(t, names[f.name], f.name)
		names[f.name] = true
		if !f.script {
			followed++
		}
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			r := read(t, f.site(t), pagerAddress)
			if f.script {
				require.Equal(t, boardwatch.HealthPartial, r.Health, r.Reason)
				require.Contains(t, []cause.Cause{cause.PageMissing, cause.FewerThanClaimed}, r.Cause)
				require.Len(t, r.Postings, pagerSize)
				return
			}
			require.Equal(t, boardwatch.HealthOK, r.Health, r.Reason)
			require.Len(t, r.Postings, pagerPages*pagerSize)
		})
	}
	require.GreaterOrEqual(t, followed, 100)
}

// What only looks as if it led on does not make a whole list a part of one.
func TestWholeListsWithWhatLooksLikePagers(t *testing.T) {
	t.Parallel()
	shapes := wholeShapes()
	maps.Copy(shapes, defaultWholes())
	maps.Copy(shapes, furtherWholes())
	maps.Copy(shapes, wideWholes())
	require.GreaterOrEqual(t, len(shapes), 25)
	for name, shape := range shapes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			page := pagerHTML("", shape.head, shape.around, shape.above, shape.below, 0, pagerSize)
			own := roundTripper(func(req *http.Request) (*http.Response, error) {
				at := *req.URL
				at.RawQuery, at.Fragment = "", ""
				return site{pagerAddress: page}.RoundTrip(&http.Request{Method: req.Method, URL: &at, Header: req.Header})
			})
			r := read(t, own, pagerAddress+shape.query)
			require.Equal(t, boardwatch.HealthOK, r.Health, "%s: %s", r.Cause, r.Reason)
			require.Len(t, r.Postings, pagerSize)
		})
	}
}
