package scraper

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/boardwatch/boardwatch/scraper/robots"
	"github.com/boardwatch/boardwatch/scraper/wall"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// robotsFiles remembers the robots.txt of each site and asks for it once a day. It keeps two generations: a site that nobody
// reads while a whole generation fills up is forgotten.
type robotsFiles struct {
	mu         sync.Mutex
	young, old map[string]*origin
}

// origin is what one scheme, host and port asks.
type origin struct {
	asking chan struct{} // holds one token while somebody fetches the file
	until  time.Time     // when rules are out of date; both owned by who holds the token
	rules  *robots.Rules // nil: never read
}

const (
	robotsLife = 24 * time.Hour
	robotsKept = 5_000
)

// at is the origin of an address.
func (r *robotsFiles) at(u *url.URL) *origin {
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
func (r *robotsFiles) allow(ctx context.Context, client *outbound.Client, u *url.URL) error {
	rules, err := r.rules(ctx, client, u)
	if err != nil {
		return err
	}
	if !rules.Allows(u) {
		return &outbound.Error{Kind: outbound.KindDisallowed, Message: "disallowed by robots.txt of " + u.Hostname()}
	}
	return nil
}

// rules is what the site of an address asks of programs.
func (r *robotsFiles) rules(ctx context.Context, client *outbound.Client, u *url.URL) (*robots.Rules, error) {
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
		client.Slow(u, rules.Delay)
	case ctx.Err() != nil:
		return nil, err
	case o.rules == nil:
		return nil, err
	}
	return o.rules, nil // out of date, when the site does not answer
}

// askRobots fetches a site's robots.txt. A site that has none, or refuses to show it, asks for nothing. While a site answers
// with server errors, nothing of it is read (RFC 9309, 2.3.1.4); the error then says what the page's own would. A bot wall
// in front of robots.txt is ignored: if it matters, the page will meet it too.
func askRobots(ctx context.Context, client *outbound.Client, u *url.URL) (*robots.Rules, error) {
	file := url.URL{Scheme: u.Scheme, Host: u.Host, Path: "/robots.txt"}
	answer, err := client.Get(ctx, file.String(), http.Header{"Accept": {"text/plain,*/*;q=0.5"}})
	switch kind := outbound.KindOf(err); {
	case kind == outbound.KindNotRecorded, kind == outbound.KindRedirect:
		return &robots.Rules{}, nil
	case err != nil:
		return nil, err
	case answer.Status >= 200 && answer.Status < 300:
		return robots.Parse(answer.Text(), robots.Product(client.UserAgent())), nil
	case answer.Status < 500:
		return &robots.Rules{}, nil
	}
	if w := wallOfPage(answer); w != nil && w.Vendor != "" && w.Kind != wall.RateLimit {
		return &robots.Rules{}, nil
	}
	r := refusal(answer)
	return nil, &outbound.Error{
		Kind: outbound.KindDisallowed, RetryAfter: r.RetryAfter,
		Message: r.Reason + ", and nothing else is read while its robots.txt cannot be",
	}
}
