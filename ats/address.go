package ats

import (
	"net/url"
	"slices"
	"strings"

	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

// address is a web address being matched: its host is in lower case without a trailing dot. Path and query are parsed only
// when needed, because the host is enough to recognise most addresses.
type address struct {
	host string
	u    *url.URL
}

// parseAddress refuses addresses that are never a hosted board's: with another scheme than http and https, with user info, or
// with another port than 80 and 443.
func parseAddress(u *url.URL) (address, bool) {
	if u == nil || u.User != nil || (u.Scheme != "https" && u.Scheme != "http") {
		return address{}, false
	}
	host := u.Host // without a colon, as most are, it is cheap to take apart: each adapter does so with each link of a page
	if strings.ContainsRune(host, ':') {
		if port := u.Port(); port != "" && port != "443" && port != "80" {
			return address{}, false
		}
		host = u.Hostname()
	}
	a := address{host: strings.TrimSuffix(strings.ToLower(host), "."), u: u}
	return a, a.host != ""
}

// path is the path's segments, decoded one by one, without empty ones.
func (a address) path() []string {
	var path []string
	for segment := range strings.SplitSeq(a.u.EscapedPath(), "/") {
		if segment == "" {
			continue
		}
		decoded, err := url.PathUnescape(segment)
		if err != nil {
			return nil
		}
		path = append(path, decoded)
	}
	return path
}

// segment is the path's nth segment, or "".
func (a address) segment(n int) string { return nth(a.path(), n) }

// below returns the segment that follows the given ones, or "" if the path does not begin with them. Case does not matter, and
// the rest of the path is ignored: below("v1") is also "northwind" for /v1/northwind/people.
func (a address) below(prefix ...string) string {
	path := a.path()
	for i, p := range prefix {
		if !strings.EqualFold(nth(path, i), p) {
			return ""
		}
	}
	return nth(path, len(prefix))
}

// pathWithoutLocale is the path without a first segment such as "en", "en-US" or "pt_BR".
func (a address) pathWithoutLocale() []string {
	path := a.path()
	if len(path) > 0 && isLocale(path[0]) {
		return path[1:]
	}
	return path
}

// value is the query's first value of that name in any case, or "".
func (a address) value(name string) string {
	for key, values := range a.u.Query() {
		if strings.EqualFold(key, name) && len(values) > 0 {
			return values[0]
		}
	}
	return ""
}

// tenant is the one label before one of the domains: "acme" of acme.recruitee.com. It is "" for other hosts, for labels that
// vendors reserve, and if there is more than one label.
func (a address) tenant(domains ...string) string {
	for _, domain := range domains {
		label, ok := cutDomain(a.host, domain)
		if ok && isLabel(label) && !isVendorLabel(label) {
			return label
		}
	}
	return ""
}

// under reports whether the host is below one of the domains.
func (a address) under(domains ...string) bool {
	for _, domain := range domains {
		if _, ok := cutDomain(a.host, domain); ok {
			return true
		}
	}
	return false
}

// cutDomain is the part of a host before the domain, if there is one.
func cutDomain(host, domain string) (before string, ok bool) {
	before, ok = strings.CutSuffix(host, domain)
	if !ok || len(before) < 2 {
		return "", false
	}
	return strings.CutSuffix(before, ".")
}

// nth is the nth text, or "".
func nth(texts []string, n int) string {
	if n < len(texts) {
		return texts[n]
	}
	return ""
}

var (
	assetForm  = lazyregexp.New(`(?i)^(robots\.txt|.*\.(css|gif|ico|jpe?g|js|map|png|svg|webmanifest|woff2?|xml))$`)
	labelForm  = lazyregexp.New(`^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$`)
	localeForm = lazyregexp.New(`^[A-Za-z]{2,3}(?:[-_](?:[A-Za-z]{4}[-_])?[A-Za-z]{2})?$`)
	uuidForm   = lazyregexp.New(`(?i)^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)
	hex32Form  = lazyregexp.New(`(?i)^[0-9a-f]{32}$`)
	digitsForm = lazyregexp.New(`^[0-9]{1,18}$`)
)

// isToken reports whether s may name a board: it has only letters, digits and ._-, so that it can be a part of an address, and
// is neither a file that every web server has nor a way up the path.
func isToken(s string) bool {
	if s == "" || len(s) > 128 {
		return false
	}
	dots := 0
	for _, c := range []byte(s) {
		switch {
		case c == '.':
			dots++
		case (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_' && c != '-':
			return false
		}
	}
	return dots == 0 || dots < len(s) && !assetForm.MatchString(s) // every check asks, and most have no dot
}

// isLabel reports whether s may be one label of a host name, in lower case.
func isLabel(s string) bool { return labelForm.MatchString(s) }

// isHost reports whether s is a complete host name in lower case, and neither a number nor a name in a private network. It is
// for systems whose boards are whole hosts. If domains are given, s must be below one of them.
func isHost(s string, domains ...string) bool {
	labels := strings.Split(s, ".")
	if len(s) > 253 || len(labels) < 2 {
		return false
	}
	for _, label := range labels {
		if !isLabel(label) {
			return false
		}
	}
	if last := labels[len(labels)-1]; digitsForm.MatchString(last) || slices.Contains(privateDomains, last) {
		return false
	}
	return len(domains) == 0 || address{host: s}.under(domains...)
}

// isCompanyHost reports whether a host may be a company's board: its one label below one of the vendor's domains, or a
// domain of the company's own.
func isCompanyHost(host string, vendor ...string) bool {
	a := address{host: host}
	return a.tenant(vendor...) != "" || isHost(host) && !a.under(vendor...) && !slices.Contains(vendor, host)
}

// privateDomains are top-level domains that do not exist on the Internet.
var privateDomains = []string{
	"arpa", "corp", "home", "internal", "intranet", "invalid", "lan", "local", "localdomain", "localhost", "onion", "private",
}

// isLocale reports whether s is a language, with or without its country: "en", "en-US", "pt_BR", "zh-Hans-CN".
func isLocale(s string) bool { return localeForm.MatchString(s) }

// isUUID, isHex32 and isDigits report whether s is of that form, letters in any case.
func isUUID(s string) bool { return uuidForm.MatchString(s) }

func isHex32(s string) bool { return hex32Form.MatchString(s) }

func isDigits(s string) bool { return digitsForm.MatchString(s) }
