package outbound

import (
	"context"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"github.com/boardwatch/boardwatch/internal/foreign"
)

// maxHops is how many redirects are followed.
const maxHops = 10

// Page is the result of Get. Every status is a page.
type Page struct {
	URL         *url.URL // where it was found in the end
	Status      int
	Header      http.Header
	ContentType string   // the media type alone, in lower case: "text/html"; empty when the server names none
	Body        []byte   // as it was sent, decompressed
	Hops        []string // the addresses that led here, the one asked for first; empty without a redirect
}

// Get fetches a page. It follows at most ten redirects, each judged like an address of its own; credentials in the
// header stay with the host they were meant for. The header may be nil; it is not changed.
func (c *Client) Get(ctx context.Context, address string, header http.Header) (*Page, error) {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil {
		return nil, invalid("the address is not a URL") // without the cause, which repeats the address
	}
	header = header.Clone()
	if header == nil {
		header = make(http.Header, 1)
	}
	if header.Get("Accept") == "" {
		header.Set("Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8")
	}
	var hops []string
	seen := make(map[string]int)
	for {
		if c.allow != nil {
			if err := c.allow(ctx, u); err != nil {
				return nil, err
			}
		}
		page, err := c.fetch(ctx, u, header)
		if err != nil {
			return nil, err
		}
		next, e := page.next()
		if e != nil {
			return nil, e
		}
		if next == nil {
			page.Hops = hops
			return page, nil
		}
		seen[withoutFragment(u)]++
		hops = append(hops, u.String())
		if e := c.judgeHop(next, seen, len(hops)); e != nil {
			return nil, e
		}
		if !sameHost(u, next) {
			header.Del("Authorization")
			header.Del("Cookie")
		}
		header.Del("If-None-Match") // what they tell of is the address asked for
		header.Del("If-Modified-Since")
		u = next
	}
}

// judgeHop refuses to run in circles. A session may see an address a second time: a cookie can make the difference.
func (c *Client) judgeHop(next *url.URL, seen map[string]int, hops int) *Error {
	host := shown(next.Hostname())
	visits := 1
	if c.session {
		visits = 2
	}
	switch {
	case seen[withoutFragment(next)] >= visits:
		return &Error{Kind: KindRedirect, Message: host + " redirects in a circle"}
	case hops > maxHops:
		return &Error{Kind: KindRedirect, Message: host + " redirects too many times"}
	}
	return nil
}

func (c *Client) fetch(ctx context.Context, u *url.URL, header http.Header) (*Page, error) {
	req := (&http.Request{Method: http.MethodGet, URL: u, Host: u.Host, Header: header}).WithContext(ctx)
	resp, err := c.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }() // it is in memory
	page := &Page{URL: u, Status: resp.StatusCode, Header: resp.Header}
	if body, ok := resp.Body.(*Body); ok {
		page.Body = body.take()
	}
	page.ContentType = mediaType(resp.Header)
	return page, nil
}

// next is where the page sends on to; nil when it does not.
func (p *Page) next() (*url.URL, *Error) {
	switch p.Status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther,
		http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
	default:
		return nil, nil
	}
	target := p.Header.Get("Location")
	if target == "" {
		return nil, nil
	}
	u, err := p.URL.Parse(target)
	if err != nil {
		return nil, &Error{
			Kind: KindRedirect, Message: shown(p.URL.Hostname()) + " redirects to something that is no address",
		}
	}
	return u, nil
}

// Text is the body in UTF-8, by its byte order mark, its looks, and what the Content-Type, the XML declaration or <meta charset>
// say. It is Body itself, or a part of it, where that is UTF-8 already.
func (p *Page) Text() []byte { return foreign.UTF8(p.Body, p.Header.Get("Content-Type")) }

func mediaType(header http.Header) string {
	value := header.Get("Content-Type")
	if kind, _, err := mime.ParseMediaType(value); err == nil {
		return kind
	}
	kind, _, _ := strings.Cut(value, ";") // servers write parameters that the standard does not know
	return strings.ToLower(strings.TrimSpace(kind))
}

func sameHost(a, b *url.URL) bool { return strings.EqualFold(a.Host, b.Host) }

func withoutFragment(u *url.URL) string {
	bare := *u
	bare.Fragment, bare.RawFragment = "", ""
	return bare.String()
}
