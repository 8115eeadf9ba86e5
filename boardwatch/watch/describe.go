package watch

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// Limits of reading the own pages of roles, so that a board with thousands of them delays nobody: the rest waits for the next
// check of the board.
const (
	describeMost = 100 // pages in a check
	describeFor  = 2 * time.Minute
)

// describe reads the own pages of roles whose texts the list does not hold. At most a quarter of the workers do so at a time,
// and never for a first reading, which somebody is waiting for. While pages are left, the reading has no fingerprint, so that the
// next one is a full one.
func (w *Watcher) describe(ctx context.Context, c boardwatch.Claim, r boardwatch.Reading) (boardwatch.Reading, error) {
	describer, ok := w.source.(boardwatch.Describer)
	if !ok || len(w.o.Rules.ToDescribe(nil, r)) == 0 {
		return r, nil
	}
	known, err := w.store.OpenJobs(ctx, c.Board.ID)
	if err != nil {
		return r, &storeError{fmt.Errorf("read the known roles: %w", err)}
	}
	key := func(i int) string {
		p := r.Postings[i]
		return c.Board.ID + "\x00" + p.Key + "\x00" + string(p.Facts.UpdatedAt)
	}
	todo := slices.DeleteFunc(w.o.Rules.ToDescribe(known, r), func(i int) bool { return w.described.has(key(i), c.At) })
	if len(todo) == 0 {
		return r, nil
	}
	fingerprint, left := r.Fingerprint, len(todo)
	r.Fingerprint = ""
	if c.Board.State.LastSuccessAt.IsZero() {
		return r, nil
	}
	select {
	case w.describing <- struct{}{}:
		defer func() { <-w.describing }()
	default:
		return r, nil
	}
	r.Postings = slices.Clone(r.Postings)
	until := time.Now().Add(describeFor)
	if end, ok := ctx.Deadline(); ok { // what was read has to be saved in time
		until = time.Now().Add(min(describeFor, time.Until(end)/2))
	}
	for _, i := range todo[:min(len(todo), describeMost)] {
		if time.Now().After(until) {
			break
		}
		p := r.Postings[i]
		facts, text, err := describer.Describe(ctx, c.Board, boardwatch.Job{
			BoardID: c.Board.ID, Key: p.Key, Title: p.Title, Location: p.Location, Department: p.Department, URL: p.URL,
		})
		if err != nil {
			break // the others wait for the next check
		}
		w.described.note(key(i), c.At)
		r.Postings[i] = p.Described(facts, text)
		left--
	}
	if left == 0 {
		r.Fingerprint = fingerprint
	}
	return r, nil
}

// describedRoles remembers which roles were asked this week, so that a page that states nothing is not asked at each check.
type describedRoles struct {
	mu    sync.Mutex
	week  string
	roles map[string]bool
}

// maxDescribed is how many roles are remembered. When there are more, they are forgotten and asked again.
const maxDescribed = 100_000

func (d *describedRoles) has(key string, at time.Time) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.turn(at)
	return d.roles[key]
}

func (d *describedRoles) note(key string, at time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.turn(at)
	d.roles[key] = true
}

func (d *describedRoles) turn(at time.Time) {
	year, week := at.ISOWeek()
	if now := strconv.Itoa(year) + " " + strconv.Itoa(week); d.week != now || len(d.roles) >= maxDescribed {
		d.week, d.roles = now, make(map[string]bool)
	}
}
