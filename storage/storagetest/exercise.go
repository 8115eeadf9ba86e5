package storagetest

import (
	"testing"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/storage"
)

// Exercise runs the suite that every driver passes. database makes an empty database for each case.
func Exercise(t *testing.T, database func(t testing.TB) Database) {
	t.Helper()
	for group, list := range map[string]cases{
		"access":      accessCases(),
		"accounts":    accountCases(),
		"checks":      checkCases(),
		"claims":      claimCases(),
		"closed":      closedCases(),
		"deliveries":  deliveryCases(),
		"feed":        feedCases(),
		"grants":      grantCases(),
		"history":     historyCases(),
		"identities":  identityCases(),
		"jobs":        jobCases(),
		"lists":       listCases(),
		"merges":      mergeCases(),
		"polling":     pollingCases(),
		"preferences": preferenceCases(),
		"rates":       rateCases(),
		"rotation":    rotationCases(),
		"races":       raceCases(),
		"several":     severalCases(),
	} {
		t.Run(group, func(t *testing.T) {
			t.Parallel()
			for name, run := range list {
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					run(t, newWorld(t, database(t)))
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
