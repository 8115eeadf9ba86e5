// Package canonical writes e-mail addresses, host names and origins in one form, so that two texts are the same address
// exactly if they are equal.
package canonical

import (
	"cmp"
	"net/mail"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/net/idna"
	"golang.org/x/text/unicode/norm"
)

// longestEmail is in bytes (RFC 5321).
const longestEmail = 254

// Email returns the form in which an e-mail address is stored and compared; false if s is not an address, or if it has
// a character that other programs take for an ASCII letter. Before the @, only A to Z become lower case.
func Email(s string) (string, bool) {
	s = strings.TrimSpace(s)
	a, err := mail.ParseAddress(s)
	if err != nil || a.Address != s || strings.ContainsFunc(s, lookalike) {
		return "", false
	}
	at := strings.LastIndexByte(s, '@')
	domain, ok := Host(s[at+1:])
	s = lower(s[:at]) + "@" + domain
	return s, ok && len(s) <= longestEmail
}

// Host returns the form in which a host name is compared and published: lower case, punycode, no dot at the end; false
// if s is not a host name, or if one of its labels only resembles an ASCII one.
func Host(s string) (string, bool) {
	labels := strings.Split(strings.TrimSuffix(s, "."), ".")
	for i, label := range labels {
		if labels[i] = lower(label); label == "" {
			return "", false
		}
		if isASCII(label) {
			continue
		}
		punycode, err := idna.Lookup.ToASCII(label)
		if err != nil || strings.ContainsFunc(label, lookalike) || !strings.HasPrefix(punycode, "xn--") || strings.Contains(punycode, ".") {
			return "", false
		}
		labels[i] = punycode
	}
	return strings.Join(labels, "."), true
}

// lower folds A to Z. Unicode's rules would make ASCII out of other letters: i out of İ, k out of the Kelvin sign.
func lower(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r - 'A' + 'a'
		}
		return r
	}, s)
}

// lookalike reports whether folding makes ASCII out of a character that is not ASCII, by Unicode's rules for case or
// for compatible characters.
func lookalike(r rune) bool {
	return r > unicode.MaxASCII && (unicode.ToLower(r) <= unicode.MaxASCII || strings.ContainsFunc(norm.NFKC.String(string(r)), ascii))
}

func isASCII(s string) bool { return !strings.ContainsFunc(s, func(r rune) bool { return !ascii(r) }) }

func ascii(r rune) bool { return r <= unicode.MaxASCII }

// Origin returns the beginning of a site's addresses in the form that browsers send: http or https, the host in the form
// of Host, and a port that is not the scheme's own; false if raw is anything else or has more parts.
func Origin(raw string) (string, bool) {
	u, err := url.Parse(raw)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.Path != "" || strings.ContainsAny(raw, "?#") {
		return "", false
	}
	host, ok := Host(u.Hostname())
	if ip, err := netip.ParseAddr(u.Hostname()); err == nil && ip.Is6() {
		host, ok = "["+ip.String()+"]", ip.Zone() == ""
	}
	own := "80"
	if u.Scheme == "https" {
		own = "443"
	}
	port, err := strconv.ParseUint(cmp.Or(u.Port(), own), 10, 16)
	if p := strconv.FormatUint(port, 10); p != own {
		host += ":" + p
	}
	return u.Scheme + "://" + host, ok && err == nil
}
