package ats

import "net/url"

// Match finds the adapter that an address belongs to and the board it names. Only complete http and https addresses
// without user info are judged.
func Match(u *url.URL, adapters []Adapter) (system, board string, ok bool) {
	for _, a := range adapters {
		if board, ok = a.Match(u); ok {
			return a.Name(), board, true
		}
	}
	return "", "", false
}
