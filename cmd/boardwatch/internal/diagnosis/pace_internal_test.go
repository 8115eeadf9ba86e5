package diagnosis

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch/pace"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/storagetest"
)

// refusedBy has a host refuse a request, and ask to be left alone if quiet is not zero.
func refusedBy(t *testing.T, store *storage.Store, host string, quiet time.Duration) {
	t.Helper()
	_, err := store.Turns(t.Context(), []pace.TurnEnd{{Host: host, Process: "a", Number: 1, Refused: true, RetryAfter: quiet}}, nil)
	require.NoError(t, err)
}

func TestTheDoctorNamesHostsThatAreAskedLessOften(t *testing.T) {
	t.Parallel()
	store := storagetest.New(t)
	require.Equal(t, Finding{"pace", OK, "no host has asked for fewer requests"}, examinePace(t.Context(), store))
	refusedBy(t, store, "api.example:443", 0)
	refusedBy(t, store, "jobs.example:8443", time.Hour)
	require.Equal(t, Finding{
		"pace", Warning,
		"jobs.example:8443 wants to be left alone for another 1h0m0s, api.example is asked at 50 % of its pace, because it refused requests",
	},
		examinePace(t.Context(), store))
	for _, host := range []string{"a", "b", "c", "d"} {
		refusedBy(t, store, host+".example:443", 0)
	}
	require.True(t, strings.HasSuffix(examinePace(t.Context(), store).Detail, ", and more"))
}
