// Package driver is what storage needs from a database: storage/sqlite and storage/postgres provide it. It is promised to
// nobody.
package driver

import (
	"context"
	"database/sql"
	"time"

	"github.com/uptrace/bun"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/pace"
)

// Dialect holds the SQL texts in which databases differ.
type Dialect struct {
	Position  string // the function that finds a text inside another
	RowLock   string // what makes a select lock its rows against other writers
	HookLock  string // what keeps the rows that a select reads under the alias w from being deleted
	TryLock   string // like RowLock, but skips rows that another transaction has locked
	ListsLock string // the statement that lets one transaction at a time change lists of boards; may be empty
	EndLease  string // the assignments that end a board's lease, after a comma; may be empty
	Bytewise  string // the suffix of an expression that makes texts compare by their bytes; may be empty
	SaveWords string // the statement that indexes the words of the text of a job; its arguments are the words, parted by blanks, and the job's id
	HasWords  string // the condition on a job of boards that its text has words; its arguments are the boards' ids and what Word and AndWord make of the words
	Word      string // what looks for words that begin like this one, which stands for the question mark
	AndWord   string // between two of them
	PayFact   string // the expression for a fact about a job's pay, as text or a number; %s stands for its name
	Clock     string // the expression that reads the clock; empty: the driver's Now needs no connection
	Alone     bool   // only one process at a time claims work
	Numbered  bool   // arguments of prepared statements are $1, $2 and so on, not question marks

	Tables  string   // lists the names of all tables
	Mark    string   // reads the moment that every later stamp has to be after
	SetMark string   // sets that moment, if the new one is later
	Wipe    []string // drops everything that is neither a table nor dropped with one
}

// Statements run statements whose text is always the same, with a question mark for each argument. They are prepared
// once; bun would write the arguments into the text and have it parsed each time.
type Statements interface {
	Asker
	// Run runs statements in order, when the number of changed rows does not matter. A driver may send all of them at
	// once.
	Run(ctx context.Context, list []Statement) error
}

// Asker asks questions.
type Asker interface {
	// Ask runs queries in order. Each sees the database as it is at that moment. A driver may send all of them at once.
	Ask(ctx context.Context, list []Question) error
}

// Statement is a statement with its arguments.
type Statement struct {
	Text string
	Args []any
}

// Question is a query, and what is done with each of its rows.
type Question struct {
	Statement

	each func() error
	to   []any
}

// Ask returns a question. Each row of the answer is read to the same targets, and then each is called, unless it is nil.
func Ask(text string, args []any, each func() error, to ...any) Question {
	return Question{Statement{text, args}, each, to}
}

// Read reads the rows of the answer.
func (q Question) Read(rows Rows) error { return EachRow(rows, q.each, q.to...) }

// Rows are the rows of a query.
type Rows interface {
	Next() bool
	Scan(dest ...any) error
	Err() error
}

// Into reads the rows of an answer as EachRow does, and closes them.
func Into(f func() error, to ...any) func(*sql.Rows, error) error {
	return func(rows *sql.Rows, err error) error {
		if err != nil {
			return err
		}
		defer rows.Close()
		return EachRow(rows, f, to...)
	}
}

// EachRow reads rows one after the other to the same targets, and calls f after each, unless it is nil.
func EachRow(rows Rows, f func() error, to ...any) error {
	for rows.Next() {
		if err := rows.Scan(to...); err != nil {
			return err
		}
		if f == nil {
			continue
		}
		if err := f(); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Tx is a write operation under way.
type Tx struct {
	bun.IDB
	Statements
	// Stamp returns the operation's moment, which is later than the one given. No reader has been promised anything at
	// or after it.
	Stamp func(ctx context.Context, after time.Time) (time.Time, error)
	// Ahead returns how far the stamp is ahead of a clock that was set back; usually zero.
	Ahead func() time.Duration
}

// CheckTx is the write operation of a check, or of counts, under way. It can only ask. Stamp and Ahead are those of Tx; counts have
// none.
type CheckTx struct {
	Asker

	Stamp func(ctx context.Context, after time.Time) (time.Time, error)
	Ahead func() time.Duration
}

// Now returns the operation's moment by the clock, which may have been set back. Due times and expiry times follow it.
func (tx Tx) Now(ctx context.Context) (time.Time, error) {
	at, err := tx.Stamp(ctx, time.Time{})
	return at.Add(-tx.Ahead()), err
}

// Lease is a driver's note that a board is being worked on.
type Lease struct {
	BoardID string
	Number  string // tells this lease from others on the same version of the board; may be empty
	Version int64  // the version that the lease gave the board; 0 if the lease does not change it
}

// Claimed are the leases of boards that are due.
type Claimed struct {
	Leases []Lease
	At     time.Time // the time of the clock that stamps come from
}

// Unchanged is the single row written by a check that found nothing new.
type Unchanged struct {
	BoardID     string
	Version     int64
	Cadence     time.Duration // as the claim read it
	Fingerprint string
	Next        time.Time
}

// Driver is the part of a store that differs between databases. Every method may be called concurrently.
type Driver interface {
	// DB answers reads outside of write operations.
	DB() *bun.DB
	// Dialect returns the same value at every call, and so does Steps.
	Dialect() Dialect
	// Steps returns the steps of the schema, in order.
	Steps() []Step
	// Migrating runs f while no other process changes the schema.
	Migrating(ctx context.Context, f func(context.Context, *bun.DB) error) error
	// Still runs f on a snapshot of the database, however long it takes.
	Still(ctx context.Context, f func(ctx context.Context, db bun.IDB) error) error
	// Alone is like Migrating, but returns ErrInUse if another process uses the database.
	Alone(ctx context.Context, f func(context.Context, *bun.DB) error) error
	// Condition describes the state of the database, as far as the driver can tell.
	Condition(ctx context.Context) (Condition, error)
	// Restored advances sequences past rows that were inserted with explicit numbers.
	Restored(ctx context.Context, tx bun.IDB) error
	// Write runs op in a transaction: either all of its changes are saved, or none. Once op has begun, the end of ctx
	// no longer stops it.
	Write(ctx context.Context, op func(ctx context.Context, tx Tx) error) error
	// WriteCheck is like Write, for the check of a claimed board. It begins with what op asks first, and what op returns is written last; a driver may send each of these
	// together with the statement that begins or ends the transaction. So op cannot run anything else, by bun or otherwise.
	WriteCheck(ctx context.Context, op func(ctx context.Context, tx CheckTx) ([]Statement, error)) error
	// WriteCounts is like WriteCheck, for counts of recent actions and for what strangers register. A power failure may
	// undo it, but not the end of the process. It may be faster.
	WriteCounts(ctx context.Context, op func(ctx context.Context, tx CheckTx) ([]Statement, error)) error
	// SaveUnchanged updates the rows of boards and ends their leases. It reports for each whether it was saved. Those
	// that have another version or cadence by now, or whose row somebody else is changing, have not changed. After an
	// error none has.
	SaveUnchanged(ctx context.Context, group []Unchanged) (saved []bool, err error)
	// Now returns the time of the clock that stamps come from.
	Now(ctx context.Context) (time.Time, error)
	// Horizon returns a moment that is earlier than the stamp of everything which a query started afterwards cannot
	// see. It never goes backwards.
	Horizon(ctx context.Context) (time.Time, error)

	// Claim leases up to n due boards that the filter admits, the longest overdue first. Every check begins with it, so its
	// statements are kept prepared.
	Claim(ctx context.Context, n int, lease time.Duration, f boardwatch.ClaimFilter) (Claimed, error)
	// Renew extends leases and returns those that have passed to another worker or whose board is gone.
	Renew(ctx context.Context, leases []Lease, length time.Duration) (lost []Lease, err error)
	// Held reports whether this worker still has the lease, as far as this process knows.
	Held(l Lease) bool
	// Spent says that the board was saved under the lease, or that the lease was lost.
	Spent(l Lease)
	// Release gives a lease back unused, if it is still held.
	Release(ctx context.Context, l Lease) error
	// NextDue is when the next board that nobody works on falls due; zero when none is scheduled.
	NextDue(ctx context.Context) (time.Time, error)

	// Turns and SlowHosts keep the promises of pace.Store.
	Turns(ctx context.Context, ends []pace.TurnEnd, requests []pace.TurnRequest) ([]pace.TurnAnswer, error)
	SlowHosts(ctx context.Context, n int) ([]pace.SlowHost, error)
	// PacesInMemory returns the paces if they are kept in the memory of this process; nil otherwise.
	PacesInMemory() *pace.Memory
	// ForgetHosts forgets the pace of hosts that nobody has asked lately.
	ForgetHosts(ctx context.Context) error

	// Close ends all connections. Writes that have begun are finished first.
	Close() error
}

// Condition describes the state of a database.
type Condition struct {
	Size            int64    // in bytes, on the disk
	Connections     int      // of all programs to the server; 0 without a server
	ConnectionLimit int      // how many the server allows to programs like this one
	Pooled          bool     // connections go through a pooler
	Faults          []string // damage that the database reports; empty if there is none

	OldestBoard    time.Duration // how long the longest-waiting board has been due by its schedule
	OldestDelivery time.Duration // how long the longest-waiting delivery has been due
}
