package storage

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/storage/internal/driver"
)

func (s *Store) Resolve(
	ctx context.Context, c boardwatch.Claim, found boardwatch.Board,
) (resolved boardwatch.Claim, merged bool, err error) {
	version, l, err := parseToken(c)
	if err != nil {
		return boardwatch.Claim{}, false, err
	}
	if !s.driver.Held(l) {
		return boardwatch.Claim{}, false, boardwatch.ErrLeaseLost
	}
	var board boardwatch.Board
	err = s.writeLists(ctx, func(ctx context.Context, tx driver.Tx) error { // the source is locked with the lists
		row, err := s.claimedBoard(ctx, tx, c.Board.ID, version)
		if err != nil {
			return err
		}
		other, err := boardWith(ctx, tx, "SELECT id FROM boards WHERE source = ?", plain(found.Source))
		if err != nil {
			return err
		}
		id := row.ID
		merged = other != "" && other != row.ID
		if merged {
			id, err = other, s.merge(ctx, tx, row.ID, other)
		} else {
			err = setSource(ctx, tx, row, found)
		}
		if err != nil {
			return err
		}
		row, err = boardByID(ctx, tx, id, "")
		board = row.Board
		return err
	})
	if merged && err == nil || errors.Is(err, boardwatch.ErrLeaseLost) {
		s.driver.Spent(l)
	}
	if err != nil {
		return boardwatch.Claim{}, false, wrap("resolve board "+c.Board.ID, err)
	}
	if merged {
		return boardwatch.Claim{Board: board, At: c.At}, true, nil
	}
	return boardwatch.Claim{Board: s.unsealed(board), At: c.At, Token: c.Token}, false, nil
}

// setSource sets a board's source and what the source says about itself. The last answer of another source is
// forgotten.
func setSource(ctx context.Context, tx driver.Tx, row boardRow, found boardwatch.Board) error {
	if row.Status == boardwatch.BoardPending {
		row.Status = boardwatch.BoardScraping
	}
	if found.URL != "" {
		row.URL = plain(found.URL)
	}
	if found.Company != "" {
		row.Company = plain(found.Company)
	}
	if found.Domain != "" {
		row.Domain = plain(found.Domain)
	}
	if found.Recipe != "" {
		row.Recipe = plain(found.Recipe)
	}
	_, err := tx.ExecContext(ctx, `UPDATE boards SET source = ?, system = ?, url = ?, company = ?, domain = ?, status = ?,
		recipe = ?, fingerprint = '', set_hash = '' WHERE id = ?`,
		plain(found.Source), plain(found.System()), row.URL, row.Company, row.Domain, row.Status, row.Recipe, row.ID)
	return wrap("set source", err)
}

// endedStatus marks a board that became another one, in this table only. It is not read, and its id is an alias of the
// other. Its roles and history stay with it, for those who tracked it (table former).
const endedStatus = "ended"

// merge moves the subscriptions of one board to another and makes the one's id an alias of the other. The survivor keeps
// its identity and its roles. Pending deliveries to webhooks keep the old id: there can be many of them, and the id stays
// valid.
func (s *Store) merge(ctx context.Context, tx driver.Tx, from, into string) error {
	rows, err := boardsByID(ctx, tx, []string{from, into}, s.dialect.RowLock)
	if err != nil {
		return err
	}
	at, err := tx.Stamp(ctx, lastChecked(rows))
	if err != nil {
		return err
	}
	in := boardwatch.MergeInput{Now: at}
	accounts, err := s.moveSubscriptions(ctx, tx, rows, from, into, &in)
	if err != nil {
		return err
	}
	for _, id := range accounts {
		plan, err := s.planOf(ctx, tx, id)
		if err != nil {
			return err
		}
		if err := s.relock(ctx, tx, id, plan, into); err != nil {
			return err
		}
	}
	for _, query := range []string{
		"UPDATE addresses SET board_id = ?1 WHERE board_id = ?0",
		"UPDATE aliases SET board_id = ?1 WHERE board_id = ?0",
		"INSERT INTO aliases (id, board_id) VALUES (?0, ?1)",
	} {
		if _, err := tx.ExecContext(ctx, query, from, into); err != nil {
			return wrap("merge boards", err)
		}
	}
	if err := s.endRoles(ctx, tx, from, into, in); err != nil {
		return err
	}
	row, err := boardByID(ctx, tx, into, "")
	if err != nil {
		return err
	}
	if err := keepRecipe(ctx, tx, rows, from, row); err != nil || len(accounts) == 0 {
		return err
	}
	return s.askUnlessFresh(ctx, tx, accounts[0], row)
}

// keepRecipe passes the recipe of a pending board on to the survivor, because both are read from the same page. The
// survivor's own recipe, if it has one, is older but known to work, so it stays.
func keepRecipe(ctx context.Context, tx driver.Tx, rows []boardRow, from string, survivor boardRow) error {
	i := slices.IndexFunc(rows, func(r boardRow) bool { return r.ID == from })
	if i < 0 || rows[i].Source != "" || rows[i].Recipe == "" || survivor.Recipe != "" || survivor.System() != boardwatch.PageSystem {
		return nil
	}
	_, err := tx.ExecContext(ctx, "UPDATE boards SET recipe = ?, fingerprint = '' WHERE id = ?", rows[i].Recipe, survivor.ID)
	return wrap("keep recipe", err)
}

func lastChecked(rows []boardRow) (last time.Time) {
	for _, row := range rows {
		if at := row.State.LastCheckedAt; at.After(last) {
			last = at
		}
	}
	return last
}

// moveSubscriptions moves subscriptions and returns their accounts. An account that has both boards keeps the older
// place, and its own name for the company if it gave one to either. An account that did not see the survivor's roles
// before sees them as of now.
func (s *Store) moveSubscriptions(
	ctx context.Context, tx driver.Tx, rows []boardRow, from, into string, in *boardwatch.MergeInput,
) ([]string, error) {
	boards := make(map[string]boardwatch.Board, len(rows))
	for _, row := range rows {
		boards[row.ID] = row.Board
	}
	subs, err := subscriptions(ctx, tx, "WHERE s.board_id IN (?)", bun.List([]string{from, into}))
	if err != nil {
		return nil, err
	}
	kept := make(map[string]boardwatch.Subscription, len(subs))
	asOf := make(map[string]time.Time)
	begun := make(map[string]boardwatch.Subscription, len(subs)) // when they began to watch
	in.SawFrom, in.SawInto = make(map[string]bool), make(map[string]bool)
	var accounts []string
	for _, sub := range subs { // oldest first
		older, both := kept[sub.AccountID]
		if !both {
			kept[sub.AccountID] = sub
		} else {
			if older.CompanyName == "" {
				older.CompanyName = sub.CompanyName
			}
			older.Tags = boardwatch.MergedTags(older.Tags, sub.Tags)
			kept[sub.AccountID] = older
			if _, err := tx.ExecContext(ctx, "DELETE FROM subscriptions WHERE seq = ?", sub.Seq); err != nil {
				return nil, wrap("merge subscriptions", err)
			}
			if _, err := tx.ExecContext(ctx, "UPDATE accounts SET listed = listed - 1 WHERE id = ? AND listed > 0", sub.AccountID); err != nil {
				return nil, wrap("merge subscriptions", err)
			}
		}
		switch {
		case sub.BoardID == from:
			accounts = append(accounts, sub.AccountID)
			in.SawFrom[sub.AccountID] = !sub.Locked
			if !boards[from].WasRead() {
				sub = sub.Begin(boards[into], in.Now)
			}
		case !sub.Locked:
			in.SawInto[sub.AccountID], asOf[sub.AccountID] = true, sub.AsOf
		default:
			continue
		}
		if earlier, both := begun[sub.AccountID]; both {
			sub = sub.Joined(earlier)
		}
		begun[sub.AccountID] = sub
	}
	slices.Sort(accounts)
	for _, id := range accounts {
		if !in.SawInto[id] {
			asOf[id] = in.Now
		}
		_, err := tx.ExecContext(ctx, `UPDATE subscriptions SET board_id = ?, company_name = ?, tags = ?, as_of = ?, since = ?,
			open_then = ? WHERE seq = ?`, into, kept[id].CompanyName, joined(kept[id].Tags), millis(asOf[id]),
			millis(begun[id].Since), begun[id].OpenThen, kept[id].Seq)
		if err != nil {
			return nil, wrap("merge subscriptions", err)
		}
	}
	return accounts, nil
}

// endRoles ends the roles of a board by the rules. A pending board has no roles. Nothing changes about those of the
// survivor, so a check under way may go on comparing with its last answer.
func (s *Store) endRoles(ctx context.Context, tx driver.Tx, from, into string, in boardwatch.MergeInput) error {
	rows, err := boardsByID(ctx, tx, []string{from, into}, "") // with their new subscribers
	if err != nil {
		return err
	}
	for _, row := range rows {
		var open []boardwatch.Job
		if err := tx.Ask(ctx, []driver.Question{jobsQuestion(row.ID, "status = 0", nil, &row, &open)}); err != nil {
			return err
		}
		var end script
		end.endRun(row)
		if err := tx.Run(ctx, end); err != nil {
			return wrap("save end of run", err)
		}
		if row.ID == from {
			in.From, in.Moving = row.Board, open
		} else {
			in.Into, in.Known = row.Board, open
		}
	}
	var hooks []webhookRow
	if err := tx.Ask(ctx, []driver.Question{activeSubscribers(into, &in.Subscribers), s.enabledHooks(into, &hooks)}); err != nil {
		return wrap("read subscribers", err)
	}
	in.Webhooks = s.webhooksOf(hooks, in.Subscribers)
	var looks []driver.Question
	in.Listeners, looks = listenersOf(into, hooks)
	if err := tx.Ask(ctx, looks); err != nil {
		return wrap("read searches of channels", err)
	}
	texts := textReader{ask: tx, packed: packedTexts{}}
	in.Fold = folded
	in.HasWords = func(j boardwatch.Job, words string) bool { return texts.hasWords(ctx, j, words) }
	r := boardwatch.Merge(in, boardwatch.NewID)
	if texts.err != nil {
		return texts.err
	}
	return s.saveMerge(ctx, tx, in, r)
}

func (s *Store) saveMerge(ctx context.Context, tx driver.Tx, in boardwatch.MergeInput, r boardwatch.MergeResult) error {
	if err := endSame(ctx, tx, in.From.ID, r.Same); err != nil {
		return wrap("merge jobs", err)
	}
	var told script
	told.closeJobs(r.Closed, in.From.State.LastSuccessAt)
	if r.Check.ID != "" {
		if err := told.saveEntry(r.Check, r.RoleEvents()); err != nil {
			return err
		}
	}
	for i := range r.Deliveries {
		r.Deliveries[i].NextAttemptAt = earlier(r.Deliveries[i].NextAttemptAt, tx.Ahead())
	}
	told.saveDeliveries(r.Payloads, r.Deliveries)
	if err := tx.Run(ctx, told); err != nil {
		return wrap("save merge", err)
	}
	return end(ctx, tx, in, len(r.Closed))
}

// end takes a board out of use. A board without roles leaves nothing behind.
func end(ctx context.Context, tx driver.Tx, in boardwatch.MergeInput, closed int) error {
	id := in.From.ID
	if in.From.ClosedJobs+closed == 0 {
		for _, table := range []string{"changes", "checks"} {
			if _, err := tx.ExecContext(ctx, "DELETE FROM "+table+" WHERE board_id = ?", id); err != nil {
				return wrap("end board", err)
			}
		}
		_, err := tx.ExecContext(ctx, "DELETE FROM boards WHERE id = ?", id)
		return wrap("end board", err)
	}
	_, err := tx.ExecContext(ctx, `UPDATE boards SET source = NULL, system = '', status = ?, health = '', state = '', open_jobs = 0,
		closed_jobs = ?, missing = 0, sick_since = 0, well_since = 0, cadence_ms = 0, next_check_at = NULL, recipe = '', fingerprint = '', set_hash = '',
		streak = 0, version = version + 1 WHERE id = ?`, endedStatus, in.From.ClosedJobs+closed, id)
	if err != nil {
		return wrap("end board", err)
	}
	for account, saw := range in.SawFrom {
		if !saw {
			continue
		}
		if _, err := tx.ExecContext(ctx, "INSERT INTO former (account_id, board_id) VALUES (?, ?)", account, id); err != nil {
			return wrap("end board", err)
		}
	}
	return nil
}

// endSame deletes jobs that continue as others. What people have marked about them moves there, but not what their board
// has said.
func endSame(ctx context.Context, tx driver.Tx, from string, same map[string]string) error {
	for ids := range slices.Chunk(keysOf(same), 100) {
		if _, err := tx.ExecContext(ctx, "DELETE FROM changes WHERE board_id = ? AND job_id IN (?)", from, bun.List(ids)); err != nil {
			return err
		}
		if err := moveMarks(ctx, tx, ids, same); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, "DELETE FROM jobs WHERE id IN (?)", bun.List(ids)); err != nil {
			return err
		}
	}
	return nil
}
