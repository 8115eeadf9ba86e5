// Package storagetest provides real stores for tests, and the suite that every storage driver passes.
package storagetest

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/sqlite"
)

// SealKey is the key under which the stores of tests encrypt webhook secrets.
const SealKey = "0123456789abcdef0123456789abcdef"

// A Database opens stores on one and the same database, and closes them when the test ends: every store is what one
// process would have. Options without a key for secrets get SealKey.
type Database func(t testing.TB, o storage.Options) *storage.Store

// New opens a fresh SQLite store that is gone when the test ends.
func New(tb testing.TB) *storage.Store {
	tb.Helper()
	return Open(tb, storage.Options{})
}

// Open is New with options.
func Open(tb testing.TB, o storage.Options) *storage.Store {
	tb.Helper()
	return SQLite(tb)(tb, o)
}

// SQLite makes a place for a SQLite database that is gone when the test ends.
func SQLite(tb testing.TB) Database {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "boardwatch.db")
	return func(tb testing.TB, o storage.Options) *storage.Store {
		tb.Helper()
		s, err := sqlite.Open(tb.Context(), path, withSealKey(o))
		require.NoError(tb, err)
		tb.Cleanup(func() { require.NoError(tb, s.Close()) })
		return s
	}
}

func withSealKey(o storage.Options) storage.Options {
	if o.SealKey == nil {
		o.SealKey = []byte(SealKey)
	}
	return o
}
