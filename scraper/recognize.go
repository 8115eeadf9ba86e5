package scraper

import (
	"net/url"
	"strings"
	"unicode"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/scraper/page"
)

const maxAddress = 2000

// normalize turns what a person typed into an address that can be asked for: with a scheme, a lower-case host in ASCII, and
// otherwise as it was given. Each refusal is an invalid_request error.
func (s *Scraper) normalize(input string) (*url.URL, error) {
	wrong := func(message string) (*url.URL, error) { return nil, boardwatch.Invalid("url", message) }
	raw := strings.TrimSpace(input)
	switch {
	case raw == "":
		return wrong("is empty")
	case len(raw) > maxAddress:
		return wrong("is longer than 2000 characters")
	case strings.ContainsFunc(raw, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }):
		return wrong("contains blanks or control characters")
	}
	scheme, _, found := strings.Cut(raw, ":")
	switch {
	case strings.HasPrefix(raw, "//"):
		raw = "https:" + raw
	case !found || strings.ContainsAny(scheme, "./@") || scheme == "localhost" || startsWithDigit(raw[len(scheme)+1:]):
		raw = "https://" + raw
	case !strings.EqualFold(scheme, "http") && !strings.EqualFold(scheme, "https"):
		return wrong("must begin with http:// or https://")
	}
	u, err := url.Parse(raw)
	if err != nil || u.Opaque != "" || u.Hostname() == "" {
		return wrong("is not a web address")
	}
	if u.User != nil {
		return wrong("must not carry a user name or password")
	}
	host, ok := page.ASCIIHost(u.Hostname())
	if !ok {
		return wrong("has a host name that cannot exist")
	}
	if !boardwatch.PublicHost(host) && !boardwatch.IsLocalhost(host) && !s.private {
		return wrong("must name a public host")
	}
	u = page.Tidy(u, host)
	if err := s.client.Policy().Check(u); err != nil {
		return wrong("cannot be read: " + err.Error())
	}
	return u, nil
}

// jobSite is the name of the site for job seekers that an address leads to; empty when it leads to none of the large ones.
// Their own careers pages are on hosts of their own.
func jobSite(u *url.URL) string {
	site := page.Site(u.Hostname())
	sub := strings.TrimSuffix(strings.TrimSuffix(u.Hostname(), site), ".")
	if len(sub) > len("www") { // a country, or "www" or "m"
		return ""
	}
	label, _, _ := strings.Cut(site, ".")
	switch label {
	case "linkedin":
		return "LinkedIn"
	case "indeed":
		return "Indeed"
	case "glassdoor":
		return "Glassdoor"
	case "stepstone":
		return "StepStone"
	case "ziprecruiter":
		return "ZipRecruiter"
	default:
		return ""
	}
}

func startsWithDigit(s string) bool { return s != "" && s[0] >= '0' && s[0] <= '9' }
