//go:build simulate

package simulate_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/boardwatch/boardwatch/chaos/systems"
)

// vendor is a hosted system with all its companies.
type vendor struct {
	systems.System

	place     int // its index among the vendors
	companies []*company
	paced     float64 // requests per second that its pace allows for one host

	requests, refusals, faults atomic.Int64
	late                       spread // of the checks of its boards

	mu    sync.Mutex
	hosts map[string]*host // the hosts that its companies share
}

// host counts its requests.
type host struct {
	recent  []time.Time // the requests of the last minute
	highest int         // requests in any minute
}

// ask records a request.
func (h *host) ask(now time.Time) {
	h.recent = slices.DeleteFunc(h.recent, func(at time.Time) bool { return now.Sub(at) >= time.Minute })
	h.recent = append(h.recent, now)
	h.highest = max(h.highest, len(h.recent))
}

// internet consists of all hosts. It is an http.RoundTripper without a network.
type internet struct {
	vendors []*vendor
	strange atomic.Int64 // requests for unknown pages: after a failure, a reader also looks elsewhere
}

// RoundTrip answers after the host's latency.
func (i *internet) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		_ = r.Body.Close()
	}
	v, c, list := i.find(r)
	if c == nil {
		i.strange.Add(1)
		return answered(r, http.StatusNotFound, "text/plain", "there is no such page"), nil
	}
	number := v.arrive(c, r.URL.Host)
	if !sleep(r.Context(), c.latency(number)) {
		return nil, context.Cause(r.Context())
	}
	if !list {
		return answered(r, http.StatusOK, html, v.Naming(c.token)), nil
	}
	return c.list(r)
}

const html = "text/html; charset=utf-8"

// find returns the company that a request is about, and whether it asks for the list.
func (i *internet) find(r *http.Request) (v *vendor, c *company, list bool) {
	asked := r.Clone(r.Context())
	asked.Host = r.URL.Host
	for _, v := range i.vendors {
		if token := v.List(asked); token != "" {
			return v, v.company(token), true
		}
		if v.About != nil {
			if token := v.About(asked); token != "" {
				return v, v.company(token), false
			}
		}
	}
	return nil, nil, false
}

// company returns the company with a token; nil if there is none.
func (v *vendor) company(token string) *company {
	n, err := strconv.Atoi(strings.TrimPrefix(token, v.Prefix))
	if err != nil || n < 1 || n > len(v.companies) {
		return nil
	}
	return v.companies[n-1]
}

// arrive records a request in the ledger of its host.
func (v *vendor) arrive(c *company, name string) (number int64) {
	now := time.Now()
	if !v.Shared {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.asked.ask(now)
		return v.requests.Add(1)
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	h := v.hosts[name]
	if h == nil {
		h = new(host)
		v.hosts[name] = h
	}
	h.ask(now)
	return v.requests.Add(1)
}

// highest returns the most requests to any host of the vendor within a minute.
func (v *vendor) highest() (most int) {
	for _, h := range v.hosts {
		most = max(most, h.highest)
	}
	for _, c := range v.companies {
		most = max(most, c.asked.highest)
	}
	return most
}

// latency is how long an answer takes.
func (c *company) latency(number int64) time.Duration {
	d := dice{c.seed + uint64(number)}
	wait := d.between(150*time.Millisecond, 450*time.Millisecond)
	switch {
	case c.vendor.troubled(time.Now()) == slowDown:
		wait += d.between(2*time.Second, 6*time.Second)
	case c.slow && !c.vendor.Shared:
		wait += d.between(5*time.Second, 20*time.Second)
	}
	return wait
}

// list answers a request for the list, and records the answer.
func (c *company) list(r *http.Request) (*http.Response, error) {
	now := time.Now()
	t := c.trouble(now)
	shown := c.shows(now)
	total := len(shown)
	if t.show != nil {
		shown = t.show(shown)
		if !t.claims {
			total = len(shown)
		}
	}
	c.mu.Lock()
	heard := answeredAt(now, t.kind)
	c.heard = &heard
	c.mu.Unlock()
	if t.kind != whole {
		c.vendor.faults.Add(1)
	}
	if t.refuses {
		c.vendor.refusals.Add(1)
	}
	if t.answer != nil {
		return t.answer(c, r)
	}
	offset, _ := strconv.Atoi(r.URL.Query().Get("offset")) // the first page has none
	return c.render(r, shown, offset, total), nil
}

// render writes a list in its vendor's format.
func (c *company) render(r *http.Request, shown []spell, offset, total int) *http.Response {
	tag := c.tag(shown, total)
	if c.tagged && r.Header.Get("If-None-Match") == tag {
		return answered(r, http.StatusNotModified, "", "")
	}
	shown = shown[min(offset, len(shown)):]
	if c.vendor.Most > 0 {
		shown = shown[:min(len(shown), c.vendor.Most)]
	}
	roles := make([]systems.Role, len(shown))
	for i, s := range shown {
		roles[i] = c.role(s)
	}
	contentType, body := c.vendor.Render(c.token, roles, total)
	a := answered(r, http.StatusOK, contentType, body)
	if c.tagged {
		a.Header.Set("Etag", tag)
	}
	return a
}

// tag returns the ETag of a list.
func (c *company) tag(shown []spell, total int) string {
	sum := uint64(total)
	for _, s := range shown {
		sum = (sum ^ uint64(s.n<<8|s.edition)) * 1099511628211
	}
	return fmt.Sprintf("\"%x\"", sum)
}

func answered(r *http.Request, status int, contentType, body string) *http.Response {
	a := &http.Response{
		Status: strconv.Itoa(status) + " " + http.StatusText(status), StatusCode: status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: make(http.Header, 3), Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body)), Request: r,
	}
	if contentType != "" {
		a.Header.Set("Content-Type", contentType)
	}
	return a
}

// sleep reports whether the wait ended before the context did.
func sleep(ctx context.Context, d time.Duration) bool {
	pause(ctx, d)
	return ctx.Err() == nil
}
