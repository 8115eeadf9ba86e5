//go:build simulate

package simulate_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/postgres"
	"github.com/boardwatch/boardwatch/storage/sqlite"
	"github.com/boardwatch/boardwatch/storage/storagetest"
)

// place is the location of the database. It is created before simulated time begins, and opened within it.
type place struct {
	name string
	url  string          // of PostgreSQL
	file string          // of SQLite
	tell func(time.Time) // sets PostgreSQL's clock; nil for SQLite
}

func newPlace(t *testing.T, o options) place {
	t.Helper()
	switch o.database {
	case "sqlite":
		require.Equal(t, 1, o.processes, "only one process can watch a SQLite file; for several, use -db postgres")
		return place{name: "SQLite", file: t.TempDir() + "/simulated.db"}
	case "postgres":
		url, tell := storagetest.PostgresWithClock(t, begin)
		return place{name: "PostgreSQL", url: url, tell: tell}
	}
	require.Fail(t, "-db is neither sqlite nor postgres")
	return place{}
}

func (p place) open(t *testing.T, o storage.Options) *storage.Store {
	t.Helper()
	var s *storage.Store
	var err error
	if p.tell != nil {
		p.tell(time.Now())
		s, err = postgres.Open(t.Context(), p.url, o)
	} else {
		s, err = sqlite.Open(t.Context(), p.file, o)
	}
	require.NoError(t, err)
	return s
}
