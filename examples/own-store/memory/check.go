package memory

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// board is a board with all that belongs to it.
type board struct {
	boardwatch.Board

	jobs   map[string]*job
	checks []check // oldest first

	lease      string // the token of the claim that holds; empty: nobody has one
	leaseUntil time.Time

	demand  boardwatch.Demand // who asked for the check, while the board is due at once
	askedAt int64             // which of all demands it is
}

// check is an entry of a board's history.
type check struct {
	boardwatch.Check

	events []boardwatch.RoleEvent // what it changed about roles
	merged bool                   // it was made on a board that has merged into this one
}

// leased reports whether somebody works on the board.
func (b *board) leased(now time.Time) bool { return b.lease != "" && b.leaseUntil.After(now) }

// endLease says that nobody works on the board any more.
func (b *board) endLease() { b.lease, b.leaseUntil = "", time.Time{} }

// shown is the board without the password of its proxy.
func (b *board) shown() boardwatch.Board {
	out := b.Board
	out.State.Access = out.State.Access.Redacted()
	return out
}

// ClaimDue leases up to n boards that the filter admits and whose time has come.
func (s *Store) ClaimDue(
	ctx context.Context, n int, lease time.Duration, f boardwatch.ClaimFilter,
) (claims []boardwatch.Claim, err error) {
	err = s.write(ctx, func(d *Database) error {
		now := d.now()
		for _, b := range d.due(now, n, f) {
			b.lease, b.leaseUntil = boardwatch.NewID(), now.Add(lease)
			c := boardwatch.Claim{Board: b.Board, At: now, Token: b.lease}
			if b.NextCheckAt.Equal(atOnce) {
				c.Demand = b.demand
			}
			claims = append(claims, c)
		}
		return nil
	})
	return claims, err
}

// due are up to n boards that the filter admits and whose time has come.
func (d *Database) due(now time.Time, n int, f boardwatch.ClaimFilter) (due []*board) {
	if f.Kind == boardwatch.ClaimDemanded {
		return d.demanded(now, n, f)
	}
	for _, b := range d.boards {
		demanded := f.Kind == boardwatch.ClaimScheduled && b.NextCheckAt.Equal(atOnce)
		if f.Admits(b.System()) && !demanded && !b.NextCheckAt.IsZero() && !b.NextCheckAt.After(now) && !b.leased(now) {
			due = append(due, b)
		}
	}
	slices.SortFunc(due, func(a, b *board) int {
		return cmp.Or(a.NextCheckAt.Compare(b.NextCheckAt), cmp.Compare(a.ID, b.ID))
	})
	return due[:min(max(n, 0), len(due))]
}

// demanded are the boards whose demands are to be met next.
func (d *Database) demanded(now time.Time, n int, f boardwatch.ClaimFilter) (due []*board) {
	var all []*board
	for _, b := range d.boards {
		if b.NextCheckAt.Equal(atOnce) {
			all = append(all, b)
		}
	}
	slices.SortFunc(all, func(a, b *board) int { return cmp.Compare(a.askedAt, b.askedAt) })
	var waiting, leased []boardwatch.Demand
	for _, b := range all {
		if b.leased(now) {
			leased = append(leased, b.demand)
		} else {
			waiting = append(waiting, b.demand)
		}
	}
	for _, next := range f.Demands(waiting, leased, n, rand.Perm) {
		due = append(due, d.boards[next.BoardID])
	}
	return due
}

// claimed is the board of a claim that holds.
func (d *Database) claimed(c boardwatch.Claim) (*board, error) {
	b, ok := d.boards[c.Board.ID]
	if !ok || c.Token == "" || c.Token != b.lease {
		return nil, boardwatch.ErrLeaseLost
	}
	return b, nil
}

// RenewClaims prolongs leases and returns the claims that no longer hold.
func (s *Store) RenewClaims(
	ctx context.Context, claims []boardwatch.Claim, lease time.Duration,
) (lost []boardwatch.Claim, err error) {
	err = s.write(ctx, func(d *Database) error {
		for _, c := range claims {
			if b, err := d.claimed(c); err != nil || b.Cadence == 0 {
				lost = append(lost, c)
			} else {
				b.leaseUntil = d.now().Add(lease)
			}
		}
		return nil
	})
	return lost, err
}

// Release gives a claim back. One that no longer holds is none of its business.
func (s *Store) Release(ctx context.Context, c boardwatch.Claim) error {
	return s.write(ctx, func(d *Database) error {
		if b, err := d.claimed(c); err == nil {
			b.endLease()
		}
		return nil
	})
}

// SaveUnchanged records a healthy check that changed nothing.
func (s *Store) SaveUnchanged(
	ctx context.Context, c boardwatch.Claim, fingerprint string, next time.Time, saved func(error),
) {
	saved(s.write(ctx, func(d *Database) error {
		b, err := d.claimed(c)
		if err != nil {
			return err
		}
		now := d.stampAfter(b.State.LastCheckedAt)
		b.State.LastCheckedAt, b.State.LastSuccessAt, b.State.Fingerprint = now, now, fingerprint
		b.NextCheckAt = boardwatch.Milli(next)
		if b.Cadence != c.Board.Cadence { // subscribers came or went
			b.NextCheckAt = boardwatch.NextCheck(b.Board, now)
		}
		b.repeat(now)
		b.endLease()
		return nil
	}))
}

// repeat adds a check that changed nothing to the run of the last one.
func (b *board) repeat(at time.Time) {
	if n := len(b.checks); n > 0 {
		b.checks[n-1].Repeats++
		b.checks[n-1].LastAt = at
	}
}

// stampAfter is the moment of a check. Two checks of a board never have the same one; for the second the clock goes on.
func (d *Database) stampAfter(last time.Time) time.Time {
	if now := d.now(); !now.After(last) {
		d.last = last.Add(time.Millisecond)
	}
	return d.last
}

// SaveCheck decides on a check and saves what comes of it. Nothing else is written meanwhile, so what it was decided on
// is still true when it is saved; readers go on.
func (s *Store) SaveCheck(
	ctx context.Context, c boardwatch.Claim, decide func(boardwatch.CheckInput) boardwatch.CheckResult,
) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.db.writing.Lock()
	defer s.db.writing.Unlock()
	in, err := s.begin(c)
	if err != nil {
		return err
	}
	defer s.end() // also when decide panics
	result := decide(in)
	s.db.mu.Lock()
	defer s.db.mu.Unlock()
	return s.db.save(result)
}

// begin takes the stamp and reads what a check is decided on.
func (s *Store) begin(c boardwatch.Claim) (in boardwatch.CheckInput, err error) {
	s.read(func(d *Database) {
		var b *board
		if b, err = d.claimed(c); err != nil {
			return
		}
		in = boardwatch.CheckInput{Now: d.stampAfter(b.State.LastCheckedAt), Board: b.Board, Subscribers: d.subscribers(b.ID)}
		d.stamp = in.Now
		for _, j := range b.jobs {
			if j.concerns(c) {
				in.Known = append(in.Known, j.shown(b))
			}
		}
		in.Webhooks = s.webhooks(d, in.Subscribers)
	})
	return in, err
}

// webhooks are those of subscribers whose plan has them.
func (s *Store) webhooks(d *Database, subs []boardwatch.Subscription) (hooks []boardwatch.Webhook) {
	for _, sub := range subs {
		if s.plans[sub.Plan].Webhooks {
			hooks = append(hooks, d.accounts[sub.AccountID].enabledWebhooks()...)
		}
	}
	return hooks
}

// end lets promises to readers go on.
func (s *Store) end() {
	s.read(func(d *Database) { d.stamp = time.Time{} })
}

// save saves a result whole, or nothing of it.
func (d *Database) save(r boardwatch.CheckResult) error {
	b := d.boards[r.Board.ID]
	if err := d.fits(b, r); err != nil {
		return fmt.Errorf("save check of board %s: %w", b.ID, err)
	}
	if r.Check.Repeating(b.State) {
		b.repeat(r.Check.At)
	} else {
		b.checks = append(b.checks, newCheck(r.Check, r.RoleEvents()))
	}
	b.saveJobs(r)
	d.owe(r.Payloads, r.Deliveries)
	access, cadence := b.State.Access, b.Cadence // not for a check to change
	b.Board = r.Board
	b.State.Access, b.Cadence = access, cadence
	if cadence == 0 {
		b.NextCheckAt = time.Time{} // nobody tracks it
	}
	b.endLease()
	return nil
}

// owe keeps what is to be sent.
func (d *Database) owe(payloads []boardwatch.Payload, deliveries []boardwatch.Delivery) {
	for _, owed := range deliveries {
		i := slices.IndexFunc(payloads, func(p boardwatch.Payload) bool { return p.ID == owed.PayloadID })
		w := d.webhook(owed.WebhookID)
		w.deliveries = append(w.deliveries, &delivery{owed, payloads[i]})
	}
}

// fits says what about a result cannot be saved.
func (d *Database) fits(b *board, r boardwatch.CheckResult) error {
	for _, other := range d.boards {
		if slices.ContainsFunc(other.checks, func(c check) bool { return c.ID == r.Check.ID }) {
			return errors.New("there is a check with this id")
		}
	}
	keys := map[string]bool{}
	for _, j := range b.jobs {
		keys[j.Key] = true
	}
	for _, j := range r.Change.Found {
		if keys[j.Key] {
			return fmt.Errorf("two roles have the key %q", j.Key)
		}
		keys[j.Key] = true
	}
	for _, owed := range r.Deliveries {
		if d.webhook(owed.WebhookID) == nil {
			return fmt.Errorf("there is no webhook %s", owed.WebhookID)
		}
		if !slices.ContainsFunc(r.Payloads, func(p boardwatch.Payload) bool { return p.ID == owed.PayloadID }) {
			return fmt.Errorf("there is no payload %s", owed.PayloadID)
		}
	}
	return nil
}

func newCheck(c boardwatch.Check, events []boardwatch.RoleEvent) check {
	c.Reason, c.BlockedBy = clean(c.Reason), clean(c.BlockedBy)
	for i := range events {
		events[i].Changes = cleanFields(events[i].Changes)
	}
	return check{Check: c, events: events}
}

func cleanFields(changes []boardwatch.FieldChange) []boardwatch.FieldChange {
	out := slices.Clone(changes)
	for i, c := range out {
		out[i].From, out[i].To = clean(c.From), clean(c.To)
	}
	return out
}

// FleetReadings returns the last check of every board of the hosted systems that was checked since then, or is tracked and
// sick. If since is zero, only the latter count.
func (s *Store) FleetReadings(_ context.Context, since time.Time) (out []boardwatch.FleetReading, err error) {
	recent := func(b *board) bool { return !since.IsZero() && !b.State.LastCheckedAt.Before(since) }
	s.read(func(d *Database) {
		for _, b := range d.boards {
			system, sick := b.System(), b.Cadence > 0 && !b.State.SickSince.IsZero()
			if system != "" && system != boardwatch.PageSystem && (sick || recent(b)) {
				out = append(out, boardwatch.FleetReading{
					BoardID: b.ID, System: system, At: b.State.LastCheckedAt, SickSince: b.State.SickSince,
				})
			}
		}
	})
	return out, nil
}

// NextDue is when the next board falls due that nobody works on.
func (s *Store) NextDue(context.Context) (next time.Time, err error) {
	s.read(func(d *Database) {
		for _, b := range d.boards {
			if at := b.NextCheckAt; !at.IsZero() && !b.leased(d.now()) && (next.IsZero() || at.Before(next)) {
				next = at
			}
		}
	})
	return next, nil
}
