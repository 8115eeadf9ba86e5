package watch_test

import (
	"testing"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/storagetest"
)

// openStore opens a store on which every board is due again at once.
func openStore(t *testing.T) *storage.Store {
	t.Helper()
	return storagetest.Open(t, storage.Options{Plans: account.Plans{
		account.PlanUltra: {Boards: 100, Cadence: time.Millisecond, Webhooks: true},
	}})
}
