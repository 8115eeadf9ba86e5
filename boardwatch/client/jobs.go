package client

import (
	"context"
	"iter"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// StatusAll lists roles whether they are open or closed.
const StatusAll boardwatch.JobStatus = "all"

// PageSize is how many roles a page has at most.
const PageSize = 100

// JobFilter selects roles. The zero value selects open ones.
type JobFilter struct {
	BoardID    string               // empty: all boards
	AddedAfter time.Time            // only roles first seen after it; zero: all
	Status     boardwatch.JobStatus // empty: open ones; StatusAll: all
	Search     string               // text inside the title, whatever its case
	Location   string               // text inside the location, whatever its case
}

func (f JobFilter) query() url.Values {
	query := url.Values{}
	set(query, "boardId", f.BoardID)
	if !f.AddedAfter.IsZero() {
		query.Set("addedAfter", f.AddedAfter.UTC().Format(time.RFC3339Nano))
	}
	set(query, "status", string(f.Status))
	set(query, "search", f.Search)
	set(query, "location", f.Location)
	return query
}

// JobPage is one page of roles, newest first.
type JobPage struct {
	Jobs     []boardwatch.Job `json:"jobs"`
	Total    int64            `json:"total"`    // of all pages
	PolledAt time.Time        `json:"polledAt"` // may be the AddedAfter of the next poll
}

// Jobs asks for one page: at most limit roles, or 50 if it is 0, after those that are skipped. Roles that come or go
// between two requests move the others, so use AllJobs for whole lists and a Poll for what is new.
func (c *Client) Jobs(ctx context.Context, f JobFilter, limit int, skip int64) (page JobPage, err error) {
	query := f.query()
	if limit != 0 {
		query.Set("limit", strconv.Itoa(limit))
	}
	if skip != 0 {
		query.Set("skip", strconv.FormatInt(skip, 10))
	}
	_, err = c.do(ctx, call{method: http.MethodGet, path: []string{"v1", "jobs"}, query: query, into: &page})
	return page, err
}

// AllJobs goes through all roles that match, newest first, each once, and asks for pages as it goes. An error is the last
// pair.
func (c *Client) AllJobs(ctx context.Context, f JobFilter) iter.Seq2[boardwatch.Job, error] {
	return func(yield func(boardwatch.Job, error) bool) {
		_, _, err := c.walk(ctx, f, func(j boardwatch.Job) bool { return yield(j, nil) })
		if err != nil {
			yield(boardwatch.Job{}, err)
		}
	}
}

// walk passes every matching role to take, once, and returns the polledAt of the first page. It is incomplete if take
// returned false.
//
// A role found meanwhile moves the others to later pages, where they are seen twice. A role that leaves the list with
// its board moves the others to earlier pages, where they would not be seen at all. So pages overlap by one role: the
// last role of a page has to appear again, on the next page or a later one. If the list ends without it, the walk
// starts over.
func (c *Client) walk(ctx context.Context, f JobFilter, take func(boardwatch.Job) bool) (polledAt time.Time, whole bool, err error) {
	seen := make(map[string]bool)
	for skip, last := int64(0), ""; ; {
		page, err := c.Jobs(ctx, f, PageSize, skip)
		if err != nil {
			return time.Time{}, false, err
		}
		if skip == 0 {
			polledAt = page.PolledAt
		}
		for _, j := range page.Jobs {
			if seen[j.ID] {
				continue
			}
			seen[j.ID] = true
			if !take(j) {
				return time.Time{}, false, nil
			}
		}
		more := len(page.Jobs) == PageSize
		switch joined := last == "" || slices.ContainsFunc(page.Jobs, func(j boardwatch.Job) bool { return j.ID == last }); {
		case joined && !more:
			return polledAt, true, nil
		case joined:
			last = page.Jobs[PageSize-1].ID
		case !more:
			skip, last = 0, ""
			continue
		}
		skip += PageSize - 1
	}
}
