package account_test

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/storagetest"
)

const (
	base     = "https://boards.example"
	password = "correct horse battery"
	another  = "staple battery horse"
)

// town is an installation with people, a clock that the test controls, and the mail that was sent.
type town struct {
	*storage.Store
	*account.Identities
	sessions *account.Sessions
	t        *testing.T

	mu   sync.Mutex
	now  time.Time
	sent []account.Mail
}

func people(t *testing.T, mode account.SignUpMode) *town {
	t.Helper()
	return peopleWith(t, mode, account.NewQuickHasher())
}

func peopleWith(t *testing.T, mode account.SignUpMode, hasher *account.Hasher) *town {
	t.Helper()
	w := &town{t: t, now: noon}
	w.Store = storagetest.Open(t, storage.Options{Now: w.clock})
	w.Identities = account.NewIdentities(w.Store, hasher, w, account.IdentityOptions{
		Mode: mode, Plan: account.PlanPro, BaseURL: base, Now: w.clock,
	})
	w.sessions = w.Identities.Sessions()
	return w
}

func (w *town) clock() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now
}

func (w *town) pass(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = w.now.Add(d)
}

// Send keeps what was sent.
func (w *town) Send(_ context.Context, m account.Mail) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.sent = append(w.sent, m)
	return nil
}

// letter returns the only mail that has come since the last call.
func (w *town) letter() account.Mail {
	w.t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	require.Len(w.t, w.sent, 1)
	m := w.sent[0]
	w.sent = nil
	return m
}

// noLetter requires that no mail has come.
func (w *town) noLetter() {
	w.t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	require.Empty(w.t, w.sent)
}

// token returns the token in a mail's link, which must lead to that page.
func (w *town) token(m account.Mail, path string) string {
	w.t.Helper()
	return w.tokenOf(m.Link, path)
}

func (w *town) tokenOf(link, path string) string {
	w.t.Helper()
	u, err := url.Parse(link)
	require.NoError(w.t, err)
	require.Equal(w.t, base+path, u.Scheme+"://"+u.Host+u.Path)
	return u.Query().Get("token")
}

// operator sets the installation up.
func (w *town) operator() account.Account {
	w.t.Helper()
	link, err := w.SetupLink(w.t.Context())
	require.NoError(w.t, err)
	in, err := w.SetUp(w.t.Context(), w.tokenOf(link, account.SetupPath), "root@northwind.example", password, visitor("192.0.2.1"))
	require.NoError(w.t, err)
	return in.Account
}

// SignUp signs a person up, who does not ask for another mail.
func (w *town) SignUp(ctx context.Context, email, password string, v account.Visitor) error {
	_, err := w.Identities.SignUp(ctx, email, password, v)
	return err
}

// person signs a person up and confirms the address.
func (w *town) person(email string) account.Account {
	w.t.Helper()
	require.NoError(w.t, w.SignUp(w.t.Context(), email, password, visitor("192.0.2."+email[:1])))
	a, made, err := w.Verify(w.t.Context(), w.token(w.letter(), account.VerifyPath), password, visitor("192.0.2.1"))
	require.NoError(w.t, err)
	require.True(w.t, made)
	return a
}

func visitor(address string) account.Visitor {
	return account.Visitor{Address: address, UserAgent: "Browser/1.0"}
}

func hasCode(t *testing.T, code boardwatch.Code, err error) {
	t.Helper()
	require.Error(t, err)
	require.Equal(t, code, boardwatch.CodeOf(err), err.Error())
}

func TestSetUp(t *testing.T) {
	t.Parallel()

	t.Run("makes the first operator, once, and lets them in", func(t *testing.T) {
		t.Parallel()
		w := people(t, account.SignUpClosed)
		needed, err := w.NeedsSetup(t.Context())
		require.NoError(t, err)
		require.True(t, needed)
		link, err := w.SetupLink(t.Context())
		require.NoError(t, err)
		second, err := w.SetupLink(t.Context())
		require.NoError(t, err)
		token := w.tokenOf(link, account.SetupPath)
		_, err = w.SetUp(t.Context(), token, "nobody", "short", visitor("192.0.2.1"))
		require.Equal(t, []string{"email", "password"}, fields(t, err))
		in, err := w.SetUp(t.Context(), token, " Root@northwind.example", password, visitor("192.0.2.1:4711"))
		require.NoError(t, err)
		require.Equal(t, "root@northwind.example", in.Account.Email)
		require.True(t, in.Account.Admin)
		require.True(t, in.Account.Verified)
		require.Equal(t, account.PlanUltra, in.Account.Plan)
		require.Equal(t, "192.0.2.1", in.Session.Address)
		_, who, err := w.sessions.Find(t.Context(), in.Token)
		require.NoError(t, err)
		require.Equal(t, in.Account, who)
		for _, used := range []string{token, w.tokenOf(second, account.SetupPath), "", "x", account.NewToken()} {
			_, err = w.SetUp(t.Context(), used, "eve@evil.example", password, visitor("192.0.2.2"))
			hasCode(t, boardwatch.CodeNotFound, err)
		}
		link, err = w.SetupLink(t.Context())
		require.NoError(t, err)
		require.Empty(t, link)
	})

	t.Run("is possible for half an hour", func(t *testing.T) {
		t.Parallel()
		w := people(t, account.SignUpClosed)
		link, err := w.SetupLink(t.Context())
		require.NoError(t, err)
		w.pass(30 * time.Minute)
		hasCode(t, boardwatch.CodeNotFound, w.CheckSetup(t.Context(), w.tokenOf(link, account.SetupPath)))
	})

	t.Run("settings make the first operator, once", func(t *testing.T) {
		t.Parallel()
		w := people(t, account.SignUpClosed)
		_, _, err := w.CreateFirst(t.Context(), "root@northwind.example", "short")
		require.Equal(t, []string{"password"}, fields(t, err))
		a, made, err := w.CreateFirst(t.Context(), "root@northwind.example", password)
		require.NoError(t, err)
		require.True(t, made)
		require.True(t, a.Admin)
		_, made, err = w.CreateFirst(t.Context(), "other@northwind.example", password)
		require.NoError(t, err)
		require.False(t, made)
		_, err = w.SignIn(t.Context(), "root@northwind.example", password, visitor("192.0.2.1"))
		require.NoError(t, err)
	})
}

func TestTheLinkOfASignUpIsSentAgain(t *testing.T) {
	t.Parallel()
	w := people(t, account.SignUpOpen)
	w.operator()
	again, err := w.Identities.SignUp(t.Context(), "ann@northwind.example", password, visitor("192.0.2.1"))
	require.NoError(t, err)
	first := w.token(w.letter(), account.VerifyPath)
	email, err := w.SignUpAgain(t.Context(), again, visitor("192.0.2.1"))
	require.NoError(t, err)
	require.Equal(t, "ann@northwind.example", email)
	second := w.token(w.letter(), account.VerifyPath)
	require.NotEqual(t, first, second)
	a, made, err := w.Verify(t.Context(), second, password, visitor("192.0.2.1"))
	require.NoError(t, err)
	require.True(t, made)
	require.Equal(t, "ann@northwind.example", a.Email)

	_, err = w.SignUpAgain(t.Context(), again+"x", visitor("192.0.2.1"))
	require.Equal(t, boardwatch.CodeNotFound, boardwatch.CodeOf(err))
	for range 8 {
		_, _ = w.SignUpAgain(t.Context(), again, visitor("192.0.2.1"))
	}
	_, err = w.SignUpAgain(t.Context(), again, visitor("192.0.2.1"))
	require.Equal(t, boardwatch.CodeRateLimited, boardwatch.CodeOf(err), "not more often than a sign-up")
	w.pass(25 * time.Hour)
	_, err = w.SignUpAgain(t.Context(), again, visitor("192.0.2.1"))
	require.Equal(t, boardwatch.CodeNotFound, boardwatch.CodeOf(err))
}

func TestSignUp(t *testing.T) {
	t.Parallel()

	t.Run("makes the account when the link is used", func(t *testing.T) {
		t.Parallel()
		w := people(t, account.SignUpOpen)
		require.NoError(t, w.SignUp(t.Context(), "Ann@northwind.example", password, visitor("192.0.2.1")))
		m := w.letter()
		require.Equal(t, "ann@northwind.example", m.To)
		require.Contains(t, m.Text, m.Link)
		_, err := w.SignIn(t.Context(), "ann@northwind.example", password, visitor("192.0.2.1"))
		hasCode(t, boardwatch.CodeUnauthorized, err)
		token := w.token(m, account.VerifyPath)
		for range 2 { // opening the page does not use the link up
			email, _, err := w.CheckVerification(t.Context(), token)
			require.NoError(t, err)
			require.Equal(t, "ann@northwind.example", email)
		}
		_, _, err = w.Verify(t.Context(), token, "what the owner of the mailbox guesses", visitor("192.0.2.1"))
		hasCode(t, boardwatch.CodeInvalidRequest, err)
		_, err = w.SignIn(t.Context(), "ann@northwind.example", password, visitor("192.0.2.1"))
		hasCode(t, boardwatch.CodeUnauthorized, err)
		a, made, err := w.Verify(t.Context(), token, password, visitor("192.0.2.1"))
		require.NoError(t, err)
		require.True(t, made)
		require.True(t, a.Verified)
		require.False(t, a.Admin)
		require.Equal(t, account.PlanPro, a.Plan)
		_, _, err = w.Verify(t.Context(), token, password, visitor("192.0.2.1"))
		hasCode(t, boardwatch.CodeNotFound, err)
		_, err = w.SignIn(t.Context(), "ANN@northwind.example ", password, visitor("192.0.2.1"))
		require.NoError(t, err)
	})

	t.Run("answers the same for an address that has an account, and tells its owner", func(t *testing.T) {
		t.Parallel()
		w := people(t, account.SignUpOpen)
		a := w.person("ann@northwind.example")
		require.NoError(t, w.SignUp(t.Context(), a.Email, another, visitor("192.0.2.1")))
		m := w.letter()
		require.Equal(t, a.Email, m.To)
		require.Empty(t, m.Link, "no link that would make anything")
		_, err := w.SignIn(t.Context(), a.Email, another, visitor("192.0.2.1"))
		hasCode(t, boardwatch.CodeUnauthorized, err)
	})

	t.Run("the link is good for a day", func(t *testing.T) {
		t.Parallel()
		w := people(t, account.SignUpOpen)
		require.NoError(t, w.SignUp(t.Context(), "ann@northwind.example", password, visitor("192.0.2.1")))
		token := w.token(w.letter(), account.VerifyPath)
		w.pass(24 * time.Hour)
		_, _, err := w.CheckVerification(t.Context(), token)
		hasCode(t, boardwatch.CodeNotFound, err)
		_, _, err = w.Verify(t.Context(), token, password, visitor("192.0.2.1"))
		hasCode(t, boardwatch.CodeNotFound, err)
	})

	t.Run("is refused where it is closed, or by invitation only", func(t *testing.T) {
		t.Parallel()
		for _, mode := range []account.SignUpMode{"", account.SignUpClosed, account.SignUpInvite} {
			w := people(t, mode)
			hasCode(t, boardwatch.CodeNotFound, w.SignUp(t.Context(), "ann@northwind.example", password, visitor("192.0.2.1")))
			w.noLetter()
		}
	})

	t.Run("names every wrong field and sends nothing", func(t *testing.T) {
		t.Parallel()
		w := people(t, account.SignUpOpen)
		require.Equal(t, []string{"email", "password"}, fields(t, w.SignUp(t.Context(), "ann", "", visitor("192.0.2.1"))))
		w.noLetter()
	})

	t.Run("does not fill a stranger's letter box", func(t *testing.T) {
		t.Parallel()
		w := people(t, account.SignUpOpen)
		for range 5 {
			require.NoError(t, w.SignUp(t.Context(), "ann@northwind.example", password, visitor("203.0.113.1")))
		}
		require.Len(t, w.sent, 3)
		for i := range 20 {
			require.NoError(t, w.SignUp(t.Context(), "ann@northwind.example", password, visitor("192.0.2."+strconv.Itoa(i))))
		}
		require.Len(t, w.sent, 9)
		var err error
		for i := 0; err == nil && i < 50; i++ {
			err = w.SignUp(t.Context(), "ann@northwind.example", password, visitor("192.0.2.99"))
		}
		hasCode(t, boardwatch.CodeRateLimited, err)
	})
}

// Mails that anybody can cause must not keep a person from those that they ask for.
func TestStrangersDoNotTakeTheTurnsOfWhoseAddressItIs(t *testing.T) {
	t.Parallel()
	w := people(t, account.SignUpOpen)
	ann, bob := w.person("ann@northwind.example"), w.person("bob@northwind.example")
	for range 5 {
		require.NoError(t, w.SignUp(t.Context(), ann.Email, password, visitor("203.0.113.1")))
		require.NoError(t, w.SignUp(t.Context(), "new@northwind.example", password, visitor("203.0.113.1")))
		require.NoError(t, w.ChangeEmail(t.Context(), bob, account.Proof{Password: password}, ann.Email, visitor("203.0.113.2")))
	}
	w.sent = nil
	require.NoError(t, w.SendReset(t.Context(), ann.Email, visitor("192.0.2.1")))
	require.NotEmpty(t, w.token(w.letter(), account.ResetPath))
	require.NoError(t, w.SignUp(t.Context(), "new@northwind.example", another, visitor("192.0.2.1")))
	_, made, err := w.Verify(t.Context(), w.token(w.letter(), account.VerifyPath), another, visitor("192.0.2.1"))
	require.NoError(t, err)
	require.True(t, made)
}

func TestAnOperatorWhoClosesSignUpStopsWhatWasBegun(t *testing.T) {
	t.Parallel()
	for _, mode := range []account.SignUpMode{account.SignUpClosed, account.SignUpInvite} {
		w := people(t, account.SignUpOpen)
		root := w.operator()
		require.NoError(t, w.SignUp(t.Context(), "ann@northwind.example", password, visitor("192.0.2.1")))
		token := w.token(w.letter(), account.VerifyPath)
		require.NoError(t, w.SetMode(t.Context(), root, mode))
		_, _, err := w.Verify(t.Context(), token, password, visitor("192.0.2.1"))
		hasCode(t, boardwatch.CodeNotFound, err)
		_, _, err = w.CheckVerification(t.Context(), token)
		hasCode(t, boardwatch.CodeNotFound, err)
		require.NoError(t, w.SetMode(t.Context(), root, account.SignUpOpen))
		_, made, err := w.Verify(t.Context(), token, password, visitor("192.0.2.1"))
		require.NoError(t, err)
		require.True(t, made)
	}
}

func TestAnInvitationDoesNotTellWhoHasAnAccount(t *testing.T) {
	t.Parallel()
	w := people(t, account.SignUpInvite)
	root := w.operator()
	invited, err := w.Invite(t.Context(), root, "", account.PlanPro)
	require.NoError(t, err)
	_, token, _ := strings.Cut(invited.URL, "token=")
	asked := 0
	for ; err == nil || boardwatch.CodeOf(err) == boardwatch.CodeInvalidRequest; asked++ {
		require.Less(t, asked, 50)
		_, err = w.Accept(t.Context(), token, root.Email, password, visitor("192.0.2.1"))
		w.pass(time.Minute)
	}
	hasCode(t, boardwatch.CodeRateLimited, err)
	require.Equal(t, 6, asked)
}

func TestInvite(t *testing.T) {
	t.Parallel()

	t.Run("an invited person has an account on the plan, with the address confirmed", func(t *testing.T) {
		t.Parallel()
		w := people(t, account.SignUpInvite)
		root := w.operator()
		invited, err := w.Invite(t.Context(), root, " Ann@northwind.example", account.PlanUltra)
		require.NoError(t, err)
		m := w.letter()
		require.Equal(t, invited.URL, m.Link)
		require.Equal(t, "ann@northwind.example", m.To)
		token := w.token(m, account.SignUpPath)
		email, err := w.CheckInvitation(t.Context(), token)
		require.NoError(t, err)
		require.Equal(t, "ann@northwind.example", email)
		in, err := w.Accept(t.Context(), token, "eve@evil.example", password, visitor("192.0.2.1"))
		require.NoError(t, err)
		require.Equal(t, "ann@northwind.example", in.Account.Email, "it is for that address")
		require.True(t, in.Account.Verified)
		require.Equal(t, account.PlanUltra, in.Account.Plan)
		_, err = w.Accept(t.Context(), token, "", password, visitor("192.0.2.1"))
		hasCode(t, boardwatch.CodeNotFound, err)
	})

	t.Run("one that is handed over asks for a confirmation", func(t *testing.T) {
		t.Parallel()
		w := people(t, account.SignUpInvite)
		root := w.operator()
		invited, err := w.Invite(t.Context(), root, "", "")
		require.NoError(t, err)
		w.noLetter()
		token := w.tokenOf(invited.URL, account.SignUpPath)
		_, err = w.Accept(t.Context(), token, root.Email, password, visitor("192.0.2.1"))
		require.Equal(t, []string{"email"}, fields(t, err))
		in, err := w.Accept(t.Context(), token, "ann@northwind.example", password, visitor("192.0.2.1"))
		require.NoError(t, err)
		require.False(t, in.Account.Verified)
		require.Equal(t, account.PlanPro, in.Account.Plan)
		a, made, err := w.Verify(t.Context(), w.token(w.letter(), account.VerifyPath), password, visitor("192.0.2.1"))
		require.NoError(t, err)
		require.False(t, made)
		require.True(t, a.Verified)
	})

	t.Run("invitations are listed, withdrawn and run out", func(t *testing.T) {
		t.Parallel()
		w := people(t, account.SignUpInvite)
		root := w.operator()
		first, err := w.Invite(t.Context(), root, "", "")
		require.NoError(t, err)
		second, err := w.Invite(t.Context(), root, "", "")
		require.NoError(t, err)
		require.NoError(t, w.Withdraw(t.Context(), root, first.ID))
		hasCode(t, boardwatch.CodeNotFound, w.Withdraw(t.Context(), root, first.ID))
		list, err := w.Identities.Invitations(t.Context(), root)
		require.NoError(t, err)
		require.Len(t, list, 1)
		require.Equal(t, second.ID, list[0].ID)
		_, err = w.CheckInvitation(t.Context(), w.tokenOf(first.URL, account.SignUpPath))
		hasCode(t, boardwatch.CodeNotFound, err)
		w.pass(7 * 24 * time.Hour)
		_, err = w.CheckInvitation(t.Context(), w.tokenOf(second.URL, account.SignUpPath))
		hasCode(t, boardwatch.CodeNotFound, err)
	})

	t.Run("the operator's choice counts, not the settings", func(t *testing.T) {
		t.Parallel()
		w := people(t, account.SignUpClosed)
		root := w.operator()
		require.NoError(t, w.SetMode(t.Context(), root, account.SignUpInvite))
		_, err := w.Invite(t.Context(), root, "ann@northwind.example", "")
		require.NoError(t, err)
		token := w.token(w.letter(), account.SignUpPath)
		require.NoError(t, w.SetMode(t.Context(), root, account.SignUpClosed))
		_, err = w.Accept(t.Context(), token, "", password, visitor("192.0.2.1"))
		hasCode(t, boardwatch.CodeNotFound, err)
		require.NoError(t, w.SetMode(t.Context(), root, account.SignUpInvite))
		in, err := w.Accept(t.Context(), token, "", password, visitor("192.0.2.1"))
		require.NoError(t, err)
		require.Equal(t, "ann@northwind.example", in.Account.Email)
	})

	t.Run("only operators invite, and not where sign-up is closed", func(t *testing.T) {
		t.Parallel()
		w := people(t, account.SignUpOpen)
		ann := w.person("ann@northwind.example")
		_, err := w.Invite(t.Context(), ann, "", "")
		hasCode(t, boardwatch.CodeNotFound, err)
		_, err = w.Identities.Invitations(t.Context(), ann)
		hasCode(t, boardwatch.CodeNotFound, err)
		hasCode(t, boardwatch.CodeNotFound, w.Withdraw(t.Context(), ann, boardwatch.NewID()))
		shut := people(t, account.SignUpClosed)
		_, err = shut.Invite(t.Context(), shut.operator(), "", "")
		hasCode(t, boardwatch.CodeNotFound, err)
		_, err = shut.CheckInvitation(t.Context(), account.NewToken())
		hasCode(t, boardwatch.CodeNotFound, err)
	})

	t.Run("an invitation to an unknown plan or no address is refused", func(t *testing.T) {
		t.Parallel()
		w := people(t, account.SignUpInvite)
		root := w.operator()
		_, err := w.Invite(t.Context(), root, "", "gold")
		require.Equal(t, []string{"plan"}, fields(t, err))
		_, err = w.Invite(t.Context(), root, "ann", "")
		require.Equal(t, []string{"email"}, fields(t, err))
	})
}

func TestSignIn(t *testing.T) {
	t.Parallel()

	t.Run("refuses everything that is wrong in the same words", func(t *testing.T) {
		t.Parallel()
		w := people(t, account.SignUpOpen)
		a := w.person("ann@northwind.example")
		require.NoError(t, w.CreateAccount(t.Context(), account.Account{ID: boardwatch.NewID(), Email: "bot@northwind.example", Plan: account.PlanPro}))
		var answers []string
		for _, try := range [][2]string{
			{a.Email, "wrong password"},
			{"nobody@northwind.example", password},
			{"nobody", password},
			{"", ""},
			{a.Email, ""},
			{a.Email, strings.Repeat("x", 2000)},
			{"bot@northwind.example", ""},
			{"bot@northwind.example", password},
			{"a\x00@x.example", password},
		} {
			w.pass(time.Minute)
			_, err := w.SignIn(t.Context(), try[0], try[1], visitor("192.0.2.1"))
			hasCode(t, boardwatch.CodeUnauthorized, err)
			answers = append(answers, err.Error())
		}
		require.Len(t, slices.Compact(answers), 1)
	})

	t.Run("takes as long for an address without an account", func(t *testing.T) {
		t.Parallel()
		w := peopleWith(t, account.SignUpOpen, account.NewHasher())
		a := w.person("ann@northwind.example")
		times := map[string][]time.Duration{}
		for range 9 {
			for _, email := range []string{a.Email, "nobody@northwind.example"} {
				w.pass(time.Minute)
				began := time.Now()
				_, err := w.SignIn(t.Context(), email, "wrong password", visitor("192.0.2.1"))
				hasCode(t, boardwatch.CodeUnauthorized, err)
				times[email] = append(times[email], time.Since(began))
			}
		}
		median := func(email string) float64 {
			slices.Sort(times[email])
			return times[email][len(times[email])/2].Seconds()
		}
		ratio := median(a.Email) / median("nobody@northwind.example")
		require.Greater(t, ratio, 0.2) // without the extra work it would be less than a hundredth
		require.Less(t, ratio, 5.0)
	})

	t.Run("an account has five wrong attempts, and then one every half minute", func(t *testing.T) {
		t.Parallel()
		w := people(t, account.SignUpOpen)
		a := w.person("ann@northwind.example")
		try := func(i int, secret string) error {
			_, err := w.SignIn(t.Context(), a.Email, secret, visitor("192.0.2."+string(rune('1'+i))))
			return err
		}
		for i := range 5 {
			hasCode(t, boardwatch.CodeUnauthorized, try(i, "wrong password"))
		}
		err := try(6, password)
		hasCode(t, boardwatch.CodeRateLimited, err)
		var e *boardwatch.Error
		require.ErrorAs(t, err, &e)
		require.Positive(t, e.RetryAfter)
		require.LessOrEqual(t, e.RetryAfter, 31*time.Second)
		w.pass(30 * time.Second)
		hasCode(t, boardwatch.CodeUnauthorized, try(7, "wrong password"))
		hasCode(t, boardwatch.CodeRateLimited, try(7, password))
		w.pass(30 * time.Second)
		require.NoError(t, try(8, password))
		other := w.person("bob@northwind.example")
		_, err = w.SignIn(t.Context(), other.Email, password, visitor("192.0.2.1"))
		require.NoError(t, err)
	})

	t.Run("a network has as many, whatever accounts it tries", func(t *testing.T) {
		t.Parallel()
		for name, network := range map[string][2]string{
			"one address":    {"192.0.2.1:1000", "192.0.2.1:2000"},
			"half of IPv6":   {"[2001:db8:1:2::1]:1000", "2001:db8:1:2:ffff::9"},
			"IPv4 in IPv6":   {"::ffff:192.0.2.1", "192.0.2.1"},
			"a scoped place": {"fe80::1%eth0", "fe80::2%eth1"},
		} {
			w := people(t, account.SignUpOpen)
			a := w.person("ann@northwind.example")
			for i := range 5 {
				_, err := w.SignIn(t.Context(), string(rune('a'+i))+"@northwind.example", "wrong password", visitor(network[0]))
				hasCode(t, boardwatch.CodeUnauthorized, err)
			}
			_, err := w.SignIn(t.Context(), a.Email, password, visitor(network[1]))
			require.Equal(t, boardwatch.CodeRateLimited, boardwatch.CodeOf(err), name)
			_, err = w.SignIn(t.Context(), a.Email, password, visitor("2001:db8:1:3::1"))
			require.NoError(t, err, name)
		}
	})

	t.Run("right attempts cost nothing", func(t *testing.T) {
		t.Parallel()
		w := people(t, account.SignUpOpen)
		a := w.person("ann@northwind.example")
		for range 12 {
			_, err := w.SignIn(t.Context(), a.Email, password, visitor("192.0.2.1"))
			require.NoError(t, err)
		}
	})

	t.Run("guesses that come at once are counted one by one", func(t *testing.T) {
		t.Parallel()
		w := people(t, account.SignUpOpen)
		a := w.person("ann@northwind.example")
		var mu sync.Mutex
		wrong := 0
		var group sync.WaitGroup
		for range 20 {
			group.Go(func() {
				_, err := w.SignIn(t.Context(), a.Email, "wrong password", visitor("192.0.2.1"))
				mu.Lock()
				defer mu.Unlock()
				if boardwatch.CodeOf(err) == boardwatch.CodeUnauthorized {
					wrong++
				}
			})
		}
		group.Wait()
		require.Equal(t, 5, wrong)
	})

	t.Run("brings an old hash up to date", func(t *testing.T) {
		t.Parallel()
		w := peopleWith(t, account.SignUpOpen, account.NewHasher())
		require.False(t, account.Outdated(""))
		a := w.person("ann@northwind.example")
		require.False(t, account.Outdated(a.PasswordHash))
		weak := weakHash(password)
		require.True(t, account.Outdated(weak))
		require.NoError(t, w.RehashPassword(t.Context(), a.ID, a.PasswordHash, weak))
		_, err := w.SignIn(t.Context(), a.Email, password, visitor("192.0.2.1"))
		require.NoError(t, err)
		found, err := w.Account(t.Context(), a.ID)
		require.NoError(t, err)
		require.NotEqual(t, weak, found.PasswordHash)
		require.False(t, account.Outdated(found.PasswordHash))
		_, err = w.SignIn(t.Context(), a.Email, password, visitor("192.0.2.1"))
		require.NoError(t, err)
	})
}
