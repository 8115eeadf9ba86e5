package client

import (
	"cmp"
	"context"
	"iter"
	"maps"
	"slices"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// DefaultEvery is the pause between two polls. An account may make 60 requests a minute, with all its programs.
const DefaultEvery = 30 * time.Second

// Cursor is where a Poll continues. It can be stored as JSON, so that a restarted program misses nothing.
type Cursor struct {
	// After is the polledAt of the last completed poll. A Poll with a zero Cursor returns roles found from now on. Any
	// earlier moment works too: roles first seen since then come first.
	After time.Time `json:"after"`
	// Seen are roles that were returned and may be listed again.
	Seen []string `json:"seen,omitempty"`
}

// PollOptions are the settings of a Poll. The zero value works.
type PollOptions struct {
	// BoardID, Search and Location limit the roles, as they do in a JobFilter.
	BoardID, Search, Location string
	// Every is the pause between two polls. 0 means DefaultEvery.
	Every time.Duration
	// From is where it begins: a Cursor that Save was given, for instance.
	From Cursor
	// Save is called after each poll, when all of its roles were handed out and the loop has taken them. An error ends
	// the iteration. It may be nil.
	Save func(ctx context.Context, c Cursor) error
}

// Poll finds new roles. A role is new when the service first sees it, even if it has closed since. A role that closes
// or reopens is not new, and neither are the known roles of an added board: list these with AllJobs.
type Poll struct {
	client *Client
	o      PollOptions
	after  time.Time
	given  map[string]bool // returned roles that may be listed again
}

// Poll returns a Poll. It is for one goroutine.
func (c *Client) Poll(o PollOptions) *Poll {
	o.Every = cmp.Or(o.Every, DefaultEvery)
	p := &Poll{client: c, o: o, after: o.From.After, given: make(map[string]bool)}
	for _, id := range o.From.Seen {
		p.given[id] = true
	}
	return p
}

// Jobs returns new roles until the loop breaks or an error occurs, which is the last pair; if the context has ended, it
// is the context's error. Ranging over it again continues where it ended, without repeats.
func (p *Poll) Jobs(ctx context.Context) iter.Seq2[boardwatch.Job, error] {
	return func(yield func(boardwatch.Job, error) bool) {
		for {
			whole, err := p.once(ctx, func(j boardwatch.Job) bool { return yield(j, nil) })
			if err == nil && whole {
				err = p.client.wait(ctx, p.o.Every)
			}
			if err != nil {
				yield(boardwatch.Job{}, err)
			}
			if err != nil || !whole {
				return
			}
		}
	}
}

// once returns the new roles since the last time. The next poll begins at this one's polledAt only after all of its
// roles were taken; until then they are requested again.
func (p *Poll) once(ctx context.Context, take func(boardwatch.Job) bool) (whole bool, err error) {
	if p.after.IsZero() {
		return p.begin(ctx)
	}
	f := JobFilter{AddedAfter: p.after, Status: StatusAll, BoardID: p.o.BoardID, Search: p.o.Search, Location: p.o.Location}
	listed := make(map[string]time.Time)
	polledAt, whole, err := p.client.walk(ctx, f, func(j boardwatch.Job) bool {
		listed[j.ID] = j.FirstSeenAt
		if p.given[j.ID] {
			return true
		}
		p.given[j.ID] = true
		return take(j)
	})
	if err != nil || !whole {
		return false, err
	}
	given := make(map[string]bool)
	for id, seen := range listed {
		if seen.After(polledAt) {
			given[id] = true
		}
	}
	return true, p.keep(ctx, polledAt, given)
}

// begin asks for the service's time: roles first seen later are new.
func (p *Poll) begin(ctx context.Context) (bool, error) {
	page, err := p.client.Jobs(ctx, JobFilter{Status: StatusAll}, 1, 0)
	if err != nil {
		return false, err
	}
	return true, p.keep(ctx, page.PolledAt, p.given)
}

func (p *Poll) keep(ctx context.Context, after time.Time, given map[string]bool) error {
	p.after, p.given = after, given
	if p.o.Save == nil {
		return nil
	}
	return p.o.Save(ctx, Cursor{After: after, Seen: slices.Sorted(maps.Keys(given))})
}
