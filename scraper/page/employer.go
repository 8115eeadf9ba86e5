package page

import (
	"net/url"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"
)

// Employer is whom a search is for: the names under which its own pages go, reduced to what is compared.
type Employer struct{ names []string }

// Add takes note of a name.
func (e *Employer) Add(name string) {
	key := nameKey(name)
	if len(key) >= 2 && !slices.Contains(e.names, key) {
		e.names = append(e.names, key)
	}
}

// Is reports whether any of the names is one of the employer's.
func (e *Employer) Is(names ...string) bool {
	for _, name := range names {
		key := nameKey(name)
		if key == "" {
			continue
		}
		for _, own := range e.names {
			if sameName(own, key) {
				return true
			}
		}
	}
	return false
}

// Introduce takes note of what a page of the employer's own calls itself: the name of its site, and what it says about
// itself in its head and to machines.
func (e *Employer) Introduce(d *Document, data Statement) {
	e.Add(SiteLabel(d.Base))
	for _, name := range d.OwnNames(data) {
		e.Add(name)
	}
}

// OwnNames are the names that a page gives to whose it is.
func (d *Document) OwnNames(data Statement) []string {
	names := []string{data.company, d.meta("og:site_name"), d.meta("application-name"), d.organization()}
	for _, part := range strings.FieldsFunc(d.title, func(r rune) bool { return strings.ContainsRune("|–—·•:»«", r) }) {
		for piece := range strings.SplitSeq(part, " - ") {
			if len(piece) <= 50 {
				names = append(names, careersAt.Regexp().ReplaceAllString(Fold(strings.TrimSpace(piece)), ""))
			}
		}
	}
	return names
}

// organization is the name of the organisation that the page says it is of, as data for machines.
func (d *Document) organization() string {
	for text := range d.linkedData() {
		if v, err := decodeLoose(text); err == nil {
			if name := organizationIn(v, 0); name != "" {
				return name
			}
		}
	}
	return ""
}

func organizationIn(v any, depth int) string {
	if depth > 4 {
		return ""
	}
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			if name := organizationIn(item, depth+1); name != "" {
				return name
			}
		}
	case map[string]any:
		for _, kind := range [...]string{"Organization", "Corporation", "LocalBusiness", "NGO", "EducationalOrganization", "WebSite"} {
			if name, ok := v["name"].(string); ok && isType(v["@type"], kind) {
				return name
			}
		}
		return organizationIn(v["@graph"], depth+1)
	}
	return ""
}

// SiteLabel is the name in a site's domain: "northwind" of www.northwind.co.uk.
func SiteLabel(u *url.URL) string {
	label, _, _ := strings.Cut(Site(u.Hostname()), ".")
	return label
}

// HostNames reports whether a host has one of the names in its domain, or the first words of one: "northwind" for Northwind Sea
// Traders. On hosts where anybody gets a name, that says nothing.
func HostNames(host string, names ...string) bool {
	if suffix, registry := publicsuffix.PublicSuffix(strings.ToLower(host)); !registry && strings.Contains(suffix, ".") {
		return false
	}
	label, _, _ := strings.Cut(Site(host), ".")
	if written, err := idna.ToUnicode(label); err == nil {
		label = written
	}
	var e Employer
	e.Add(label)
	own := strings.Join(Words(Fold(label)), "")
	return e.Is(names...) || len(own) >= shortestFirstName && slices.ContainsFunc(names, func(name string) bool {
		first := ""
		return slices.ContainsFunc(Words(Fold(name)), func(word string) bool {
			first += word
			return first == own
		})
	})
}

// shortestFirstName is the length of the shortest first words of a name that stand for it.
const shortestFirstName = 4

// TokenNames are the names that a hosted board's token may spell, and whether it spells any: "tenant.wd5/Careers" does,
// a number does not.
func TokenNames(token string) (names []string, spelt bool) {
	for part := range strings.FieldsFuncSeq(token, func(r rune) bool { return r == '/' || r == '|' }) {
		label, _, _ := strings.Cut(part, ".")
		if !spells(label) {
			continue
		}
		names = append(names, label)
		spelt = spelt || nameKey(label) != "" && !jobSegments()[strings.TrimRight(strings.ToLower(label), "0123456789")]
	}
	return names, spelt
}

// spells reports whether a label reads like a name and not like a number or a hash.
func spells(label string) bool {
	letters, digits := 0, 0
	for _, r := range label {
		switch {
		case unicode.IsLetter(r):
			letters++
		case unicode.IsDigit(r):
			digits++
		}
	}
	return letters >= 2 && digits <= letters/2
}

// nameKey is a name reduced to what is compared: folded letters and digits, without what says only what kind of company it
// is. A name of nothing but that is compared whole.
func nameKey(name string) string {
	list := Words(Fold(name))
	kept := make([]string, 0, len(list))
	for _, word := range list {
		if !genericWords[word] {
			kept = append(kept, word)
		}
	}
	if len(kept) == 0 {
		if len(list) == 1 && careersWords[list[0]] {
			return ""
		}
		kept = list
	}
	return strings.Join(kept, "")
}

// sameName reports whether two keys are the same name, or one is the other with an addition that names no other company:
// "getnorthwind", "northwindhq", "northwindcareers".
func sameName(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if a == b {
		return true
	}
	if len([]rune(a)) < 3 {
		return false
	}
	if rest, ok := strings.CutPrefix(b, a); ok {
		return genericWords[rest] || rest != "" && strings.Trim(rest, "0123456789") == ""
	}
	if rest, ok := strings.CutSuffix(b, a); ok {
		return namePrefixes[rest] || careersWords[rest]
	}
	return false
}

var (
	careersAt = sayings("careers at")
	// careersWords alone name nobody.
	careersWords = set(`careers career jobs job karriere karrieren stellen recruiting recruitment recruit talent talents hiring hire work join
		team vacancies apply employment opportunities positions home homepage welcome start startseite external internal`)
	// genericWords say what kind of company it is, or where.
	genericWords = set(`inc incorporated llc llp ltd limited gmbh ag se kg mbh ug ohg co corp corporation company plc sa sas sarl srl spa sl slu bv nv
		ab as asa oy oyj aps kk pte pty doo sro zrt kft the and und group gruppe groupe holding holdings international intl global worldwide
		labs lab technologies technology tech software systems solutions services digital studio studios hq app apps ai io dev online
		eu europe us usa uk gb de dach fr es it nl ca au emea apac america americas ev foundation
		careers career jobs job karriere recruiting recruitment talent hiring team external board official website homepage home vacancies`)
	namePrefixes = set(`get try use go join hello hey my the we weare meet with team app`)
)
