package memory_test

import (
	"testing"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/examples/own-store/memory"
	"github.com/boardwatch/boardwatch/storage/storagetest"
)

func TestStore(t *testing.T) {
	t.Parallel()
	storagetest.ExerciseStore(t, func(testing.TB) func(testing.TB, boardwatch.Plans) boardwatch.Store {
		database := memory.New()
		return func(_ testing.TB, plans boardwatch.Plans) boardwatch.Store { return database.Open(plans) }
	})
}
