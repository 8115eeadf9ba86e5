package web

import "strings"

// LoggedPath is a path as a log may show it: without the token of a feed, which opens the feed to whoever has it. A path
// that only resembles a feed's is cut too: the token in it was mistyped around, not in.
func LoggedPath(path string) string {
	if before, _, ok := strings.Cut(path, "/feeds/"); ok {
		return before + "/feeds/…"
	}
	return path
}
