package web

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// How many requests of one account, or of whoever knows the address of a feed, are answered at a time, and how many more may
// wait for that: everybody else waits for the database meanwhile.
const (
	mostPages     = 8
	waitingPages  = 64 // a browser that opens all its tabs again
	mostDownloads = 2  // of everything that there is; a program that asks for more can come back
)

// crowd lets so many in at a time, of each account.
type crowd struct {
	mu    sync.Mutex
	under map[string]*queue
}

// queue is of one account.
type queue struct {
	inside chan struct{} // holds those that are answered
	all    int           // with those that wait
}

// enter waits until at most that many others of whom are answered, and returns what ends it. If too many wait already, it is a
// rate_limited error.
func (c *crowd) enter(ctx context.Context, whom string, most, waiting int) (leave func(), err error) {
	q := c.join(whom, most, waiting)
	if q == nil {
		return nil, &boardwatch.Error{
			Code: boardwatch.CodeRateLimited, Message: "too many of your requests are under way; wait a moment", RetryAfter: time.Second,
		}
	}
	select {
	case q.inside <- struct{}{}:
		return func() {
			<-q.inside
			c.part(whom, q)
		}, nil
	case <-ctx.Done():
		c.part(whom, q)
		return nil, context.Cause(ctx)
	}
}

func (c *crowd) join(whom string, most, waiting int) *queue {
	c.mu.Lock()
	defer c.mu.Unlock()
	q := c.under[whom]
	switch {
	case q == nil:
		q = &queue{inside: make(chan struct{}, most)}
		if c.under == nil {
			c.under = make(map[string]*queue)
		}
		c.under[whom] = q
	case q.all >= most+waiting:
		return nil
	}
	q.all++
	return q
}

func (c *crowd) part(whom string, q *queue) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if q.all--; q.all == 0 {
		delete(c.under, whom)
	}
}

// download answers at most two at a time of those that take long, for each account or address of a feed.
func (a *App) download(h handler) handler {
	return func(w http.ResponseWriter, r *http.Request, c *caller) error {
		whom := c.Account.ID
		if token := r.PathValue("token"); token != "" {
			whom = token
		}
		leave, err := a.crowd.enter(r.Context(), "download "+whom, mostDownloads, 0)
		if err != nil {
			return err
		}
		defer leave()
		return h(w, r, c)
	}
}
