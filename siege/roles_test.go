//go:build siege

package siege_test

import (
	"context"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/transport/oidc/oidctest"
)

// judgeRoles requires that invented roles have reached nobody but the account that invented them, and that the flood took no
// more than its budget. Digests, lists, searches and feeds are made of rows with the board's id, so it looks at these.
func judgeRoles(t *testing.T, done report, repeats *echo, victim, database string) {
	t.Helper()
	invented, flooded, rows := 0, 0, 0
	for row := range strings.Lines(database) {
		if strings.Contains(row, inventedTitle) {
			invented++
			require.NotContains(t, row, victim, "an invented role is on the board of others")
		}
		if strings.Contains(row, floodTitle) {
			flooded += len(row)
			rows++
		}
	}
	require.NotZero(t, invented, "the poisoned pages were read")
	require.NotZero(t, flooded, "the flood was read")
	require.NotContains(t, strings.Join(repeats.said, "\n"), inventedTitle, "an invented role was listed for others")
	require.Zero(t, repeats.poisoned, "an invented role was delivered to others")
	require.LessOrEqual(t, flooded, storage.HourlyGrowth, "the flood grew the database too much")
	t.Logf("poison: %d rows of invented roles, %d readings sent to the page of others, nothing there", invented, done.Lured)
	t.Logf("flood: %d pages of 2,000 roles served, %.1f MB in %d rows", done.Floods, float64(flooded)/1e6, rows)
}

// unique is what differs between two answers that say the same.
var unique = regexp.MustCompile(`[0-9a-f]{16,}`)

// ceremony is the sign-ins that a person began during the siege, and continues at its end.
type ceremony struct {
	person   *person
	provider string // where the provider asks them
	passkey  string // the token of their challenge
}

// leave begins both sign-ins.
func leave(ctx context.Context, t *testing.T, s *service, at *oidctest.Provider, email string) *ceremony {
	t.Helper()
	at.Is(oidctest.Person{Subject: "honest", Email: email, Verified: true})
	c := &ceremony{person: newPerson(account.Account{Email: email}, "", honestAccounts+hostileAccounts+1)}
	res, _, err := c.person.ask(ctx, http.MethodGet, s.url+"/signin/oidc", "", "", nil)
	require.NoError(t, err)
	require.Equal(t, http.StatusFound, res.StatusCode)
	c.provider = res.Header.Get("Location")
	c.passkey = c.begin(ctx, t, s)
	return c
}

// begin returns the token of a new challenge.
func (c *ceremony) begin(ctx context.Context, t *testing.T, s *service) string {
	t.Helper()
	res, text, err := c.person.ask(ctx, http.MethodPost, s.url+"/api/passkeys/signin/begin", "", "", nil)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, res.StatusCode, "%s", text)
	token := regexp.MustCompile(`"token":"([^"]+)"`).FindSubmatch(text)
	require.NotNil(t, token, "%s", text)
	return string(token[1])
}

// arrive ends both sign-ins. The person is signed in by the provider. They have no passkey, so an unknown one answers the
// challenge: it is refused like the answer to a new challenge, and not like that to an unknown one.
func (c *ceremony) arrive(t *testing.T, s *service) {
	t.Helper()
	answer := func(token string) string {
		_, text, err := c.person.ask(t.Context(), http.MethodPost, s.url+"/api/passkeys/signin/finish", jsonBody, `{"token":"`+token+`","credential":{}}`, nil)
		require.NoError(t, err)
		return unique.ReplaceAllString(string(text), "")
	}
	known := answer(c.passkey)
	require.Equal(t, answer(c.begin(t.Context(), t, s)), known, "a challenge that strangers tried to push out")
	require.NotEqual(t, answer("unknown"), known)

	for range 2 { // the provider, and back
		res, text, err := c.person.ask(t.Context(), http.MethodGet, c.provider, "", "", nil)
		require.NoError(t, err)
		require.Contains(t, []int{http.StatusFound, http.StatusSeeOther}, res.StatusCode, "%s", text)
		next, err := res.Location()
		require.NoError(t, err)
		c.provider = next.String()
	}
	res, _, err := c.person.ask(t.Context(), http.MethodGet, s.url+"/boards", "", "", nil)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, res.StatusCode, "a sign-in that strangers tried to push out")
	t.Log("ceremonies: a sign-in at the provider and a challenge for a passkey, begun during the siege, were still good")
}
