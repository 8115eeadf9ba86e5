package storagetest

import (
	"testing"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/storage"
)

// Exercise runs the whole suite, which every driver of a SQL database passes: that of ExerciseStore, and what a
// storage.Store promises beyond a boardwatch.Store, such as migrations, retention and keys that are rotated. database
// makes an empty database for each case.
func Exercise(t *testing.T, database func(tb testing.TB) Database) {
	t.Helper()
	exercise(t, func(tb testing.TB) opener {
		tb.Helper()
		open := database(tb)
		return func(tb testing.TB, o storage.Options) boardwatch.Store {
			tb.Helper()
			return open(tb, o)
		}
	})
}

// ExerciseStore runs the part of the suite that every boardwatch.Store passes, whatever it keeps its data in; cases about
// SQL databases are skipped. database makes an empty place for each case and returns what opens stores on it: every
// store is what one process would have, allows what the plans say, and is closed by the suite or when the test ends.
func ExerciseStore(t *testing.T, database func(tb testing.TB) func(tb testing.TB, plans boardwatch.Plans) boardwatch.Store) {
	t.Helper()
	exercise(t, func(tb testing.TB) opener {
		tb.Helper()
		open := database(tb)
		return func(tb testing.TB, o storage.Options) boardwatch.Store {
			tb.Helper()
			return open(tb, o.Plans)
		}
	})
}

// opener opens stores on one and the same database.
type opener func(tb testing.TB, o storage.Options) boardwatch.Store

func exercise(t *testing.T, database func(tb testing.TB) opener) {
	t.Helper()
	for group, list := range map[string]cases{
		"access":      accessCases(),
		"recipes":     recipeCases(),
		"roles":       roleCases(),
		"lessons":     lessonCases(),
		"marks":       markCases(),
		"backups":     backupCases(),
		"accounts":    accountCases(),
		"channels":    channelCases(),
		"checks":      checkCases(),
		"claims":      claimCases(),
		"closed":      closedCases(),
		"condition":   conditionCases(),
		"deliveries":  deliveryCases(),
		"demands":     demandCases(),
		"feed":        feedCases(),
		"grants":      grantCases(),
		"guesses":     guessCases(),
		"history":     historyCases(),
		"hits":        hitCases(),
		"identities":  identityCases(),
		"sign-ins":    signInCases(),
		"jobs":        jobCases(),
		"lists":       listCases(),
		"merges":      mergeCases(),
		"paces":       paceCases(),
		"polling":     pollingCases(),
		"preferences": preferenceCases(),
		"rates":       rateCases(),
		"rotation":    rotationCases(),
		"races":       raceCases(),
		"searches":    searchCases(),
		"several":     severalCases(),
		"unchanged":   unchangedCases(),
	} {
		t.Run(group, func(t *testing.T) {
			t.Parallel()
			for name, run := range list {
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					run(t, newWorld(t, database))
				})
			}
		})
	}
}

// cases are tests by the sentence that they prove.
type cases map[string]func(t *testing.T, w *world)

// plans are small, so that limits are near.
func plans() boardwatch.Plans {
	return boardwatch.Plans{
		boardwatch.PlanFree:  {Boards: 2, Cadence: 24 * time.Hour, MCP: true},
		boardwatch.PlanPro:   {Boards: 4, Cadence: 6 * time.Hour, REST: true, MCP: true},
		boardwatch.PlanUltra: {Boards: 100, Cadence: time.Hour, REST: true, MCP: true, Webhooks: true},
	}
}

func options() storage.Options { return storage.Options{Plans: plans()} }
