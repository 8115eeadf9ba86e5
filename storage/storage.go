// Package storage keeps boards, jobs, accounts and deliveries in a SQL database. Most queries are the same for all
// databases. A Driver (storage/sqlite, storage/postgres) provides what differs: connections, transactions, the clock and
// claims. A Store saves and finds. It never decides who may do something.
package storage

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/uptrace/bun"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/pace"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

var (
	_ boardwatch.CheckStore   = (*Store)(nil)
	_ boardwatch.SoleClaimer  = (*Store)(nil)
	_ account.Store           = (*Store)(nil)
	_ account.KeyStore        = (*Store)(nil)
	_ account.GateStore       = (*Store)(nil)
	_ account.IdentityStore   = (*Store)(nil)
	_ account.GrantStore      = (*Store)(nil)
	_ account.PreferenceStore = (*Store)(nil)
	_ account.WebhookStore    = (*Store)(nil)
	_ account.OperatorStore   = (*Store)(nil)
	_ track.Store             = (*Store)(nil)
	_ track.FeedStore         = (*Store)(nil)
)

// Options configure a store. The zero value works.
type Options struct {
	// Plans are what each plan allows; nil means account.DefaultPlans. In a database whose service has called Reconcile,
	// that service's limits, cadences and webhooks count instead, until this store calls it.
	Plans   account.Plans
	SealKey []byte // 32 bytes that webhook secrets are encrypted under; nil: only webhooks without one can be kept
	// ReloadSealKey is asked for the key again when secrets turn out to be encrypted under another one, because somebody
	// has rotated it; nil: the store has to be opened again then.
	ReloadSealKey func() ([]byte, error)
	// Growth is how much the checks of one account's boards may add within an hour, in bytes (HourlyGrowth is the
	// documented limit); 0 means no limit. Checks that the operator asked for count for nobody.
	Growth    int
	NoMigrate bool             // leave the schema as it is
	NoCreate  bool             // a database that has no schema yet is left alone: the error is ErrNoDatabase
	Now       func() time.Time // the clock of SQLite; nil means time.Now. PostgreSQL has its own clock
	Log       *slog.Logger     // nil: silent
	Trace     Trace            // nil: nobody is told of transactions and statements
}

// Dialect holds the SQL texts in which databases differ.
type Dialect struct {
	Position  string // the function that finds a text inside another
	RowLock   string // what makes a select lock its rows against other writers
	HookLock  string // what keeps the rows that a select reads under the alias w from being deleted
	TryLock   string // like RowLock, but skips rows that another transaction has locked
	ListsLock string // the statement that lets one transaction at a time change lists of boards; may be empty
	EndLease  string // the assignments that end a board's lease, after a comma; may be empty
	Join      string // the function that joins the texts of many rows with a separator
	Bytewise  string // the suffix of an expression that makes texts compare by their bytes; may be empty
	SaveWords string // the statement that indexes the words of the text of a job; its arguments are the words, parted by blanks, and the job's id
	HasWords  string // the condition on a job that its text has words; its argument is made of Word and AndWord
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
	// Exec returns the number of rows it changed.
	Exec(ctx context.Context, text string, args ...any) (int64, error)
	// Query returns rows, which the caller closes.
	Query(ctx context.Context, text string, args ...any) (*sql.Rows, error)
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

// Question is a query and the function that reads its rows.
type Question struct {
	Statement

	Read func(rows Rows) error
}

// Rows are the rows of a query.
type Rows interface {
	Next() bool
	Scan(dest ...any) error
	Err() error
}

// script is a list of statements to be run together.
type script []Statement

// add appends a statement.
func (s *script) add(text string, args ...any) { *s = append(*s, Statement{text, args}) }

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

// CheckTx is the write operation of a check under way. It can only ask. Stamp and Ahead are those of Tx.
type CheckTx struct {
	Asker

	Stamp func(ctx context.Context, after time.Time) (time.Time, error)
	Ahead func() time.Duration
}

// now returns the operation's moment by the clock, which may have been set back. Due times and expiry times follow it.
func (tx Tx) now(ctx context.Context) (time.Time, error) {
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
	// WriteCounts is like WriteCheck, for counts of recent actions. A power failure may undo it, but not the end of the
	// process. It may be faster.
	WriteCounts(ctx context.Context, op func(ctx context.Context, tx Asker) ([]Statement, error)) error
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

// Store keeps everything that the service needs in a SQL database. The services ask for parts of it, and their
// interfaces hold the contracts. Every method may be called concurrently, by any number of processes on one database.
// Times are whole milliseconds (boardwatch.Milli). NUL and invalid UTF-8 are removed from texts that a database cannot
// store.
type Store struct {
	driver  Driver
	dialect Dialect
	plans   account.Plans                 // as they were given
	applied atomic.Pointer[account.Plans] // as they count in this database
	growth  int                           // Options.Growth
	seal    *seal
	log     *slog.Logger

	unchanged *unchangedGroups
	plan      plan
	counting  turns       // by account whose requests are counted
	guessing  turns       // by key that wrong passwords count against
	recovered atomic.Bool // deliveries left unfinished by an earlier process are due again
}

// New makes a store on a driver and, unless the options say otherwise, brings its schema up to date. The store owns the
// driver from then on, even if New fails.
func New(ctx context.Context, d Driver, o Options) (*Store, error) {
	if o.Trace != nil {
		d = tracedDriver{d, o.Trace}
	}
	s := &Store{
		driver: d, dialect: d.Dialect(), plans: o.Plans, growth: o.Growth, log: cmp.Or(o.Log, slog.New(slog.DiscardHandler)),
	}
	if s.plans == nil {
		s.plans = account.DefaultPlans()
	}
	s.unchanged = newUnchangedGroups(d.SaveUnchanged)
	s.applied.Store(&s.plans)
	if err := s.start(ctx, o); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return s, nil
}

// ErrNoDatabase says that nobody has made a database there.
var ErrNoDatabase = errors.New("there is no database")

func (s *Store) start(ctx context.Context, o Options) error {
	if o.NoCreate {
		if made, err := s.made(ctx); err != nil || !made {
			return cmp.Or(err, ErrNoDatabase)
		}
	}
	if o.SealKey != nil {
		var err error
		if s.seal, err = newSeal(o.SealKey, o.ReloadSealKey); err != nil {
			return err
		}
	}
	if o.NoMigrate {
		return nil
	}
	steps, err := s.Migrate(ctx)
	if err != nil {
		return err
	}
	plans, err := plansNoted(ctx, s.db(), s.plans)
	if err != nil {
		return err
	}
	s.applied.Store(&plans)
	if n := len(steps); n > 0 {
		s.log.InfoContext(ctx, "schema brought up to date", slog.Int("steps", n), slog.String("last", steps[n-1]))
	}
	if s.seal != nil {
		return s.checkSeal(ctx)
	}
	return nil
}

// Close ends the store. Write operations that have begun are finished first.
func (s *Store) Close() error { return s.driver.Close() }

func (s *Store) Now(ctx context.Context) (time.Time, error) { return s.driver.Now(ctx) }

// Ping reports whether the database answers.
func (s *Store) Ping(ctx context.Context) error {
	if _, err := s.db().ExecContext(ctx, "SELECT 1"); err != nil {
		return fmt.Errorf("ping database: %w", err)
	}
	return nil
}

// TryWrite reports whether anything can be saved: it saves the time, which nobody reads.
func (s *Store) TryWrite(ctx context.Context) error {
	return s.write(ctx, "write to database", func(ctx context.Context, tx Tx) error {
		now, err := s.driver.Now(ctx)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO meta (name, value) VALUES ('written', ?)
			ON CONFLICT (name) DO UPDATE SET value = excluded.value`, strconv.FormatInt(millis(now), 10))
		return err
	})
}

func (s *Store) db() *bun.DB { return s.driver.DB() }

// snapshot runs queries that all see the same snapshot of the database.
func (s *Store) snapshot(ctx context.Context, f func(ctx context.Context, db bun.IDB) error) error {
	o := &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true}
	return s.db().RunInTx(ctx, o, func(ctx context.Context, tx bun.Tx) error { return f(ctx, tx) })
}

// lockLists lets one transaction at a time change which boards accounts have on their lists, across all processes. Such
// changes span accounts and boards (locks, cadences, merges) and are rare; a single lock keeps them simple and free of
// deadlocks. Checks do not take it.
func (s *Store) lockLists(ctx context.Context, tx Tx) error {
	if s.dialect.ListsLock == "" {
		return nil
	}
	if _, err := tx.ExecContext(ctx, s.dialect.ListsLock); err != nil {
		return fmt.Errorf("lock lists: %w", err)
	}
	return nil
}

// millis converts an instant to the form it is stored in: milliseconds of Unix time, zero for none.
func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// instant is the reverse of millis.
func instant(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

// plain returns s in a form that any database takes: valid UTF-8 without NUL, and without the marks that separate the
// fields and rows of results read as one text.
func plain(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if !strings.ContainsAny(s, "\x00"+fieldMark+rowMark) {
		return s
	}
	return strings.NewReplacer("\x00", "", fieldMark, "", rowMark, "").Replace(s)
}

const (
	rowMark   = "\x1e"
	fieldMark = "\x1f"
)

// affected runs a statement and returns the number of rows it changed.
func affected(ctx context.Context, db bun.IDB, query string, args ...any) (int64, error) {
	r, err := db.ExecContext(ctx, query, args...)
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}
