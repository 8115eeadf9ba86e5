package main_test

import (
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/demo"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/diagnosis"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/sqlite"
	"github.com/boardwatch/boardwatch/transport/mail/mailtest"
)

// TestMail runs the whole program with a real mail server.
func TestMail(t *testing.T) {
	t.Parallel()
	server := mailtest.New(t, mailtest.Options{Password: "sesame"})
	file := filepath.Join(t.TempDir(), "boards.db")
	password := filepath.Join(t.TempDir(), "password")
	require.NoError(t, os.WriteFile(password, []byte("correct horse battery\n"), 0o600))
	far := strconv.Itoa(time.Now().UTC().Add(12 * time.Hour).Hour()) // so that nothing goes out by itself
	i := install(t, "sqlite:"+file, "BOARDWATCH_MAIL_SMTP_URL="+server.URL(), "BOARDWATCH_SIGNUP_MODE=open", "BOARDWATCH_SIGNUP_PLAN=ultra",
		"BOARDWATCH_ADMIN_EMAIL=root@northwind.example", "BOARDWATCH_ADMIN_PASSWORD_FILE="+password, "BOARDWATCH_DEV=true",
		"BOARDWATCH_HTTP_PAUSE=0s", "BOARDWATCH_BROWSER_MODE=never", "BOARDWATCH_MAIL_DIGEST_HOUR="+far, "BOARDWATCH_PLANS_ULTRA_CADENCE=500ms")
	r := i.serve()

	var accounts []account.Account
	i.do(&accounts, "account", "list")
	require.Len(t, accounts, 1)
	require.Equal(t, "root@northwind.example", accounts[0].Email)
	require.True(t, accounts[0].Admin)
	require.NotContains(t, r.errs.String(), "/setup?token=")

	// Somebody signs up, and the link in the letter makes the account.
	browser := newBrowserClient(t)
	browser.post(r.url+"/signup", url.Values{"email": {e2eEmail}, "password": {"staple battery horse"}})
	letter := server.Wait(1)[0]
	require.Equal(t, []string{e2eEmail}, letter.To)
	require.NotContains(t, r.errs.String(), "token=", "links are for the mail only")
	_, token, ok := strings.Cut(letter.Text, "/verify?token=")
	require.True(t, ok, letter.Text)
	token, _, _ = strings.Cut(token, "\n")
	browser.post(r.url+"/verify", url.Values{"token": {token}, "password": {"staple battery horse"}})
	i.do(&accounts, "account", "list")
	require.Len(t, accounts, 2)
	require.Equal(t, account.Account{ID: accounts[0].ID, Email: e2eEmail, Plan: account.PlanUltra, Verified: true}, accounts[0])

	// The daily mail, by hand.
	engineer := demo.Role{ID: 1, Title: "Engineer", Location: "Berlin"}
	site := newCareersSite(t, engineer)
	var added any
	i.do(&added, "board", "add", "--account", e2eEmail, site.URL+"/careers")
	i.eventually("the board is read", func() bool { return i.board().Status == boardwatch.BoardReady })
	var sent struct {
		Email                            string
		Sent                             bool
		Reason                           *string
		Found, Reopened, Closed, Updated int
	}
	i.do(&sent, "digest", "send", "--account", e2eEmail)
	require.Equal(t, e2eEmail, sent.Email)
	require.True(t, sent.Sent)
	require.Nil(t, sent.Reason)
	require.Zero(t, sent.Found+sent.Reopened+sent.Closed+sent.Updated, "the first reading is no news")
	i.do(&sent, "digest", "send", "--account", e2eEmail)
	require.False(t, sent.Sent)
	require.Equal(t, "today's mail was sent already", *sent.Reason)
	mail := server.Wait(2)[1]
	require.Contains(t, mail.Subject, "Watching 1 open role at ")
	require.NotContains(t, mail.Text, "Engineer")
	var findings []diagnosis.Finding
	i.do(&findings, "doctor")
	require.Contains(t, findings, diagnosis.Finding{Check: "mail", State: diagnosis.OK, Detail: "smtp://boardwatch:xxxxx@" + server.Addr + " takes mail"})

	// And by itself, when it is due: once, whatever restarts.
	site.show(engineer, demo.Role{ID: 2, Title: "Writer", Location: "Berlin"})
	i.eventually("the new role is found", func() bool { return len(i.roles()) == 2 })
	r.stop()
	require.Zero(t, <-r.code, r.errs)
	makeDue(t, file, accounts[0].ID)
	require.Len(t, server.Received(), 2)
	for range 2 {
		r = i.serve()
		mail = server.Wait(3)[2]
		r.stop()
		require.Zero(t, <-r.code, r.errs)
	}
	require.Len(t, server.Received(), 3)
	require.Contains(t, mail.Text, "Writer")
	require.NotContains(t, mail.Text, "Engineer")
	require.Contains(t, mail.Header.Get("List-Unsubscribe"), "/unsubscribe?token=")
}

// TestInvitedPeopleSignUp begins with the default settings, which let nobody sign up, and a real mail server.
func TestInvitedPeopleSignUp(t *testing.T) {
	t.Parallel()
	server := mailtest.New(t, mailtest.Options{Password: "sesame"})
	password := filepath.Join(t.TempDir(), "password")
	require.NoError(t, os.WriteFile(password, []byte("correct horse battery\n"), 0o600))
	i := install(t, "sqlite:"+filepath.Join(t.TempDir(), "boards.db"), "BOARDWATCH_MAIL_SMTP_URL="+server.URL(), "BOARDWATCH_BROWSER_MODE=never",
		"BOARDWATCH_ADMIN_EMAIL=root@northwind.example", "BOARDWATCH_ADMIN_PASSWORD_FILE="+password)
	r := i.serve()
	operator := newBrowserClient(t)
	operator.post(r.url+"/signin", url.Values{"email": {"root@northwind.example"}, "password": {"correct horse battery"}})
	operator.post(r.url+"/admin/signup", url.Values{"mode": {"invite"}})
	operator.post(r.url+"/admin/invitations", url.Values{"email": {"Ann@Bücher.example"}, "plan": {"pro"}})
	letter := server.Wait(1)[0]
	require.Equal(t, []string{"ann@xn--bcher-kva.example"}, letter.To)
	_, token, ok := strings.Cut(letter.Text, r.url+"/signup?token=")
	require.True(t, ok, letter.Text)
	token, _, _ = strings.Cut(token, "\n")
	require.Contains(t, fetched(t, r.url+"/signup?token="+token), "You are invited")
	guest := newBrowserClient(t)
	guest.post(r.url+"/signup/accept", url.Values{"token": {token}, "password": {"staple battery horse"}})
	newBrowserClient(t).post(r.url+"/signin", url.Values{"email": {"ann@bücher.example"}, "password": {"staple battery horse"}})
	var accounts []account.Account
	i.do(&accounts, "account", "list")
	require.Len(t, accounts, 2)
	require.Equal(t, account.Account{ID: accounts[0].ID, Email: "ann@xn--bcher-kva.example", Plan: account.PlanPro, Verified: true}, accounts[0])
}

// makeDue has an account's daily mail due at once, as if that of the day before the last had been the last.
func makeDue(t *testing.T, file, accountID string) {
	t.Helper()
	s, err := sqlite.Open(t.Context(), file, storage.Options{})
	require.NoError(t, err)
	due, err := s.Digest(t.Context(), accountID)
	require.NoError(t, err)
	day, err := time.Parse(time.DateOnly, due.Day)
	require.NoError(t, err)
	require.NoError(t, s.UndoDigest(t.Context(), accountID, due.Day, day.AddDate(0, 0, -1).Format(time.DateOnly), time.Now()))
	require.NoError(t, s.Close())
}

// browserClient is a browser without scripts.
type browserClient struct {
	t *testing.T
	http.Client
}

func newBrowserClient(t *testing.T) *browserClient {
	t.Helper()
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	return &browserClient{t, http.Client{Jar: jar}}
}

func (b *browserClient) post(address string, form url.Values) {
	b.t.Helper()
	req, err := http.NewRequestWithContext(b.t.Context(), http.MethodPost, address, strings.NewReader(form.Encode()))
	require.NoError(b.t, err)
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Sec-Fetch-Site", "same-origin")
	res, err := b.Do(req)
	require.NoError(b.t, err)
	require.NoError(b.t, res.Body.Close())
	require.Less(b.t, res.StatusCode, 400, address)
}
