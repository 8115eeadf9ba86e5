package client

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Defaults of the options.
const (
	DefaultPatience = 2 * time.Minute // the rate limit resets within one minute
	DefaultTimeout  = 30 * time.Second
)

// The pauses after failures double from the first to the longest.
const (
	firstPause   = time.Second
	longestPause = time.Minute
)

// maxBody is the largest answer. A page of 100 roles with every text at its longest is below 1 MiB; a list of boards has
// no pages.
const maxBody = 64 << 20

// Options are the settings of a Client. The zero value works.
type Options struct {
	// HTTP makes the requests. Nil means a client that waits DefaultTimeout for an answer. Redirects are not followed,
	// whatever its settings, because that would send the key along.
	HTTP *http.Client
	// Patience is how long one call may go on trying. 0 means DefaultPatience; with a negative one, each call makes one
	// request.
	Patience time.Duration
	// UserAgent names your program to the service. Empty means "boardwatch-client".
	UserAgent string
	// Log records when and why a request is repeated. Nil means no log.
	Log *slog.Logger
}

// Client makes requests with one key. It may be used concurrently, and makes one request at a time: while it waits for
// the rate limit, another request would only be refused, and count.
type Client struct {
	base *url.URL
	key  string
	o    Options
	turn chan struct{} // holds one value while a request is made
	wait func(ctx context.Context, d time.Duration) error
}

// New returns a Client for the service at an address, such as https://boards.company.example, with a key as the app
// showed it.
func New(address, key string, o Options) (*Client, error) {
	base, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("make client: the address cannot be read")
	}
	if base.Scheme != "http" && base.Scheme != "https" || base.Host == "" || base.User != nil || base.RawQuery != "" || base.Fragment != "" {
		return nil, errors.New("make client: the address must be like https://boards.company.example")
	}
	if key == "" || strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil, errors.New("make client: the key is empty or contains blanks; copy it from the app as it is")
	}
	hc := cmp.Or(o.HTTP, &http.Client{Timeout: DefaultTimeout})
	unled := *hc
	unled.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	o.HTTP = &unled
	o.Patience = cmp.Or(o.Patience, DefaultPatience)
	o.UserAgent = cmp.Or(o.UserAgent, "boardwatch-client")
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	return &Client{base: base, key: key, o: o, turn: make(chan struct{}, 1), wait: wait}, nil
}

// call is one operation with what it sends and where its answer goes.
type call struct {
	method string
	path   []string // below the address, not escaped
	query  url.Values
	body   any // nil: none
	into   any // nil: no answer is expected
}

// do makes the request, repeats it while that makes sense and the patience lasts, and returns the status of the answer.
func (c *Client) do(ctx context.Context, what call) (status int, err error) {
	select {
	case c.turn <- struct{}{}:
		defer func() { <-c.turn }()
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	left := c.o.Patience
	for pause := firstPause; ; pause = min(2*pause, longestPause) {
		status, err = c.try(ctx, what)
		delay, again := retryAfter(what.method, err, pause)
		if !again || ctx.Err() != nil || delay > left {
			return status, err
		}
		c.o.Log.WarnContext(ctx, "request is made again", slog.String("path", "/"+strings.Join(what.path, "/")),
			slog.Duration("pause", delay), slog.Any("error", err))
		if err := c.wait(ctx, delay); err != nil {
			return 0, err
		}
		left -= delay
	}
}

// retryAfter says whether to repeat a request, and after how long. The interface allows it for two codes. If an answer
// is lost on its way, the service may have carried out the request, so only a request that changes nothing is repeated.
func retryAfter(method string, err error, pause time.Duration) (time.Duration, bool) {
	if err == nil {
		return 0, false
	}
	refused, ok := errors.AsType[*Error](err)
	switch {
	case !ok:
		return pause, method == http.MethodGet
	case refused.Status == http.StatusTooManyRequests:
		return cmp.Or(refused.RetryAfter, pause), true
	case refused.Code != "":
		return pause, refused.Status == http.StatusInternalServerError
	default:
		return pause, refused.Status >= http.StatusInternalServerError && method == http.MethodGet
	}
}

// try makes one request.
func (c *Client) try(ctx context.Context, what call) (status int, err error) {
	req, err := c.request(ctx, what)
	if err != nil {
		return 0, err
	}
	res, err := c.o.HTTP.Do(req)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(res.Body, maxBody+1))
	if err != nil {
		return 0, fmt.Errorf("read answer: %w", err)
	}
	if len(raw) > maxBody {
		return 0, &Error{Status: res.StatusCode, Message: "the answer is too long"}
	}
	if res.StatusCode < 200 || res.StatusCode > 299 {
		return res.StatusCode, readError(res, raw)
	}
	if what.into != nil {
		if err := json.Unmarshal(raw, what.into); err != nil {
			return res.StatusCode, &Error{Status: res.StatusCode, Message: "the answer is not boardwatch's: " + err.Error()}
		}
	}
	return res.StatusCode, nil
}

func (c *Client) request(ctx context.Context, what call) (*http.Request, error) {
	var body io.Reader
	if what.body != nil {
		raw, err := json.Marshal(what.body)
		if err != nil {
			return nil, fmt.Errorf("write request: %w", err)
		}
		body = bytes.NewReader(raw)
	}
	// Each part is escaped separately, so that an id that contains a slash stays one part.
	var parts []string
	for _, part := range what.path {
		parts = append(parts, url.PathEscape(part))
	}
	address := c.base.JoinPath(parts...)
	address.RawQuery = what.query.Encode()
	req, err := http.NewRequestWithContext(ctx, what.method, address.String(), body)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+c.key)
	req.Header.Set("User-Agent", c.o.UserAgent)
	req.Header.Set("Accept", "application/json")
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	return req, nil
}

// wait waits, or until the context ends.
func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
