package ats

import (
	"net/url"
	"regexp"
	"strings"
)

// address is a web address taken apart for matching: the host in lower case without a trailing dot, the path's segments
// decoded one by one, and the query.
type address struct {
	host  string
	path  []string
	query url.Values
}

// parseAddress takes u apart. Other schemes than http and https, user info, and ports other than the two of the web are
// no addresses of a hosted board.
func parseAddress(u *url.URL) (address, bool) {
	if u == nil || u.User != nil || (u.Scheme != "https" && u.Scheme != "http") {
		return address{}, false
	}
	if port := u.Port(); port != "" && port != "443" && port != "80" {
		return address{}, false
	}
	a := address{host: strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")}
	for segment := range strings.SplitSeq(u.EscapedPath(), "/") {
		if segment == "" {
			continue
		}
		decoded, err := url.PathUnescape(segment)
		if err != nil {
			return address{}, false
		}
		a.path = append(a.path, decoded)
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		query = url.Values{}
	}
	a.query = query
	return a, a.host != ""
}

// segment is the path's nth segment, or "".
func (a address) segment(n int) string {
	if n < len(a.path) {
		return a.path[n]
	}
	return ""
}

// below returns the segment that follows the given ones, or "" when the path does not begin with them.
func (a address) below(prefix ...string) string {
	for i, p := range prefix {
		if a.segment(i) != p {
			return ""
		}
	}
	return a.segment(len(prefix))
}

var (
	tokenForm = regexp.MustCompile(`^[A-Za-z0-9._-]{1,128}$`)
	assetForm = regexp.MustCompile(`(?i)^(robots\.txt|.*\.(css|gif|ico|jpe?g|js|map|png|svg|webmanifest|woff2?|xml))$`)
)

// isToken reports whether s may name a board: letters, digits and ._- only, so that it can stand in an address as it is;
// not a file that every web server has, and not a way up the path.
func isToken(s string) bool {
	return tokenForm.MatchString(s) && strings.Trim(s, ".") != "" && !assetForm.MatchString(s)
}
