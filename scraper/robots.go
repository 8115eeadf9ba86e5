package scraper

import (
	"bytes"
	"context"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/boardwatch/boardwatch/transport/outbound"
)

// robots knows what sites ask of programs in their robots.txt (RFC 9309). It asks each site once a day. It keeps two
// generations: a site that nobody read while a whole generation came in is forgotten.
type robots struct {
	mu         sync.Mutex
	young, old map[string]*origin
}

// origin is what one scheme, host and port asks.
type origin struct {
	asking chan struct{} // holds one token while somebody fetches the file
	until  time.Time     // when rules are out of date; both owned by who holds the token
	rules  *rulebook     // nil: never read
}

const (
	robotsLife  = 24 * time.Hour
	robotsKept  = 5_000
	maxRobots   = 512 << 10
	maxSitemaps = 20 // lines of one robots.txt
)

// at is the origin of an address.
func (r *robots) at(u *url.URL) *origin {
	key := strings.ToLower(u.Scheme + "://" + u.Host)
	r.mu.Lock()
	defer r.mu.Unlock()
	o := r.young[key]
	if o == nil {
		o = r.old[key]
	}
	if o == nil {
		o = &origin{asking: make(chan struct{}, 1)}
	}
	if len(r.young) >= robotsKept {
		r.young, r.old = nil, r.young
	}
	if r.young == nil {
		r.young = make(map[string]*origin)
	}
	r.young[key] = o
	return o
}

// allow is nil when the address may be read. Otherwise it is an *outbound.Error: the site does not want it, or did not say.
func (r *robots) allow(ctx context.Context, client *outbound.Client, u *url.URL) error {
	rules, err := r.rules(ctx, client, u)
	if err != nil {
		return err
	}
	if !rules.allows(u) {
		return &outbound.Error{Kind: outbound.KindDisallowed, Message: "disallowed by robots.txt of " + u.Hostname()}
	}
	return nil
}

// rules is what the site of an address asks.
func (r *robots) rules(ctx context.Context, client *outbound.Client, u *url.URL) (*rulebook, error) {
	o := r.at(u)
	select {
	case o.asking <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	defer func() { <-o.asking }()
	if o.rules != nil && time.Now().Before(o.until) {
		return o.rules, nil
	}
	rules, err := askRobots(ctx, client, u)
	switch {
	case err == nil:
		o.rules, o.until = rules, time.Now().Add(robotsLife)
		client.Slow(u, rules.delay)
	case ctx.Err() != nil:
		return nil, err
	case o.rules == nil:
		return nil, err
	}
	return o.rules, nil // out of date, when the site does not answer
}

// askRobots fetches and reads a site's robots.txt. A site that has none, or refuses to show it, asks for nothing. One that
// is in trouble cannot be asked, and so nothing of it is read (RFC 9309, 2.3.1.4); the error then says what the page's own
// would. A wall is no word of the site's: whoever goes on will meet it at the page.
func askRobots(ctx context.Context, client *outbound.Client, u *url.URL) (*rulebook, error) {
	file := url.URL{Scheme: u.Scheme, Host: u.Host, Path: "/robots.txt"}
	page, err := client.Get(ctx, file.String(), http.Header{"Accept": {"text/plain,*/*;q=0.5"}})
	switch kind := outbound.KindOf(err); {
	case kind == outbound.KindNotRecorded, kind == outbound.KindRedirect:
		return &rulebook{}, nil
	case err != nil:
		return nil, err
	case page.Status >= 200 && page.Status < 300:
		return parseRobots(page.Text(), product(client.UserAgent())), nil
	case page.Status < 500:
		return &rulebook{}, nil
	}
	if w := wallOfPage(page); w != nil && w.vendor != "" && w.kind != wallRate {
		return &rulebook{}, nil
	}
	r := refusal(page)
	return nil, &outbound.Error{
		Kind: outbound.KindDisallowed, RetryAfter: r.RetryAfter,
		Message: r.Reason + ", and while its robots.txt cannot be read nothing else is",
	}
}

// product is the name under which a program is addressed: "Boardwatch" of "Mozilla/5.0 (compatible; Boardwatch/1.2; +…)".
func product(agent string) string {
	if _, rest, ok := strings.Cut(agent, "(compatible;"); ok {
		agent = strings.TrimSpace(rest)
	}
	return productToken(agent)
}

// productToken is the token that a text begins with.
func productToken(text string) string {
	end := strings.IndexFunc(text, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && r != '-' && r != '_'
	})
	if end < 0 {
		end = len(text)
	}
	return strings.ToLower(text[:end])
}

// rulebook is what a site asks of one program. The zero value asks for nothing.
type rulebook struct {
	rules    []robotsRule
	delay    time.Duration
	sitemaps []string // whoever asks
}

type robotsRule struct {
	pattern string // normalised
	allow   bool
}

// parseRobots reads a robots.txt for the program of this name. It never fails: lines that it cannot read do not count.
func parseRobots(text []byte, name string) *rulebook {
	if len(text) > maxRobots {
		text = text[:bytes.LastIndexAny(text[:maxRobots], "\r\n")+1]
	}
	var own, all, none rulebook
	var sitemaps []string
	named := false         // a group is addressed to us by name
	var groups []*rulebook // that the lines at hand are for
	heading := false       // the line before was a user-agent too
	for line := range strings.FieldsFuncSeq(strings.TrimPrefix(string(text), "\ufeff"), func(r rune) bool { return r == '\n' || r == '\r' }) {
		key, value, ok := robotsLine(line)
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
			case productToken(value) == name && name != "":
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
	own.sitemaps = sitemaps
	return &own
}

// robotsLine is a line's key in lower case and its value.
func robotsLine(line string) (key, value string, ok bool) {
	line, _, _ = strings.Cut(line, "#")
	key, value, ok = strings.Cut(line, ":")
	key, value = strings.ToLower(strings.TrimSpace(key)), strings.TrimSpace(value)
	switch key {
	case "useragent", "user agent":
		key = "user-agent"
	case "dissallow", "dissalow", "disalow", "diasllow", "disallaw":
		key = "disallow" // misspelt as seen in the wild; the wish is plain
	}
	return key, value, ok
}

func (b *rulebook) add(key, value string) {
	switch {
	case key == "crawl-delay":
		if seconds, err := strconv.ParseFloat(value, 64); err == nil && seconds >= 0 && !math.IsInf(seconds, 0) {
			b.delay = max(b.delay, time.Duration(min(seconds, 3600)*float64(time.Second)))
		}
		return
	case value == "":
		return // "Disallow:" disallows nothing
	case value[0] != '/' && value[0] != '*':
		value = "/" + value
	}
	b.rules = append(b.rules, robotsRule{normalizeOctets(value, "*$"), key == "allow"})
}

// allows reports whether the site lets the address be read: by the longest rule that matches, and of two as long by the
// one that allows.
func (b *rulebook) allows(u *url.URL) bool {
	path := u.EscapedPath()
	if path == "" {
		path = "/"
	}
	if u.RawQuery != "" || u.ForceQuery {
		path += "?" + u.RawQuery
	}
	path = normalizeOctets(path, "")
	if path == "/robots.txt" {
		return true
	}
	longest, allowed := 0, true
	for _, rule := range b.rules {
		if n := len(rule.pattern); n < longest || n == longest && allowed || !matchesPath(rule.pattern, path) {
			continue
		}
		longest, allowed = len(rule.pattern), rule.allow
	}
	return allowed
}

// matchesPath reports whether a pattern matches the beginning of a path; * stands for anything, $ at the end for the end.
func matchesPath(pattern, path string) bool {
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

// normalizeOctets writes a path, or a pattern of one, so that equal paths are equal texts: what need not be escaped is
// not, and everything else is, with upper-case digits. Characters of special stay as they are.
func normalizeOctets(path, special string) string {
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
	return isLetter(c) || c >= '0' && c <= '9' || c == '-' || c == '.' || c == '_' || c == '~'
}
