// Command poll-jobs prints roles as a boardwatch service finds them, one a line:
//
//	BOARDWATCH_KEY=bw_… go run ./examples/poll-jobs http://127.0.0.1:8080
//
// It asks every thirty seconds, and prints nothing that was there before it began, nor the known roles of a board that is
// added meanwhile: these are listed by that board's id.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"strconv"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

const (
	pause    = 30 * time.Second // between polls; an account may ask 60 times a minute
	pageSize = 100
	patience = 30 * time.Second // for one answer
)

func main() {
	key := os.Getenv("BOARDWATCH_KEY")
	if len(os.Args) != 2 || key == "" {
		fmt.Fprintln(os.Stderr, "usage: BOARDWATCH_KEY=bw_… poll-jobs ADDRESS")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	p := &poller{client: &http.Client{Timeout: patience}, base: os.Args[1], key: key, wait: wait, out: os.Stdout}
	if err := p.run(ctx); ctx.Err() == nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1) //nolint:gocritic // there is nothing left to stop
	}
}

// poller remembers where the last poll ended.
type poller struct {
	client *http.Client
	base   string
	key    string
	wait   func(ctx context.Context, d time.Duration) error
	out    io.Writer

	after string          // polledAt of the last poll
	seen  map[string]bool // ids that the last poll showed: they may come a second time
}

// run polls until the context ends or the service says that asking again is of no use, and says which.
func (p *poller) run(ctx context.Context) error {
	for {
		if err := p.poll(ctx); err != nil {
			return err
		}
		if err := p.wait(ctx, pause); err != nil {
			return err
		}
	}
}

// poll prints what is new since the last one; the first only finds out where to begin.
func (p *poller) poll(ctx context.Context) error {
	query := url.Values{"status": {"all"}, "limit": {strconv.Itoa(pageSize)}}
	first := p.after == ""
	if !first {
		query.Set("addedAfter", p.after)
	}
	seen := map[string]bool{}
	// A role that is found meanwhile moves others to later pages, where they are seen twice. With closed roles in the list,
	// none moves to an earlier page, where it would not be seen at all.
	for skip := 0; ; skip += pageSize {
		query.Set("skip", strconv.Itoa(skip))
		list, err := p.ask(ctx, "/v1/jobs?"+query.Encode())
		if err != nil {
			return err
		}
		if skip == 0 {
			p.after = list.PolledAt // of the first page: what comes later is new to the next poll
		}
		for _, j := range list.Jobs {
			if !first && !p.seen[j.ID] && !seen[j.ID] {
				fmt.Fprintf(p.out, "%s\t%s\t%s\t%s\n", j.Company, j.Title, j.Location, j.URL)
			}
			seen[j.ID] = true
		}
		if first || len(list.Jobs) < pageSize {
			p.seen = seen
			return nil
		}
	}
}

// page is what listJobs answers.
type page struct {
	Jobs     []boardwatch.Job `json:"jobs"`
	PolledAt string           `json:"polledAt"`
}

// refusal is what it answers when it does not.
type refusal struct {
	Error struct {
		Code       boardwatch.Code `json:"code"`
		Message    string          `json:"message"`
		RetryAfter int             `json:"retryAfter"` // seconds
	} `json:"error"`
}

// ask asks until there is an answer. It waits as long as the service says, and ever longer while the service is in
// trouble; other refusals are for a person.
func (p *poller) ask(ctx context.Context, path string) (page, error) {
	for trouble := time.Second; ; trouble = min(2*trouble, time.Minute) {
		list, refused, err := p.try(ctx, path)
		var delay time.Duration
		switch {
		case err == nil && refused.Error.Code == "":
			return list, nil
		case refused.Error.Code == boardwatch.CodeRateLimited:
			delay = time.Duration(refused.Error.RetryAfter) * time.Second
		case err != nil || refused.Error.Code == boardwatch.CodeInternal:
			delay = trouble
		default:
			return page{}, errors.New(refused.Error.Message)
		}
		if err := p.wait(ctx, delay); err != nil {
			return page{}, err
		}
	}
}

func (p *poller) try(ctx context.Context, path string) (list page, refused refusal, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.base+path, nil)
	if err != nil {
		return list, refused, err
	}
	req.Header.Set("Authorization", "Bearer "+p.key)
	res, err := p.client.Do(req)
	if err != nil {
		return list, refused, err
	}
	defer res.Body.Close()
	if res.StatusCode == http.StatusOK {
		return list, refused, json.NewDecoder(res.Body).Decode(&list)
	}
	return list, refused, json.NewDecoder(res.Body).Decode(&refused)
}

// wait waits, or until the context ends.
func wait(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
