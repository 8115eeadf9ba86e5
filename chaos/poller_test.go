//go:build chaos

package chaos_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"
)

// client is a program that uses REST, with any process that answers.
type client struct {
	key  string
	urls func() []string
	http *http.Client

	mu  sync.Mutex
	rng *rand.Rand
}

func newClient(key string, rng *rand.Rand, urls func() []string) *client {
	return &client{key: key, rng: rng, urls: urls, http: &http.Client{Timeout: 20 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 4}}}
}

func (c *client) pick() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	urls := c.urls()
	return urls[c.rng.IntN(len(urls))]
}

// errAgain says that asking again later may help: the process was down, or the budget used up.
var errAgain = errors.New("not now")

// call makes one request. What is no answer of the interface at all is an error.
func (c *client) call(ctx context.Context, method, path, body string, into any) (status int, err error) {
	req, err := http.NewRequestWithContext(ctx, method, c.pick()+path, strings.NewReader(body))
	if err != nil {
		return 0, err
	}
	req.Header.Set("Authorization", "Bearer "+c.key)
	res, err := c.http.Do(req)
	if err != nil {
		return 0, errAgain
	}
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	switch {
	case err != nil, res.StatusCode == http.StatusTooManyRequests, res.StatusCode >= 500:
		return res.StatusCode, errAgain
	case res.StatusCode >= 400:
		return res.StatusCode, fmt.Errorf("%s %s: %d %s", method, path, res.StatusCode, tail(string(text), 300))
	case into != nil:
		if err := json.Unmarshal(text, into); err != nil {
			return res.StatusCode, fmt.Errorf("%s %s: %w in %s", method, path, err, tail(string(text), 300))
		}
	}
	return res.StatusCode, nil
}

// jobPage is what listJobs answers.
type jobPage struct {
	Jobs     []toldJob `json:"jobs"`
	Total    int       `json:"total"`
	PolledAt string    `json:"polledAt"`
}

// poller asks for new roles over and over, as the interface promises that it may: from one polledAt to the next.
type poller struct {
	client *client
	since  string
	seen   map[string]int // by id of the role
	urls   map[string]map[string]bool

	mu                                 sync.Mutex // guards polls and err, which others look at
	polls, repeats, refused, backwards int
	err                                error
}

func newPoller(c *client) *poller {
	return &poller{client: c, seen: make(map[string]int), urls: make(map[string]map[string]bool)}
}

// run polls until the context ends, and stops at the first error.
func (p *poller) run(ctx context.Context) {
	for ctx.Err() == nil && p.failed() == nil {
		if err := p.poll(ctx); err != nil && ctx.Err() == nil {
			p.mu.Lock()
			p.err = err
			p.mu.Unlock()
		}
		select {
		case <-ctx.Done():
		case <-time.After(1200 * time.Millisecond): // 50 a minute, of the 60 that an account has
		}
	}
}

// poll asks for everything since the last poll, page by page. The cursor only moves after all pages were read.
func (p *poller) poll(ctx context.Context) error {
	next := ""
	for skip := 0; ; skip += 100 {
		q := url.Values{"status": {"all"}, "limit": {"100"}, "skip": {strconv.Itoa(skip)}}
		if p.since != "" {
			q.Set("addedAfter", p.since)
		}
		var page jobPage
		if err := p.ask(ctx, q, &page); err != nil {
			return err
		}
		if next == "" {
			next = page.PolledAt
		}
		for _, j := range page.Jobs {
			p.note(j)
		}
		if skip+100 >= page.Total {
			break
		}
	}
	if next < p.since {
		p.backwards++
	}
	p.since = next
	p.mu.Lock()
	p.polls++
	p.mu.Unlock()
	return nil
}

// ask gets one page, however long it takes.
func (p *poller) ask(ctx context.Context, q url.Values, page *jobPage) error {
	for {
		_, err := p.client.call(ctx, http.MethodGet, "/v1/jobs?"+q.Encode(), "", page)
		if !errors.Is(err, errAgain) {
			return err
		}
		p.refused++
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(1200 * time.Millisecond):
		}
	}
}

func (p *poller) note(j toldJob) {
	if p.seen[j.ID]++; p.seen[j.ID] > 1 {
		p.repeats++
	}
	if p.urls[j.URL] == nil {
		p.urls[j.URL] = make(map[string]bool)
	}
	p.urls[j.URL][j.ID] = true
}

// failed returns why the poller has stopped; nil if it is running.
func (p *poller) failed() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err
}

// times returns how many polls were completed.
func (p *poller) times() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.polls
}
