package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/uptrace/bun"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/boardwatch/boardwatch/storage/internal/driver"
)

// mostGrouped is the most operations that share a transaction.
const mostGrouped = 128

// gathering is how long a group waits for more operations when there are several already.
const gathering = 3 * time.Millisecond

var errClosed = errors.New("the database is closed")

// weight says whether an operation has to survive a power failure. Operations of either weight survive the end of the
// process.
type weight int

const (
	// light operations may not be on the disk yet when they finish: counts, and checks that found nothing new. They
	// come before all later durable operations, and reach the disk with them.
	light weight = iota
	// durable operations are on the disk when they finish.
	durable
)

// writer runs write operations one after the other. All waiting operations share one transaction, except that the light
// ones are committed first, so that they do not wait for the disk. An operation that fails is undone alone, by its
// savepoint.
type writer struct {
	db    *bun.DB
	clock *clock

	mu     sync.RWMutex // held for writing while the queue is closed
	queue  chan *operation
	closed bool
	paused sync.Mutex // held while the goroutine uses the connection
	done   chan struct{}

	conn       bun.Conn
	statements *statements
	synced     weight // the weight of the connection's commits
}

// operation is one call waiting for the writer: either a group of unchanged checks, which the writer saves itself, or any
// other operation, which the caller runs in its own goroutine when its turn comes.
type operation struct {
	weight    weight
	expired   func() error // returns an error if the caller has gone; called once, before the operation begins
	unchanged []driver.Unchanged
	saved     []bool // which rows of unchanged were as expected

	turn     chan driver.Tx // passes the transaction to the caller
	finished chan error     // returns it

	err  error // the outcome, once done is closed
	done chan struct{}
}

// statements are prepared on the writer's connection, each at its first use.
type statements struct {
	conn     bun.Conn
	prepared map[string]*sql.Stmt
}

// Exec runs a statement and returns the number of rows it changed.
func (s *statements) Exec(ctx context.Context, text string, args ...any) (int64, error) {
	stmt, err := s.prepare(ctx, text) //nolint:sqlclosecheck // kept as long as the connection
	if err != nil {
		return 0, err
	}
	r, err := stmt.ExecContext(ctx, args...)
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}

// Query runs a statement that returns rows.
func (s *statements) Query(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	stmt, err := s.prepare(ctx, text) //nolint:sqlclosecheck // kept as long as the connection
	if err != nil {
		return nil, err
	}
	return stmt.QueryContext(ctx, args...)
}

// Run runs statements one after the other.
func (s *statements) Run(ctx context.Context, list []driver.Statement) error {
	for _, next := range list {
		stmt, err := s.prepare(ctx, next.Text) //nolint:sqlclosecheck // kept as long as the connection
		if err != nil {
			return err
		}
		if _, err := stmt.ExecContext(ctx, next.Args...); err != nil {
			return err
		}
	}
	return nil
}

// Ask asks questions one after the other.
func (s *statements) Ask(ctx context.Context, list []driver.Question) error {
	for _, q := range list {
		if err := s.ask(ctx, q); err != nil {
			return err
		}
	}
	return nil
}

func (s *statements) ask(ctx context.Context, q driver.Question) error {
	rows, err := s.Query(ctx, q.Text, q.Args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	if err := q.Read(rows); err != nil {
		return err
	}
	return rows.Err()
}

func (s *statements) prepare(ctx context.Context, text string) (*sql.Stmt, error) {
	if stmt, ok := s.prepared[text]; ok {
		return stmt, nil
	}
	stmt, err := s.conn.PrepareContext(ctx, text)
	if err != nil {
		return nil, err
	}
	s.prepared[text] = stmt
	return stmt, nil
}

// close closes all statements. database/sql does not do that for a dedicated connection, and SQLite keeps the file and
// its log open while a statement is left.
func (s *statements) close() error {
	var failed []error
	for text, stmt := range s.prepared {
		failed = append(failed, stmt.Close())
		delete(s.prepared, text)
	}
	return errors.Join(failed...)
}

func newWriter(ctx context.Context, db *bun.DB, c *clock) (*writer, error) {
	w := &writer{db: db, clock: c, queue: make(chan *operation, mostGrouped), done: make(chan struct{})}
	if err := db.PingContext(ctx); err != nil {
		return nil, err
	}
	w.paused.Lock()
	if err := w.resume(ctx); err != nil {
		return nil, err
	}
	go w.work() //nolint:contextcheck // it ends when the writer is closed
	return w, nil
}

// write runs op in the next transaction and waits for its end. Once begun, op is finished; it is dropped when its
// caller goes before that.
func (w *writer) write(ctx context.Context, op func(ctx context.Context, tx driver.Tx) error, of weight) error {
	o := &operation{
		weight: of, expired: ctx.Err, turn: make(chan driver.Tx, 1), finished: make(chan error, 1), done: make(chan struct{}),
	}
	if err := w.enqueue(ctx, o); err != nil {
		return err
	}
	select {
	case tx := <-o.turn:
		o.try(context.WithoutCancel(ctx), op, tx)
		<-o.done
	case <-o.done: // the transaction could not begin
	}
	return o.err
}

var errAborted = errors.New("the operation did not return")

// try gives the transaction back even if op panics or ends its goroutine.
func (o *operation) try(ctx context.Context, op func(ctx context.Context, tx driver.Tx) error, tx driver.Tx) {
	err := errAborted
	defer func() { o.finished <- err }()
	err = op(ctx, tx)
}

func (w *writer) saveUnchanged(ctx context.Context, group []driver.Unchanged) ([]bool, error) {
	o := &operation{
		weight: light, expired: ctx.Err, unchanged: group, saved: make([]bool, len(group)), done: make(chan struct{}),
	}
	if err := w.enqueue(ctx, o); err != nil {
		return nil, err
	}
	<-o.done
	return o.saved, o.err
}

func (w *writer) enqueue(ctx context.Context, o *operation) error {
	w.mu.RLock()
	defer w.mu.RUnlock()
	if w.closed {
		return errClosed
	}
	select {
	case w.queue <- o:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// close writes what is waiting and ends the goroutine.
func (w *writer) close() error {
	w.mu.Lock()
	if !w.closed {
		w.closed = true
		close(w.queue)
	}
	w.mu.Unlock()
	<-w.done
	w.paused.Lock()
	defer w.paused.Unlock()
	if w.conn.Conn == nil {
		return nil
	}
	err := errors.Join(w.statements.close(), w.conn.Close())
	w.conn.Conn = nil
	return err
}

// pause returns the connection to the pool until resume takes one again.
func (w *writer) pause() error {
	w.paused.Lock()
	return errors.Join(w.statements.close(), w.conn.Close())
}

func (w *writer) resume(ctx context.Context) error {
	defer w.paused.Unlock()
	conn, err := w.db.Conn(ctx)
	if err != nil {
		return err
	}
	w.conn, w.statements, w.synced = conn, &statements{conn: conn, prepared: map[string]*sql.Stmt{}}, durable
	return nil
}

const unchangedUpdate = `UPDATE boards SET last_checked_at = ?, last_success_at = ?, fingerprint = ?, next_check_at = ?,
	streak = streak + 1, version = version + 1 WHERE id = ? AND version = ? AND cadence_ms = ?`

func (w *writer) work() {
	defer close(w.done)
	group := make([]*operation, 0, mostGrouped)
	for o := range w.queue {
		group = append(group[:0], o)
		w.gather()
		for len(group) < mostGrouped {
			select {
			case next, ok := <-w.queue:
				if ok {
					group = append(group, next)
					continue
				}
			default:
			}
			break
		}
		slices.SortStableFunc(group, func(a, b *operation) int { return int(a.weight - b.weight) })
		first := 0 // of the durable ones
		for first < len(group) && group[first].weight == light {
			first++
		}
		w.finish(group[:first])
		w.finish(group[first:])
	}
}

// finish commits operations of one weight and notifies their callers.
func (w *writer) finish(group []*operation) {
	if len(group) == 0 {
		return
	}
	w.paused.Lock()
	w.commit(context.Background(), group)
	w.paused.Unlock()
	for _, o := range group {
		close(o.done)
	}
}

// gather collects waiting operations. While many callers are writing it waits briefly for more, so that more of them
// share the cost of a commit. A caller that writes alone never waits.
func (w *writer) gather() {
	runtime.Gosched()
	if n := len(w.queue); n >= 2 && n < mostGrouped/2 {
		<-time.After(gathering)
	}
}

// commit runs a group of operations in one transaction. If the transaction itself fails, so do all of them.
func (w *writer) commit(ctx context.Context, group []*operation) {
	if err := w.transaction(ctx, group); err != nil {
		for _, o := range group {
			if o.err == nil {
				o.err = err
			}
		}
	}
}

func (w *writer) transaction(ctx context.Context, group []*operation) error {
	of := group[0].weight
	if err := w.sync(ctx, of); err != nil {
		return err
	}
	if _, err := w.statements.Exec(ctx, "BEGIN IMMEDIATE"); err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	mark, err := w.mark(ctx)
	if err != nil {
		return errors.Join(fmt.Errorf("read mark: %w", err), w.giveUp(ctx))
	}
	stamp := w.clock.begin(mark)
	defer w.clock.end()
	tx := driver.Tx{IDB: w.conn, Statements: w.statements, Ahead: w.clock.ahead, Stamp: func(_ context.Context, after time.Time) (time.Time, error) {
		return time.UnixMilli(w.clock.later(after.UnixMilli())).UTC(), nil
	}}
	for _, o := range group {
		if o.err = o.expired(); o.err != nil {
			continue
		}
		if err := w.apply(ctx, o, tx, stamp); err != nil {
			return errors.Join(err, w.giveUp(ctx))
		}
	}
	if of == durable { // the commit writes to the disk anyway
		mark = w.clock.passed() // an operation of this group may have moved it further before the clock was set back
		if _, err := w.statements.Exec(ctx, "UPDATE mark SET moment = max(moment, ?)", mark); err != nil {
			return errors.Join(fmt.Errorf("move mark: %w", err), w.giveUp(ctx))
		}
	}
	if _, err := w.statements.Exec(ctx, "COMMIT"); err != nil {
		return errors.Join(fmt.Errorf("commit: %w", err), w.giveUp(ctx))
	}
	w.clock.moved(mark)
	return nil
}

// sync sets the weight of the next commits. SQLite accepts the setting only between transactions, and applies it when
// it compiles the statement, so a prepared statement would do nothing the second time.
func (w *writer) sync(ctx context.Context, of weight) error {
	if w.synced == of {
		return nil
	}
	setting := "PRAGMA synchronous = FULL"
	if of == light {
		setting = "PRAGMA synchronous = NORMAL"
	}
	if _, err := w.conn.ExecContext(ctx, setting); err != nil {
		return fmt.Errorf("set synchronous: %w", err)
	}
	w.synced = of
	return nil
}

// mark returns the moment that stamps have to pass. It is read each time, because another process may have moved it.
func (w *writer) mark(ctx context.Context) (ms int64, err error) {
	rows, err := w.statements.Query(ctx, "SELECT moment FROM mark")
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	if !rows.Next() {
		return 0, errors.Join(rows.Err(), sql.ErrNoRows)
	}
	return ms, errors.Join(rows.Scan(&ms), rows.Err())
}

// giveUp undoes the transaction. SQLite may have done that itself already.
func (w *writer) giveUp(ctx context.Context) error {
	_, err := w.statements.Exec(ctx, "ROLLBACK")
	if e, ok := errors.AsType[*sqlite.Error](err); ok && e.Code() == sqlite3.SQLITE_ERROR {
		return nil // no transaction is active
	}
	return err
}

// apply runs one operation. It returns an error if the transaction cannot continue.
func (w *writer) apply(ctx context.Context, o *operation, tx driver.Tx, stamp int64) error {
	if o.unchanged != nil {
		o.err = w.applyUnchanged(ctx, o, stamp)
		return o.err
	}
	if _, err := w.statements.Exec(ctx, "SAVEPOINT operation"); err != nil {
		return fmt.Errorf("savepoint: %w", err)
	}
	o.turn <- tx
	if o.err = <-o.finished; o.err != nil {
		if _, err := w.statements.Exec(ctx, "ROLLBACK TO operation"); err != nil {
			return fmt.Errorf("undo operation: %w", err)
		}
	}
	if _, err := w.statements.Exec(ctx, "RELEASE operation"); err != nil {
		return fmt.Errorf("end operation: %w", err)
	}
	return nil
}

func (w *writer) applyUnchanged(ctx context.Context, o *operation, stamp int64) error {
	for i, u := range o.unchanged {
		var next any
		if u.Cadence > 0 && !u.Next.IsZero() {
			next = u.Next.UnixMilli()
		}
		n, err := w.statements.Exec(ctx, unchangedUpdate, stamp, stamp, u.Fingerprint, next, u.BoardID, u.Version,
			u.Cadence.Milliseconds())
		if err != nil {
			return err
		}
		o.saved[i] = n == 1
	}
	return nil
}

// busy reports whether another process holds the lock that an operation needs.
func busy(err error) bool {
	e, ok := errors.AsType[*sqlite.Error](err)
	return ok && e.Code()&0xff == sqlite3.SQLITE_BUSY
}
