package account_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch/account"
)

// FuzzWords reads arbitrary text as a key, a token and scopes, which programs send to the interfaces.
func FuzzWords(f *testing.F) {
	_, key := account.NewAPIKey("a", "b", noon)
	for _, seed := range []string{
		key, key[:len(key)-1] + "0", account.NewToken(), "boards:read boards:write", "boards:read  offline_access\t", "",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if account.ValidAPIKey(s) {
			require.True(t, strings.HasPrefix(s, "bw_") && len(s) == 43, "%q", s)
		}
		if account.ValidToken(s) {
			require.NotContains(t, s, " ")
		}
		scopes := account.ParseScopes(s)
		require.Equal(t, scopes, account.ParseScopes(account.FormatScopes(scopes)))
	})
}
