package boardwatch_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// FuzzWords reads arbitrary text as a key, a token and scopes, which programs send to the interfaces.
func FuzzWords(f *testing.F) {
	_, key := boardwatch.NewAPIKey("a", "b", noon)
	for _, seed := range []string{
		key, key[:len(key)-1] + "0", boardwatch.NewToken(), "boards:read boards:write", "boards:read  offline_access\t", "",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if boardwatch.ValidAPIKey(s) {
			require.True(t, strings.HasPrefix(s, "bw_") && len(s) == 43, "%q", s)
		}
		if boardwatch.ValidToken(s) {
			require.NotContains(t, s, " ")
		}
		scopes := boardwatch.ParseScopes(s)
		require.Equal(t, scopes, boardwatch.ParseScopes(boardwatch.FormatScopes(scopes)))
	})
}
