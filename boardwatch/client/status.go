package client

import (
	"context"
	"net/http"
	"time"
)

// Status says who is asking and what is left of the rate limit.
type Status struct {
	Status    string    `json:"status"` // "ok"
	Account   Account   `json:"account"`
	Key       *Key      `json:"key"` // the one that the request came with
	RateLimit RateLimit `json:"rateLimit"`
	PolledAt  time.Time `json:"polledAt"` // may begin a poll, as that of a list may
}

// Account is the account that the key belongs to.
type Account struct {
	Plan   string     `json:"plan"`
	Boards BoardCount `json:"boards"`
}

// BoardCount says how full the account's list is.
type BoardCount struct {
	Tracked int `json:"tracked"`
	Limit   int `json:"limit"`  // the plan's
	Locked  int `json:"locked"` // tracked, but past the limit and therefore not read
}

// Key is an API key without its secret.
type Key struct {
	Name       string     `json:"name"`
	Hint       string     `json:"hint"`
	LastUsedAt *time.Time `json:"lastUsedAt"` // nil: never
}

// RateLimit is the account's budget of requests, which all of its keys share.
type RateLimit struct {
	Limit     int        `json:"limit"`
	Remaining int        `json:"remaining"` // this request is counted
	ResetAt   *time.Time `json:"resetAt"`   // when the next place becomes free; nil: all are
}

// Status asks who is asking.
func (c *Client) Status(ctx context.Context) (s Status, err error) {
	_, err = c.do(ctx, call{method: http.MethodGet, path: []string{"v1", "status"}, into: &s})
	return s, err
}
