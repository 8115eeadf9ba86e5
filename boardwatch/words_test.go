package boardwatch_test

import (
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// FuzzWords reads arbitrary text as an e-mail address, a key, a token and scopes, which people and programs send to the
// interfaces.
func FuzzWords(f *testing.F) {
	_, key := boardwatch.NewAPIKey("a", "b", noon)
	for _, seed := range []string{
		"ada@northwind.example", "Ada <ada@northwind.example>", "ada@northwind.example\r\nBcc: eve@evil.example", "ada@bücher.example", "@", "a@b",
		strings.Repeat("a", 400) + "@b.example", key, key[:len(key)-1] + "0", boardwatch.NewToken(), "boards:read boards:write", "boards:read  offline_access\t", "",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if email, err := boardwatch.NormalizeEmail(s); err == nil {
			again, err := boardwatch.NormalizeEmail(email)
			require.NoError(t, err)
			require.Equal(t, email, again, "what is stored is stored the same again")
			require.Equal(t, 1, strings.Count(email, "@"))
			require.False(t, strings.ContainsFunc(email, func(r rune) bool { return unicode.IsControl(r) || unicode.IsSpace(r) }), "%q", email)
		}
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
