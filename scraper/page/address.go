package page

import (
	"math"
	"net/netip"
	"net/url"
	"path"
	"slices"
	"strings"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// ASCIIHost is the host name in lower case and ASCII.
func ASCIIHost(host string) (string, bool) {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if _, err := netip.ParseAddr(host); err == nil {
		return host, true
	}
	ascii, err := idna.Lookup.ToASCII(host)
	if err != nil || strings.ContainsAny(ascii, "/\\@%") || slices.Contains(strings.Split(ascii, "."), "") {
		return "", false
	}
	return ascii, true
}

// Tidy is the address as it was given, slash and query included, with its host in one form and without what no server
// sees.
func Tidy(u *url.URL, host string) *url.URL {
	t := &url.URL{Scheme: strings.ToLower(u.Scheme), Path: u.Path, RawPath: u.RawPath, RawQuery: u.RawQuery}
	if t.Path == "/" {
		t.Path, t.RawPath = "", ""
	}
	port := u.Port()
	if port == "80" && t.Scheme == "http" || port == "443" && t.Scheme == "https" {
		port = ""
	}
	t.Host = host
	if strings.Contains(host, ":") {
		t.Host = "[" + host + "]"
	}
	if port != "" {
		t.Host += ":" + port
	}
	return t
}

// Identity is what addresses of one board have in common: a tidy address without slashes at its end and without tracking
// parameters. It is compared, not asked for.
func Identity(u *url.URL) *url.URL {
	t := *u
	t.Path, t.RawPath = strings.TrimRight(t.Path, "/"), strings.TrimRight(t.RawPath, "/")
	t.RawQuery, t.ForceQuery, t.Fragment, t.RawFragment = boardwatch.WithoutTracking(t.RawQuery), false, "", ""
	return &t
}

// OtherForms are the forms under which a page may answer that does not under this one: the address with a slash at its end, or
// without it when it has one, and without tracking parameters.
func OtherForms(u *url.URL) []*url.URL {
	var forms []*url.URL
	if strings.Trim(u.Path, "/") != "" {
		t := *u
		if cut, ok := strings.CutSuffix(t.Path, "/"); ok {
			t.Path, t.RawPath = cut, strings.TrimSuffix(t.RawPath, "/")
		} else if t.Path += "/"; t.RawPath != "" {
			t.RawPath += "/"
		}
		forms = append(forms, &t)
	}
	if plain := Identity(u); plain.RawQuery != u.RawQuery {
		forms = append(forms, plain)
	}
	return forms
}

// Canonical is what the addresses of one page have in common: without tracking parameters, scheme and final slash.
func Canonical(u *url.URL) string {
	key := strings.ToLower(u.Host) + strings.TrimSuffix(u.EscapedPath(), "/")
	if q := boardwatch.WithoutTracking(u.RawQuery); q != "" {
		key += "?" + q
	}
	if strings.ContainsAny(u.Fragment, "/=.") { // a route inside the page, not a place on it
		key += "#" + u.Fragment
	}
	return key
}

// SetAddress gives a role its address. What identifies that is its key, so that the role is known again however it is linked.
func SetAddress(p *boardwatch.Posting, u *url.URL) { p.URL, p.Key = u.String(), roleKey(u) }

// roleKey is the key of the role at an address.
func roleKey(u *url.URL) string { return boardwatch.AddressIdentity(u) }

// Site is the registrable domain of a host: what an organisation owns. Of an address or a local name, the host itself.
func Site(host string) string {
	host = strings.ToLower(host)
	if domain, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil {
		return domain
	}
	return host
}

// hostFacts are what a host says about the pages on it.
type hostFacts struct {
	site  string
	board bool // it belongs to a system that hosts boards
}

func hostFactsOf(host string) hostFacts {
	name := Site(host)
	return hostFacts{site: name, board: boardSites[name] && !strings.HasPrefix(host, "www.")}
}

// hostsRoles reports whether a host belongs to a system that hosts boards.
func hostsRoles(host string) bool { return hostFactsOf(host).board }

// JobLike reports whether an address looks like one role's: a segment that says "job" and something after it, an id in
// the query, or the path of a known hosted board.
func JobLike(u, page *url.URL) bool { return hostFactsOf(u.Hostname()).jobLike(u, page) }

func (h hostFacts) jobLike(u, page *url.URL) bool {
	if h.social(u.Path) {
		return strings.Contains(u.Path, "/jobs/")
	}
	segments := 0
	for rest := strings.Trim(u.Path, "/"); rest != ""; {
		segment, after, _ := strings.Cut(rest, "/")
		segments, rest = segments+1, strings.TrimLeft(after, "/")
		word := strings.ToLower(strings.TrimSuffix(segment, path.Ext(segment)))
		switch {
		case rest != "" && isJobSegment(word):
			last := strings.ToLower(rest[strings.LastIndexByte(rest, '/')+1:])
			return !isIndexSegment(strings.TrimSuffix(last, path.Ext(last)))
		case rest == "" && segments > 1 && startsWithJob(word):
			return true
		}
	}
	if u.RawQuery != "" {
		for part := range strings.SplitSeq(strings.ToLower(u.RawQuery), "&") {
			name, value, _ := strings.Cut(part, "=")
			switch name {
			case "gh_jid", "ashby_jid", "jobid", "job_id", "job", "reqid", "req_id", "jid", "vacancyid", "vacancy", "postingid", "positionid", "position", "stelle", "stellenid", "offerid", "jobcode", "requisitionid":
				return value != ""
			}
		}
	}
	return h.board && u.Hostname() != page.Hostname() && segments >= 2
}

func isJobSegment(word string) bool {
	if jobSegments()[word] {
		return true
	}
	if len(word) <= 30 && strings.ContainsAny(word, "-_.") {
		for part := range strings.FieldsFuncSeq(word, func(r rune) bool { return r == '-' || r == '_' || r == '.' }) {
			if jobSegments()[part] {
				return true
			}
		}
	}
	return strings.HasPrefix(word, "stellen") || strings.HasPrefix(word, "karrier")
}

// startsWithJob tells "job-4711" and "stelle-koch" from "jobs".
func startsWithJob(word string) bool {
	first, rest, found := strings.Cut(word, "-")
	return found && rest != "" && (first == "job" || first == "stelle" || first == "vacancy" || first == "vacature" || first == "position") &&
		!isIndexSegment(rest)
}

func isIndexSegment(word string) bool { return indexSegments[word] }

// isJobWord reports whether an address as a whole is about jobs: a path segment or the first label of the host.
func isJobWord(u *url.URL) bool {
	label, _, _ := strings.Cut(u.Hostname(), ".")
	return jobSegments()[label] || hostsRoles(u.Hostname()) || hasSegment(u, isJobSegment)
}

// otherMatter reports whether an address leads to what is no role: articles, people, legal pages, sign-in.
func otherMatter(u *url.URL) bool {
	return hasSegment(u, func(segment string) bool { return len(segment) >= shortestOther && otherSegments[segment] })
}

// sells reports whether an address leads to what is sold: prices, courses, a shop.
func sells(u *url.URL) bool {
	return hasSegment(u, func(segment string) bool { return soldSegments()[segment] })
}

// hasSegment reports whether a part of the address's path, in lower case, is such a one.
func hasSegment(u *url.URL, is func(segment string) bool) bool {
	for rest := strings.ToLower(u.Path); rest != ""; {
		segment, after, _ := strings.Cut(rest, "/")
		if is(strings.TrimSuffix(segment, path.Ext(segment))) {
			return true
		}
		rest = after
	}
	return false
}

// shortestOf is the length of the shortest word.
func shortestOf(words map[string]bool) int {
	shortest := math.MaxInt
	for w := range words {
		shortest = min(shortest, len(w))
	}
	return shortest
}

// isSocial reports whether an address leads to a social network or a share button.
func isSocial(u *url.URL) bool { return hostFactsOf(u.Hostname()).social(u.Path) }

// social reports whether a path on the host leads there.
func (h hostFacts) social(at string) bool {
	if strings.Contains(at, "_linkedinApi") || strings.Contains(at, "/share") {
		return true
	}
	switch h.site {
	case "facebook.com", "twitter.com", "x.com", "instagram.com", "youtube.com", "tiktok.com", "xing.com", "pinterest.com", "whatsapp.com",
		"t.me", "vk.com", "kununu.com", "glassdoor.com", "glassdoor.de", "addtoany.com":
		return true
	case "linkedin.com":
		return !strings.HasPrefix(at, "/jobs/")
	}
	return false
}

var (
	jobSegments   = wordsIn("job segment")
	soldSegments  = wordsIn("sold segment")
	indexSegments = set(`
		apply search all list index jobs job careers career positions openings vacancies login alerts alert results benefits culture
		teams team locations faq process how-we-hire students internships internship-program early-careers life about offices privacy
		job-alerts jobsearch search-jobs searchjobs open-positions open-roles current-openings values people diversity talent-community departments`)
	otherSegments = set(`
		blog blogs news press podcast podcasts team people culture benefits offices faq privacy privacy-policy legal terms imprint impressum
		datenschutz login signin sign-in sso events event article articles author authors category categories tag tags product products service services
		solutions customers case-studies webinar webinars about about-us contact how-we-hire internship-program aktuelles magazin actualites noticias`)
	shortestOther = shortestOf(otherSegments) // most short segments are numbers
	boardSites    = set(`
		greenhouse.io lever.co ashbyhq.com workable.com recruitee.com teamtailor.com bamboohr.com breezy.hr personio.de personio.com
		smartrecruiters.com myworkdayjobs.com icims.com applytojob.com jobvite.com comeet.com rippling.com pinpointhq.com join.com gem.com
		hrmos.co herp.careers gupy.io softgarden.io paylocity.com dayforcehcm.com ultipro.com taleo.net avature.net oraclecloud.com
		successfactors.eu successfactors.com eightfold.ai welcometothejungle.com traffit.com jobylon.com varbi.com homerun.co factorialhr.com
		zohorecruit.com zohorecruit.eu jazz.co loxo.co deel.com gusto.com polymer.co workatastartup.com freshteam.com careers-page.com`)
)

// IsBoardSite reports whether many employers' boards are on the site, so that its name is not the employer's.
func IsBoardSite(domain string) bool { return boardSites[domain] }

// IsJobsWord reports whether a part of an address says by itself that jobs are listed there.
func IsJobsWord(segment string) bool { return jobSegments()[segment] }
