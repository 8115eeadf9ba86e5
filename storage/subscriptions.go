package storage

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/uptrace/bun"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/storage/internal/driver"
)

// subscriptionRecord is a row of subscriptions.
func subscriptionRecord(s *boardwatch.Subscription) record {
	return newRecord("subscriptions", "s",
		col("account_id", &s.AccountID), col("board_id", &s.BoardID), col("locked", &s.Locked), col("company_name", &s.CompanyName),
		col("added_at", moment(&s.AddedAt)), col("as_of", moment(&s.AsOf)), col("tags", entries(&s.Tags)), col("since", moment(&s.Since)),
		col("open_then", &s.OpenThen),
	)
}

// numberedSubscription is the record with the row's number, and the plan of its account, whose alias is a.
func numberedSubscription(s *boardwatch.Subscription) []record {
	number, plan := newRecord("subscriptions", "s", col("seq", &s.Seq)), newRecord("accounts", "a", col("plan", &s.Plan))
	return []record{subscriptionRecord(s), number, plan}
}

func (s *Store) Subscribe(
	ctx context.Context, sub boardwatch.Subscription, want boardwatch.Board, address string,
) (boardwatch.Board, boardwatch.Subscription, error) {
	var board boardwatch.Board
	err := s.writeLists(ctx, func(ctx context.Context, tx driver.Tx) error {
		list, err := s.lockList(ctx, tx, sub.AccountID)
		if err != nil {
			return err
		}
		row, err := s.boardFor(ctx, tx, want, plain(address))
		if err != nil {
			return err
		}
		sub.BoardID = row.ID
		at, err := tx.Stamp(ctx, time.Time{}) // no reader that cannot see this yet is promised a later moment
		if err != nil {
			return err
		}
		if err := s.lengthen(ctx, tx, list, sub.Begin(row.Board, at)); err != nil {
			return err
		}
		board, sub, err = s.subscribed(ctx, tx, sub.AccountID, row.ID)
		return err
	})
	if err != nil {
		return boardwatch.Board{}, boardwatch.Subscription{}, wrap("subscribe", err)
	}
	return board, sub, nil
}

// boardFor finds the board of a source or an address, or creates it.
func (s *Store) boardFor(ctx context.Context, tx driver.Tx, want boardwatch.Board, address string) (boardRow, error) {
	id, err := boardBehind(ctx, tx, plain(want.Source), address)
	if err != nil {
		return boardRow{}, err
	}
	var row boardRow
	if id == "" {
		row, err = createBoard(ctx, tx, want)
	} else {
		row, err = boardByID(ctx, tx, id, "")
	}
	if err == nil && address != "" {
		err = saveAddress(ctx, tx, address, row.ID)
	}
	return row, err
}

// boardBehind returns the id of the board of a source or an address; empty if there is none.
func boardBehind(ctx context.Context, db bun.IDB, source, address string) (string, error) {
	id, err := boardWith(ctx, db, "SELECT id FROM boards WHERE source = ?", source)
	if err == nil && id == "" {
		id, err = boardWith(ctx, db, "SELECT board_id FROM addresses WHERE address = ?", address)
	}
	return id, err
}

func (s *Store) FindBoard(ctx context.Context, source, address string) (boardwatch.Board, error) {
	id, err := boardBehind(ctx, s.db(), plain(source), plain(address))
	if err != nil {
		return boardwatch.Board{}, err
	}
	if id == "" {
		return boardwatch.Board{}, boardwatch.NotFound("board")
	}
	return s.Board(ctx, id)
}

func (s *Store) BoardsNamed(ctx context.Context, name string, limit int) ([]boardwatch.Board, error) {
	folded := strings.ToLower(plain(name))
	company := "lower(b.company)" + s.dialect.Bytewise // the expression of the index
	rows, err := readRows(ctx, s.db(), boardRecord, "WHERE "+company+" >= ? AND "+company+" < ? AND b.last_success_at > 0 ORDER BY "+company+", b.id LIMIT ?",
		folded, folded+string(utf8.MaxRune), limit)
	return valuesOf(rows, func(r boardRow) boardwatch.Board { return r.Board }), wrap("find boards by name", err)
}

// boardWith runs a query for a board's id. The id is empty if nothing was found or the argument is empty.
func boardWith(ctx context.Context, db bun.IDB, query, value string) (id string, err error) {
	if value == "" {
		return "", nil
	}
	err = db.QueryRowContext(ctx, query, value).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return id, wrap("find board", err)
}

func createBoard(ctx context.Context, tx driver.Tx, want boardwatch.Board) (boardRow, error) {
	now, err := tx.Now(ctx)
	if err != nil {
		return boardRow{}, err
	}
	row := boardRow{Board: boardwatch.Board{
		ID: boardwatch.NewID(), Source: want.Source, URL: want.URL, Company: want.Company, Domain: want.Domain,
		Status: boardwatch.BoardPending, AddedAt: now,
	}}
	_, err = insertRow(ctx, tx, boardRecord(&row).only("id", "source", "system", "url", "company", "domain", "status", "added_at"), "")
	return row, wrap("create board", err)
}

func saveAddress(ctx context.Context, tx driver.Tx, address, boardID string) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO addresses (address, board_id) VALUES (?, ?)
		ON CONFLICT (address) DO UPDATE SET board_id = EXCLUDED.board_id`, address, boardID)
	return wrap("save address", err)
}

// list is what is known about an account's list without reading it.
type list struct {
	accountID string
	plan      account.PlanName
	length    int
}

// lockList locks an account and reads its plan and the length of its list; otherwise a not_found error.
func (s *Store) lockList(ctx context.Context, tx driver.Tx, accountID string) (list, error) {
	l := list{accountID: plain(accountID)}
	err := tx.QueryRowContext(ctx, "SELECT plan, listed FROM accounts WHERE id = ?"+s.dialect.RowLock, l.accountID).Scan(&l.plan, &l.length)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return l, boardwatch.NotFound("account")
	case err == nil && l.length < 0: // the list is older than the column that counts it
		err = tx.QueryRowContext(ctx, "SELECT count(*) FROM subscriptions WHERE account_id = ?", l.accountID).Scan(&l.length)
	}
	return l, wrap("read list", err)
}

// saveLength records the length of a list.
func (l list) saveLength(ctx context.Context, tx driver.Tx, length int) error {
	_, err := tx.ExecContext(ctx, "UPDATE accounts SET listed = ? WHERE id = ?", length, l.accountID)
	return wrap("save length of list", err)
}

// lengthen adds a subscription at the end of a list. Only the length of the list decides whether it is locked.
func (s *Store) lengthen(ctx context.Context, tx driver.Tx, l list, sub boardwatch.Subscription) error {
	if sub.AddedAt.IsZero() {
		now, err := tx.Now(ctx)
		if err != nil {
			return err
		}
		sub.AddedAt = now
	}
	plan := s.allowed(l.plan)
	newest, err := l.newest(ctx, tx)
	if err != nil {
		return err
	}
	last := millis(sub.AddedAt) >= newest
	sub.Locked = !last || l.length >= plan.Boards
	if err := addSubscription(ctx, tx, sub); err != nil {
		return err
	}
	if l.length >= plan.Listed() {
		return plan.ListFull() // the error rolls the transaction back
	}
	if err := l.saveLength(ctx, tx, l.length+1); err != nil {
		return err
	}
	if last {
		return s.reschedule(ctx, tx, l.accountID, []string{sub.BoardID})
	}
	if err := s.relock(ctx, tx, l.accountID, l.plan, sub.BoardID); err != nil {
		return err
	}
	return nothingMissed(ctx, tx, l.accountID, sub.BoardID)
}

// newest returns when the list's newest subscription was added; 0 if there is none.
func (l list) newest(ctx context.Context, tx driver.Tx) (at int64, err error) {
	err = tx.QueryRowContext(ctx, newestText, l.accountID, false, l.accountID, true).Scan(&at)
	return at, wrap("read newest subscription", err)
}

// newestText looks at the ends of both halves of the index subscriptions_order.
const newestText = `SELECT COALESCE(max(at), 0) FROM (
	SELECT max(added_at) AS at FROM subscriptions WHERE account_id = ? AND locked = ?
	UNION ALL SELECT max(added_at) AS at FROM subscriptions WHERE account_id = ? AND locked = ?) AS ends`

// addSubscription adds the row; a board that is already on the list is an already_tracked error.
func addSubscription(ctx context.Context, tx driver.Tx, sub boardwatch.Subscription) error {
	n, err := insertRow(ctx, tx, subscriptionRecord(&sub), "ON CONFLICT (account_id, board_id) DO NOTHING")
	if err != nil || n == 1 {
		return wrap("add subscription", err)
	}
	return &boardwatch.Error{
		Code: boardwatch.CodeAlreadyTracked, Message: "this board is on the list already",
		Details: boardwatch.AlreadyTracked{BoardID: sub.BoardID},
	}
}

// subscribed makes the board due if its new subscriber would have to wait for news, and reads the result.
func (s *Store) subscribed(
	ctx context.Context, tx driver.Tx, accountID, boardID string,
) (b boardwatch.Board, sub boardwatch.Subscription, err error) {
	row, err := boardByID(ctx, tx, boardID, s.dialect.RowLock)
	if err != nil {
		return b, sub, err
	}
	if err := s.askUnlessFresh(ctx, tx, accountID, row); err != nil {
		return b, sub, err
	}
	t, err := s.trackedBoard(ctx, tx, accountID, boardID)
	return t.Board, t.Subscription, err
}

func (s *Store) askUnlessFresh(ctx context.Context, tx driver.Tx, accountID string, row boardRow) error {
	now, err := tx.Now(ctx)
	if err != nil || boardwatch.Fresh(row.Board, now) {
		return err
	}
	_, err = s.askCheck(ctx, tx, plain(accountID), row)
	return err
}

func (s *Store) Unsubscribe(ctx context.Context, accountID, boardID string) error {
	return wrap("unsubscribe", s.writeLists(ctx, func(ctx context.Context, tx driver.Tx) error {
		id, err := survivor(ctx, tx, boardID)
		if err != nil {
			return err
		}
		var locked bool
		err = tx.QueryRowContext(ctx, "SELECT locked FROM subscriptions WHERE account_id = ? AND board_id = ?", plain(accountID), plain(id)).Scan(&locked)
		if errors.Is(err, sql.ErrNoRows) {
			return boardwatch.NotFound("board")
		}
		if err != nil {
			return err
		}
		l, err := s.lockList(ctx, tx, accountID)
		if err != nil {
			return err
		}
		return s.shorten(ctx, tx, l, plain(id), locked)
	}))
}

// shorten removes a board from a list. If it was active, the oldest locked board takes its place.
func (s *Store) shorten(ctx context.Context, tx driver.Tx, l list, boardID string, locked bool) error {
	_, err := tx.ExecContext(ctx, "DELETE FROM subscriptions WHERE account_id = ? AND board_id = ?", l.accountID, boardID)
	if err != nil {
		return err
	}
	if err := l.saveLength(ctx, tx, l.length-1); err != nil {
		return err
	}
	moved := []string{boardID}
	if !locked && l.length > s.allowed(l.plan).Boards {
		next, err := boardWith(ctx, tx, nextUnlockedText, l.accountID)
		if err != nil {
			return err
		}
		if next != "" {
			if err := setLocked(ctx, tx, l.accountID, false, []string{next}); err != nil {
				return fmt.Errorf("unlock subscription: %w", err)
			}
			moved = append(moved, next)
		}
	}
	return s.reschedule(ctx, tx, l.accountID, moved)
}

// nextUnlockedText finds the board to be unlocked next.
const nextUnlockedText = "SELECT board_id FROM subscriptions WHERE account_id = ? AND locked = TRUE ORDER BY added_at, seq LIMIT 1"

// relock applies a plan to an account's list: it locks boards past the limit, unlocks boards that have room, and
// reschedules these boards and those given.
func (s *Store) relock(ctx context.Context, tx driver.Tx, accountID string, plan account.PlanName, boardIDs ...string) error {
	subs, err := subscriptions(ctx, tx, "WHERE s.account_id = ?", plain(accountID))
	if err != nil {
		return err
	}
	was := make(map[string]bool, len(subs))
	for _, sub := range subs {
		was[sub.BoardID] = sub.Locked
	}
	change := map[bool][]string{}
	for _, sub := range boardwatch.Locked(subs, s.allowed(plan).Boards) {
		if sub.Locked != was[sub.BoardID] {
			change[sub.Locked] = append(change[sub.Locked], sub.BoardID)
		}
	}
	for locked, ids := range change {
		if err := setLocked(ctx, tx, accountID, locked, ids); err != nil {
			return fmt.Errorf("lock subscriptions: %w", err)
		}
		boardIDs = append(boardIDs, ids...)
	}
	return s.reschedule(ctx, tx, accountID, boardIDs)
}

// openNow counts the roles that the board of a subscription has at this moment; -1 if it was not read yet
// (Subscription.Begin).
const openNow = `(SELECT CASE WHEN b.last_success_at > 0 OR b.open_jobs + b.closed_jobs > 0 THEN b.open_jobs ELSE -1 END
	FROM boards AS b WHERE b.id = subscriptions.board_id)`

// setLocked locks or unlocks boards. Unlocking makes the account see them as of now, because roles may have been found
// for others meanwhile, and it begins to watch them. The moment is a stamp, so that no reader that cannot see this yet
// is promised a later one.
func setLocked(ctx context.Context, tx driver.Tx, accountID string, locked bool, ids []string) error {
	if locked {
		_, err := tx.ExecContext(ctx, "UPDATE subscriptions SET locked = ? WHERE account_id = ? AND board_id IN (?)",
			true, plain(accountID), bun.List(ids))
		return err
	}
	at, err := tx.Stamp(ctx, time.Time{})
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, "UPDATE subscriptions SET locked = ?, as_of = ?, since = ?, open_then = "+openNow+
		" WHERE account_id = ? AND board_id IN (?)", false, millis(at), millis(at), plain(accountID), bun.List(ids))
	return err
}

// nothingMissed reports whether a board was only just added and has room, so that nothing on it was missed.
func nothingMissed(ctx context.Context, tx driver.Tx, accountID, boardID string) error {
	_, err := tx.ExecContext(ctx, "UPDATE subscriptions SET as_of = 0 WHERE account_id = ? AND board_id = ? AND NOT locked",
		plain(accountID), boardID)
	return wrap("add subscription", err)
}

func subscriptions(ctx context.Context, db bun.IDB, where string, args ...any) (subs []boardwatch.Subscription, err error) {
	var next boardwatch.Subscription
	records := numberedSubscription(&next)
	err = queryRows(ctx, db, targets(records...), func() error {
		subs = append(subs, next)
		return nil
	}, subscriptionsText(records, where), args...)
	return subs, wrap("read subscriptions", err)
}

// subscriptionsText selects subscriptions in the order of their lists.
func subscriptionsText(records []record, where string) string {
	return "SELECT " + columns(records...) + " FROM subscriptions AS s JOIN accounts AS a ON a.id = s.account_id " + where + " ORDER BY s.added_at, s.seq"
}

// activeSubscriptions reads the active subscriptions of boards.
func activeSubscriptions(
	ctx context.Context, db bun.IDB, boardIDs []string,
) (map[string][]boardwatch.Subscription, error) {
	subs, err := subscriptions(ctx, db, "WHERE s.board_id IN (?) AND NOT s.locked", bun.List(boardIDs))
	if err != nil {
		return nil, err
	}
	byBoard := make(map[string][]boardwatch.Subscription, len(boardIDs))
	for _, sub := range subs {
		byBoard[sub.BoardID] = append(byBoard[sub.BoardID], sub)
	}
	return byBoard, nil
}

// activeSubscribers reads the active subscriptions of one board.
func activeSubscribers(boardID string, subs *[]boardwatch.Subscription) driver.Question {
	var next boardwatch.Subscription
	records := numberedSubscription(&next)
	text := subscriptionsText(records, "WHERE s.board_id = ? AND NOT s.locked")
	return driver.Ask(text, []any{boardID}, func() error {
		*subs = append(*subs, next)
		return nil
	}, targets(records...)...)
}

func (s *Store) Tracked(
	ctx context.Context, accountID string, status boardwatch.BoardStatus,
) ([]track.TrackedBoard, error) {
	if status == "" {
		return s.tracked(ctx, s.db(), "", plain(accountID))
	}
	return s.tracked(ctx, s.db(), " AND b.status = ?", plain(accountID), status)
}

func (s *Store) Places(ctx context.Context, accountID string) (tracked, locked int, err error) {
	err = s.db().QueryRowContext(ctx, "SELECT count(*), count(CASE WHEN locked THEN 1 END) FROM subscriptions WHERE account_id = ?",
		plain(accountID)).Scan(&tracked, &locked)
	return tracked, locked, wrap("count places", err)
}

func (s *Store) TrackedBoard(ctx context.Context, accountID, boardID string) (track.TrackedBoard, error) {
	return s.trackedBoard(ctx, s.db(), accountID, boardID)
}

// trackedBoard uses a single query, so that a board that is being merged is found under one id or the other.
func (s *Store) trackedBoard(ctx context.Context, db bun.IDB, accountID, boardID string) (track.TrackedBoard, error) {
	boardID = plain(boardID)
	list, err := s.tracked(ctx, db, " AND s.board_id = COALESCE((SELECT board_id FROM aliases WHERE id = ?), ?)",
		plain(accountID), boardID, boardID)
	if err != nil {
		return track.TrackedBoard{}, err
	}
	if len(list) == 0 {
		return track.TrackedBoard{}, boardwatch.NotFound("board")
	}
	return list[0], nil
}

func (s *Store) tracked(ctx context.Context, db bun.IDB, and string, args ...any) ([]track.TrackedBoard, error) {
	var row boardRow
	var next track.TrackedBoard
	var list []track.TrackedBoard
	records := append(numberedSubscription(&next.Subscription), boardRecord(&row))
	err := queryRows(ctx, db, targets(records...), func() error {
		next.Board = row.Board
		list = append(list, next)
		return nil
	}, "SELECT "+columns(records...)+` FROM subscriptions AS s JOIN boards AS b ON b.id = s.board_id JOIN accounts AS a ON a.id = s.account_id
		WHERE s.account_id = ?`+and+` ORDER BY s.added_at, s.seq`, args...)
	return list, wrap("read tracked boards", err)
}

// Reconcile applies the configured plans to every account: locks and cadences. Programs that open the database from
// then on follow them.
func (s *Store) Reconcile(ctx context.Context) error {
	if err := s.notePlans(ctx, s.plans); err != nil {
		return wrap("reconcile", err)
	}
	s.applied.Store(&s.plans)
	accounts, err := s.Accounts(ctx)
	if err != nil {
		return wrap("reconcile", err)
	}
	for _, a := range accounts {
		if err := s.reconcileAccount(ctx, a.ID); err != nil {
			return wrap("reconcile account "+a.ID, err)
		}
	}
	return nil
}

func (s *Store) reconcileAccount(ctx context.Context, accountID string) error {
	return s.writeLists(ctx, func(ctx context.Context, tx driver.Tx) error {
		plan, err := s.planOf(ctx, tx, accountID)
		if boardwatch.CodeOf(err) == boardwatch.CodeNotFound {
			return nil // deleted meanwhile
		}
		if err != nil {
			return err
		}
		return s.applyPlan(ctx, tx, accountID, plan)
	})
}

// applyPlan brings all boards of an account in line with its plan.
func (s *Store) applyPlan(ctx context.Context, tx driver.Tx, accountID string, plan account.PlanName) error {
	ids, err := boardsOf(ctx, tx, accountID)
	if err != nil {
		return err
	}
	return s.relock(ctx, tx, accountID, plan, ids...)
}

func boardsOf(ctx context.Context, db bun.IDB, accountID string) ([]string, error) {
	var ids []string
	err := db.NewRaw("SELECT board_id FROM subscriptions WHERE account_id = ? ORDER BY added_at, seq", plain(accountID)).Scan(ctx, &ids)
	return ids, wrap("read boards of account", err)
}
