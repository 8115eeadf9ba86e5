package web_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch/account"
)

func TestAnOperatorConfirmsAndDeletesAccounts(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	owner := w.account(ownerEmail, account.PlanUltra, true)
	eve := w.account("eve@northwind.example", account.PlanFree, false)
	require.NoError(t, w.store.SetVerified(t.Context(), eve.ID, false))
	b, stranger := w.signedIn(ownerEmail), w.signedIn(eve.Email)
	at := "/admin/accounts/" + eve.ID
	for _, path := range []string{at + "/verify", at + "/delete", "/admin/signup"} {
		require.Equal(t, http.StatusNotFound, stranger.post(path, nil).status, "for nobody but operators")
	}
	require.Contains(t, b.get("/admin").text, `action="`+at+`/verify"`)
	require.Contains(t, b.post(at+"/verify", nil).text, "The address eve@northwind.example is confirmed.")
	confirmed, err := w.store.Account(t.Context(), eve.ID)
	require.NoError(t, err)
	require.True(t, confirmed.Verified)

	require.Contains(t, b.get(at+"/delete").text, "Delete the account of eve@northwind.example?")
	require.Contains(t, b.post(at+"/delete", nil).text, "The account of eve@northwind.example is deleted.")
	require.Equal(t, http.StatusNotFound, b.post(at+"/delete", nil).status)
	require.Equal(t, "/signin", stranger.get("/boards").path)
	require.Equal(t, http.StatusBadRequest, b.post("/admin/accounts/"+owner.ID+"/delete", nil).status, "not one's own by mistake")
	require.NotContains(t, b.get("/admin").text, "/admin/accounts/"+owner.ID+"/delete")
}

func TestAnOperatorSwitchesInvitations(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	w.account(ownerEmail, account.PlanUltra, true)
	b := w.signedIn(ownerEmail)
	require.Contains(t, b.get("/admin").text, "Sign-up is closed")
	require.NotContains(t, b.get("/admin").text, "signup.mode")
	b.post("/admin/signup", url.Values{"mode": {"invite"}})
	require.Regexp(t, `value="http[^"]*/signup\?token=`, b.post("/admin/invitations", url.Values{"plan": {"pro"}}).text)
	require.NotContains(t, b.get("/admin").text, "/signup?token=", "it is shown once")
	require.Contains(t, w.browser().get("/signup").text, "By invitation")
	b.post("/admin/signup", url.Values{"mode": {"open"}})
	require.Contains(t, w.browser().get("/signin").text, "/signup")
	require.Equal(t, http.StatusBadRequest, b.post("/admin/signup", url.Values{"mode": {"sometimes"}}).status)
	b.post("/admin/signup", url.Values{"mode": {""}})
	require.Contains(t, w.browser().get("/signup").text, "Sign-up is closed")
}
