// Package robots parses robots.txt and says which addresses of a site a program may read (RFC 9309). It requests nothing.
package robots

import (
	"bytes"
	"math"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Limits of what is read of one file.
const (
	maxSize     = 512 << 10
	maxSitemaps = 20
)

// Rules are what a site asks of one program. The zero value asks for nothing.
type Rules struct {
	Delay    time.Duration // between two requests
	Sitemaps []string      // addresses, as written; they are meant for every program

	rules []rule
}

type rule struct {
	pattern string // normalised
	allow   bool
}

// Parse reads a robots.txt for the program with this product name, in lower case. It never fails: lines it cannot read are
// ignored.
func Parse(text []byte, product string) *Rules {
	if len(text) > maxSize {
		text = text[:bytes.LastIndexAny(text[:maxSize], "\r\n")+1]
	}
	var own, all, none Rules
	var sitemaps []string
	named := false      // some group is addressed to this product by name
	var groups []*Rules // the ones that the next rules belong to
	heading := false    // the previous line was a user-agent too
	for line := range strings.FieldsFuncSeq(strings.TrimPrefix(string(text), "\ufeff"), func(r rune) bool { return r == '\n' || r == '\r' }) {
		key, value, ok := parseLine(line)
		switch {
		case !ok:
		case key == "user-agent":
			if !heading {
				groups = nil
			}
			heading = true
			switch {
			case strings.HasPrefix(value, "*"):
				groups = append(groups, &all)
			case token(value) == product && product != "":
				groups, named = append(groups, &own), true
			default:
				groups = append(groups, &none)
			}
		case key == "sitemap":
			if len(sitemaps) < maxSitemaps {
				sitemaps = append(sitemaps, value)
			}
		case key == "allow" || key == "disallow" || key == "crawl-delay":
			heading = false
			for _, g := range groups {
				g.add(key, value)
			}
		}
	}
	if !named {
		own = all
	}
	own.Sitemaps = sitemaps
	return &own
}

// parseLine is a line's key in lower case and its value.
func parseLine(line string) (key, value string, ok bool) {
	line, _, _ = strings.Cut(line, "#")
	key, value, ok = strings.Cut(line, ":")
	key, value = strings.ToLower(strings.TrimSpace(key)), strings.TrimSpace(value)
	switch key {
	case "useragent", "user agent":
		key = "user-agent"
	case "dissallow", "dissalow", "disalow", "diasllow", "disallaw":
		key = "disallow" // common misspellings; what is meant is plain
	}
	return key, value, ok
}

func (r *Rules) add(key, value string) {
	switch {
	case key == "crawl-delay":
		if seconds, err := strconv.ParseFloat(value, 64); err == nil && seconds >= 0 && !math.IsInf(seconds, 0) {
			r.Delay = max(r.Delay, time.Duration(min(seconds, 3600)*float64(time.Second)))
		}
		return
	case value == "":
		return // "Disallow:" disallows nothing
	case value[0] != '/' && value[0] != '*':
		value = "/" + value
	}
	r.rules = append(r.rules, rule{normalize(value, "*$"), key == "allow"})
}

// Allows reports whether the site lets the address be read. The longest matching rule decides; of two equally long ones, the
// one that allows.
func (r *Rules) Allows(u *url.URL) bool {
	path := u.EscapedPath()
	if path == "" {
		path = "/"
	}
	if u.RawQuery != "" || u.ForceQuery {
		path += "?" + u.RawQuery
	}
	path = normalize(path, "")
	if path == "/robots.txt" {
		return true
	}
	longest, allowed := 0, true
	for _, rule := range r.rules {
		if n := len(rule.pattern); n < longest || n == longest && allowed || !matches(rule.pattern, path) {
			continue
		}
		longest, allowed = len(rule.pattern), rule.allow
	}
	return allowed
}

// matches reports whether a pattern matches the beginning of a path. A * stands for any text, a final $ for the path's end.
func matches(pattern, path string) bool {
	pattern, whole := strings.CutSuffix(pattern, "$")
	parts := strings.Split(pattern, "*")
	rest, ok := strings.CutPrefix(path, parts[0])
	if !ok {
		return false
	}
	if len(parts) == 1 {
		return !whole || rest == ""
	}
	last := len(parts) - 1
	for _, part := range parts[1:last] {
		_, after, found := strings.Cut(rest, part)
		if !found {
			return false
		}
		rest = after
	}
	if whole {
		return strings.HasSuffix(rest, parts[last])
	}
	return strings.Contains(rest, parts[last])
}

// normalize writes a path, or the pattern of one, so that equal paths are equal texts: only what has to be escaped is, with
// upper-case digits. Characters of special stay as they are.
func normalize(path, special string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	b.Grow(len(path))
	for i := 0; i < len(path); i++ {
		c := path[i]
		escaped := false
		if c == '%' && i+2 < len(path) {
			if n, err := strconv.ParseUint(path[i+1:i+3], 16, 8); err == nil {
				c, escaped = byte(n), true
				i += 2
			}
		}
		switch {
		case isUnreserved(c),
			!escaped && strings.IndexByte(special, c) >= 0,
			!escaped && c > ' ' && c < 0x7f && c != '*' && c != '$':
			b.WriteByte(c)
		default:
			b.WriteByte('%')
			b.WriteByte(hex[c>>4])
			b.WriteByte(hex[c&15])
		}
	}
	return b.String()
}

func isUnreserved(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '.' || c == '_' || c == '~'
}

// Product is the name by which robots.txt addresses a program, taken from its user agent and in lower case: "boardwatch" for
// "Mozilla/5.0 (compatible; Boardwatch/1.2; +…)".
func Product(agent string) string {
	if _, rest, ok := strings.Cut(agent, "(compatible;"); ok {
		agent = strings.TrimSpace(rest)
	}
	return token(agent)
}

// token is the product token that a text begins with, in lower case.
func token(text string) string {
	end := strings.IndexFunc(text, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && r != '-' && r != '_'
	})
	if end < 0 {
		end = len(text)
	}
	return strings.ToLower(text[:end])
}
