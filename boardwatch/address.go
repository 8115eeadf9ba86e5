package boardwatch

import (
	"net/url"
	"slices"
	"strings"
)

// What in the query of an address only says where a visitor came from.
//
//nolint:gochecknoglobals // a constant table
var trackingParameters = map[string]bool{
	"gh_src": true, "lever-source": true, "lever-origin": true, "source": true, "ref": true, "referrer": true, "fbclid": true,
	"gclid": true, "msclkid": true, "mc_cid": true, "mc_eid": true, "trk": true, "src": true, "utm": true, "_ga": true, "_gl": true,
	"igshid": true, "li_fat_id": true, "hsctatracking": true, "trackingid": true, "wbraid": true, "gbraid": true, "dclid": true,
	"wt.mc_id": true, "wt.nav": true, "_hsenc": true, "_hsmi": true, "hootpostid": true, "wprov": true,
}

// What else in the address of a role tells two visits apart, but not two roles. A source that uses one of these names for
// its roles loses nothing: Normalize keeps the whole address where several titles would share the short one.
//
//nolint:gochecknoglobals // a constant table
var visitParameters = map[string]bool{
	// sessions and protection against forgery
	"jsessionid": true, "phpsessid": true, "aspsessionid": true, "sid": true, "sessionid": true, "session_id": true, "session": true,
	"oscsid": true, "wicket:interface": true, "sess": true, "cfid": true, "cftoken": true,
	"csrf": true, "csrf_token": true, "_csrf": true, "csrfmiddlewaretoken": true, "xsrf": true,
	"authenticity_token": true, "__requestverificationtoken": true, "nonce": true, "_wpnonce": true, "token": true, "rspvt": true,
	// caches and signatures
	"_": true, "cb": true, "cachebuster": true, "signature": true, "expires": true, "x-amz-signature": true, "x-amz-date": true,
	"x-amz-expires": true, "x-amz-credential": true,
	// the position in a list
	"listpos": true, "list_position": true, "resultposition": true, "srchpos": true, "featured": true,
}

func isTracking(name string) bool {
	campaign, _, parts := strings.Cut(name, "_")
	return trackingParameters[name] || parts && slices.Contains([]string{"utm", "pk", "mtm", "hsa"}, campaign)
}

func isOfVisit(name string) bool { return visitParameters[name] || isTracking(name) }

// WithoutTracking returns the query of an address without the parameters that only say where a visitor came from.
func WithoutTracking(query string) string { return withoutParameters(query, isTracking) }

// withoutParameters returns a query without the parameters whose names, in lower case, are left out.
func withoutParameters(query string, left func(name string) bool) string {
	if query == "" {
		return ""
	}
	kept := make([]string, 0, 4)
	for part := range strings.SplitSeq(query, "&") {
		name, _, _ := strings.Cut(part, "=")
		if name != "" && !left(strings.ToLower(name)) {
			kept = append(kept, part)
		}
	}
	return strings.Join(kept, "&")
}

// AddressIdentity returns what all addresses of one role have in common: host, path, query and a fragment that is a
// route, without the scheme, "www.", a final slash, and what tells visits apart: tracking, sessions, tokens. It is
// compared, never requested.
func AddressIdentity(u *url.URL) string {
	at := u.Path
	if u.RawPath != "" || strings.ContainsFunc(at, mayBeEscaped) {
		at = u.EscapedPath()
	}
	key := strings.TrimPrefix(strings.ToLower(u.Host), "www.") + strings.TrimSuffix(pathIdentity(at), "/")
	if q := withoutParameters(u.RawQuery, isOfVisit); q != "" {
		key += "?" + q
	}
	if strings.ContainsAny(u.Fragment, "/=.") { // a route inside the page, not a place on it
		key += "#" + u.Fragment
	}
	return key
}

// mayBeEscaped reports whether a character of a path may have another form in an address.
func mayBeEscaped(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '-' || r > '9') && r != '_' // "-./" and digits are together
}

// pathIdentity returns a path without the sessions that servers write into it: "/jobs;jsessionid=1", "/(S(1))/jobs".
func pathIdentity(at string) string {
	if !strings.ContainsAny(at, ";(") && !strings.Contains(at, "%28") {
		return at
	}
	segments := strings.Split(at, "/")
	segments = slices.DeleteFunc(segments, func(s string) bool {
		s = strings.NewReplacer("%28", "(", "%29", ")").Replace(s)
		return strings.HasPrefix(s, "(S(") || strings.HasPrefix(s, "(A(") || strings.HasPrefix(s, "(F(")
	})
	for i, s := range segments {
		parts := strings.Split(s, ";")
		kept := parts[:1]
		for _, p := range parts[1:] {
			if name, _, _ := strings.Cut(p, "="); !isOfVisit(strings.ToLower(name)) {
				kept = append(kept, p)
			}
		}
		segments[i] = strings.Join(kept, ";")
	}
	return strings.Join(segments, "/")
}

// addressIdentity is AddressIdentity of a text, which may lack the scheme. A text that is no address is its own
// identity.
func addressIdentity(address string) string {
	if !strings.Contains(address, "/") {
		return address
	}
	if !strings.Contains(address, "://") {
		address = "//" + strings.TrimPrefix(address, "//")
	}
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return address
	}
	return AddressIdentity(u)
}

// sameAddress reports whether two addresses are of one page.
func sameAddress(a, b string) bool {
	return a == b || a != "" && b != "" && addressIdentity(a) == addressIdentity(b)
}

// plainAddress is addressIdentity, without the work for addresses in which there is nothing to leave out.
func plainAddress(address string) string {
	if strings.ContainsAny(address, "?;(") {
		return addressIdentity(address)
	}
	return address
}
