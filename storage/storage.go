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
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/storage/internal/driver"
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

// script is a list of statements to be run together.
type script []driver.Statement

// add appends a statement.
func (s *script) add(text string, args ...any) {
	*s = append(*s, driver.Statement{Text: text, Args: args})
}

// Store keeps everything that the service needs in a SQL database. The services ask for parts of it, and their
// interfaces hold the contracts. Every method may be called concurrently, by any number of processes on one database.
// Times are whole milliseconds (boardwatch.Milli). NUL and invalid UTF-8 are removed from texts that a database cannot
// store.
type Store struct {
	driver  driver.Driver
	dialect driver.Dialect
	plans   account.Plans                 // as they were given
	applied atomic.Pointer[account.Plans] // as they count in this database
	growth  int                           // Options.Growth
	seal    *seal
	log     *slog.Logger

	unchanged *unchangedGroups
	plan      plan
	counting  turns        // by account whose requests are counted
	guessing  turns        // by key that wrong passwords count against
	lists     turns        // for the lock of the lists, under one key
	clients   atomic.Int64 // that registered here
	recovered atomic.Bool  // deliveries left unfinished by an earlier process are due again
}

// New makes a store on a driver and, unless the options say otherwise, brings its schema up to date. The store owns the
// driver from then on, even if New fails.
func New(ctx context.Context, d driver.Driver, o Options) (*Store, error) {
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
	return s.write(ctx, "write to database", func(ctx context.Context, tx driver.Tx) error {
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
func (s *Store) lockLists(ctx context.Context, tx driver.Tx) error {
	if s.dialect.ListsLock == "" {
		return nil
	}
	if _, err := tx.ExecContext(ctx, s.dialect.ListsLock); err != nil {
		return fmt.Errorf("lock lists: %w", err)
	}
	return nil
}

// writeLists is a write that locks the lists. In this process it waits for its turn before it takes a connection: those who
// wait for the lock would leave none to anybody else.
func (s *Store) writeLists(ctx context.Context, change func(ctx context.Context, tx driver.Tx) error) error {
	if s.dialect.ListsLock != "" {
		done, err := s.lists.take(ctx, "")
		if err != nil {
			return err
		}
		defer done()
	}
	return s.driver.Write(ctx, func(ctx context.Context, tx driver.Tx) error {
		if err := s.lockLists(ctx, tx); err != nil {
			return err
		}
		return change(ctx, tx)
	})
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

// plain returns s in a form that any database takes: valid UTF-8 without NUL.
func plain(s string) string { return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "") }

// affected runs a statement and returns the number of rows it changed.
func affected(ctx context.Context, db bun.IDB, query string, args ...any) (int64, error) {
	r, err := db.ExecContext(ctx, query, args...)
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}
