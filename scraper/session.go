package scraper

import (
	"context"
	"net/url"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// With is a Scraper like s that asks through another client, a session of that of s, say. It shares with s what sites said in
// their robots.txt, so that each is asked once.
func (s *Scraper) With(client *outbound.Client) *Scraper {
	return &Scraper{
		client: client, adapters: s.adapters, maxPages: s.maxPages, trace: s.trace, progress: s.progress, version: s.version, private: s.private,
		robots: s.robots, brought: s.brought, parsing: s.parsing, browser: s.browser, browserMode: s.browserMode, teacher: s.teacher, ignoreRobots: s.ignoreRobots,
	}
}

// sessions are the clients of one look at a board. The first is for what hosted systems publish for programs, and counts
// all requests; the second, for pages, obeys robots.txt where that is wanted. limit is that of the requests of both together; 0
// is no limit. fault is not nil when the operator's wishes for the board cannot be understood.
func (s *Scraper) sessions(a boardwatch.Access, limit int) (all, pages *outbound.Client, fault *boardwatch.Reading) {
	if all, fault = s.session(a, outbound.SessionOptions{MaxRequests: limit}); fault != nil {
		return nil, nil, fault
	}
	return all, s.polite(all, a), nil
}

// session is a session on the way that the operator wants.
func (s *Scraper) session(a boardwatch.Access, o outbound.SessionOptions) (*outbound.Client, *boardwatch.Reading) {
	o.Direct = a.Proxy == boardwatch.NoProxy
	if a.Proxy != "" && !o.Direct {
		proxy, err := url.Parse(a.Proxy)
		if err != nil || proxy.Host == "" { // never without the proxy that somebody wanted
			r := boardwatch.Failed(cause.Internal, "the proxy set for this board cannot be read; set it again")
			return nil, &r
		}
		o.Proxy = proxy
	}
	return s.client.SessionWith(o), nil
}

// polite is a session of the client that reads pages as their sites want.
func (s *Scraper) polite(client *outbound.Client, a boardwatch.Access) *outbound.Client {
	if a.Robots == boardwatch.RobotsIgnore || s.ignoreRobots && a.Robots != boardwatch.RobotsObey {
		return client
	}
	return client.SessionWith(outbound.SessionOptions{
		Allow: func(ctx context.Context, u *url.URL) error { return s.robots.allow(ctx, client, u) },
	})
}
