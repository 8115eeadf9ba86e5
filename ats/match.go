package ats

import "net/url"

// Match finds the adapter that an address belongs to and the board it names. Only complete http and https addresses
// without user info are judged.
func Match(u *url.URL, adapters []Adapter) (system, board string, ok bool) {
	parsed, whole := parseAddress(u) // once, not by each adapter: a page may have 20,000 links
	for _, a := range adapters {
		if d, declares := a.(interface {
			match(a address) (string, bool)
		}); !declares {
			board, ok = a.Match(u)
		} else if whole {
			board, ok = d.match(parsed)
		}
		if ok {
			return a.Name(), board, true
		}
	}
	return "", "", false
}
