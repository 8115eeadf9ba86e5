package sqlite_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/sqlite"
)

// A process that watches boards takes the lock first; others may read and administer the file meanwhile.
func ExampleOpen() {
	folder, err := os.MkdirTemp("", "boardwatch")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = os.RemoveAll(folder) }()
	file := filepath.Join(folder, "boards.db")

	lock, err := sqlite.Lock(file)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = lock.Close() }()
	_, err = sqlite.Lock(file)
	fmt.Println("a second watcher:", errors.Is(err, sqlite.ErrLocked))

	ctx := context.Background()
	store, err := sqlite.Open(ctx, file, storage.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = store.Close() }()
	_, err = store.Board(ctx, boardwatch.NewID())
	fmt.Println(boardwatch.CodeOf(err))
	// Output:
	// a second watcher: true
	// not_found
}
