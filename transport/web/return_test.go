package web_test

import (
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/scraper/browser/browsertest"
	"github.com/boardwatch/boardwatch/transport/oauth"
)

// TestAProgramHearsOfItsFaultAfterTheSignIn is about a program that describes itself. Its redirect address is known
// only after the person has signed in, and browsers do not let the sign-in form redirect to another site.
func TestAProgramHearsOfItsFaultAfterTheSignIn(t *testing.T) {
	t.Parallel()
	heard := make(chan url.Values, 1)
	program := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/callback" {
			heard <- r.URL.Query()
		}
		_, _ = io.WriteString(w, "<link rel=icon href=data:,>Something is wrong with this program.")
	}))
	t.Cleanup(program.Close)
	var id string
	publisher := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprintf(w, `{"client_id":%q,"client_name":"Terminal","redirect_uris":["http://127.0.0.1/callback"]}`, id)
	}))
	t.Cleanup(publisher.Close)
	id = publisher.URL + "/client.json"
	roots := x509.NewCertPool()
	roots.AddCert(publisher.Certificate())
	w := newWorld(t, worldOptions{documents: oauth.NewDocuments(oauth.DocumentOptions{Loopback: true, RootCAs: roots})})
	w.account(ownerEmail, account.PlanFree, true)

	ctx := browsertest.Tab(t)
	require.NoError(t, chromedp.Do(ctx,
		chromedp.Navigate(w.site.URL+"/oauth/authorize?"+url.Values{
			"response_type": {"code"}, "client_id": {id}, "redirect_uri": {program.URL + "/callback"}, "state": {"s 1"},
			"code_challenge": {appChallenge}, "code_challenge_method": {"plain"},
		}.Encode()),
		chromedp.SendKeys(chromedp.ID("email"), ownerEmail),
		chromedp.SendKeys(chromedp.ID("password"), password),
		chromedp.Submit(chromedp.ID("password")),
	))
	select {
	case v := <-heard:
		require.Equal(t, "invalid_request", v.Get("error"))
		require.Equal(t, "s 1", v.Get("state"))
		require.Equal(t, w.site.URL, v.Get("iss"))
	case <-time.After(20 * time.Second):
		text, err := chromedp.Run(ctx, chromedp.Text(chromedp.CSS("body")))
		t.Fatalf("the program hears nothing; the person sees %q, %v", text, err)
	}
}
