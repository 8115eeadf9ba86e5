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
)

// subscriptionRow is a row of subscriptions, with the plan of its account where a query adds it.
type subscriptionRow struct {
	bun.BaseModel `bun:"table:subscriptions,alias:s"`

	Seq         int64  `bun:"seq,pk,autoincrement"`
	AccountID   string `bun:"account_id"`
	BoardID     string `bun:"board_id"`
	Locked      bool   `bun:"locked"`
	CompanyName string `bun:"company_name"`
	AddedAt     int64  `bun:"added_at"`
	AsOf        int64  `bun:"as_of"`
	Tags        string `bun:"tags"`
	Since       int64  `bun:"since"`
	OpenThen    int    `bun:"open_then"`
	Plan        string `bun:"plan,scanonly"`
}

const subscriptionSelect = `SELECT s.seq, s.account_id, s.board_id, s.locked, s.company_name, s.added_at, s.as_of, s.tags, s.since,
	s.open_then, a.plan
	FROM subscriptions AS s JOIN accounts AS a ON a.id = s.account_id `

func (r subscriptionRow) subscription() boardwatch.Subscription {
	return boardwatch.Subscription{
		AccountID: r.AccountID, BoardID: r.BoardID, Plan: r.Plan, Locked: r.Locked, CompanyName: r.CompanyName,
		AddedAt: instant(r.AddedAt), Seq: r.Seq, AsOf: instant(r.AsOf), Tags: parted[string](r.Tags), Since: instant(r.Since),
		OpenThen: r.OpenThen,
	}
}

// Subscribe adds a board to the account's list and returns the board as it is afterwards.
func (s *Store) Subscribe(
	ctx context.Context, sub boardwatch.Subscription, want boardwatch.Board, address string,
) (boardwatch.Board, boardwatch.Subscription, error) {
	var board boardwatch.Board
	err := s.driver.Write(ctx, func(ctx context.Context, tx Tx) error {
		if err := s.lockLists(ctx, tx); err != nil {
			return err
		}
		list, err := s.lockList(ctx, tx, sub.AccountID)
		if err != nil {
			return err
		}
		row, err := s.boardFor(ctx, tx, want, plain(address))
		if err != nil {
			return err
		}
		sub.BoardID = row.ID
		b, err := row.board()
		if err != nil {
			return err
		}
		at, err := tx.Stamp(ctx, time.Time{}) // no reader that cannot see this yet is promised a later moment
		if err != nil {
			return err
		}
		if err := s.lengthen(ctx, tx, list, sub.Begin(b, at)); err != nil {
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
func (s *Store) boardFor(ctx context.Context, tx Tx, want boardwatch.Board, address string) (boardRow, error) {
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

// FindBoard finds any board by its source, or by an address that led to it before; otherwise a not_found error.
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

// BoardsNamed finds boards by the beginning of the company's name, among those that have been read.
func (s *Store) BoardsNamed(ctx context.Context, name string, limit int) ([]boardwatch.Board, error) {
	var rows []boardRow
	folded := strings.ToLower(plain(name))
	company := "lower(b.company)" + s.dialect.Bytewise // the expression of the index
	err := s.db().NewRaw("SELECT "+boardColumns+" FROM boards AS b WHERE "+company+" >= ? AND "+company+" < ? AND b.last_success_at > 0"+
		" ORDER BY "+company+", b.id LIMIT ?", folded, folded+string(utf8.MaxRune), limit).Scan(ctx, &rows)
	if err != nil {
		return nil, wrap("find boards by name", err)
	}
	boards := make([]boardwatch.Board, len(rows))
	for i := range rows {
		if boards[i], err = rows[i].board(); err != nil {
			return nil, err
		}
	}
	return boards, nil
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

func createBoard(ctx context.Context, tx Tx, want boardwatch.Board) (boardRow, error) {
	now, err := tx.now(ctx)
	if err != nil {
		return boardRow{}, err
	}
	b := boardwatch.Board{
		ID: boardwatch.NewID(), Source: want.Source, URL: want.URL, Company: want.Company, Domain: want.Domain,
		Status: boardwatch.BoardPending, AddedAt: now,
	}
	row, err := newBoardRow(b)
	if err != nil {
		return boardRow{}, err
	}
	_, err = tx.NewInsert().Model(&row).Returning("NULL").Exec(ctx)
	return row, wrap("create board", err)
}

func saveAddress(ctx context.Context, tx Tx, address, boardID string) error {
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
func (s *Store) lockList(ctx context.Context, tx Tx, accountID string) (list, error) {
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
func (l list) saveLength(ctx context.Context, tx Tx, length int) error {
	_, err := tx.ExecContext(ctx, "UPDATE accounts SET listed = ? WHERE id = ?", length, l.accountID)
	return wrap("save length of list", err)
}

// lengthen adds a subscription at the end of a list. Only the length of the list decides whether it is locked.
func (s *Store) lengthen(ctx context.Context, tx Tx, l list, sub boardwatch.Subscription) error {
	if sub.AddedAt.IsZero() {
		now, err := tx.now(ctx)
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
func (l list) newest(ctx context.Context, tx Tx) (at int64, err error) {
	err = tx.QueryRowContext(ctx, newestText, l.accountID, false, l.accountID, true).Scan(&at)
	return at, wrap("read newest subscription", err)
}

// newestText looks at the ends of both halves of the index subscriptions_order.
const newestText = `SELECT COALESCE(max(at), 0) FROM (
	SELECT max(added_at) AS at FROM subscriptions WHERE account_id = ? AND locked = ?
	UNION ALL SELECT max(added_at) AS at FROM subscriptions WHERE account_id = ? AND locked = ?) AS ends`

// addSubscription adds the row; a board that is already on the list is an already_tracked error.
func addSubscription(ctx context.Context, tx Tx, sub boardwatch.Subscription) error {
	row := subscriptionRow{
		AccountID: plain(sub.AccountID), BoardID: sub.BoardID, Locked: sub.Locked, CompanyName: plain(sub.CompanyName),
		AddedAt: millis(sub.AddedAt), Since: millis(sub.Since), OpenThen: sub.OpenThen,
	}
	r, err := tx.NewInsert().Model(&row).On("CONFLICT (account_id, board_id) DO NOTHING").Returning("NULL").Exec(ctx)
	if err != nil {
		return wrap("add subscription", err)
	}
	if n, err := r.RowsAffected(); err != nil || n == 1 {
		return err
	}
	return &boardwatch.Error{
		Code: boardwatch.CodeAlreadyTracked, Message: "this board is on the list already",
		Details: boardwatch.AlreadyTracked{BoardID: sub.BoardID},
	}
}

// subscribed makes the board due if its new subscriber would have to wait for news, and reads the result.
func (s *Store) subscribed(
	ctx context.Context, tx Tx, accountID, boardID string,
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

func (s *Store) askUnlessFresh(ctx context.Context, tx Tx, accountID string, row boardRow) error {
	b, err := row.board()
	if err != nil {
		return err
	}
	now, err := tx.now(ctx)
	if err != nil || boardwatch.Fresh(b, now) {
		return err
	}
	_, err = s.askCheck(ctx, tx, plain(accountID), row)
	return err
}

// Unsubscribe removes a board from the account's list and unlocks the oldest locked boards that now have room.
func (s *Store) Unsubscribe(ctx context.Context, accountID, boardID string) error {
	return s.write(ctx, "unsubscribe", func(ctx context.Context, tx Tx) error {
		if err := s.lockLists(ctx, tx); err != nil {
			return err
		}
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
	})
}

// shorten removes a board from a list. If it was active, the oldest locked board takes its place.
func (s *Store) shorten(ctx context.Context, tx Tx, l list, boardID string, locked bool) error {
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
func (s *Store) relock(ctx context.Context, tx Tx, accountID string, plan account.PlanName, boardIDs ...string) error {
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
func setLocked(ctx context.Context, tx Tx, accountID string, locked bool, ids []string) error {
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
func nothingMissed(ctx context.Context, tx Tx, accountID, boardID string) error {
	_, err := tx.ExecContext(ctx, "UPDATE subscriptions SET as_of = 0 WHERE account_id = ? AND board_id = ? AND NOT locked",
		plain(accountID), boardID)
	return wrap("add subscription", err)
}

func subscriptions(ctx context.Context, db bun.IDB, where string, args ...any) ([]boardwatch.Subscription, error) {
	var rows []subscriptionRow
	if err := db.NewRaw(subscriptionSelect+where+" ORDER BY s.added_at, s.seq", args...).Scan(ctx, &rows); err != nil {
		return nil, fmt.Errorf("read subscriptions: %w", err)
	}
	subs := make([]boardwatch.Subscription, len(rows))
	for i, r := range rows {
		subs[i] = r.subscription()
	}
	return subs, nil
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
func activeSubscribers(boardID string, subs *[]boardwatch.Subscription) Question {
	query := subscriptionSelect + "WHERE s.board_id = ? AND NOT s.locked ORDER BY s.added_at, s.seq"
	return Question{Statement{query, []any{boardID}}, func(rows Rows) error {
		for rows.Next() {
			var r subscriptionRow
			err := rows.Scan(&r.Seq, &r.AccountID, &r.BoardID, &r.Locked, &r.CompanyName, &r.AddedAt, &r.AsOf, &r.Tags, &r.Since,
				&r.OpenThen, &r.Plan)
			if err != nil {
				return err
			}
			*subs = append(*subs, r.subscription())
		}
		return rows.Err()
	}}
}

// trackedRow is a board with one account's subscription to it.
type trackedRow struct {
	boardRow

	SubSeq      int64  `bun:"sub_seq"`
	AccountID   string `bun:"account_id"`
	Locked      bool   `bun:"locked"`
	CompanyName string `bun:"company_name"`
	SubAddedAt  int64  `bun:"sub_added_at"`
	SubAsOf     int64  `bun:"sub_as_of"`
	SubTags     string `bun:"sub_tags"`
	Since       int64  `bun:"since"`
	OpenThen    int    `bun:"open_then"`
	Plan        string `bun:"plan"`
}

// Tracked lists an account's boards in the order they were added; status "" means all.
func (s *Store) Tracked(
	ctx context.Context, accountID string, status boardwatch.BoardStatus,
) ([]track.TrackedBoard, error) {
	if status == "" {
		return s.tracked(ctx, s.db(), "", plain(accountID))
	}
	return s.tracked(ctx, s.db(), " AND b.status = ?", plain(accountID), status)
}

// Places counts the boards on an account's list, and how many of them are locked.
func (s *Store) Places(ctx context.Context, accountID string) (tracked, locked int, err error) {
	err = s.db().QueryRowContext(ctx, "SELECT count(*), count(CASE WHEN locked THEN 1 END) FROM subscriptions WHERE account_id = ?",
		plain(accountID)).Scan(&tracked, &locked)
	return tracked, locked, wrap("count places", err)
}

// TrackedBoard finds one board of the account by its id or an alias; otherwise a not_found error.
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
	var rows []trackedRow
	err := db.NewRaw(`SELECT `+boardColumns+`, s.seq AS sub_seq, s.account_id, s.locked, s.company_name,
			s.added_at AS sub_added_at, s.as_of AS sub_as_of, s.tags AS sub_tags, s.since, s.open_then, a.plan
		FROM subscriptions AS s JOIN boards AS b ON b.id = s.board_id JOIN accounts AS a ON a.id = s.account_id
		WHERE s.account_id = ?`+and+` ORDER BY s.added_at, s.seq`, args...).Scan(ctx, &rows)
	if err != nil {
		return nil, fmt.Errorf("read tracked boards: %w", err)
	}
	out := make([]track.TrackedBoard, len(rows))
	for i, r := range rows {
		b, err := r.board()
		if err != nil {
			return nil, err
		}
		out[i] = track.TrackedBoard{Board: b, Subscription: subscriptionRow{
			Seq: r.SubSeq, AccountID: r.AccountID, BoardID: b.ID, Locked: r.Locked, CompanyName: r.CompanyName,
			AddedAt: r.SubAddedAt, AsOf: r.SubAsOf, Tags: r.SubTags, Since: r.Since, OpenThen: r.OpenThen, Plan: r.Plan,
		}.subscription()}
	}
	return out, nil
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
	return s.driver.Write(ctx, func(ctx context.Context, tx Tx) error {
		if err := s.lockLists(ctx, tx); err != nil {
			return err
		}
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
func (s *Store) applyPlan(ctx context.Context, tx Tx, accountID string, plan account.PlanName) error {
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
