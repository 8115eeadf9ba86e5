package memory

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// survivor is the board that an id stands for: the one that a merge left, or the id itself.
func (d *Database) survivor(id string) string {
	if into, ok := d.aliases[id]; ok {
		return into
	}
	return id
}

// board finds a board by its id or an alias of it.
func (d *Database) board(id string) (*board, error) {
	b, ok := d.boards[d.survivor(id)]
	if !ok {
		return nil, boardwatch.NotFound("board")
	}
	return b, nil
}

// behind is the board of a source or an address, or nil.
func (d *Database) behind(source, address string) *board {
	for _, b := range d.boards {
		if source != "" && b.Source == source {
			return b
		}
	}
	return d.boards[d.addresses[address]]
}

// Subscribe puts a board on the account's list.
func (s *Store) Subscribe(
	ctx context.Context, sub boardwatch.Subscription, want boardwatch.Board, address string,
) (board boardwatch.Board, out boardwatch.Subscription, err error) {
	err = s.write(ctx, func(d *Database) error {
		a, err := d.account(sub.AccountID)
		if err != nil {
			return err
		}
		b := d.behind(want.Source, address)
		if b != nil && a.subscription(b.ID) != nil {
			return &boardwatch.Error{
				Code: boardwatch.CodeAlreadyTracked, Message: "this board is on the list already",
				Details: boardwatch.AlreadyTracked{BoardID: b.ID},
			}
		}
		if plan := s.plans[a.Plan]; len(a.subscriptions) >= plan.Listed() {
			return plan.ListFull()
		}
		if b == nil {
			b = d.create(want)
		}
		if address != "" {
			d.addresses[address] = b.ID
		}
		d.added++
		sub = sub.Begin(b.Board, d.now())
		sub.BoardID, sub.Seq, sub.AddedAt = b.ID, d.added, boardwatch.Milli(sub.AddedAt)
		if sub.AddedAt.IsZero() {
			sub.AddedAt = d.now()
		}
		a.subscriptions = append(a.subscriptions, &sub)
		s.relock(d, a, b.ID)
		d.askUnlessFresh(b, a.ID)
		board, out = b.shown(), a.withPlan(sub)
		return nil
	})
	return board, out, err
}

func (d *Database) create(want boardwatch.Board) *board {
	b := &board{jobs: map[string]*job{}, Board: boardwatch.Board{
		ID: boardwatch.NewID(), Source: want.Source, URL: want.URL, Company: want.Company, Domain: want.Domain,
		Status: boardwatch.BoardPending, AddedAt: d.now(),
	}}
	d.boards[b.ID] = b
	return b
}

// askUnlessFresh makes a board due for a new subscriber who would have to wait for news.
func (d *Database) askUnlessFresh(b *board, accountID string) {
	if !boardwatch.Fresh(b.Board, d.now()) {
		d.ask(b, accountID)
	}
}

// ask makes a board due at once if the rules allow it. One that is due anyway stays as it is.
func (d *Database) ask(b *board, accountID string) (allowed bool) {
	now := d.now()
	if allowed = boardwatch.CheckOnDemand(b.Board, now); allowed && (b.NextCheckAt.IsZero() || b.NextCheckAt.After(now)) {
		d.demand(b, accountID)
	}
	return allowed
}

// demand makes a board due at once because an account, or the operator, asked for it.
func (d *Database) demand(b *board, accountID string) {
	d.asked++
	b.NextCheckAt, b.askedAt = atOnce, d.asked
	b.demand = boardwatch.Demand{BoardID: b.ID, AccountID: accountID, Host: boardwatch.DemandHost(b.URL)}
}

// relock applies a plan to an account's list, and reschedules the boards that this concerns and those given.
func (s *Store) relock(d *Database, a *account, boardIDs ...string) {
	var subs []boardwatch.Subscription
	for _, sub := range a.subscriptions {
		subs = append(subs, *sub)
	}
	for _, sub := range boardwatch.Locked(subs, s.plans[a.Plan].Boards) {
		if mine := a.subscription(sub.BoardID); mine.Locked != sub.Locked {
			if mine.Locked = sub.Locked; !mine.Locked {
				*mine = mine.Begin(d.boards[sub.BoardID].Board, d.now())
				mine.AsOf = mine.Since
			}
			boardIDs = append(boardIDs, sub.BoardID)
		}
	}
	for _, id := range boardIDs {
		s.reschedule(d, id, a.ID)
	}
}

// reschedule brings a board in line with who tracks it now. One that was never read is a demand of the account.
func (s *Store) reschedule(d *Database, boardID, accountID string) {
	b := d.boards[boardID]
	cadence := boardwatch.Cadence(d.subscribers(boardID), s.plans)
	if cadence == b.Cadence {
		return
	}
	first := b.NextCheckAt.IsZero() && b.State.LastCheckedAt.IsZero()
	b.NextCheckAt = boardwatch.NextUnder(b.Board, cadence, d.now())
	b.Cadence = cadence
	if first && cadence > 0 {
		d.demand(b, accountID)
	}
}

// subscribers are the active subscriptions of a board, oldest first.
func (d *Database) subscribers(boardID string) (out []boardwatch.Subscription) {
	for _, a := range d.accounts {
		if sub := a.subscription(boardID); sub != nil && !sub.Locked {
			out = append(out, a.withPlan(*sub))
		}
	}
	slices.SortFunc(out, older)
	return out
}

func older(a, b boardwatch.Subscription) int {
	return cmp.Or(a.AddedAt.Compare(b.AddedAt), cmp.Compare(a.Seq, b.Seq))
}

// Unsubscribe takes a board off the account's list.
func (s *Store) Unsubscribe(ctx context.Context, accountID, boardID string) error {
	return s.write(ctx, func(d *Database) error {
		id := d.survivor(boardID)
		a, ok := d.accounts[accountID]
		if !ok || a.subscription(id) == nil {
			return boardwatch.NotFound("board")
		}
		a.drop(id)
		s.relock(d, a, id)
		return nil
	})
}

// tracked are the account's boards, oldest first.
func (d *Database) tracked(accountID string) (out []boardwatch.TrackedBoard) {
	a, ok := d.accounts[accountID]
	if !ok {
		return nil
	}
	for _, sub := range a.subscriptions {
		out = append(out, boardwatch.TrackedBoard{Board: d.boards[sub.BoardID].shown(), Subscription: a.withPlan(*sub)})
	}
	slices.SortFunc(out, func(a, b boardwatch.TrackedBoard) int { return older(a.Subscription, b.Subscription) })
	return out
}

// active are the account's active boards, or the one of them that is asked for.
func (d *Database) active(accountID, boardID string) []boardwatch.TrackedBoard {
	return slices.DeleteFunc(d.tracked(accountID), func(t boardwatch.TrackedBoard) bool {
		return t.Subscription.Locked || boardID != "" && t.Board.ID != d.survivor(boardID)
	})
}

// Tracked lists an account's boards in the order they were added.
func (s *Store) Tracked(
	_ context.Context, accountID string, status boardwatch.BoardStatus,
) (out []boardwatch.TrackedBoard, err error) {
	s.read(func(d *Database) {
		out = slices.DeleteFunc(d.tracked(accountID), func(t boardwatch.TrackedBoard) bool {
			return status != "" && t.Board.Status != status
		})
	})
	return out, nil
}

// TrackedBoard is one board of the account.
func (s *Store) TrackedBoard(_ context.Context, accountID, boardID string) (out boardwatch.TrackedBoard, err error) {
	s.read(func(d *Database) { out, err = d.trackedBoard(accountID, boardID) })
	return out, err
}

func (d *Database) trackedBoard(accountID, boardID string) (boardwatch.TrackedBoard, error) {
	list := d.tracked(accountID)
	i := slices.IndexFunc(list, func(t boardwatch.TrackedBoard) bool { return t.Board.ID == d.survivor(boardID) })
	if i < 0 {
		return boardwatch.TrackedBoard{}, boardwatch.NotFound("board")
	}
	return list[i], nil
}

// Places counts the boards on an account's list, and those of them that are locked.
func (s *Store) Places(_ context.Context, accountID string) (tracked, locked int, err error) {
	s.read(func(d *Database) {
		tracked, locked = len(d.tracked(accountID)), len(d.tracked(accountID))-len(d.active(accountID, ""))
	})
	return tracked, locked, nil
}

// FindBoard finds any board by its source, or by an address that led to it before.
func (s *Store) FindBoard(_ context.Context, source, address string) (out boardwatch.Board, err error) {
	s.read(func(d *Database) {
		if b := d.behind(source, address); b != nil {
			out = b.shown()
		} else {
			err = boardwatch.NotFound("board")
		}
	})
	return out, err
}

// BoardsNamed finds boards that have been read by the beginning of their companies' names.
func (s *Store) BoardsNamed(_ context.Context, name string, limit int) (out []boardwatch.Board, err error) {
	s.read(func(d *Database) {
		for _, b := range d.boards {
			if !b.State.LastSuccessAt.IsZero() && strings.HasPrefix(strings.ToLower(b.Company), strings.ToLower(name)) {
				out = append(out, b.shown())
			}
		}
	})
	slices.SortFunc(out, func(a, b boardwatch.Board) int {
		return cmp.Or(strings.Compare(strings.ToLower(a.Company), strings.ToLower(b.Company)), strings.Compare(a.ID, b.ID))
	})
	return out[:min(limit, len(out))], nil
}

// Board finds any board by its id or an alias of it.
func (s *Store) Board(_ context.Context, id string) (out boardwatch.Board, err error) {
	s.read(func(d *Database) {
		var b *board
		if b, err = d.board(id); err == nil {
			out = b.shown()
		}
	})
	return out, err
}

// RequestCheck makes a board due at once if the rules allow it.
func (s *Store) RequestCheck(ctx context.Context, accountID, boardID string) (allowed bool, err error) {
	err = s.write(ctx, func(d *Database) error {
		b, err := d.board(boardID)
		if err != nil {
			return err
		}
		allowed = d.ask(b, accountID)
		return nil
	})
	return allowed, err
}

// History lists a board's checks, newest first.
func (s *Store) History(_ context.Context, boardID string, limit int) (out []boardwatch.Check, err error) {
	s.read(func(d *Database) {
		var b *board
		if b, err = d.board(boardID); err != nil {
			return
		}
		for _, c := range slices.Backward(b.checks) {
			if len(out) < limit {
				out = append(out, c.Check)
			}
		}
	})
	return out, err
}

// Reconcile applies the plans as they are configured now to every account.
func (s *Store) Reconcile(ctx context.Context) error {
	return s.write(ctx, func(d *Database) error {
		for _, a := range d.accounts {
			s.relock(d, a, a.boardIDs()...)
		}
		return nil
	})
}

// SetAccess has a board read as the operator wants. A check that is under way was made the old way: it loses its claim.
func (s *Store) SetAccess(ctx context.Context, boardID string, access boardwatch.Access) error {
	return s.write(ctx, func(d *Database) error {
		b, err := d.board(boardID)
		if err != nil {
			return err
		}
		b.State.Access = access
		b.endLease()
		if b.Cadence > 0 && !b.State.RetryAfter.After(d.now()) && !b.NextCheckAt.Equal(atOnce) {
			d.demand(b, "")
		}
		return nil
	})
}

// SetRecipe has a board read by a recipe. A check that is under way was made the old way: it loses its claim.
func (s *Store) SetRecipe(ctx context.Context, boardID, recipe string) error {
	return s.write(ctx, func(d *Database) error {
		b, err := d.board(boardID)
		if err != nil {
			return err
		}
		b.Recipe, b.State.Fingerprint = recipe, ""
		b.endLease()
		if b.Cadence > 0 && !b.State.RetryAfter.After(d.now()) {
			b.NextCheckAt = atOnce
		}
		return nil
	})
}

// OpenTitles are the titles of a board's open roles.
func (s *Store) OpenTitles(_ context.Context, boardID string) (titles []string, _ error) {
	s.read(func(d *Database) {
		b, missing := d.board(boardID)
		if missing != nil {
			return // and so it has no roles
		}
		for _, j := range b.jobs {
			if j.Status == boardwatch.JobOpen {
				titles = append(titles, j.Title)
			}
		}
	})
	return titles, nil
}

// Access is how a board is to be read.
func (s *Store) Access(_ context.Context, boardID string) (access boardwatch.Access, err error) {
	s.read(func(d *Database) {
		var b *board
		if b, err = d.board(boardID); err == nil {
			access = b.State.Access
		}
	})
	return access, err
}

// Resolve records where a board is really read, or merges it into the board that is read there.
func (s *Store) Resolve(
	ctx context.Context, c boardwatch.Claim, found boardwatch.Board,
) (resolved boardwatch.Claim, merged bool, err error) {
	err = s.write(ctx, func(d *Database) error {
		b, err := d.claimed(c)
		if err != nil {
			return err
		}
		if other := d.behind(found.Source, ""); other != nil && other != b {
			s.merge(d, b, other)
			resolved, merged = boardwatch.Claim{Board: other.shown(), At: c.At}, true
			return nil
		}
		b.become(found)
		resolved = boardwatch.Claim{Board: b.Board, At: c.At, Token: c.Token}
		return nil
	})
	return resolved, merged, err
}

// become gives a board its source and what the source says about itself.
func (b *board) become(found boardwatch.Board) {
	if b.Status == boardwatch.BoardPending {
		b.Status = boardwatch.BoardScraping
	}
	b.Source = found.Source
	b.Recipe = cmp.Or(found.Recipe, b.Recipe)
	b.URL, b.Company, b.Domain = cmp.Or(found.URL, b.URL), cmp.Or(found.Company, b.Company), cmp.Or(found.Domain, b.Domain)
	b.State.Fingerprint, b.State.SetHash = "", ""
}

// merge moves everything that belongs to one board to another, and makes the one's id an alias of the other.
func (s *Store) merge(d *Database, from, into *board) {
	last := from.State.LastCheckedAt
	if into.State.LastCheckedAt.After(last) {
		last = into.State.LastCheckedAt
	}
	if from.Source == "" && into.Recipe == "" && into.System() == boardwatch.PageSystem && from.Recipe != "" {
		into.Recipe, into.State.Fingerprint = from.Recipe, ""
	}
	in := boardwatch.MergeInput{
		Now: d.stampAfter(last), Moving: from.open(), Known: into.open(), SawFrom: map[string]bool{}, SawInto: map[string]bool{},
	}
	asker := ""
	for _, a := range d.accounts {
		for _, w := range a.webhooks {
			w.moveDeliveries(from.ID, into.ID)
		}
		in.SawFrom[a.ID], in.SawInto[a.ID] = a.sees(from.ID), a.sees(into.ID)
		if a.moveSubscription(from, into, in.Now) {
			asker = a.ID
			s.relock(d, a, into.ID)
		}
	}
	in.From, in.Into = from.Board, into.Board
	in.Subscribers = d.subscribers(into.ID)
	in.Webhooks = s.webhooks(d, in.Subscribers)
	from.moveRoles(into, boardwatch.Merge(in, boardwatch.NewID), d)
	for _, names := range []map[string]string{d.addresses, d.aliases} {
		for name, id := range names {
			if id == from.ID {
				names[name] = into.ID
			}
		}
	}
	d.aliases[from.ID] = into.ID
	delete(d.boards, from.ID)
	d.askUnlessFresh(into, asker)
}

// open are the open roles of a board.
func (b *board) open() (out []boardwatch.Job) {
	for _, j := range b.jobs {
		if j.Status == boardwatch.JobOpen {
			out = append(out, j.shown(b))
		}
	}
	return out
}

// moveRoles moves the roles and the history of a board as the rules say. Roles that have moved have no keys of their own
// until the next check shows them.
func (b *board) moveRoles(into *board, r boardwatch.MergeResult, d *Database) {
	into.OpenJobs, into.ClosedJobs, into.State.Missing = r.Into.OpenJobs, r.Into.ClosedJobs, r.Into.State.Missing
	for _, j := range r.Moved {
		into.jobs[j.ID] = &job{Job: j}
	}
	for _, j := range b.jobs {
		if j.Status == boardwatch.JobClosed {
			moved := j.shown(b)
			moved.BoardID, moved.Key = into.ID, boardwatch.MergedKey+j.ID
			into.jobs[j.ID] = &job{Job: moved}
		}
	}
	for _, a := range d.accounts {
		for id, same := range r.Same {
			m, marked := a.marks[id]
			if _, both := a.marks[same]; marked && !both {
				m.JobID = same
				a.marks[same] = m
			}
			delete(a.marks, id)
		}
	}
	for _, c := range b.checks {
		for i, e := range c.events {
			c.events[i].JobID = cmp.Or(r.Same[e.JobID], e.JobID)
		}
		c.BoardID, c.merged = into.ID, true
		into.checks = append(into.checks, c)
	}
	slices.SortStableFunc(into.checks, func(a, b check) int { return a.At.Compare(b.At) })
	if r.Check.ID != "" {
		into.checks = append(into.checks, newCheck(r.Check, r.RoleEvents()))
	}
	d.owe(r.Payloads, r.Deliveries)
}
