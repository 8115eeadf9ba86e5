package web

import "strings"

// LoggedPath returns a path in a form safe for logs: without the token of a feed, which gives access to the feed. A
// path that only resembles a feed's is cut too, because a mistyped address may still contain a valid token.
func LoggedPath(path string) string {
	if before, _, ok := strings.Cut(path, "/feeds/"); ok {
		return before + "/feeds/…"
	}
	return path
}
