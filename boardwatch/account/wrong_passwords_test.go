package account_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
)

// guess tries a password n times, and returns the last answer.
func (w *town) guess(n int, email, secret string, v account.Visitor) (err error) {
	w.t.Helper()
	for range n {
		_, err = w.SignIn(w.t.Context(), email, secret, v)
	}
	return err
}

func TestAKnownBrowserIsNotLockedOut(t *testing.T) {
	t.Parallel()
	w := people(t, account.SignUpOpen)
	a, eve := w.person("ann@northwind.example"), w.person("eve@northwind.example")
	home, known := visitor("198.51.100.1"), visitor("198.51.100.1")
	in, err := w.SignIn(t.Context(), a.Email, password, home)
	require.NoError(t, err)
	known.Browser = in.Browser

	// Strangers, from everywhere and from behind the same proxy, use up the attempts of the account and the network.
	for i := range 6 {
		_ = w.guess(1, a.Email, "wrong password", visitor(fmt.Sprintf("203.0.113.%d", i)))
	}
	_ = w.guess(6, "nobody@northwind.example", "wrong password", home)
	hasCode(t, boardwatch.CodeRateLimited, w.guess(1, a.Email, password, home))
	require.NoError(t, w.guess(1, a.Email, password, known))

	t.Run("only by what it was given for that account", func(t *testing.T) {
		t.Parallel()
		other, err := w.SignIn(t.Context(), eve.Email, password, visitor("198.51.100.7"))
		require.NoError(t, err)
		for _, text := range []string{"", "x", other.Browser, in.Browser[1:], in.Browser[:len(in.Browser)-2] + "AA", "AAAA" + in.Browser[4:]} {
			forged := home
			forged.Browser = text
			hasCode(t, boardwatch.CodeRateLimited, w.guess(1, a.Email, password, forged))
		}
	})
}

func TestAKnownBrowserHasGuessesOfItsOwn(t *testing.T) {
	t.Parallel()
	w := people(t, account.SignUpOpen)
	a := w.person("ann@northwind.example")
	known := visitor("198.51.100.1")
	in, err := w.SignIn(t.Context(), a.Email, password, known)
	require.NoError(t, err)
	known.Browser = in.Browser
	hasCode(t, boardwatch.CodeUnauthorized, w.guess(5, a.Email, "wrong password", known))
	hasCode(t, boardwatch.CodeRateLimited, w.guess(1, a.Email, password, known))
	require.NoError(t, w.guess(1, a.Email, password, visitor("198.51.100.1")), "and takes no attempts from others")
	w.pass(account.BrowserLife)
	hasCode(t, boardwatch.CodeUnauthorized, w.guess(5, a.Email, "wrong password", visitor("198.51.100.9")))
	hasCode(t, boardwatch.CodeRateLimited, w.guess(1, a.Email, password, known))
}

func TestANewPasswordMakesBrowsersUnknown(t *testing.T) {
	t.Parallel()
	w := people(t, account.SignUpOpen)
	a := w.person("ann@northwind.example")
	thief, home := visitor("203.0.113.9"), visitor("198.51.100.1")
	in, err := w.SignIn(t.Context(), a.Email, password, thief)
	require.NoError(t, err)
	thief.Browser = in.Browser
	changed, err := w.ChangePassword(t.Context(), in.Account, account.Proof{Password: password}, another, home)
	require.NoError(t, err)
	home.Browser = changed.Browser
	hasCode(t, boardwatch.CodeUnauthorized, w.guess(5, a.Email, "wrong password", thief))
	require.NoError(t, w.guess(1, a.Email, another, home))
	for n := range 3 {
		hasCode(t, boardwatch.CodeRateLimited, w.guess(1, a.Email, another, visitor(fmt.Sprintf("203.0.113.%d", n))))
	}
}

func TestProcessesShareGuessesAndKnowTheSameBrowsers(t *testing.T) {
	t.Parallel()
	w := people(t, account.SignUpOpen)
	a := w.person("ann@northwind.example")
	process := func(key string) *account.Identities {
		return account.NewIdentities(w.Store, account.NewQuickHasher(), w, account.IdentityOptions{Key: []byte(key), Now: w.clock})
	}
	one, two, stranger := process("the same key"), process("the same key"), process("another key")
	in, err := one.SignIn(t.Context(), a.Email, password, visitor("198.51.100.1"))
	require.NoError(t, err)
	for i, p := range []*account.Identities{one, two, one, two, stranger} {
		_, err := p.SignIn(t.Context(), a.Email, "wrong password", visitor(fmt.Sprintf("203.0.113.%d", i)))
		hasCode(t, boardwatch.CodeUnauthorized, err)
	}
	for _, p := range []*account.Identities{one, two, stranger} {
		_, err := p.SignIn(t.Context(), a.Email, password, visitor("198.51.100.1"))
		hasCode(t, boardwatch.CodeRateLimited, err)
	}
	known := account.Visitor{Address: "198.51.100.1", Browser: in.Browser}
	_, err = stranger.SignIn(t.Context(), a.Email, password, known)
	hasCode(t, boardwatch.CodeRateLimited, err)
	_, err = two.SignIn(t.Context(), a.Email, password, known)
	require.NoError(t, err)
}

func TestThePasswordOfALinkIsNotGuessed(t *testing.T) {
	t.Parallel()
	w := people(t, account.SignUpOpen)
	require.NoError(t, w.SignUp(t.Context(), "ann@northwind.example", password, visitor("192.0.2.1")))
	token := w.token(w.letter(), account.VerifyPath)
	verify := func(secret, from string) error {
		_, _, err := w.Verify(t.Context(), token, secret, visitor(from))
		return err
	}
	for i := range 5 {
		hasCode(t, boardwatch.CodeInvalidRequest, verify("wrong password", fmt.Sprintf("203.0.113.%d", i)))
	}
	hasCode(t, boardwatch.CodeRateLimited, verify(password, "192.0.2.1"))
	w.pass(30 * time.Second)
	require.NoError(t, verify(password, "192.0.2.1"))

	t.Run("in all processes together", func(t *testing.T) {
		t.Parallel()
		w := people(t, account.SignUpOpen)
		require.NoError(t, w.SignUp(t.Context(), "ann@northwind.example", password, visitor("192.0.2.1")))
		token := w.token(w.letter(), account.VerifyPath)
		verify := func(secret, from string) error { // in a process of its own
			p := account.NewIdentities(w.Store, account.NewQuickHasher(), w, account.IdentityOptions{Mode: account.SignUpOpen, Now: w.clock})
			_, _, err := p.Verify(t.Context(), token, secret, visitor(from))
			return err
		}
		for i := range 5 {
			hasCode(t, boardwatch.CodeInvalidRequest, verify("wrong password", fmt.Sprintf("203.0.113.%d", i)))
		}
		hasCode(t, boardwatch.CodeRateLimited, verify(password, "192.0.2.1"))
	})

	t.Run("and counts for the network too", func(t *testing.T) {
		t.Parallel()
		require.NoError(t, w.SignUp(t.Context(), "bob@northwind.example", password, visitor("192.0.2.1")))
		token := w.token(w.letter(), account.VerifyPath)
		_ = w.guess(5, "nobody@northwind.example", "wrong password", visitor("198.51.100.9"))
		_, _, err := w.Verify(t.Context(), token, password, visitor("198.51.100.9"))
		hasCode(t, boardwatch.CodeRateLimited, err)
	})
}

func TestALinkHasFewPasswordsHashed(t *testing.T) {
	t.Parallel()
	w := people(t, account.SignUpOpen)
	a := w.person("ann@northwind.example")
	require.NoError(t, w.SendReset(t.Context(), a.Email, visitor("192.0.2.1")))
	token := w.token(w.letter(), account.ResetPath)
	var err error
	for i := range 6 {
		_, err = w.Reset(t.Context(), token, "short", visitor(fmt.Sprintf("203.0.113.%d", i)))
	}
	hasCode(t, boardwatch.CodeRateLimited, err)
}

func TestRightPasswordsOfOneNetworkAreBounded(t *testing.T) {
	t.Parallel()
	w := people(t, account.SignUpOpen)
	a := w.person("ann@northwind.example")
	here := visitor("198.51.100.1")
	hasCode(t, boardwatch.CodeRateLimited, w.guess(61, a.Email, password, here))
	require.NoError(t, w.guess(1, a.Email, password, visitor("198.51.100.2")))
	require.Equal(t, account.MaxSessions, w.live(a))
	w.pass(time.Second)
	require.NoError(t, w.guess(1, a.Email, password, here))

	t.Run("also at browsers that make one another known", func(t *testing.T) {
		t.Parallel()
		w := people(t, account.SignUpOpen)
		a := w.person("ann@northwind.example")
		for range 61 {
			in, err := w.SignIn(t.Context(), a.Email, password, here)
			require.NoError(t, err)
			here.Browser = in.Browser
		}
		hasCode(t, boardwatch.CodeRateLimited, w.guess(1, a.Email, password, here))
	})
}

func TestTheOldestSignInMakesRoom(t *testing.T) {
	t.Parallel()
	w := people(t, account.SignUpOpen)
	a, bob := w.person("ann@northwind.example"), w.person("bob@northwind.example")
	first, other := w.signIn(a, password), w.signIn(bob, password)
	w.pass(time.Second)
	second := w.signIn(a, password)
	for range account.MaxSessions - 1 {
		w.pass(time.Second)
		w.signIn(a, password)
	}
	require.Equal(t, account.MaxSessions, w.live(a))
	_, _, err := w.sessions.Find(t.Context(), first.Token)
	hasCode(t, boardwatch.CodeUnauthorized, err)
	for _, kept := range []string{second.Token, other.Token} {
		_, _, err = w.sessions.Find(t.Context(), kept)
		require.NoError(t, err)
	}
}

func TestPasswordsBeyondTheQueueAreRefused(t *testing.T) {
	t.Parallel()
	hasher := account.NewQuickHasher()
	w := peopleWith(t, account.SignUpOpen, hasher)
	a := w.person("ann@northwind.example")
	require.NoError(t, w.SignUp(t.Context(), "bob@northwind.example", password, visitor("192.0.2.1")))
	signUp := w.token(w.letter(), account.VerifyPath)
	require.NoError(t, w.SendReset(t.Context(), a.Email, visitor("192.0.2.1")))
	reset := w.token(w.letter(), account.ResetPath)

	known := visitor("198.51.100.7")
	in, err := w.SignIn(t.Context(), a.Email, password, known)
	require.NoError(t, err)
	known.Browser = in.Browser

	free := hasher.FillQueue()
	here := visitor("198.51.100.1")
	require.ErrorIs(t, w.guess(5, a.Email, "wrong password", here), account.ErrBusy)
	require.ErrorIs(t, w.SignUp(t.Context(), "new@northwind.example", password, here), account.ErrBusy)
	_, _, err = w.Verify(t.Context(), signUp, password, here)
	require.ErrorIs(t, err, account.ErrBusy)
	hasCode(t, boardwatch.CodeUnauthorized, w.guess(1, a.Email, "wrong password", known)) // which have a queue of their own
	_, err = w.Reset(t.Context(), reset, another, here)
	require.ErrorIs(t, err, account.ErrBusy)
	free()
	require.NoError(t, w.guess(1, a.Email, password, here), "an unchecked password is not counted as wrong")
	_, err = w.Reset(t.Context(), reset, another, here)
	require.NoError(t, err, "and uses nothing up")
}
