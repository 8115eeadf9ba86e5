package scraper

import (
	"context"
	"net/url"
	"strings"

	"github.com/boardwatch/boardwatch/scraper/page"
)

// guesses is how far a search has come in guessing where roles may be, and how far it may go. Whoever names a page means
// that page: when it is gone or sick, another one's roles are no answer. Whoever names a company means them all.
type guesses struct {
	stage guessStage
	reach guessReach
}

// guessReach is which guesses are made.
type guessReach int

const (
	reachAll   guessReach = iota
	reachAbove            // only lists above the page
	reachSite             // these, and what the site's own sitemap lists
	reachHosts            // only other hosts: this one does not answer as it should
	reachNone
)

// reaches reports whether a guess of this stage is made.
func (g guesses) reaches(stage guessStage) bool {
	switch g.reach {
	case reachAbove:
		return stage == guessParents
	case reachSite:
		return stage == guessParents || stage == guessSitemap
	case reachHosts:
		return stage == guessHosts
	case reachNone:
		return false
	default:
		return true
	}
}

type guessStage int

const (
	guessParents guessStage = iota + 1
	guessHome
	guessUsual // the two addresses that most sites have
	guessHosts
	guessSitemap
	guessLanguage // addresses in the site's language
	guessRest
	guessOver
)

const worthGuess = 30

// guess adds clues that nobody named. It reports false when there is nothing left to guess.
func (s *search) guess(ctx context.Context) bool {
	if s.best != nil && s.guesses.stage >= guessHome || s.guesses.stage >= guessOver {
		return false
	}
	s.guesses.stage++
	home := *s.start
	home.Path, home.RawPath, home.RawQuery = "", "", ""
	stage := s.guesses.stage
	if !s.guesses.reaches(stage) {
		return true
	}
	switch stage {
	case guessParents:
		s.parents(s.start, 0)
	case guessHome:
		s.add(clue{url: &home, worth: worthGuess, how: "is where to look for", guess: true})
		if domain := page.Site(home.Hostname()); domain != home.Hostname() && page.CareersHost(s.start) {
			s.add(clue{url: &url.URL{Scheme: home.Scheme, Host: domain}, worth: worthGuess - 1, how: "is where to look for", guess: true})
		}
	case guessUsual:
		s.paths(&home, "careers", "jobs")
	case guessHosts:
		s.hosts(&home)
	case guessSitemap:
		s.sitemaps(ctx, &home)
	case guessLanguage:
		s.paths(&home, s.languagePaths()...)
	case guessRest:
		s.paths(&home, "career", "join-us", "company/careers", "about/careers", "vacancies", "en/careers", "work-with-us")
	case guessOver:
	}
	return true
}

// parents adds the pages above one, up to the home page: only those that name a list of roles, unless all is guessed.
func (s *search) parents(u *url.URL, depth int) {
	for p := strings.Trim(u.Path, "/"); strings.Contains(p, "/"); {
		p = p[:strings.LastIndexByte(p, '/')]
		above := *u
		above.Path, above.RawPath, above.RawQuery = "/"+p, "", ""
		worth := worthGuess
		switch {
		case page.IsIndexOfJobs(lastSegment(&above)):
			worth = page.WorthAddress + page.PerHint
		case s.guesses.reach != reachAll:
			continue
		}
		s.add(clue{url: &above, worth: worth, depth: depth, how: "stands above what was asked for, and may be", guess: true})
	}
}

// variants adds the other ways in which a home page can be reached.
func (s *search) variants(u *url.URL) {
	other := *u
	if host := u.Hostname(); page.Site(host) == host && strings.Contains(host, ".") {
		other.Host = "www." + u.Host
	} else if bare, ok := strings.CutPrefix(u.Host, "www."); ok {
		other.Host = bare
	}
	if other.Host != u.Host {
		s.add(clue{url: &other, worth: 99, how: "is"})
	}
	if u.Scheme == "https" && u.Port() == "" {
		plain := *u
		plain.Scheme = "http"
		s.add(clue{url: &plain, worth: 98, how: "is"})
	}
}

func (s *search) paths(home *url.URL, paths ...string) {
	for i, p := range paths {
		u := *home
		u.Path = "/" + p
		s.add(clue{url: &u, worth: worthGuess - i, how: "may be", guess: true})
	}
}

// hosts adds the usual names of careers sites beside the one asked for.
func (s *search) hosts(home *url.URL) {
	domain := page.Site(home.Hostname())
	if domain != home.Hostname() && domain != strings.TrimPrefix(home.Hostname(), "www.") || !strings.Contains(domain, ".") {
		return
	}
	labels := []string{"careers", "jobs"}
	if other := languageHosts[s.language()]; other != "" {
		labels = append(labels, other)
	}
	for i, label := range labels {
		u := *home
		u.Host = label + "." + domain
		if port := home.Port(); port != "" {
			u.Host += ":" + port
		}
		s.add(clue{url: &u, worth: worthGuess - i, how: "may be", guess: true})
	}
}

// language is that of the site: by its first page, else by its domain. It is "" for English, and for one that is not known.
func (s *search) language() string {
	if s.lang != "" {
		return languageOf[s.lang]
	}
	host := s.start.Hostname()
	return languageOf[host[strings.LastIndexByte(host, '.')+1:]]
}

// languagePaths are usual addresses of careers pages in the site's language; in the most frequent ones when that is not
// known.
func (s *search) languagePaths() []string {
	language := s.language()
	if language == "" && s.lang != "en" {
		return []string{"karriere", "recrutement", "vacatures"}
	}
	return strings.Fields(languagePaths[language])
}

//nolint:gochecknoglobals // constant tables
var (
	// languageOf is the language of a language's or a country's code.
	languageOf = map[string]string{
		"de": "de", "at": "de", "ch": "de", "fr": "fr", "es": "es", "mx": "es", "ar": "es", "cl": "es", "co": "es", "pe": "es",
		"pt": "pt", "br": "pt", "it": "it", "nl": "nl", "be": "nl", "sv": "sv", "se": "sv", "no": "no", "nb": "no", "da": "da",
		"dk": "da", "fi": "fi", "pl": "pl", "cs": "cs", "cz": "cs", "sk": "cs", "hu": "hu", "ro": "ro", "tr": "tr", "ru": "ru",
		"ja": "ja", "jp": "ja", "zh": "zh", "cn": "zh", "tw": "zh", "ko": "ko", "kr": "ko",
	}
	languagePaths = map[string]string{
		"de": "karriere stellenangebote jobs-karriere unternehmen/karriere", "fr": "recrutement carrieres nous-rejoindre carriere",
		"es": "empleo trabaja-con-nosotros empleos", "pt": "carreiras trabalhe-conosco vagas", "it": "lavora-con-noi carriere posizioni-aperte",
		"nl": "vacatures werken-bij werkenbij", "sv": "karriar lediga-jobb jobba-hos-oss", "no": "karriere ledige-stillinger",
		"da": "karriere job ledige-stillinger", "fi": "ura tyopaikat rekrytointi", "pl": "kariera praca oferty-pracy", "cs": "kariera volna-mista",
		"hu": "karrier allasok", "ro": "cariere", "tr": "kariyer", "ru": "vakansii career", "ja": "recruit saiyo", "zh": "zhaopin join", "ko": "recruit",
	}
	languageHosts = map[string]string{
		"de": "karriere", "fr": "recrutement", "es": "empleo", "pt": "carreiras", "nl": "werkenbij", "sv": "jobb", "no": "karriere",
		"da": "karriere", "pl": "kariera", "cs": "kariera", "ja": "recruit", "ko": "recruit",
	}
)
