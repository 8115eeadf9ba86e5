package scraper

import (
	"bytes"
	"context"
	"encoding/xml"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/boardwatch/boardwatch/internal/foreign"
	"github.com/boardwatch/boardwatch/scraper/page"
)

// Limits of what is looked at in sitemaps.
const (
	maxSitemapFiles = 4
	maxSitemapURLs  = 50_000
	maxListed       = 4 // pages that a search takes from sitemaps
)

// sitemaps adds what the site's sitemaps list about jobs: to find pages, never to read roles, since closed ones stay listed.
func (s *search) sitemaps(ctx context.Context, home *url.URL) {
	queue := s.namedSitemaps(ctx, home)
	var listed siteList
	for read := 0; len(queue) > 0 && read < maxSitemapFiles && s.all.Requests() < s.limit; read++ {
		u := queue[0]
		queue = queue[1:]
		if s.looked["sitemap "+u.String()] {
			continue
		}
		s.looked["sitemap "+u.String()] = true
		further := s.readSitemap(ctx, u, &listed)
		queue = append(queue, further...)
		slices.SortStableFunc(queue, func(a, b *url.URL) int { return sitemapWorth(b) - sitemapWorth(a) })
	}
	s.takeListed(&listed)
}

// namedSitemaps are the sitemaps that robots.txt names, else the usual one.
func (s *search) namedSitemaps(ctx context.Context, home *url.URL) []*url.URL {
	var named []*url.URL
	if rules, err := s.scraper.robots.rules(ctx, s.all, home); err == nil {
		for _, address := range rules.Sitemaps {
			if u, err := home.Parse(address); err == nil && s.scraper.client.Policy().Check(u) == nil {
				named = append(named, u)
			}
		}
	}
	slices.SortStableFunc(named, func(a, b *url.URL) int { return sitemapWorth(b) - sitemapWorth(a) })
	if len(named) == 0 {
		u := *home
		u.Path = "/sitemap.xml"
		named = append(named, &u)
	}
	return named
}

// sitemapWorth is what a sitemap promises by its name: those of articles and pictures hold no roles.
func sitemapWorth(u *url.URL) int {
	name := strings.ToLower(u.Path[strings.LastIndexByte(u.Path, '/')+1:])
	for _, word := range page.Words(name) {
		switch {
		case page.IsJobsWord(word) && word != "o" && word != "j", strings.HasPrefix(word, "stellen"):
			return 3
		case word == "page" || word == "pages":
			return 1
		case word == "post" || word == "posts" || word == "blog" || word == "news" || word == "image" || word == "images" ||
			word == "video" || word == "product" || word == "products" || word == "category" || word == "tag" || word == "author":
			return -1
		}
	}
	return 0
}

// siteList is what sitemaps list about jobs.
type siteList struct {
	pages  []*url.URL // that name a list of roles
	above  []*url.URL // that stand above pages of single roles
	single *url.URL   // the page of one role
	boards []*url.URL // of hosted systems
}

// readSitemap reads one file and returns those that it refers to.
func (s *search) readSitemap(ctx context.Context, u *url.URL, into *siteList) []*url.URL {
	answer, err := s.pages.Get(ctx, u.String(), http.Header{"Accept": {"application/xml,text/xml,*/*;q=0.5"}})
	if err != nil || answer.Status != http.StatusOK {
		s.scraper.step("get %s: no sitemap", u)
		return nil
	}
	index, addresses := parseSitemap(answer.Text())
	s.scraper.step("get %s: a sitemap of %d addresses", u, len(addresses))
	var further []*url.URL
	for _, address := range addresses {
		a, err := answer.URL.Parse(address)
		if err != nil || a.Scheme != "http" && a.Scheme != "https" {
			continue
		}
		if index {
			further = append(further, a)
			continue
		}
		into.add(s, a)
	}
	return further
}

// add takes note of an address when it is about jobs.
func (l *siteList) add(s *search, u *url.URL) {
	if _, _, ok := s.scraper.matches(u); ok {
		if len(l.boards) < maxListed {
			l.boards = append(l.boards, u)
		}
		return
	}
	if !s.owns(u) {
		return
	}
	last := lastSegment(u)
	switch {
	case isArticle(u):
	case page.IsIndexOfJobs(strings.TrimSuffix(last, ".html")):
		l.pages = append(l.pages, u)
	case page.JobLike(u, s.start):
		if l.single == nil {
			l.single = u
		}
		above := *u
		above.RawQuery, above.RawPath = "", ""
		above.Path = strings.TrimRight(u.Path, "/")
		above.Path = above.Path[:strings.LastIndexByte(above.Path, '/')+1]
		if len(l.above) < maxListed && !slices.ContainsFunc(l.above, func(o *url.URL) bool { return o.Path == above.Path }) {
			l.above = append(l.above, &above)
		}
	}
}

// isArticle reports whether an address is that of something to read.
func isArticle(u *url.URL) bool {
	for segment := range strings.SplitSeq(strings.ToLower(u.Path), "/") {
		switch segment {
		case "blog", "blogs", "news", "press", "article", "articles", "story", "stories", "event", "events", "podcast", "magazin", "aktuelles":
			return true
		}
	}
	return false
}

// takeListed adds clues for what sitemaps list, the shortest addresses first.
func (s *search) takeListed(l *siteList) {
	slices.SortStableFunc(l.pages, func(a, b *url.URL) int { return len(a.Path) - len(b.Path) })
	const how = "is in the sitemap, and may be"
	for i, u := range l.boards {
		s.add(clue{url: u, worth: page.WorthAddress - i, how: how, guess: true})
	}
	for i, u := range l.pages[:min(len(l.pages), maxListed)] {
		s.add(clue{url: u, worth: page.WorthAddress - 1 - i, how: how, guess: true})
	}
	for i, u := range l.above {
		s.add(clue{url: u, worth: page.WorthAddress - 2 - i, how: how, guess: true})
	}
	if l.single != nil {
		s.add(clue{url: l.single, worth: worthGuess, how: how, guess: true, example: true})
	}
}

// parseSitemap reads the addresses of a sitemap, or of an index of sitemaps, as far as they can be read. It may be
// one address per line.
func parseSitemap(body []byte) (index bool, addresses []string) {
	body = bytes.TrimSpace(body)
	if bytes.HasPrefix(body, []byte("http")) {
		for line := range strings.Lines(string(body)) {
			if addresses = append(addresses, strings.TrimSpace(line)); len(addresses) >= maxSitemapURLs {
				break
			}
		}
		return false, addresses
	}
	d := xml.NewDecoder(bytes.NewReader(foreign.XML(body)))
	d.Strict = false
	inside := false
	for len(addresses) < maxSitemapURLs {
		token, err := d.RawToken()
		if err != nil {
			break
		}
		switch t := token.(type) {
		case xml.StartElement:
			index = index || t.Name.Local == "sitemapindex"
			inside = t.Name.Local == "loc" && t.Name.Space == ""
		case xml.EndElement:
			inside = false
		case xml.CharData:
			if text := strings.TrimSpace(string(t)); inside && text != "" {
				addresses = append(addresses, text)
			}
		}
	}
	return index, addresses
}
