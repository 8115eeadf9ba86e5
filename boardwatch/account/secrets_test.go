package account_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch/account"
)

func TestAPIKey(t *testing.T) {
	t.Parallel()

	key, secret := account.NewAPIKey("acc", "CI", noon)
	require.Regexp(t, `^bw_[0-9A-Za-z]{40}$`, secret)
	require.Equal(t, secret[len(secret)-4:], key.Hint)
	require.Equal(t, account.HashSecret(secret), key.Hash)
	require.NotContains(t, fmt.Sprintf("%+v", key), secret)
	require.True(t, account.ValidAPIKey(secret))

	_, other := account.NewAPIKey("acc", "CI", noon)
	require.NotEqual(t, secret, other)
	for i := 3; i < len(secret); i++ {
		swapped := []byte(secret)
		swapped[i] = map[bool]byte{true: 'B', false: 'A'}[swapped[i] == 'A']
		require.False(t, account.ValidAPIKey(string(swapped)), "one wrong character at %d", i)
	}
	for _, bad := range []string{"", "bw_", secret[:42], secret + "0", "xx_" + secret[3:], strings.ToUpper(secret)} {
		require.False(t, account.ValidAPIKey(bad), bad)
	}
}

func TestScopes(t *testing.T) {
	t.Parallel()

	require.Equal(t, []account.Scope{account.ScopeBoardsWrite, account.ScopeBoardsRead},
		account.ParseScopes(" boards:write admin boards:read boards:write"))

	// The pair of RFC 7636, appendix B.
	const verifier, challenge = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
	require.True(t, account.VerifyChallenge(verifier, challenge))
	require.False(t, account.VerifyChallenge(verifier[:42], challenge))
	require.False(t, account.VerifyChallenge(verifier, challenge[:42]))
	require.False(t, account.VerifyChallenge(challenge, challenge), "who saw the challenge does not know the verifier")
}

func TestAccountsAndKeysInJSON(t *testing.T) {
	t.Parallel()
	for name, v := range map[string]any{
		"account":        account.Account{ID: "65f0c0ffee00000000000005", Email: "a@b.example", Plan: account.PlanUltra, PasswordHash: "x"},
		"api-key":        account.APIKey{ID: "k", Name: "CI", Hint: "a1B2", Hash: "secret", LastUsedAt: noon.Truncate(time.Second)},
		"api-key-unused": account.APIKey{Name: "never", Hint: "zzzz"},
	} {
		raw, err := json.MarshalIndent(v, "", "  ")
		require.NoError(t, err)
		want, err := os.ReadFile(filepath.Join("testdata", "json", name+".json"))
		require.NoError(t, err)
		require.Equal(t, string(want), string(raw)+"\n")
	}
}
