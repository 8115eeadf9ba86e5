package account_test

import (
	"context"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/internal/turn"
)

func TestHasher(t *testing.T) {
	t.Parallel()
	h := account.NewHasher()
	const password = "correct horse battery"

	t.Run("makes an argon2id hash with the documented costs and a salt of its own", func(t *testing.T) {
		t.Parallel()
		first, err := h.Hash(t.Context(), password)
		require.NoError(t, err)
		second, err := h.Hash(t.Context(), password)
		require.NoError(t, err)
		require.Regexp(t, `^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$`, first)
		require.NotEqual(t, first, second)
	})

	t.Run("makes no hash with less memory that passes for one with the documented costs", func(t *testing.T) {
		t.Parallel()
		hash, err := account.NewHasherOf(64).Hash(t.Context(), password)
		require.NoError(t, err)
		require.True(t, account.Outdated(hash))
		got, err := h.Matches(t.Context(), hash, password)
		require.NoError(t, err)
		require.True(t, got)
	})

	t.Run("matches the password and no other", func(t *testing.T) {
		t.Parallel()
		hash, err := h.Hash(t.Context(), password)
		require.NoError(t, err)
		for given, want := range map[string]bool{password: true, password + " ": false, "": false} {
			got, err := h.Matches(t.Context(), hash, given)
			require.NoError(t, err)
			require.Equal(t, want, got, given)
		}
	})

	t.Run("reads hashes with other costs", func(t *testing.T) {
		t.Parallel()
		// From the tests of the reference implementation.
		ok, err := h.Matches(t.Context(), "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc", "password")
		require.NoError(t, err)
		require.True(t, ok)
	})

	t.Run("matches nothing where there is no hash", func(t *testing.T) {
		t.Parallel()
		ok, err := h.Matches(t.Context(), "", "")
		require.NoError(t, err)
		require.False(t, ok)
	})

	t.Run("refuses a hash that it cannot read", func(t *testing.T) {
		t.Parallel()
		good, err := h.Hash(t.Context(), password)
		require.NoError(t, err)
		for _, bad := range []string{
			"x", "$2a$12$abc", good[:len(good)-1], good + "$", strings.Replace(good, "v=19", "v=16", 1),
			strings.Replace(good, "t=2", "t=0", 1), strings.Replace(good, "p=1", "p=0", 1), strings.Replace(good, "m=", "", 1),
		} {
			_, err := h.Matches(t.Context(), bad, password)
			require.Error(t, err, bad)
			require.NotContains(t, err.Error(), bad)
		}
	})

	t.Run("does not wait for a turn when nobody waits for the answer", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := h.Hash(ctx, password)
		require.ErrorIs(t, err, context.Canceled)
	})
}

// Other long work goes first, but a sign-in waits for it no longer than this.
func TestPasswordsWaitALittleForOtherLongWork(t *testing.T) {
	t.Parallel()
	for range cap(turn.Long) {
		turn.Long <- struct{}{}
	}
	begin := time.Now()
	_, err := account.NewHasher().Hash(t.Context(), "correct horse battery")
	waited := time.Since(begin)
	for range cap(turn.Long) {
		<-turn.Long
	}
	require.NoError(t, err)
	require.GreaterOrEqual(t, waited, 100*time.Millisecond)
}

// Half of the processors are left for requests other than sign-ins.
func TestPasswordsTakeHalfOfTheProcessors(t *testing.T) {
	t.Parallel()
	require.Equal(t, max(1, runtime.GOMAXPROCS(0)/2), account.NewHasher().AtATime())
}
