package web_test

import (
	"context"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
)

func TestTheMailOfASignUpIsSentAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{mode: account.SignUpOpen, mail: true})
	w.account(ownerEmail, account.PlanUltra, true)
	b := w.browser()
	sent := b.post("/signup", url.Values{"email": {"eve@northwind.example"}, "password": {password}})
	require.Contains(t, sent.text, "<strong>eve@northwind.example</strong>")
	first := w.mails.to(t, "eve@northwind.example")
	token := regexp.MustCompile(`name="token" value="([^"]+)"`).FindStringSubmatch(sent.text)
	require.NotNil(t, token)
	again := b.post("/signup/again", url.Values{"token": {token[1]}, "again": {"yes"}})
	require.Contains(t, again.text, "It was sent again.")
	require.Contains(t, again.text, "<strong>eve@northwind.example</strong>")
	second := w.mails.to(t, "eve@northwind.example")
	require.NotEqual(t, first.String(), second.String())
	require.Contains(t, b.post("/verify", url.Values{"token": {second.Query().Get("token")}, "password": {password}}).text, "Your account has been created.")
	w.pass(25 * time.Hour)
	late := b.post("/signup/again", url.Values{"token": {token[1]}})
	require.Equal(t, http.StatusNotFound, late.status)
	require.Contains(t, late.text, `href="/signup">Sign up again</a>`)
	require.Equal(t, http.StatusNotFound, b.post("/signup/again", url.Values{"token": {"x"}}).status)
}

func TestDeadLinksLeadToNewOnes(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{mode: account.SignUpOpen, mail: true})
	w.account(ownerEmail, account.PlanUltra, true)
	b := w.browser()
	gone := strings.Repeat("x", 43)
	for path, ways := range map[string][]string{
		"/verify?token=" + gone:      {`href="/signin">Sign in</a>`, `href="/signup">Sign up again</a>`},
		"/verify?token=damaged":      {`href="/signin">Sign in</a>`},
		"/reset?token=" + gone:       {`<form method="post" action="/reset">`, "This link no longer works", `name="email"`},
		"/unsubscribe?token=" + gone: {`href="/settings/email">E-mail settings</a>`},
		"/signup?token=" + gone:      {"This invitation is not valid", "Ask the operator for another one."},
	} {
		p := b.get(path)
		require.Equal(t, http.StatusNotFound, p.status, path)
		for _, way := range ways {
			require.Contains(t, p.text, way, path)
		}
	}
	require.Contains(t, w.signedIn(ownerEmail).get("/verify?token="+gone).text, `href="/settings/account">Account settings</a>`)

	sent := b.post("/reset", url.Values{"email": {ownerEmail}})
	require.Contains(t, sent.text, "<strong>"+ownerEmail+"</strong>")
	require.Contains(t, b.post("/reset", url.Values{"email": {ownerEmail}, "again": {"yes"}}).text, "It was sent again.")
}

func TestLimitsNameWhomToAsk(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{mode: account.SignUpInvite, contact: "help@northwind.example"})
	w.account(ownerEmail, account.PlanFree, false)
	ask := `Ask <a href="mailto:help@northwind.example">help@northwind.example</a> for `
	b := w.signedIn(ownerEmail)
	for _, path := range []string{"/settings/keys", "/settings/webhooks"} {
		require.Contains(t, b.get(path).text, ask+"a larger plan.", path)
	}
	require.Contains(t, w.browser().get("/signup").text, ask+"one.")
	for range 6 {
		b.post("/boards", url.Values{"url": {boardwatch.NewID() + ".example"}})
	}
	require.Contains(t, b.get("/boards").text, `or ask <a href="mailto:help@northwind.example">`)
}

func TestAMisspeltDomainTakesNoPlace(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{exists: func(_ context.Context, host string) bool { return host != "nosuchcompany.example" }})
	owner := w.account(ownerEmail, account.PlanUltra, false)
	b := w.signedIn(ownerEmail)
	for _, typed := range []string{"nosuchcompany.example", "https://nosuchcompany.example/careers"} {
		refused := b.post("/boards", url.Values{"url": {typed}})
		require.Equal(t, http.StatusBadRequest, refused.status)
		require.Contains(t, refused.text, "There is no site nosuchcompany.example, so nothing was added. Check the spelling.")
		require.Contains(t, refused.text, "Add it anyway")
	}
	boards, err := w.store.Tracked(t.Context(), owner.ID, "")
	require.NoError(t, err)
	require.Empty(t, boards)
	require.Contains(t, b.post("/boards", url.Values{"url": {"nosuchcompany.example"}, "anyway": {"yes"}}).text, "is on your list")
	require.Contains(t, b.post("/boards", url.Values{"url": {"contoso.example"}}).text, "is on your list")
	require.Contains(t, b.post("/boards", url.Values{"url": {"hello"}}).text, "a name is not enough")
}

// A board that cannot be read right after it was added is offered to be taken back, for an hour.
func TestABoardAddedByMistakeIsTakenBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	w.account(ownerEmail, account.PlanUltra, false)
	b := w.signedIn(ownerEmail)
	added := b.post("/boards", url.Values{"url": {"https://contosso.example/careers"}})
	require.NotContains(t, added.text, "Take it back")
	require.Contains(t, b.undo(added).text, "contosso.example/careers is off your list.")
	require.Contains(t, b.undo(b.undo(b.post("/boards", url.Values{"url": {"https://contosso.example/careers"}}))).text, "is on your list.", "an undo is taken back as well")
	claims, err := w.store.ClaimDue(t.Context(), 10, time.Minute, boardwatch.ClaimFilter{})
	require.NoError(t, err)
	require.Len(t, claims, 1)
	id := claims[0].Board.ID
	require.NoError(t, w.store.Release(t.Context(), claims[0]))
	w.read(id, boardwatch.Failed(cause.SiteError, "the host contosso.example does not exist"))
	page := b.get("/boards").text
	require.Contains(t, page, "</a>: The host contosso.example does not exist.")
	require.Contains(t, page, `action="/boards/`+id+`/remove"`)
	w.pass(2 * time.Hour)
	require.NotContains(t, b.get("/boards").text, "Take it back")
}

func TestAFormOfASignInThatHasEndedLeadsBackToItsPage(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	w.account(ownerEmail, account.PlanUltra, false)
	b := w.browser()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, w.site.URL+"/settings/keys", strings.NewReader("name=x"))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Referer", w.site.URL+"/settings/keys?a=b")
	p := b.do(r)
	require.Equal(t, "/signin", p.path)
	require.Equal(t, "next="+url.QueryEscape("/settings/keys?a=b"), p.query)
	require.Contains(t, p.text, "Your sign-in has ended, so what you have just sent was not saved. Sign in to go on.")
}
