package sqlite_test

import (
	"testing"

	"github.com/boardwatch/boardwatch/storage/storagetest"
)

func TestStore(t *testing.T) {
	t.Parallel()
	storagetest.Exercise(t, storagetest.SQLite)
}
