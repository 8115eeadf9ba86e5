// Package sqlite keeps a store in one SQLite file. One goroutine writes. It combines all waiting operations into one
// transaction, so that they share the cost of making it durable. Readers have their own connections and never wait. Only
// one process at a time watches the boards of a file (Lock), but others may read and administer it meanwhile.
package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/sqlitedialect"
	"golang.org/x/sync/singleflight"
	_ "modernc.org/sqlite" // the driver "sqlite"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/pace"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/internal/driver"
)

//go:embed migrations/*.sql
var files embed.FS

var _ driver.Driver = (*file)(nil)

// Open opens a store in the file at path, which is created if it does not exist, unless the options say otherwise.
func Open(ctx context.Context, path string, o storage.Options) (*storage.Store, error) {
	d, err := open(ctx, path, o)
	if err != nil {
		return nil, fmt.Errorf("open database %s: %w", path, err)
	}
	s, err := storage.New(ctx, d, o)
	if err != nil {
		return nil, fmt.Errorf("open database %s: %w", path, err)
	}
	return s, nil
}

// file is the driver.Driver of one file.
type file struct {
	*pace.Memory // a single process reads the boards of a file

	writes  *bun.DB // one connection
	reads   *bun.DB
	watches *bun.DB // for claims, which must not wait behind readers of lists
	probe   *sql.DB // one connection, to try the write lock
	steps   []driver.Step
	clock   *clock
	writer  *writer
	claims  *claims
	marking singleflight.Group // moves the mark, once for all readers that need it
	closing sync.Once
	closed  error // the result of closing
}

// pools opens a pool of connections to a file, by its name with the settings.
type pools func(name string) (*sql.DB, error)

func openFile(name string) (*sql.DB, error) { return sql.Open("sqlite", name) }

func open(ctx context.Context, path string, o storage.Options) (*file, error) {
	return pools(openFile).open(ctx, path, o)
}

func (p pools) open(ctx context.Context, path string, o storage.Options) (*file, error) {
	steps, err := driver.ReadSteps(files)
	if err != nil {
		return nil, err
	}
	now := o.Now
	if now == nil {
		now = time.Now
	}
	ready := create
	if o.NoCreate {
		ready = find
	}
	if err := ready(path); err != nil {
		return nil, err
	}
	d := &file{steps: steps, clock: &clock{now: now}, Memory: pace.NewMemory()}
	if d.writes, err = p.connect(path, 1, patience, "_txlock=immediate", cache(12), checkpoint); err != nil {
		return nil, err
	}
	d.writes = storage.Traced(d.writes, o.Trace)
	// The writer's connection comes first, because it creates the file and turns on its write-ahead log.
	if d.writer, err = newWriter(ctx, d.writes, d.clock); err != nil {
		return nil, errors.Join(err, d.writes.Close())
	}
	if d.reads, err = p.connect(path, readers, patience, "_pragma=query_only(1)", cache(8)); err != nil {
		return nil, errors.Join(err, d.writer.close(), d.writes.Close())
	}
	d.reads = storage.Traced(d.reads, o.Trace)
	probe, err := p.connect(path, 1, glance, "_txlock=immediate")
	if err != nil {
		return nil, errors.Join(err, d.writer.close(), d.writes.Close(), d.reads.Close())
	}
	d.probe = probe.DB
	if d.watches, err = p.connect(path, watchers, patience, "_pragma=query_only(1)"); err != nil {
		return nil, errors.Join(err, d.writer.close(), d.writes.Close(), d.reads.Close(), d.probe.Close())
	}
	d.claims = newClaims(d.watches, d.clock)
	return d, nil
}

// create creates the file if it does not exist, readable by its owner only. SQLite gives its log the same permissions.
func create(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

// find looks for the file.
func find(path string) error {
	_, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return storage.ErrNoDatabase
	}
	return err
}

// The number of connections for reading, and for claims.
const (
	readers  = 4
	watchers = 2
)

// checkpoint lets the log grow to about 40 MiB before its pages are written into the file. Checks write the same pages
// over and over, so most pages are copied once for many checks.
const checkpoint = "_pragma=wal_autocheckpoint(10000)"

// cache is the setting of a connection's page cache in MiB. A commit scans the whole cache, so a large one costs more
// than it saves. Other pages come from the operating system's cache. Mapping the file into memory would be slightly
// faster, but would count as this process's memory.
func cache(mib int) string { return fmt.Sprintf("_pragma=cache_size(%d)", -1024*mib) }

// How long a connection waits for another process's lock.
const (
	patience = 5 * time.Second
	glance   = 20 * time.Millisecond
)

// connect opens a pool. Nothing touches the file before the first query.
func (p pools) connect(path string, connections int, wait time.Duration, extra ...string) (*bun.DB, error) {
	settings := append([]string{
		fmt.Sprintf("_pragma=busy_timeout(%d)", wait.Milliseconds()), // first: the next ones may have to wait
		"_pragma=journal_mode(WAL)",
		"_pragma=synchronous(FULL)",
		"_pragma=foreign_keys(1)",
		"_pragma=temp_store(MEMORY)",
	}, extra...)
	name := url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath()}
	db, err := p(name.String() + "?" + strings.Join(settings, "&"))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	return bun.NewDB(db, sqlitedialect.New(), bun.WithDiscardUnknownColumns()), nil
}

func (d *file) DB() *bun.DB { return d.reads }

func (d *file) Dialect() driver.Dialect {
	return driver.Dialect{
		Position: "instr", Alone: true,
		SaveWords: "INSERT OR REPLACE INTO text_words (rowid, words) SELECT seq, ? FROM jobs WHERE id = ?",
		HasWords:  "seq IN (SELECT seq FROM jobs WHERE board_id IN (?) INTERSECT SELECT rowid FROM text_words WHERE text_words MATCH ?)", Word: `"?"*`, AndWord: " AND ",
		PayFact: "facts ->> '$.pay.%s'",
		Tables:  "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'text_words%'", Wipe: []string{"DROP TABLE IF EXISTS text_words"},
		Mark:    "SELECT moment FROM mark",
		SetMark: "UPDATE mark SET moment = max(moment, ?)",
	}
}

func (d *file) Steps() []driver.Step { return d.steps }

// ForgetHosts does nothing, because the memory forgets hosts by itself.
func (d *file) ForgetHosts(context.Context) error { return nil }

func (d *file) Write(ctx context.Context, op func(ctx context.Context, tx driver.Tx) error) error {
	return d.writer.write(ctx, op, durable)
}

func (d *file) WriteCheck(ctx context.Context, op func(ctx context.Context, tx driver.CheckTx) ([]driver.Statement, error)) error {
	return d.exchange(ctx, op, durable)
}

func (d *file) WriteCounts(ctx context.Context, op func(ctx context.Context, tx driver.CheckTx) ([]driver.Statement, error)) error {
	return d.exchange(ctx, op, light)
}

func (d *file) exchange(ctx context.Context, op func(ctx context.Context, tx driver.CheckTx) ([]driver.Statement, error), of weight) error {
	return d.writer.write(ctx, func(ctx context.Context, tx driver.Tx) error {
		todo, err := op(ctx, driver.CheckTx{Asker: tx.Statements, Stamp: tx.Stamp, Ahead: tx.Ahead})
		if err != nil {
			return err
		}
		return tx.Run(ctx, todo)
	}, of)
}

func (d *file) SaveUnchanged(ctx context.Context, group []driver.Unchanged) ([]bool, error) {
	return d.writer.saveUnchanged(ctx, group)
}

func (d *file) Now(context.Context) (time.Time, error) {
	return time.UnixMilli(d.clock.read()).UTC(), nil
}

// Horizon asks this process's own clock while this process watches, because then no other process stamps jobs.
// Otherwise it looks for a moment at which no process is writing.
func (d *file) Horizon(ctx context.Context) (time.Time, error) {
	if h, ok := d.clock.horizon(d.claims.watching.Load()); ok {
		d.moveMark(ctx, h)
		return time.UnixMilli(d.clock.reach(h)).UTC(), nil
	}
	h, err := d.foreignHorizon(ctx)
	return time.UnixMilli(h).UTC(), err
}

// listOf returns a list of ids as JSON.
func listOf(ids []string) string {
	list := make([]byte, 0, len(ids)*27+2)
	for i, id := range ids {
		list = append(list, `,"`...)
		if i == 0 {
			list[0] = '['
		}
		list = append(append(list, id...), '"') // hex, needs no escaping
	}
	return string(append(list, ']'))
}

func (d *file) Claim(
	ctx context.Context, n int, lease time.Duration, f boardwatch.ClaimFilter,
) (driver.Claimed, error) {
	return d.claims.claim(ctx, n, lease, f)
}

// Renew writes nothing to the file, because no other process has leases.
func (d *file) Renew(ctx context.Context, leases []driver.Lease, length time.Duration) ([]driver.Lease, error) {
	return d.claims.renew(ctx, leases, length)
}

func (d *file) Held(l driver.Lease) bool { return d.claims.held(l) }

func (d *file) Spent(l driver.Lease) { d.claims.release(l) }

func (d *file) Release(_ context.Context, l driver.Lease) error {
	d.claims.release(l)
	return nil
}

func (d *file) NextDue(ctx context.Context) (time.Time, error) { return d.claims.nextDue(ctx) }

// Close finishes the writer's work and closes the file. The writer's pool is closed last, so that no reader of this
// process keeps the log from being moved.
func (d *file) Close() error {
	d.closing.Do(func() {
		d.closed = errors.Join(d.writer.close(), d.claims.close(), d.watches.Close(), d.probe.Close(), d.reads.Close(),
			d.moveLog(), d.writes.Close())
	})
	return d.closed
}

// moveLog writes the log into the file and empties it, as far as other processes that use the file allow. It does not
// make them wait: the rest of the log is just as durable, and the last process to close the file moves it.
func (d *file) moveLog() error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	_, err := d.writes.ExecContext(ctx,
		fmt.Sprintf("PRAGMA busy_timeout = %d; PRAGMA wal_checkpoint(TRUNCATE)", glance.Milliseconds()))
	if err == nil || busy(err) || ctx.Err() != nil {
		return nil
	}
	return fmt.Errorf("move the log into the file: %w", err)
}
