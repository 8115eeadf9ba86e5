package web

import "strings"

// LoggedPath returns a path in a form safe for logs: without the token of a feed or of a shared list, which gives access to
// it. A path that only resembles one of these is cut too, because a mistyped address may still contain a valid token.
func LoggedPath(path string) string {
	for _, prefix := range []string{"/feeds/", sharedPrefix} {
		if before, _, ok := strings.Cut(path, prefix); ok {
			return before + prefix + "…"
		}
	}
	return path
}
