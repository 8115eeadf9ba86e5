package web

import (
	"net/http"
	"sync"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// How many requests of one account, or of whoever knows the address of a feed, are answered at a time. Others wait for the
// database meanwhile.
const (
	mostPages     = 8 // browsers ask for six at a time
	mostDownloads = 2 // of everything that there is
)

// crowd counts what is under way.
type crowd struct {
	mu    sync.Mutex
	under map[string]int
}

// enter counts one more for whom, and returns what ends it. If that many are under way, it is a rate_limited error.
func (c *crowd) enter(whom string, most int) (leave func(), err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.under[whom] >= most {
		return nil, &boardwatch.Error{
			Code: boardwatch.CodeRateLimited, Message: "too many of your requests are under way; wait a moment", RetryAfter: time.Second,
		}
	}
	if c.under == nil {
		c.under = make(map[string]int)
	}
	c.under[whom]++
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.under[whom]--; c.under[whom] == 0 {
			delete(c.under, whom)
		}
	}, nil
}

// download answers at most two at a time of those that take long, for each account or address of a feed.
func (a *App) download(h handler) handler {
	return func(w http.ResponseWriter, r *http.Request, c *caller) error {
		whom := c.Account.ID
		if token := r.PathValue("token"); token != "" {
			whom = token
		}
		leave, err := a.crowd.enter("download "+whom, mostDownloads)
		if err != nil {
			return err
		}
		defer leave()
		return h(w, r, c)
	}
}
