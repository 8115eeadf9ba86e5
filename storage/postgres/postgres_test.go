package postgres_test

import (
	"testing"

	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/storagetest"
)

func TestStore(t *testing.T) {
	t.Parallel()
	storagetest.Exercise(t, func(t testing.TB, o storage.Options) *storage.Store { return storagetest.Postgres(t, o) })
}
