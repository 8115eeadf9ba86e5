// Package storagetest gives tests a real store, and is the suite that every storage driver passes.
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

// New opens a fresh SQLite store that is gone when the test ends.
func New(t testing.TB) *storage.Store {
	t.Helper()
	return Open(t, storage.Options{})
}

// Open is New with options. Without a key of their own they get SealKey.
func Open(t testing.TB, o storage.Options) *storage.Store {
	t.Helper()
	if o.SealKey == nil {
		o.SealKey = []byte(SealKey)
	}
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "boardwatch.db"), o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}
