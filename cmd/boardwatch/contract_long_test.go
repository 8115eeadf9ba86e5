//go:build long

package main_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
)

// TestContractBudgetOverTime waits as long as it is told to.
func TestContractBudgetOverTime(t *testing.T) {
	t.Parallel()
	binary := buildBinary(t)
	for name, database := range databases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			who := newContract(t, binary, database(t)).caller(t, account.PlanPro)
			for range 60 {
				require.Equal(t, http.StatusOK, who.try(t, http.MethodGet, "/v1/boards", "").status)
			}
			refused := who.try(t, http.MethodGet, "/v1/boards", "").fails(t, http.StatusTooManyRequests, boardwatch.CodeRateLimited)
			<-time.After(time.Duration(*refused.Error.RetryAfter) * time.Second)
			require.Equal(t, http.StatusOK, who.try(t, http.MethodGet, "/v1/boards", "").status, "after the wait it fits")

			<-time.After(61 * time.Second)
			var s statusShape
			who.get(t, "/v1/status", &s)
			require.Equal(t, 59, s.RateLimit.Remaining, "what is older than a minute is forgotten")
		})
	}
}
