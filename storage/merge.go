package storage

import (
	"context"
	"errors"
	"slices"

	"github.com/uptrace/bun"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// Resolve records where a board is really read. When that source has a board already, the two merge.
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
	err = s.driver.Write(ctx, func(ctx context.Context, tx Tx) error {
		if err := s.lockLists(ctx, tx); err != nil { // and so the source
			return err
		}
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
		if row, err = boardByID(ctx, tx, id, ""); err != nil {
			return err
		}
		board, err = row.board()
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

// setSource gives a board its source and what the source says about itself. What another source last answered is
// forgotten.
func setSource(ctx context.Context, tx Tx, row boardRow, found boardwatch.Board) error {
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
	_, err := tx.ExecContext(ctx, `UPDATE boards SET source = ?, system = ?, url = ?, company = ?, domain = ?, status = ?,
		fingerprint = '', set_hash = '' WHERE id = ?`,
		plain(found.Source), plain(found.System()), row.URL, row.Company, row.Domain, row.Status, row.ID)
	return wrap("set source", err)
}

// merge moves everything that belongs to one board to another and makes the one's id an alias of the other. The
// survivor keeps its identity and its roles. What is owed to webhooks names the board as it did: there is much of it, and the
// id stays good.
func (s *Store) merge(ctx context.Context, tx Tx, from, into string) error {
	if _, err := boardsByID(ctx, tx, []string{from, into}, s.dialect.RowLock); err != nil {
		return err
	}
	accounts, err := s.moveSubscriptions(ctx, tx, from, into)
	if err != nil {
		return err
	}
	if err := s.moveJobs(ctx, tx, from, into); err != nil {
		return err
	}
	for _, query := range []string{
		"UPDATE changes SET board_id = ?1 WHERE board_id = ?0",
		"UPDATE addresses SET board_id = ?1 WHERE board_id = ?0",
		"UPDATE aliases SET board_id = ?1 WHERE board_id = ?0",
		"INSERT INTO aliases (id, board_id) VALUES (?0, ?1)",
		"DELETE FROM checks WHERE board_id = ?0",
		"DELETE FROM boards WHERE id = ?0",
	} {
		if _, err := tx.ExecContext(ctx, query, from, into); err != nil {
			return wrap("merge boards", err)
		}
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
	row, err := boardByID(ctx, tx, into, "")
	if err != nil {
		return err
	}
	return s.askUnlessFresh(ctx, tx, row)
}

// moveSubscriptions moves subscriptions and returns their accounts. An account that has both boards keeps the older
// place, and its own name for the company wherever it gave one.
func (s *Store) moveSubscriptions(ctx context.Context, tx Tx, from, into string) ([]string, error) {
	subs, err := subscriptions(ctx, tx, "WHERE s.board_id IN (?)", bun.List([]string{from, into}))
	if err != nil {
		return nil, err
	}
	kept := make(map[string]boardwatch.Subscription, len(subs))
	var accounts []string
	for _, sub := range subs { // oldest first
		older, both := kept[sub.AccountID]
		if !both {
			kept[sub.AccountID] = sub
		} else {
			if older.CompanyName == "" {
				older.CompanyName = sub.CompanyName
				kept[sub.AccountID] = older
			}
			if _, err := tx.ExecContext(ctx, "DELETE FROM subscriptions WHERE seq = ?", sub.Seq); err != nil {
				return nil, wrap("merge subscriptions", err)
			}
		}
		if sub.BoardID == from {
			accounts = append(accounts, sub.AccountID)
		}
	}
	slices.Sort(accounts)
	for _, id := range accounts {
		_, err := tx.ExecContext(ctx, "UPDATE subscriptions SET board_id = ?, company_name = ? WHERE seq = ?",
			into, kept[id].CompanyName, kept[id].Seq)
		if err != nil {
			return nil, wrap("merge subscriptions", err)
		}
	}
	return accounts, nil
}

// moveJobs is for a board that was read under another source before. Its open roles that the survivor shows too are the
// same roles and go. All others become roles of the survivor as they are: open ones wait for its next checks, which match
// them by title and place, or close them like any other role that is missing. A pending board has none.
func (s *Store) moveJobs(ctx context.Context, tx Tx, from, into string) error {
	_, err := tx.ExecContext(ctx, `DELETE FROM jobs WHERE board_id = ?0 AND status = ?2 AND EXISTS (
		SELECT 1 FROM jobs AS o WHERE o.board_id = ?1 AND o.status = ?2 AND o.title_fold = jobs.title_fold
			AND o.location_fold = jobs.location_fold)`, from, into, statusOpen)
	if err != nil {
		return wrap("merge jobs", err)
	}
	const count = "(SELECT COUNT(*) FROM jobs WHERE board_id = ?0 AND status = ?"
	_, err = tx.ExecContext(ctx, `UPDATE boards SET open_jobs = open_jobs + `+count+`2), closed_jobs = closed_jobs + `+count+`3),
		missing = missing + `+count+`2), fingerprint = '', set_hash = ''
		WHERE id = ?1 AND EXISTS (SELECT 1 FROM jobs WHERE board_id = ?0)`, from, into, statusOpen, statusClosed)
	if err != nil {
		return wrap("merge jobs", err)
	}
	_, err = tx.ExecContext(ctx, `UPDATE jobs SET board_id = ?1, job_key = ?2 || id, misses = 0,
		last_seen_at = COALESCE(last_seen_at, (SELECT last_success_at FROM boards WHERE id = ?0))
		WHERE board_id = ?0`, from, into, boardwatch.MergedKey)
	return wrap("merge jobs", err)
}
