package storage

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheKeyBeforeIsKnownHoweverManyFindTheNewOne(t *testing.T) {
	t.Parallel()
	before, next := bytes.Repeat([]byte{1}, 32), bytes.Repeat([]byte{2}, 32)
	s, err := newSeal(before, func() ([]byte, error) { return next, nil })
	require.NoError(t, err)
	old := s.current.Load()
	sealed := old.seal("a", "whsec_secret")
	for range 2 { // both callers noticed that the old key does not decrypt something
		renewed, err := s.renew(old)
		require.NoError(t, err)
		require.True(t, renewed)
	}
	secret, err := s.open("a", sealed)
	require.NoError(t, err)
	require.Equal(t, "whsec_secret", secret)
}
