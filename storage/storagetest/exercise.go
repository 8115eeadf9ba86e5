package storagetest

import (
	"testing"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/storage"
)

// Exercise runs the suite that every driver passes. database creates an empty database for each case.
func Exercise(t *testing.T, database func(tb testing.TB) Database) {
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
func plans() account.Plans {
	return account.Plans{
		account.PlanFree:  {Boards: 2, Cadence: 24 * time.Hour, MCP: true},
		account.PlanPro:   {Boards: 4, Cadence: 6 * time.Hour, REST: true, MCP: true},
		account.PlanUltra: {Boards: 100, Cadence: time.Hour, REST: true, MCP: true, Webhooks: true},
	}
}

func options() storage.Options { return storage.Options{Plans: plans()} }
