package account_test

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/crypto/argon2"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/storage"
)

// weakHash is a password's hash with outdated parameters.
func weakHash(password string) string {
	salt := []byte("0123456789abcdef")
	key := argon2.IDKey([]byte(password), salt, 1, 64, 1, 32)
	b64 := base64.RawStdEncoding
	return fmt.Sprintf("$argon2id$v=%d$m=64,t=1,p=1$%s$%s", argon2.Version, b64.EncodeToString(salt), b64.EncodeToString(key))
}

// live returns the account's valid sign-ins.
func (w *town) live(a account.Account) int {
	w.t.Helper()
	list, err := w.sessions.List(w.t.Context(), a)
	require.NoError(w.t, err)
	return len(list)
}

func (w *town) signIn(a account.Account, secret string) account.Entered {
	w.t.Helper()
	in, err := w.SignIn(w.t.Context(), a.Email, secret, visitor("192.0.2.1"))
	require.NoError(w.t, err)
	return in
}

func TestReset(t *testing.T) {
	t.Parallel()

	t.Run("sets a new password, ends every sign-in and lets the person in", func(t *testing.T) {
		t.Parallel()
		w := people(t, account.SignUpOpen)
		a := w.person("ann@northwind.example")
		old := w.signIn(a, password)
		require.NoError(t, w.SendReset(t.Context(), "ANN@northwind.example", visitor("192.0.2.1")))
		token := w.token(w.letter(), account.ResetPath)
		email, err := w.CheckReset(t.Context(), token)
		require.NoError(t, err)
		require.Equal(t, a.Email, email)
		_, err = w.Reset(t.Context(), token, "short", visitor("192.0.2.1"))
		require.Equal(t, []string{"password"}, fields(t, err))
		in, err := w.Reset(t.Context(), token, another, visitor("192.0.2.1"))
		require.NoError(t, err)
		require.Equal(t, "Your password was changed", w.letter().Subject)
		_, _, err = w.sessions.Find(t.Context(), old.Token)
		hasCode(t, boardwatch.CodeUnauthorized, err)
		_, _, err = w.sessions.Find(t.Context(), in.Token)
		require.NoError(t, err)
		_, err = w.SignIn(t.Context(), a.Email, password, visitor("192.0.2.1"))
		hasCode(t, boardwatch.CodeUnauthorized, err)
		_, err = w.Reset(t.Context(), token, password, visitor("192.0.2.1"))
		hasCode(t, boardwatch.CodeNotFound, err)
	})

	t.Run("answers the same for an address without an account, and sends nothing", func(t *testing.T) {
		t.Parallel()
		w := people(t, account.SignUpOpen)
		require.NoError(t, w.SendReset(t.Context(), "nobody@northwind.example", visitor("192.0.2.1")))
		w.noLetter()
		require.Equal(t, []string{"email"}, fields(t, w.SendReset(t.Context(), "nobody", visitor("192.0.2.1"))))
	})

	t.Run("is possible for an hour, and sent a few times", func(t *testing.T) {
		t.Parallel()
		w := people(t, account.SignUpOpen)
		a := w.person("ann@northwind.example")
		for i := range 5 {
			require.NoError(t, w.SendReset(t.Context(), a.Email, visitor("192.0.2."+string(rune('1'+i)))))
		}
		require.Len(t, w.sent, 3)
		token := w.token(w.sent[0], account.ResetPath)
		w.pass(time.Hour)
		_, err := w.CheckReset(t.Context(), token)
		hasCode(t, boardwatch.CodeNotFound, err)
		_, err = w.Reset(t.Context(), token, another, visitor("192.0.2.1"))
		hasCode(t, boardwatch.CodeNotFound, err)
	})

	t.Run("a link for one purpose is not valid for another", func(t *testing.T) {
		t.Parallel()
		w := people(t, account.SignUpOpen)
		a := w.person("ann@northwind.example")
		require.NoError(t, w.SendReset(t.Context(), a.Email, visitor("192.0.2.1")))
		token := w.token(w.letter(), account.ResetPath)
		_, _, err := w.Verify(t.Context(), token, password, visitor("192.0.2.1"))
		hasCode(t, boardwatch.CodeNotFound, err)
		hasCode(t, boardwatch.CodeNotFound, w.CheckSetup(t.Context(), token))
		_, err = w.CheckInvitation(t.Context(), token)
		hasCode(t, boardwatch.CodeNotFound, err)
		_, err = w.CheckReset(t.Context(), token)
		require.NoError(t, err)
	})
}

func TestChangePassword(t *testing.T) {
	t.Parallel()
	w := people(t, account.SignUpOpen)
	a := w.person("ann@northwind.example")
	first, second := w.signIn(a, password), w.signIn(a, password)
	_, err := w.ChangePassword(t.Context(), a, account.Proof{Password: "wrong password"}, another, visitor("192.0.2.1"))
	require.Equal(t, []string{"password"}, fields(t, err))
	_, err = w.ChangePassword(t.Context(), a, account.Proof{Password: password}, "short", visitor("192.0.2.1"))
	require.Equal(t, []string{"new"}, fields(t, err))
	require.Equal(t, 2, w.live(a))
	in, err := w.ChangePassword(t.Context(), a, account.Proof{Password: password}, another, visitor("192.0.2.1"))
	require.NoError(t, err)
	require.Equal(t, a.Email, w.letter().To)
	for _, old := range []account.Entered{first, second} {
		_, _, err = w.sessions.Find(t.Context(), old.Token)
		hasCode(t, boardwatch.CodeUnauthorized, err)
	}
	_, _, err = w.sessions.Find(t.Context(), in.Token)
	require.NoError(t, err)
	require.NotEqual(t, first.Token, in.Token)
	w.signIn(a, another)
}

func TestChangeEmail(t *testing.T) {
	t.Parallel()

	t.Run("the old address holds until the link at the new one is used", func(t *testing.T) {
		t.Parallel()
		w := people(t, account.SignUpOpen)
		a := w.person("ann@northwind.example")
		require.NoError(t, w.SendReset(t.Context(), a.Email, visitor("192.0.2.1")))
		stale := w.token(w.letter(), account.ResetPath)
		require.Equal(t, []string{"email"}, fields(t, w.ChangeEmail(t.Context(), a, account.Proof{Password: password}, "ann", visitor("192.0.2.1"))))
		err := w.ChangeEmail(t.Context(), a, account.Proof{Password: "wrong password"}, "moved@northwind.example", visitor("192.0.2.1"))
		require.Equal(t, []string{"password"}, fields(t, err))
		require.NoError(t, w.ChangeEmail(t.Context(), a, account.Proof{Password: password}, "ANN@northwind.example", visitor("192.0.2.1")))
		w.noLetter()

		require.NoError(t, w.ChangeEmail(t.Context(), a, account.Proof{Password: password}, "Moved@northwind.example", visitor("192.0.2.1")))
		letter := w.letter()
		require.Equal(t, "moved@northwind.example", letter.To)
		require.Contains(t, letter.Text, a.Email, "whose account it is")
		found, err := w.Account(t.Context(), a.ID)
		require.NoError(t, err)
		require.Equal(t, a.Email, found.Email, "nothing has changed")
		require.True(t, found.Verified)
		w.signIn(a, password)

		token := w.token(letter, account.VerifyPath)
		email, signUp, err := w.CheckVerification(t.Context(), token)
		require.NoError(t, err)
		require.Equal(t, "moved@northwind.example", email)
		require.False(t, signUp)
		moved, made, err := w.Verify(t.Context(), token, "", visitor("192.0.2.1"))
		require.NoError(t, err)
		require.False(t, made)
		require.True(t, moved.Verified)
		require.Equal(t, "moved@northwind.example", moved.Email)
		told := w.letter()
		require.Equal(t, a.Email, told.To, "the old address is told")
		require.Contains(t, told.Text, moved.Email)
		_, err = w.CheckReset(t.Context(), stale)
		hasCode(t, boardwatch.CodeNotFound, err)
		_, _, err = w.Verify(t.Context(), token, "", visitor("192.0.2.1"))
		hasCode(t, boardwatch.CodeNotFound, err)
		w.signIn(moved, password)
	})

	t.Run("does not tell whether the address has an account, whose owner is told", func(t *testing.T) {
		t.Parallel()
		w := people(t, account.SignUpOpen)
		a, bob := w.person("ann@northwind.example"), w.person("bob@northwind.example")
		require.NoError(t, w.ChangeEmail(t.Context(), a, account.Proof{Password: password}, bob.Email, visitor("192.0.2.1")))
		m := w.letter()
		require.Equal(t, bob.Email, m.To)
		require.Empty(t, m.Link, "no link that would change anything")
		found, err := w.Account(t.Context(), a.ID)
		require.NoError(t, err)
		require.Equal(t, a.Email, found.Email)
	})

	t.Run("does not fill a stranger's letter box", func(t *testing.T) {
		t.Parallel()
		w := people(t, account.SignUpOpen)
		a := w.person("ann@northwind.example")
		for i := range 9 {
			require.NoError(t, w.ChangeEmail(t.Context(), a, account.Proof{Password: password}, "new@northwind.example", visitor("192.0.2."+string(rune('1'+i)))))
		}
		require.Len(t, w.sent, 3)
	})

	t.Run("sends few letters for one network", func(t *testing.T) {
		t.Parallel()
		w := people(t, account.SignUpOpen)
		a := w.person("ann@northwind.example")
		for i := range 10 {
			require.NoError(t, w.ChangeEmail(t.Context(), a, account.Proof{Password: password}, fmt.Sprintf("new%d@northwind.example", i), visitor("192.0.2.1")))
		}
		hasCode(t, boardwatch.CodeRateLimited, w.ChangeEmail(t.Context(), a, account.Proof{Password: password}, "one@northwind.example", visitor("192.0.2.1")))
		require.Len(t, w.sent, 10)
	})

	t.Run("a new password ends what was asked for under the old one", func(t *testing.T) {
		t.Parallel()
		w := people(t, account.SignUpOpen)
		a := w.person("ann@northwind.example")
		require.NoError(t, w.ChangeEmail(t.Context(), a, account.Proof{Password: password}, "thief@evil.example", visitor("192.0.2.9")))
		token := w.token(w.letter(), account.VerifyPath)
		_, err := w.ChangePassword(t.Context(), a, account.Proof{Password: password}, another, visitor("192.0.2.1"))
		require.NoError(t, err)
		_, _, err = w.Verify(t.Context(), token, "", visitor("192.0.2.1"))
		hasCode(t, boardwatch.CodeNotFound, err)
	})
}

// A stranger may have created an account with somebody's address before the owner of the address sets a password.
func TestAResetEndsWhatAStrangerHolds(t *testing.T) {
	t.Parallel()
	w := people(t, account.SignUpInvite)
	root := w.operator()
	invited, err := w.Invite(t.Context(), root, "", "")
	require.NoError(t, err)
	eve, err := w.Accept(t.Context(), w.tokenOf(invited.URL, account.SignUpPath), "victim@northwind.example", password, visitor("192.0.2.9"))
	require.NoError(t, err)
	require.False(t, eve.Account.Verified)
	w.letter()
	grants := account.NewGrants(w.Store, account.GrantOptions{Resource: base + "/mcp", Now: w.clock})
	preferences := account.NewPreferenceManager(w.Store, account.Options{Now: w.clock})
	keys := account.NewKeys(w.Store, account.Options{Now: w.clock})
	access := connect(t, grants, eve.Account)
	feed, err := preferences.FeedToken(t.Context(), eve.Account)
	require.NoError(t, err)
	_, _, err = keys.Create(t.Context(), eve.Account, "CI")
	require.NoError(t, err)

	require.NoError(t, w.SendReset(t.Context(), eve.Account.Email, visitor("192.0.2.1")))
	in, err := w.Reset(t.Context(), w.token(w.letter(), account.ResetPath), another, visitor("192.0.2.1"))
	require.NoError(t, err)
	require.True(t, in.Account.Verified)
	require.Contains(t, w.letter().Text, base+account.ReviewPath)
	_, _, err = w.sessions.Find(t.Context(), eve.Token)
	hasCode(t, boardwatch.CodeUnauthorized, err)
	_, err = grants.ByToken(t.Context(), access)
	hasCode(t, boardwatch.CodeUnauthorized, err)
	_, err = preferences.ByFeed(t.Context(), feed)
	hasCode(t, boardwatch.CodeNotFound, err)
	left, err := keys.List(t.Context(), in.Account)
	require.NoError(t, err)
	require.Len(t, left, 1, "for the person to keep or delete")
	again, err := preferences.FeedToken(t.Context(), in.Account)
	require.NoError(t, err)
	require.NotEqual(t, feed, again)
}

// slowStore lets something happen just before a session is saved.
type slowStore struct {
	*storage.Store

	before func()
}

func (s slowStore) CreateSession(ctx context.Context, n account.Session, limit int) error {
	s.before()
	return s.Store.CreateSession(ctx, n, limit)
}

// A stranger whose password was right a moment ago does not get in after the owner has set another.
func TestASignInDoesNotOutliveItsPassword(t *testing.T) {
	t.Parallel()
	for name, replace := range map[string]func(w *town, a account.Account) error{
		"a new password": func(w *town, a account.Account) error {
			return w.SetPassword(w.t.Context(), a.ID, weakHash(another))
		},
		"the account is gone": func(w *town, a account.Account) error { return w.DeleteAccount(w.t.Context(), a.ID) },
		"the same, but anew": func(w *town, a account.Account) error {
			return w.SetPassword(w.t.Context(), a.ID, weakHash(password))
		},
		"nothing has happened": func(*town, account.Account) error { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := people(t, account.SignUpOpen)
			a := w.person("ann@northwind.example")
			store := slowStore{w.Store, func() { require.NoError(t, replace(w, a)) }}
			thief := account.NewIdentities(store, account.NewQuickHasher(), w, account.IdentityOptions{BaseURL: base, Now: w.clock})
			_, err := thief.SignIn(t.Context(), a.Email, password, visitor("203.0.113.9"))
			if name == "the same, but anew" || name == "nothing has happened" {
				require.NoError(t, err)
				require.Equal(t, 1, w.live(a))
				return
			}
			require.Error(t, err)
			require.Zero(t, w.live(a))
		})
	}
}

// connect lets an app use the account, and returns its access token.
func connect(t *testing.T, grants *account.Grants, a account.Account) string {
	t.Helper()
	const verifier = "a verifier that is as long as it has to be, or longer"
	sum := sha256.Sum256([]byte(verifier))
	ask := account.Ask{
		AccountID: a.ID, Client: account.Client{ID: boardwatch.NewID()}, RedirectURI: "https://app.example/cb", Resource: base + "/mcp",
		Challenge: base64.RawURLEncoding.EncodeToString(sum[:]), Scopes: []account.Scope{account.ScopeBoardsRead},
	}
	code, err := grants.Allow(t.Context(), ask, "app.example", ask.Scopes)
	require.NoError(t, err)
	issued, err := grants.Redeem(t.Context(), account.Redemption{
		ClientID: ask.Client.ID, Code: code, RedirectURI: ask.RedirectURI, Verifier: verifier,
	})
	require.NoError(t, err)
	_, err = grants.ByToken(t.Context(), issued.Access)
	require.NoError(t, err)
	return issued.Access
}

func TestSendVerification(t *testing.T) {
	t.Parallel()
	w := people(t, account.SignUpInvite)
	root := w.operator()
	invited, err := w.Invite(t.Context(), root, "", "")
	require.NoError(t, err)
	in, err := w.Accept(t.Context(), w.tokenOf(invited.URL, account.SignUpPath), "ann@northwind.example", password, visitor("192.0.2.1"))
	require.NoError(t, err)
	var last error
	for i := 0; last == nil && i < 10; i++ {
		last = w.SendVerification(t.Context(), in.Account)
	}
	hasCode(t, boardwatch.CodeRateLimited, last)
	require.LessOrEqual(t, len(w.sent), 4)
	for _, m := range w.sent[1:] { // the older links are valid too
		_, _, err := w.CheckVerification(t.Context(), w.token(m, account.VerifyPath))
		require.NoError(t, err)
	}
	_, _, err = w.Verify(t.Context(), w.token(w.sent[0], account.VerifyPath), password, visitor("192.0.2.1"))
	require.NoError(t, err)
	_, _, err = w.Verify(t.Context(), w.token(w.sent[1], account.VerifyPath), password, visitor("192.0.2.1"))
	hasCode(t, boardwatch.CodeNotFound, err)
}

func TestDeleteOneself(t *testing.T) {
	t.Parallel()
	w := people(t, account.SignUpOpen)
	a := w.person("ann@northwind.example")
	in := w.signIn(a, password)
	require.Equal(t, []string{"password"}, fields(t, w.Delete(t.Context(), a, account.Proof{Password: "wrong password"}, visitor("192.0.2.1"))))
	require.NoError(t, w.Delete(t.Context(), a, account.Proof{Password: password}, visitor("192.0.2.1")))
	require.Equal(t, "Your account was removed", w.letter().Subject)
	_, _, err := w.sessions.Find(t.Context(), in.Token)
	hasCode(t, boardwatch.CodeUnauthorized, err)
	_, err = w.SignIn(t.Context(), a.Email, password, visitor("192.0.2.1"))
	hasCode(t, boardwatch.CodeUnauthorized, err)
	w.person("ann@northwind.example")
}

func TestTheLastOperatorStays(t *testing.T) {
	t.Parallel()
	w := people(t, account.SignUpInvite)
	root := w.operator()
	err := w.Delete(t.Context(), root, account.Proof{Password: password}, visitor("192.0.2.1"))
	require.Equal(t, []string{"account"}, fields(t, err))
	require.ErrorContains(t, err, "account create --admin")
	second := account.Account{ID: boardwatch.NewID(), Email: "second@northwind.example", Plan: account.PlanPro, Admin: true}
	require.NoError(t, w.CreateAccount(t.Context(), second))
	require.NoError(t, w.Delete(t.Context(), root, account.Proof{Password: password}, visitor("192.0.2.1")))
}

func TestSessions(t *testing.T) {
	t.Parallel()

	t.Run("hold for two weeks without a visit, and for ninety days in all", func(t *testing.T) {
		t.Parallel()
		w := people(t, account.SignUpOpen)
		a := w.person("ann@northwind.example")
		idle, busy := w.signIn(a, password), w.signIn(a, password)
		for day := 1; day < 90; day++ {
			w.pass(24 * time.Hour)
			_, _, err := w.sessions.Find(t.Context(), busy.Token)
			require.NoError(t, err, day)
		}
		_, _, err := w.sessions.Find(t.Context(), idle.Token)
		hasCode(t, boardwatch.CodeUnauthorized, err)
		require.Equal(t, 1, w.live(a))
		w.pass(24 * time.Hour)
		_, _, err = w.sessions.Find(t.Context(), busy.Token)
		hasCode(t, boardwatch.CodeUnauthorized, err)
		require.Zero(t, w.live(a))
	})

	t.Run("are ended one by one", func(t *testing.T) {
		t.Parallel()
		w := people(t, account.SignUpOpen)
		a, bob := w.person("ann@northwind.example"), w.person("bob@northwind.example")
		first, second, foreign := w.signIn(a, password), w.signIn(a, password), w.signIn(bob, password)
		hasCode(t, boardwatch.CodeNotFound, w.sessions.End(t.Context(), a, foreign.Session.ID))
		hasCode(t, boardwatch.CodeNotFound, w.sessions.End(t.Context(), a, "x"))
		require.NoError(t, w.sessions.End(t.Context(), a, first.Session.ID))
		_, _, err := w.sessions.Find(t.Context(), first.Token)
		hasCode(t, boardwatch.CodeUnauthorized, err)
		_, _, err = w.sessions.Find(t.Context(), second.Token)
		require.NoError(t, err)
		require.Equal(t, 1, w.live(a))
		require.Equal(t, 1, w.live(bob))
	})

	t.Run("are not guessed", func(t *testing.T) {
		t.Parallel()
		w := people(t, account.SignUpOpen)
		in := w.signIn(w.person("ann@northwind.example"), password)
		for _, token := range []string{"", in.Session.ID, in.Session.Hash, in.Token + "=", account.NewToken()} {
			_, _, err := w.sessions.Find(t.Context(), token)
			hasCode(t, boardwatch.CodeUnauthorized, err)
		}
	})
}

func TestPreferences(t *testing.T) {
	t.Parallel()

	t.Run("names every wrong field", func(t *testing.T) {
		t.Parallel()
		w := people(t, account.SignUpOpen)
		a, p := w.person("ann@northwind.example"), account.NewPreferenceManager(w.Store, account.Options{})
		err := p.Save(t.Context(), a, account.Preferences{DigestHour: 24, TimeZone: "Europe/Nowhere", Theme: "pink"})
		require.Equal(t, []string{"digestHour", "timeZone", "theme"}, fields(t, err))
		for _, zone := range []string{"Local", "../etc/passwd", "/etc/localtime"} {
			require.False(t, account.KnownZone(zone), zone)
		}
		want := account.Preferences{AccountID: a.ID, DigestHour: 0, TimeZone: "Asia/Kathmandu", Theme: account.ThemeDark}
		require.NoError(t, p.Save(t.Context(), a, want))
		got, err := p.Of(t.Context(), a)
		require.NoError(t, err)
		require.Equal(t, want, got)
	})

	t.Run("a feed has a token, until it gets another", func(t *testing.T) {
		t.Parallel()
		w := people(t, account.SignUpOpen)
		a, p := w.person("ann@northwind.example"), account.NewPreferenceManager(w.Store, account.Options{})
		first, err := p.FeedToken(t.Context(), a)
		require.NoError(t, err)
		again, err := p.FeedToken(t.Context(), a)
		require.NoError(t, err)
		require.Equal(t, first, again)
		found, err := p.ByFeed(t.Context(), first)
		require.NoError(t, err)
		require.Equal(t, a, found)
		second, err := p.ResetFeed(t.Context(), a)
		require.NoError(t, err)
		for _, token := range []string{first, "", "x"} {
			_, err = p.ByFeed(t.Context(), token)
			hasCode(t, boardwatch.CodeNotFound, err)
		}
		_, err = p.ByFeed(t.Context(), second)
		require.NoError(t, err)
	})

	t.Run("the link in the daily mail ends it, as often as it is pressed", func(t *testing.T) {
		t.Parallel()
		w := people(t, account.SignUpOpen)
		a, p := w.person("ann@northwind.example"), account.NewPreferenceManager(w.Store, account.Options{Now: w.clock})
		l, token := account.NewLink(account.LinkUnsubscribe, w.clock())
		l.AccountID, l.Email = a.ID, a.Email
		require.NoError(t, w.CreateLink(t.Context(), l))
		email, err := p.CheckUnsubscribe(t.Context(), token)
		require.NoError(t, err)
		require.Equal(t, a.Email, email)
		got, err := p.Of(t.Context(), a)
		require.NoError(t, err)
		require.True(t, got.Digest, "who only looks at the page changes nothing")
		for range 2 {
			_, err = p.Unsubscribe(t.Context(), token)
			require.NoError(t, err)
			got, err = p.Of(t.Context(), a)
			require.NoError(t, err)
			require.False(t, got.Digest)
			require.True(t, got.Notices)
		}
		_, err = p.Unsubscribe(t.Context(), account.NewToken())
		hasCode(t, boardwatch.CodeNotFound, err)
		w.pass(60 * 24 * time.Hour)
		_, err = p.Unsubscribe(t.Context(), token)
		hasCode(t, boardwatch.CodeNotFound, err)
	})
}

func TestOperator(t *testing.T) {
	t.Parallel()
	w := people(t, account.SignUpInvite)
	root := w.operator()
	o := account.NewOperator(w.Store)
	f, err := o.Figures(t.Context(), root)
	require.NoError(t, err)
	require.Equal(t, 1, f.Accounts[account.PlanUltra])
	require.Equal(t, 1, f.Sessions)
	root.Admin = false
	_, err = o.Figures(t.Context(), root)
	hasCode(t, boardwatch.CodeNotFound, err)
}
