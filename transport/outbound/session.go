package outbound

import (
	"cmp"
	"context"
	"net/http"
	"net/http/cookiejar"
	"net/url"

	"golang.org/x/net/publicsuffix"
)

// SessionOptions are the options of a session that differ from those of its client. The zero value changes nothing.
type SessionOptions struct {
	// Proxy is the proxy that requests of the session take in place of the client's. Like the client's, it has no effect
	// with Options.Transport.
	Proxy *url.URL
	// Direct has requests of the session take no proxy at all. Proxy is then left aside.
	Direct bool
	// MaxRequests is how many requests the session and the sessions made from it may send in all, each try and each hop
	// counted. Past them, every request fails with KindSpent. Zero means no limit.
	MaxRequests int
	// System is the hosted system whose board is read. Its pace (Options.Paces) is then that of the requests.
	System string
	// Once has each request sent once: what is transient is not tried again.
	Once bool
	// Allow is asked before every request of Get, each hop of a redirect included; its error ends the Get and should be an
	// *Error. It is not asked about requests of Do.
	Allow func(ctx context.Context, u *url.URL) error
}

// Session is a client that keeps cookies and counts requests of its own, and shares everything else: connections,
// pacing, limits. A session is for one reading.
func (c *Client) Session() *Client { return c.SessionWith(SessionOptions{}) }

// SessionWith is a session with its own options. Options that are not set are those of the client.
func (c *Client) SessionWith(o SessionOptions) *Client {
	s := &Client{core: c.core, session: true, parent: c, limit: o.MaxRequests, route: c.route, once: c.once || o.Once, allow: o.Allow, system: cmp.Or(o.System, c.system)}
	if o.Direct || o.Proxy != nil {
		s.route = &route{proxy: o.Proxy}
	}
	if o.Direct {
		s.route.proxy = nil
	}
	if s.allow == nil {
		s.allow = c.allow
	}
	return s
}

// Requests is how many requests this client, or this session, and the sessions made from it have sent so far. Each try and
// each hop counts.
func (c *Client) Requests() int { return int(c.requests.Load()) }

// Recorded reports whether answers come from an *Archive, which only contains what was requested before.
func (c *Client) Recorded() bool { return c.core.recorded }

// UserAgent is the User-Agent header of the client's requests.
func (c *Client) UserAgent() string { return c.core.defaults.Get("User-Agent") }

// count takes note of one request, unless a limit on the way up is reached.
func (c *Client) count() *Error {
	for counted := c; counted != nil; counted = counted.parent {
		if n := counted.requests.Add(1); counted.limit > 0 && n > int64(counted.limit) {
			for undone := c; ; undone = undone.parent {
				undone.requests.Add(-1)
				if undone == counted {
					return &Error{Kind: KindSpent, Message: "no further request is sent: the search has used up those it has"}
				}
			}
		}
	}
	return nil
}

// route is a session's own way to hosts: through its proxy, or straight when that is nil.
type route struct{ proxy *url.URL }

// routeKey carries the route of a session to the transport.
type routeKey struct{}

// routed is the context of a request with the session's own route, if it has one.
func (c *Client) routed(ctx context.Context) context.Context {
	if c.route == nil {
		return ctx
	}
	return context.WithValue(ctx, routeKey{}, c.route)
}

// way is the proxy of a request: its session's, else that of the options.
func (n *network) way(req *http.Request) (*url.URL, error) {
	if r, ok := req.Context().Value(routeKey{}).(*route); ok {
		return r.proxy, nil
	}
	return n.proxy(req)
}

func (c *Client) cookies(u *url.URL) []*http.Cookie {
	if !c.session {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.jar == nil {
		return nil
	}
	return c.jar.Cookies(u)
}

func (c *Client) keepCookies(u *url.URL, resp *http.Response) {
	if !c.session || len(resp.Header["Set-Cookie"]) == 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.jar == nil {
		jar, err := cookiejar.New(&cookiejar.Options{PublicSuffixList: publicsuffix.List})
		if err != nil {
			return // it never fails; without cookies the session is a plain client
		}
		c.jar = jar
	}
	c.jar.SetCookies(u, resp.Cookies())
}
