package storagetest

import (
	"testing"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/storage"
)

// Exercise runs the whole suite, which every driver of a SQL database passes: the cases of ExerciseStore, and those for
// the promises of storage.Store beyond boardwatch.Store, such as migrations, retention and key rotation. database
// creates an empty database for each case.
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

// ExerciseStore runs the part of the suite that every boardwatch.Store passes, wherever it keeps its data; cases about
// SQL databases are skipped. For each case database creates an empty place and returns a function that opens stores on
// it. Each store stands for one process and applies the given plans. The suite closes it, or the end of the test does.
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
		"growth":      growthCases(),
		"history":     historyCases(),
		"hits":        hitCases(),
		"identities":  identityCases(),
		"sign-ins":    signInCases(),
		"jobs":        jobCases(),
		"lists":       listCases(),
		"merges":      mergeCases(),
		"paces":       paceCases(),
		"polling":     pollingCases(),
		"postings":    postingCases(),
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

// plans are small, so that limits are reached soon.
func plans() boardwatch.Plans {
	return boardwatch.Plans{
		boardwatch.PlanFree:  {Boards: 2, Cadence: 24 * time.Hour, MCP: true},
		boardwatch.PlanPro:   {Boards: 4, Cadence: 6 * time.Hour, REST: true, MCP: true},
		boardwatch.PlanUltra: {Boards: 100, Cadence: time.Hour, REST: true, MCP: true, Webhooks: true},
	}
}

func options() storage.Options { return storage.Options{Plans: plans()} }
