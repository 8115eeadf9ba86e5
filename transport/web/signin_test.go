package web_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch/account"
)

func TestANewInstallationLeadsToItsSetup(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	b := w.browser()
	for _, path := range []string{"/", "/boards", "/settings/keys", "/signin", "/admin"} {
		page := b.get(path)
		require.Equal(t, "/setup", page.path, path)
		require.Contains(t, page.text, "has no account yet")
		require.NotContains(t, page.text, `type="password"`)
	}
	require.Equal(t, http.StatusNotFound, b.get("/setup?token=wrong").status)

	link, err := w.identities.SetupLink(t.Context())
	require.NoError(t, err)
	at, err := url.Parse(link)
	require.NoError(t, err)
	require.Contains(t, b.get(at.RequestURI()).text, "Create the first account")
	token := at.Query().Get("token")
	refused := b.post("/setup", url.Values{"token": {token}, "email": {ownerEmail}, "password": {"short"}})
	require.Equal(t, http.StatusBadRequest, refused.status)
	require.Contains(t, refused.text, ownerEmail, "what was filled in stays")
	done := b.post("/setup", url.Values{"token": {token}, "email": {ownerEmail}, "password": {password}})
	require.Equal(t, "/boards", done.path, done.text)
	require.Contains(t, b.get("/admin").text, ownerEmail)

	again := w.browser().post("/setup", url.Values{"token": {token}, "email": {"eve@northwind.example"}, "password": {password}})
	require.NotEqual(t, "/boards", again.path)
	require.Equal(t, "/signin", w.browser().get("/setup?token="+token).path)
}

func TestSignIn(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	w.account(ownerEmail, account.PlanUltra, false)
	try := func(email, word string) page {
		return w.browser().post("/signin", url.Values{"email": {email}, "password": {word}})
	}
	wrong, unknown := try(ownerEmail, "not the password"), try("nobody@northwind.example", "not the password")
	require.Equal(t, http.StatusForbidden, wrong.status)
	require.Equal(t, wrong.status, unknown.status)
	require.Equal(t, strings.ReplaceAll(wrong.text, ownerEmail, ""), strings.ReplaceAll(unknown.text, "nobody@northwind.example", ""),
		"the answer does not tell whether there is an account")
	require.Equal(t, "/boards", try(strings.ToUpper(ownerEmail), password).path)
}

func TestSignInLeadsBackToThisSiteAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	w.account(ownerEmail, account.PlanUltra, false)
	require.Contains(t, w.browser().get("/roles?search=go").text, `value="/roles?search=go"`)
	for next, want := range map[string]string{
		"/roles?search=go": "/roles", "https://evil.example/": "/boards", "//evil.example": "/boards", `/\evil.example`: "/boards",
		"/\t/evil.example": "/boards", "javascript:alert(1)": "/boards", "": "/boards", "evil.example": "/boards", "http:///evil.example": "/boards",
	} {
		in := w.browser().post("/signin", url.Values{"email": {ownerEmail}, "password": {password}, "next": {next}})
		require.Equal(t, want, in.path, next)
	}
}

func TestASignInHasATokenOfItsOwn(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	w.account(ownerEmail, account.PlanUltra, false)
	b := w.browser()
	site, err := url.Parse(w.site.URL)
	require.NoError(t, err)
	planted := &http.Cookie{Name: "boardwatch", Value: account.NewToken(), Path: "/"}
	b.http.Jar.SetCookies(site, []*http.Cookie{planted})
	require.Equal(t, "/boards", b.post("/signin", url.Values{"email": {ownerEmail}, "password": {password}}).path)
	token := b.cookie("boardwatch")
	require.NotEqual(t, planted.Value, token)

	b.post("/signout", nil)
	b.http.Jar.SetCookies(site, []*http.Cookie{{Name: "boardwatch", Value: token, Path: "/"}})
	require.Equal(t, "/signin", b.get("/boards").path, "the token is worth nothing after signing out")
}

func TestAnotherPasswordEndsOtherSignIns(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	w.account(ownerEmail, account.PlanUltra, false)
	here, there := w.signedIn(ownerEmail), w.signedIn(ownerEmail)
	const next = "quite another sentence"
	refused := here.post("/settings/account/password", url.Values{"password": {"wrong one"}, "new": {next}})
	require.Equal(t, http.StatusBadRequest, refused.status)
	changed := here.post("/settings/account/password", url.Values{"password": {password}, "new": {next}})
	require.Contains(t, changed.text, "Your new password is saved")
	require.Equal(t, "/boards", here.get("/boards").path)
	require.Equal(t, "/signin", there.get("/boards").path)
}

func TestLinksInMailActWhenAButtonIsPressed(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{mode: account.SignUpOpen, mail: true})
	w.account(ownerEmail, account.PlanUltra, false)
	b := w.browser()
	sent := b.post("/signup", url.Values{"email": {"robin@northwind.example"}, "password": {password}})
	require.Contains(t, sent.text, "Check your mail")
	taken := w.browser().post("/signup", url.Values{"email": {ownerEmail}, "password": {password}})
	differs := regexp.MustCompile(`[a-z]+@northwind\.example|name="token" value="[^"]*"`)
	require.Equal(t, differs.ReplaceAllString(sent.text, ""), differs.ReplaceAllString(taken.text, ""), "the answer does not tell whether there is an account")

	link := w.mails.to(t, "robin@northwind.example")
	for range 3 { // mail scanners follow links
		require.Contains(t, w.browser().get(link.RequestURI()).text, "Create my account")
	}
	guessed := b.post("/verify", url.Values{"token": {link.Query().Get("token")}, "password": {"what a stranger guesses"}})
	require.Equal(t, http.StatusBadRequest, guessed.status, "whoever did not sign up makes no account")
	require.Equal(t, "/signin", b.get("/boards").path)
	made := b.post("/verify", url.Values{"token": {link.Query().Get("token")}, "password": {password}, "zone": {"Asia/Tokyo"}})
	require.Equal(t, "/boards", made.path, "who has just typed the password is signed in")
	require.Contains(t, b.get("/settings/account").text, "Asia/Tokyo")
	require.Equal(t, http.StatusNotFound, b.post("/verify", url.Values{"token": {link.Query().Get("token")}}).status)
	w.signedIn("robin@northwind.example")

	b.post("/reset", url.Values{"email": {ownerEmail}})
	reset := w.mails.to(t, ownerEmail)
	require.Contains(t, b.get(reset.RequestURI()).text, "Choose a new password")
	form := url.Values{"token": {reset.Query().Get("token")}, "password": {"quite another sentence"}}
	require.Equal(t, "/boards", b.post("/reset/confirm", form).path)
	require.Equal(t, http.StatusNotFound, w.browser().post("/reset/confirm", form).status)
}

func TestTheOperatorsPageIsNobodyElses(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{mode: account.SignUpInvite, mail: true})
	w.account(ownerEmail, account.PlanUltra, true)
	eve := w.account("eve@northwind.example", account.PlanFree, false)
	b := w.signedIn(eve.Email)
	require.Equal(t, http.StatusNotFound, b.get("/admin").status)
	require.NotContains(t, b.get("/boards").text, "/admin")
	require.Equal(t, http.StatusNotFound, b.post("/admin/accounts/"+eve.ID+"/plan", url.Values{"plan": {"ultra"}}).status)
	require.Equal(t, http.StatusNotFound, b.post("/admin/invitations", url.Values{"email": {"x@northwind.example"}}).status)
	after, err := w.store.Account(t.Context(), eve.ID)
	require.NoError(t, err)
	require.Equal(t, account.PlanFree, after.Plan)

	admin := w.signedIn(ownerEmail)
	require.Contains(t, admin.post("/admin/accounts/"+eve.ID+"/plan", url.Values{"plan": {"pro"}}).text, "is now on the plan Pro")
	invited := admin.post("/admin/invitations", url.Values{"email": {"new@northwind.example"}, "plan": {"pro"}})
	require.Contains(t, invited.text, "/signup?token=")
	link := w.mails.to(t, "new@northwind.example")
	guest := w.browser()
	require.Contains(t, guest.get(link.RequestURI()).text, "new@northwind.example")
	form := url.Values{"token": {link.Query().Get("token")}, "email": {"new@northwind.example"}, "password": {password}}
	require.Equal(t, "/boards", guest.post("/signup/accept", form).path)
}

func TestNobodyIsInvitedWhileSignUpIsClosed(t *testing.T) {
	t.Parallel()
	for mode, offered := range map[account.SignUpMode]bool{account.SignUpClosed: false, account.SignUpInvite: true, account.SignUpOpen: true} {
		w := newWorld(t, worldOptions{mode: mode})
		w.account(ownerEmail, account.PlanUltra, true)
		page := w.signedIn(ownerEmail).get("/admin")
		require.Equal(t, offered, strings.Contains(page.text, `action="/admin/invitations"`), mode)
		require.NotEqual(t, offered, strings.Contains(page.text, "nobody can be invited"), mode)
	}
}
