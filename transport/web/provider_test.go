package web_test

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/transport/oidc/oidctest"
)

// ada is the owner's identity at the provider.
func ada() oidctest.Person {
	return oidctest.Person{Subject: "ada-1", Email: ownerEmail, Verified: true}
}

// whose returns the address of the account that the browser is signed in to; empty: none.
func (b *browser) whose() string {
	b.t.Helper()
	found := regexp.MustCompile(`<dt>E-mail</dt><dd>(\S+)`).FindStringSubmatch(b.get("/settings/account").text)
	if found == nil {
		return ""
	}
	return found[1]
}

// stopped requests a page without following redirects.
func (b *browser) stopped(path string) *http.Response {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), http.MethodGet, b.w.site.URL+path, nil)
	require.NoError(b.t, err)
	once := *b.http
	once.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	answer, err := once.Do(r)
	require.NoError(b.t, err)
	require.NoError(b.t, answer.Body.Close())
	return answer
}

// goes sends the browser to the provider and returns the address that the provider redirects to.
func (b *browser) goes(path string) *url.URL {
	b.t.Helper()
	answer := b.stopped(path)
	require.Equal(b.t, http.StatusFound, answer.StatusCode)
	r, err := http.NewRequestWithContext(b.t.Context(), http.MethodGet, answer.Header.Get("Location"), nil)
	require.NoError(b.t, err)
	sent, err := http.DefaultTransport.RoundTrip(r)
	require.NoError(b.t, err)
	require.NoError(b.t, sent.Body.Close())
	require.Equal(b.t, http.StatusFound, sent.StatusCode)
	to, err := sent.Location()
	require.NoError(b.t, err)
	return to
}

func (l *letterbox) subjects(email string) (all []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, m := range l.sent {
		if m.To == email {
			all = append(all, m.Subject)
		}
	}
	return all
}

func TestAnAccountIsFoundByItsConfirmedAddress(t *testing.T) {
	t.Parallel()
	at := oidctest.New(t)
	w := newWorld(t, worldOptions{provider: at})
	w.account(ownerEmail, account.PlanUltra, false)
	b := w.browser()
	require.Contains(t, b.get("/signin?next=/roles").text, `href="/signin/oidc?next=%2Froles">Sign in with Northwind ID`)

	at.Is(oidctest.Person{Subject: "ada-1", Email: ownerEmail, Verified: false})
	refused := b.get("/signin/oidc")
	require.Equal(t, http.StatusForbidden, refused.status)
	require.Contains(t, refused.text, "does not say that your e-mail address is confirmed")
	require.Empty(t, b.whose())

	at.Is(ada())
	in := b.get("/signin/oidc?next=/roles")
	require.Equal(t, "/roles", in.path, in.text)
	require.Equal(t, ownerEmail, b.whose())
	require.Equal(t, []string{"There is a new way to sign in to your account"}, w.mails.subjects(ownerEmail))
	require.Contains(t, b.get("/settings/account").text, "with Northwind ID")

	// Signing out ends it. The provider lets her in again, and she gets no second mail about it.
	b.post("/signout", nil)
	require.Empty(t, b.whose())
	b.get("/signin/oidc")
	require.Equal(t, ownerEmail, b.whose())
	require.Len(t, w.mails.subjects(ownerEmail), 1)
}

func TestAPersonIsKnownByTheirSubjectWhateverTheirAddress(t *testing.T) {
	t.Parallel()
	at := oidctest.New(t)
	w := newWorld(t, worldOptions{provider: at, create: true, mode: account.SignUpOpen})
	w.account(ownerEmail, account.PlanUltra, false)
	w.account("bob@northwind.example", account.PlanUltra, false)
	at.Is(ada())
	w.browser().get("/signin/oidc")

	// Her address changes to that of another account, and somebody else gets hers.
	at.Is(oidctest.Person{Subject: "ada-1", Email: "bob@northwind.example", Verified: true})
	b := w.browser()
	b.get("/signin/oidc")
	require.Equal(t, ownerEmail, b.whose(), "it is her own account still")
	require.Contains(t, b.get("/settings/signin").text, "as bob@northwind.example")

	at.Is(oidctest.Person{Subject: "heir", Email: ownerEmail, Verified: true})
	heir := w.browser()
	refused := heir.get("/signin/oidc")
	require.Equal(t, http.StatusForbidden, refused.status)
	require.Contains(t, refused.text, "cannot be connected to the account that has your address")
	require.Empty(t, heir.whose())
}

func TestAnAccountThatSomebodyElseMadeWithOnesAddressIsTakenFromThem(t *testing.T) {
	t.Parallel()
	at := oidctest.New(t)
	w := newWorld(t, worldOptions{provider: at})
	owner := w.account(ownerEmail, account.PlanUltra, false)
	require.NoError(t, w.store.SetVerified(t.Context(), owner.ID, false))
	thief := w.signedIn(ownerEmail)
	_, _, err := w.keys.Create(t.Context(), owner, "Thief's")
	require.NoError(t, err)
	at.Is(ada())
	b := w.browser()
	in := b.get("/signin/oidc")
	require.Equal(t, account.ReviewPath, in.path)
	require.Contains(t, in.text, "Thief&#39;s")
	require.Equal(t, ownerEmail, b.whose())
	require.Empty(t, thief.whose())
	require.Equal(t, http.StatusForbidden, w.browser().post("/signin", url.Values{"email": {ownerEmail}, "password": {password}}).status)
}

func TestAnAddressThatOnlyResemblesAnothersIsNotTheirs(t *testing.T) {
	t.Parallel()
	at := oidctest.New(t)
	w := newWorld(t, worldOptions{provider: at, create: true, domains: []string{"BANK.test", "Bücher.example"}})
	w.account("victim@bank.test", account.PlanUltra, true)
	for i, email := range []string{"v\u0130ctim@bank.test", "vi\u0307ctim@bank.test", "\uff56ictim@bank.test", "victim@ban\u212a.test", "victim@\uff42ank.test"} {
		at.Is(oidctest.Person{Subject: strconv.Itoa(i), Email: email, Verified: true})
		b := w.browser()
		b.get("/signin/oidc")
		require.NotEqual(t, "victim@bank.test", b.whose(), "%q", email)
	}
	for i, email := range []string{"ada@bücher.example", "Ada@xn--bcher-kva.example"} {
		at.Is(oidctest.Person{Subject: "ada" + strconv.Itoa(i), Email: email, Verified: true})
		b := w.browser()
		b.get("/signin/oidc")
		if i == 0 {
			require.Equal(t, "ada@xn--bcher-kva.example", b.whose(), "one domain, however it is written")
		}
	}
	accounts, err := w.accounts.List(t.Context())
	require.NoError(t, err)
	require.Len(t, accounts, 3, "the address with the combining dot is another person's")
}

func TestWhoGetsAnAccountFromTheProvider(t *testing.T) {
	t.Parallel()
	person := oidctest.Person{Subject: "new", Email: "new@northwind.example", Verified: true}
	for name, c := range map[string]struct {
		o    worldOptions
		made bool
	}{
		"nobody, unless the operator says so":                   {worldOptions{mode: account.SignUpOpen}, false},
		"nobody if sign-up is closed":                           {worldOptions{create: true}, false},
		"nobody without an invitation if one is needed":         {worldOptions{create: true, mode: account.SignUpInvite}, false},
		"everybody if sign-up is open":                          {worldOptions{create: true, mode: account.SignUpOpen}, true},
		"people of the organisation, even if sign-up is closed": {worldOptions{create: true, domains: []string{"Northwind.example"}}, true},
		"no strangers if organisations are configured":          {worldOptions{create: true, mode: account.SignUpOpen, domains: []string{"example", "orthwind.example"}}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			at := oidctest.New(t)
			c.o.provider = at
			w := newWorld(t, c.o)
			w.account(ownerEmail, account.PlanUltra, true)
			at.Is(person)
			b := w.browser()
			answer := b.get("/signin/oidc")
			if c.made {
				require.Equal(t, "new@northwind.example", b.whose(), answer.text)
				return
			}
			require.Equal(t, http.StatusForbidden, answer.status)
			require.Empty(t, b.whose())
			_, err := w.accounts.Show(t.Context(), person.Email)
			require.Equal(t, boardwatch.CodeNotFound, boardwatch.CodeOf(err))
		})
	}
	t.Run("not even those who have an account, with an address of elsewhere", func(t *testing.T) {
		t.Parallel()
		at := oidctest.New(t)
		w := newWorld(t, worldOptions{provider: at, domains: []string{"contoso.example"}})
		w.account(ownerEmail, account.PlanUltra, false)
		at.Is(ada())
		b := w.browser()
		require.Contains(t, b.get("/signin/oidc").text, "which does not belong to an organisation that may sign in here")
		require.Empty(t, b.whose())
	})
}

func TestAnInvitationIsAcceptedAtTheProvider(t *testing.T) {
	t.Parallel()
	at := oidctest.New(t)
	w := newWorld(t, worldOptions{provider: at, mode: account.SignUpInvite, noPasswords: true})
	host := w.account(ownerEmail, account.PlanUltra, true)
	invitation, err := w.identities.Invite(t.Context(), host, "guest@contoso.example", account.PlanPro)
	require.NoError(t, err)
	link, err := url.Parse(invitation.URL)
	require.NoError(t, err)
	b := w.browser()
	page := b.get(link.RequestURI())
	require.NotContains(t, page.text, `type="password"`)
	accept := regexp.MustCompile(`href="(/signin/oidc\?invitation=[^"]+)"`).FindStringSubmatch(page.text)
	require.NotNil(t, accept, page.text)

	at.Is(oidctest.Person{Subject: "eve", Email: "eve@contoso.example", Verified: true})
	require.Contains(t, b.get(accept[1]).text, "the invitation is for another address")
	require.Empty(t, b.whose())
	at.Is(oidctest.Person{Subject: "guest", Email: "guest@contoso.example", Verified: true})
	b.get(accept[1])
	require.Equal(t, "guest@contoso.example", b.whose())
	made, err := w.accounts.Show(t.Context(), "guest@contoso.example")
	require.NoError(t, err)
	require.Equal(t, account.PlanPro, made.Plan)
	require.Empty(t, made.PasswordHash)
	at.Is(oidctest.Person{Subject: "late", Email: "late@contoso.example", Verified: true})
	require.Contains(t, w.browser().get(accept[1]).text, "the invitation has been used")
}

func TestASignInAtTheProviderBelongsToOneBrowserAndIsUsedOnce(t *testing.T) {
	t.Parallel()
	at := oidctest.New(t)
	w := newWorld(t, worldOptions{provider: at})
	w.account(ownerEmail, account.PlanUltra, false)
	at.Is(ada())
	const refusal = "was begun in another browser, took too long, or was used before"

	thief, victim := w.browser(), w.browser()
	back := thief.goes("/signin/oidc")
	page := victim.get(back.RequestURI())
	require.Equal(t, http.StatusForbidden, page.status)
	require.Contains(t, page.text, refusal)
	require.Empty(t, victim.whose(), "nobody is signed in by a link of somebody else")
	require.Equal(t, "/boards", thief.get(back.RequestURI()).path, "the other browser has not used it up")
	require.Equal(t, ownerEmail, thief.whose())

	b := w.browser()
	back = b.goes("/signin/oidc")
	require.Equal(t, "/boards", b.get(back.RequestURI()).path)
	b.post("/signout", nil)
	require.Contains(t, b.get(back.RequestURI()).text, refusal, "an answer that is sent again")
	require.Empty(t, b.whose())

	back = b.goes("/signin/oidc")
	w.pass(10 * time.Minute)
	require.Contains(t, b.get(back.RequestURI()).text, refusal, "an answer that comes too late")
	for _, odd := range []string{"", "?state=", "?state=x&code=y", "?code=y", "?error=access_denied"} {
		require.Equal(t, http.StatusForbidden, b.get("/signin/oidc/callback"+odd).status)
	}
	require.Empty(t, b.whose())

	// Two windows of one browser do not interfere.
	first, second := b.goes("/signin/oidc"), b.goes("/signin/oidc")
	require.Equal(t, "/boards", b.get(first.RequestURI()).path)
	b.post("/signout", nil)
	require.Equal(t, http.StatusForbidden, b.get(second.RequestURI()).status, "the cookie went with the sign-in")
}

func TestAProcessFinishesWhatAnotherBegan(t *testing.T) {
	t.Parallel()
	at := oidctest.New(t)
	w := newWorld(t, worldOptions{provider: at})
	w.account(ownerEmail, account.PlanUltra, false)
	at.Is(ada())
	b := w.browser()
	back := b.goes("/signin/oidc")
	w.serve(worldOptions{provider: at})
	require.Equal(t, "/boards", b.get(back.RequestURI()).path)
	require.Equal(t, ownerEmail, b.whose())
}

func TestAProviderThatLiesLetsNobodyIn(t *testing.T) {
	t.Parallel()
	at := oidctest.New(t)
	w := newWorld(t, worldOptions{provider: at})
	w.account(ownerEmail, account.PlanUltra, false)
	at.Is(ada())
	for name, lies := range map[string]oidctest.Lies{
		"nonce": {Nonce: "another"}, "issuer": {Issuer: "https://evil.example"}, "audience": {Audience: []string{"somebody"}},
		"expired": {Lifetime: -time.Minute}, "key": {Key: true}, "algorithm": {Algorithm: "none"}, "iss": {Iss: "https://evil.example"},
		"error": {Error: "server_error"}, "odd error": {Error: "<script>"}, "denied": {Error: "access_denied"},
	} {
		at.Lie(lies)
		b := w.browser()
		page := b.get("/signin/oidc")
		require.Equal(t, http.StatusForbidden, page.status, name)
		require.Empty(t, b.whose(), name)
		require.NotContains(t, page.text, "<script>")
	}
	require.NotContains(t, w.log.String(), "<script>")
}

func TestPasswordsWorkWhileTheProviderDoesNotAnswer(t *testing.T) {
	t.Parallel()
	at := oidctest.New(t)
	w := newWorld(t, worldOptions{provider: at})
	w.account(ownerEmail, account.PlanUltra, false)
	at.Is(ada())
	b := w.browser()
	at.Fail(true)
	page := b.get("/signin/oidc?next=/roles")
	require.Equal(t, http.StatusServiceUnavailable, page.status)
	require.Contains(t, page.text, "Northwind ID does not answer at the moment")
	require.Contains(t, page.text, `value="/roles"`)
	require.Equal(t, "/boards", b.post("/signin", url.Values{"email": {ownerEmail}, "password": {password}}).path)
	b.post("/signout", nil)
	at.Fail(false)
	w.pass(6 * time.Second)
	back := b.goes("/signin/oidc")
	at.Lie(oidctest.Lies{TokenStatus: http.StatusBadGateway})
	require.Equal(t, http.StatusServiceUnavailable, b.get(back.RequestURI()).status)
	log := w.log.String()
	require.Contains(t, log, "nobody could sign in with the provider")
	for _, secret := range []string{oidctest.ClientSecret, back.Query().Get("code"), back.Query().Get("state")} {
		require.NotContains(t, log, secret)
	}
}

func TestAnAccountIsConnectedByItsOwnerAlone(t *testing.T) {
	t.Parallel()
	at := oidctest.New(t)
	w := newWorld(t, worldOptions{provider: at})
	w.account(ownerEmail, account.PlanUltra, false)
	w.account("bob@northwind.example", account.PlanUltra, false)
	b, bob := w.signedIn(ownerEmail), w.signedIn("bob@northwind.example")
	at.Is(oidctest.Person{Subject: "ada-1", Email: "ada@elsewhere.example", Verified: false})

	connect := func(b *browser, word string) page {
		return b.post("/settings/signin/connect", url.Values{"password": {word}})
	}
	require.Equal(t, http.StatusBadRequest, connect(b, "wrong").status)
	led := connect(b, password)
	require.Equal(t, http.StatusOK, led.status, led.text)
	address := regexp.MustCompile(`href="(` + regexp.QuoteMeta(at.URL) + `[^"]+)"`).FindStringSubmatch(led.text)
	require.NotNil(t, address, led.text)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, html.UnescapeString(address[1]), nil)
	require.NoError(t, err)
	done := b.do(r)
	require.Equal(t, "/settings/signin", done.path, done.text)
	require.Contains(t, done.text, "as ada@elsewhere.example")
	require.Equal(t, []string{"There is a new way to sign in to your account"}, w.mails.subjects(ownerEmail))

	// Nobody else can get her login, or finish a sign-in that somebody else began.
	led = connect(bob, password)
	address = regexp.MustCompile(`href="(` + regexp.QuoteMeta(at.URL) + `[^"]+)"`).FindStringSubmatch(led.text)
	r, err = http.NewRequestWithContext(t.Context(), http.MethodGet, html.UnescapeString(address[1]), nil)
	require.NoError(t, err)
	taken := bob.do(r)
	require.Equal(t, http.StatusBadRequest, taken.status)
	require.Contains(t, taken.text, "already connected to an account")
	out := bob.post("/settings/signin/disconnect", url.Values{"password": {password}, "subject": {"ada-1"}})
	require.Equal(t, http.StatusNotFound, out.status)

	other := w.browser()
	other.get("/signin/oidc")
	require.Equal(t, ownerEmail, other.whose())
	require.Equal(t, http.StatusBadRequest, b.post("/settings/signin/disconnect", url.Values{"password": {"wrong"}, "subject": {"ada-1"}}).status)
	out = b.post("/settings/signin/disconnect", url.Values{"password": {password}, "subject": {"ada-1"}})
	require.Equal(t, http.StatusOK, out.status, out.text)
	require.Equal(t, http.StatusForbidden, w.browser().get("/signin/oidc").status)
}

func TestAnAccountWithoutAPasswordShowsAFreshSignIn(t *testing.T) {
	t.Parallel()
	at := oidctest.New(t)
	w := newWorld(t, worldOptions{provider: at, create: true, domains: []string{"northwind.example"}, noPasswords: true})
	w.account("op@northwind.example", account.PlanUltra, true)
	at.Is(ada())
	b := w.browser()
	b.get("/signin/oidc")
	require.Contains(t, b.get("/settings/account").text, "Sign in again", "nobody knows how long she has been signed in there")
	person := ada()
	person.AuthTime = w.clock()
	at.Is(person)
	b.post("/signout", nil)
	b.get("/signin/oidc")
	page := b.get("/settings/account")
	require.NotContains(t, page.text, `type="password"`)
	require.NotContains(t, page.text, "Sign in again")

	only := b.post("/settings/signin/disconnect", url.Values{"subject": {"ada-1"}})
	require.Equal(t, http.StatusBadRequest, only.status)
	require.Contains(t, only.text, "only way in")

	w.pass(10 * time.Minute)
	require.Contains(t, b.get("/settings/account").text, `href="/signin/again?next=%2fsettings%2faccount"`)
	for path, form := range map[string]url.Values{
		"/settings/account/email":     {"email": {"new@northwind.example"}},
		"/settings/account/delete":    {},
		"/settings/account/password":  {"new": {password}},
		"/settings/signin/connect":    {},
		"/settings/signin/disconnect": {"subject": {"ada-1"}},
	} {
		refused := b.post(path, form)
		require.Equal(t, http.StatusForbidden, refused.status, path)
		require.Contains(t, refused.text, "Your sign-in is older than ten minutes", path)
	}

	again := regexp.MustCompile(`href="(/signin/oidc\?again=[^"]+)"`).FindStringSubmatch(b.get("/signin/again?next=/settings/account").text)
	require.NotNil(t, again)
	path := html.UnescapeString(again[1])
	at.Is(oidctest.Person{Subject: "eve", Email: "eve@northwind.example", Verified: true, AuthTime: w.clock()})
	require.Contains(t, b.get(path).text, "knows you as somebody else")
	for _, said := range []time.Time{{}, w.clock().Add(-time.Hour), w.clock().Add(time.Hour)} {
		person.AuthTime = said
		at.Is(person)
		refused := b.get(path)
		require.Equal(t, http.StatusForbidden, refused.status)
		require.Contains(t, refused.text, "Northwind ID does not say that you signed in again just now")
		require.Contains(t, b.get("/settings/account").text, "Sign in again", "the provider did not have her sign in")
	}
	require.Equal(t, "login", at.Asked().Get("prompt"))
	person.AuthTime = w.clock()
	at.Is(person)
	require.NotContains(t, b.get(path).text, "Sign in again")
	require.Equal(t, "/signin", b.post("/settings/account/delete", nil).path)
	_, err := w.accounts.Show(t.Context(), ownerEmail)
	require.Equal(t, boardwatch.CodeNotFound, boardwatch.CodeOf(err))
}

func TestWithoutPasswordsTheOperatorAloneHasOne(t *testing.T) {
	t.Parallel()
	at := oidctest.New(t)
	w := newWorld(t, worldOptions{provider: at, mode: account.SignUpOpen, noPasswords: true})
	link, err := w.identities.SetupLink(t.Context())
	require.NoError(t, err)
	to, err := url.Parse(link)
	require.NoError(t, err)
	b := w.browser()
	require.Equal(t, "/boards", b.post("/setup", url.Values{"token": {to.Query().Get("token")}, "email": {"op@northwind.example"}, "password": {password}}).path)
	owner := w.account(ownerEmail, account.PlanUltra, false)

	try := func(email string) page {
		return w.browser().post("/signin", url.Values{"email": {email}, "password": {password}})
	}
	require.Equal(t, "/boards", try("op@northwind.example").path)
	require.Equal(t, http.StatusForbidden, try(ownerEmail).status)
	require.Equal(t, strings.ReplaceAll(try(ownerEmail).text, ownerEmail, ""), strings.ReplaceAll(try("nobody@northwind.example").text, "nobody@northwind.example", ""))
	require.Contains(t, w.browser().get("/signup").text, "People do not sign up with a password here")
	require.NotEqual(t, http.StatusOK, w.browser().post("/signup", url.Values{"email": {"x@northwind.example"}, "password": {password}}).status)
	for _, email := range []string{ownerEmail, "op@northwind.example"} {
		require.Equal(t, http.StatusOK, w.browser().post("/reset", url.Values{"email": {email}}).status)
	}
	require.Empty(t, w.mails.subjects(ownerEmail))
	require.Equal(t, []string{"Set a new password"}, w.mails.subjects("op@northwind.example"))
	old, token := account.NewLink(account.LinkReset, w.clock())
	old.AccountID, old.Email = owner.ID, owner.Email
	require.NoError(t, w.store.CreateLink(t.Context(), old))
	require.Equal(t, http.StatusNotFound, w.browser().post("/reset/confirm", url.Values{"token": {token}, "password": {password}}).status)
}

func TestBeginningSignInsIsLimited(t *testing.T) {
	t.Parallel()
	at := oidctest.New(t)
	w := newWorld(t, worldOptions{provider: at})
	w.account(ownerEmail, account.PlanUltra, false)
	b := w.browser()
	for i := range 30 {
		require.Equal(t, http.StatusFound, b.stopped("/signin/oidc").StatusCode, strconv.Itoa(i))
	}
	require.Equal(t, http.StatusTooManyRequests, b.stopped("/signin/oidc").StatusCode)
}

func TestOperatorsSeeHowPeopleSignIn(t *testing.T) {
	t.Parallel()
	at := oidctest.New(t)
	w := newWorld(t, worldOptions{provider: at})
	w.account(ownerEmail, account.PlanUltra, true)
	w.account("bob@northwind.example", account.PlanFree, false)
	at.Is(ada())
	b := w.browser()
	b.get("/signin/oidc")
	require.Contains(t, b.get("/admin").text, "<dt>Sign-in</dt><dd>2 with a password, 1 with Northwind ID</dd>")
}
