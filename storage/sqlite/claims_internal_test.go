package sqlite

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/storage/internal/driver"
)

// The query of a claim may have begun before a board was saved, and then still finds it due.
func TestABoardSavedWhileOthersAreChosenIsNotLeasedAgain(t *testing.T) {
	t.Parallel()
	c := newClaims(nil, nil)
	c.leases["a"], c.leases["b"] = lease{number: "1", until: 100}, lease{number: "2", until: 100}

	require.Equal(t, 2, c.freeze())
	c.release(driver.Lease{BoardID: "a", Number: "1"})
	require.True(t, c.leased("a", 50))

	c.thaw()
	require.False(t, c.leased("a", 50))
	require.True(t, c.leased("b", 50))
	c.release(driver.Lease{BoardID: "b", Number: "2"})
	require.False(t, c.leased("b", 50))
}
