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

// Cursor is where a Poll goes on. As JSON it can be stored, so that a program that was restarted misses nothing.
type Cursor struct {
	// After is the polledAt of the last poll that was read to its end. A Poll that begins at a zero Cursor hands out
	// what is found from now on. Any earlier moment works too: roles first seen since then come first.
	After time.Time `json:"after"`
	// Seen are the roles that were handed out and may be listed once more.
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

// Poll finds out which roles are new. A role is new when the service first saw it, also if it has closed by now; one that
// closes or reopens is not new, and neither are the known roles of a board that is added: list these with AllJobs.
type Poll struct {
	client *Client
	o      PollOptions
	after  time.Time
	given  map[string]bool // roles handed out that may be listed once more
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

// Jobs hands out new roles until the loop breaks or an error comes, which is the last pair: the context's own when it has
// ended. Ranging over it again goes on where it ended, and hands out nothing twice.
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

// once hands out what is new since the last time. The next poll begins at this one's polledAt only when all of its roles
// were taken; until then they are asked for again.
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

// begin finds out what time it is at the service: what is first seen later is new.
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
