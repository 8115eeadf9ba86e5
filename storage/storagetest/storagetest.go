// Package storagetest provides real stores for tests, and the suite that every storage driver passes.
package storagetest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/sqlite"
)

// SealKey is the key under which the stores of tests encrypt webhook secrets.
const SealKey = "0123456789abcdef0123456789abcdef"

// A Database opens stores on one and the same database, and closes them when the test ends: every store stands for one
// process. Options without a key for secrets get SealKey.
type Database func(t testing.TB, o storage.Options) *storage.Store

// Opening opens a store at the address of its database, as the drivers do.
type Opening func(ctx context.Context, address string, o storage.Options) (*storage.Store, error)

// New opens a new SQLite store that is removed when the test ends.
func New(tb testing.TB) *storage.Store {
	tb.Helper()
	return Open(tb, storage.Options{})
}

// Open is New with options.
func Open(tb testing.TB, o storage.Options) *storage.Store {
	tb.Helper()
	return SQLite(tb)(tb, o)
}

// SQLite makes a place for a SQLite database that is removed when the test ends. The first store opened there finds the
// schema up to date, unless its options leave the schema as it is.
func SQLite(tb testing.TB) Database {
	tb.Helper()
	return SQLiteBy(tb, sqlite.Open)
}

// SQLiteBy is SQLite for stores that are opened in another way.
func SQLiteBy(tb testing.TB, open Opening) Database {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "boardwatch.db")
	var first sync.Once
	return func(tb testing.TB, o storage.Options) *storage.Store {
		tb.Helper()
		first.Do(func() {
			if !o.NoMigrate {
				writeMigrated(tb, path)
			}
		})
		s, err := open(tb.Context(), path, withSealKey(o))
		require.NoError(tb, err)
		tb.Cleanup(func() { require.NoError(tb, s.Close()) })
		return s
	}
}

// SQLiteFile creates a SQLite database without rows, whose schema is up to date, and returns its path. The file is removed
// when the test ends.
func SQLiteFile(tb testing.TB) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "boardwatch.db")
	writeMigrated(tb, path)
	return path
}

func writeMigrated(tb testing.TB, path string) {
	tb.Helper()
	file, err := migratedFile()
	require.NoError(tb, err)
	require.NoError(tb, os.WriteFile(path, file, 0o600))
}

// migratedFile is a SQLite database without rows whose schema is up to date. It is made once in each process: taking the
// steps costs far more than writing a copy.
var migratedFile = sync.OnceValues( //nolint:gochecknoglobals // made once, and never changed
	func() (file []byte, err error) {
		dir, err := os.MkdirTemp("", "boardwatch-schema-")
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
		path := filepath.Join(dir, "boardwatch.db")
		s, err := sqlite.Open(context.Background(), path, storage.Options{})
		if err != nil {
			return nil, err
		}
		if err := s.Close(); err != nil {
			return nil, err
		}
		if _, err := os.Stat(path + "-wal"); err == nil {
			return nil, errors.New("the write-ahead log outlived the store: a copy of the file would lack what is in it")
		}
		return os.ReadFile(path)
	})

func withSealKey(o storage.Options) storage.Options {
	if o.SealKey == nil {
		o.SealKey = []byte(SealKey)
	}
	return o
}
