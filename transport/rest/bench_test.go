package rest_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/storagetest"
)

// BenchmarkGetStatus is the price of the door: the key, the gates, the budget, and hardly anything else.
func BenchmarkGetStatus(b *testing.B) {
	for name, database := range map[string]func(testing.TB) storagetest.Database{
		"sqlite": storagetest.SQLite, "postgres": storagetest.Postgres,
	} {
		b.Run(name, func(b *testing.B) {
			d := doorOn(database(b)(b, storage.Options{}), nil)
			callers := newCallers(d)
			for b.Loop() {
				b.StopTimer()
				key := callers.next(b)
				b.StartTimer()
				require.Equal(b, http.StatusOK, d.ask(http.MethodGet, "/v1/status", "", key).Code)
			}
		})
	}
}
