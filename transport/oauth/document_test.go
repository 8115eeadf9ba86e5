package oauth_test

import (
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/transport/oauth"
)

// ann is somebody who connects a client.
const ann = "0123456789abcdef0123abcd"

// publisher is a host where clients describe themselves.
type publisher struct {
	*httptest.Server

	fetched atomic.Int64
	now     atomic.Int64
	current atomic.Value // an answering
}

type answering func(w http.ResponseWriter, r *http.Request)

func newPublisher(t *testing.T) *publisher {
	t.Helper()
	p := &publisher{}
	p.now.Store(time.Date(2026, 10, 21, 9, 0, 0, 0, time.UTC).UnixMilli())
	p.Server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.fetched.Add(1)
		p.current.Load().(answering)(w, r)
	}))
	t.Cleanup(p.Close)
	return p
}

func (p *publisher) documents(loopback bool) *oauth.Documents {
	return p.documentsBy(oauth.DocumentOptions{Loopback: loopback})
}

// documentsBy believes the publisher's certificate and goes by its clock.
func (p *publisher) documentsBy(o oauth.DocumentOptions) *oauth.Documents {
	o.RootCAs = x509.NewCertPool()
	o.RootCAs.AddCert(p.Certificate())
	o.Now = func() time.Time { return time.UnixMilli(p.now.Load()) }
	return oauth.NewDocuments(o)
}

func (p *publisher) id() string { return p.URL + "/client.json" }

// describes answers with a document, some members of which are changed.
func (p *publisher) describes(more string) {
	p.answers(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprintf(w, `{"client_id":%q,"client_name":"Assistant","redirect_uris":[%q,"http://localhost/callback"],
			"grant_types":["authorization_code","refresh_token","implicit"]%s}`, p.id(), callback, more)
	})
}

func (p *publisher) answers(f answering) { p.current.Store(f) }

func reason(t *testing.T, err error) string {
	t.Helper()
	e, ok := errors.AsType[*oauth.DocumentError](err)
	require.True(t, ok, "%v", err)
	return e.Reason
}

func TestADescribedClientIsConnectedWithoutRegistering(t *testing.T) {
	t.Parallel()
	p := newPublisher(t)
	p.describes(`,"token_endpoint_auth_method":"private_key_jwt","token_endpoint_auth_methods_supported":["private_key_jwt","none"]`)
	w := newWorld(t, worldOptions{documents: p.documents(true)})
	v := request(p.id())

	w.signIn("")
	require.Equal(t, http.StatusSeeOther, w.get("/oauth/authorize?"+v.Encode()).StatusCode)
	require.Zero(t, p.fetched.Load(), "nothing is fetched for nobody")
	w.signIn(w.token)
	a := w.get("/oauth/authorize?" + v.Encode())
	require.Equal(t, http.StatusOK, a.StatusCode, a.Text)
	require.Contains(t, a.Text, strings.TrimPrefix(p.URL, "https://"), "the host that describes it")
	require.NotContains(t, a.Text, "The name has not been verified")
	require.Equal(t, http.StatusBadRequest, w.get("/oauth/authorize?"+request(p.id(), "redirect_uri", "https://evil.example/").Encode()).StatusCode)
	require.Equal(t, http.StatusOK, w.get("/oauth/authorize?"+request(p.id(), "redirect_uri", "http://localhost:4711/callback").Encode()).StatusCode)

	code := w.allow(v, "boards:read", "offline_access")
	p.Close()
	access, refresh := w.tokens(w.redeem(p.id(), code))
	require.True(t, w.holds(access))
	w.tokens(w.refresh(p.id(), refresh))
	require.EqualValues(t, 1, p.fetched.Load(), "the grant carries what is needed")
}

func TestADocumentThatCannotBeUsedIsTold(t *testing.T) {
	t.Parallel()
	p := newPublisher(t)
	p.answers(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) })
	w := newWorld(t, worldOptions{documents: p.documents(true)})
	a := w.get("/oauth/authorize?" + request(p.id()).Encode())
	require.Equal(t, http.StatusBadRequest, a.StatusCode)
	require.Empty(t, a.Header.Get("Location"))
	require.Contains(t, a.Text, strings.TrimPrefix(p.URL, "https://"))
	require.Contains(t, a.Text, "the host answers 404")
}

func TestDocumentsThatLieDripGrowOrLeadElsewhere(t *testing.T) {
	t.Parallel()
	p := newPublisher(t)
	own := fmt.Sprintf(`"client_id":%q`, p.id())
	send := func(kind, body string) func(http.ResponseWriter, *http.Request) {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			_, _ = w.Write([]byte(body))
		}
	}
	const rest = `,"client_name":"A","redirect_uris":["` + callback + `"]}`
	for name, test := range map[string]struct {
		answer func(http.ResponseWriter, *http.Request)
		reason string
	}{
		"leads elsewhere": {func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/other.json" {
				send("application/json", "{"+own+rest)(w, r)
				return
			}
			http.Redirect(w, r, "/other.json", http.StatusFound)
		}, "302"},
		"is missing":            {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) }, "404"},
		"is an accepted answer": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusAccepted) }, "202"},
		"grows":                 {send("application/json", "{"+own+`,"x":"`+strings.Repeat("x", 5<<10)+`"`+rest), "larger than 5 KiB"},
		"drips": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte("{" + own))
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		}, "does not finish"},
		"never answers": {func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, "does not answer"},
		"is a page":     {send("text/html", "{"+own+rest), "not JSON"},
		"is compressed": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			send("application/json", "{"+own+rest)(w, r)
		}, "compressed"},
		"is no JSON":                 {send("application/json", "{"+own), "not a JSON object"},
		"is a list":                  {send("application/json", "[]"), "not a JSON object"},
		"is no text":                 {send("application/json", "{"+own+`,"x":"`+"\xff\""+rest), "not a JSON object"},
		"is about another":           {send("application/json", `{"client_id":"https://other.example/client.json"`+rest), "about another app"},
		"is about almost the same":   {send("application/json", fmt.Sprintf(`{"client_id":%q`, p.id()+"?")+rest), "about another app"},
		"says it in other letters":   {send("application/json", fmt.Sprintf(`{"Client_ID":%q`, p.id())+rest), "about another app"},
		"has no name":                {send("application/json", "{"+own+`,"redirect_uris":["`+callback+`"]}`), "called"},
		"has no addresses":           {send("application/json", "{"+own+`,"client_name":"A"}`), "redirect_uris"},
		"has addresses of no use":    {send("application/json", "{"+own+`,"client_name":"A","redirect_uris":["http://evil.example/"]}`), "redirect_uris"},
		"holds a secret":             {send("application/json", "{"+own+`,"client_secret":"s"`+rest), "holds a secret"},
		"cannot do without a secret": {send("application/json", "{"+own+`,"token_endpoint_auth_method":"private_key_jwt"`+rest), "must be none"},
	} {
		p.answers(test.answer)
		_, err := p.documentsBy(oauth.DocumentOptions{Loopback: true, Timeout: time.Second}).Client(t.Context(), ann, p.id(), nil)
		require.Contains(t, reason(t, err), test.reason, name)
	}
}

func TestDocumentsArePublic(t *testing.T) {
	t.Parallel()
	p := newPublisher(t)
	p.describes("")
	_, err := p.documents(false).Client(t.Context(), ann, p.id(), nil)
	require.Contains(t, reason(t, err), "may not be asked")

	_, port, err := net.SplitHostPort(p.Listener.Addr().String())
	require.NoError(t, err)
	// A name that leads to this machine, by whatever it answered before: what is dialled counts.
	_, err = p.documents(false).Client(t.Context(), ann, "https://localhost:"+port+"/client.json", nil)
	require.Contains(t, reason(t, err), "may not be asked")
	for _, host := range []string{"10.0.0.1", "169.254.169.254", "100.64.0.1", "[fd00::1]", "[::ffff:127.0.0.1]", "[64:ff9b::7f00:1]", "0.0.0.0", "224.0.0.1"} {
		_, err := p.documents(true).Client(t.Context(), ann, "https://"+host+"/client.json", nil)
		require.Error(t, err, host)
	}
	require.Zero(t, p.fetched.Load())
}

func TestDocumentsAreRememberedForAWhile(t *testing.T) {
	t.Parallel()
	for control, kept := range map[string]time.Duration{
		"": 5 * time.Minute, "max-age=1": 5 * time.Minute, "no-store": 5 * time.Minute, "public, max-age=3600": time.Hour,
		"max-age=99999999": 24 * time.Hour,
	} {
		p := newPublisher(t)
		p.describes("")
		describe := p.current.Load().(answering)
		p.answers(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Cache-Control", control)
			describe(w, r)
		})
		d := p.documents(true)
		for i, after := range []time.Duration{0, kept - time.Second, time.Second} {
			p.now.Add(after.Milliseconds())
			_, err := d.Client(t.Context(), ann, p.id(), nil)
			require.NoError(t, err)
			require.EqualValues(t, 1+i/2, p.fetched.Load(), "%s, the %d. time", control, i)
		}
	}
}

func TestFaultsAreRememberedShortly(t *testing.T) {
	t.Parallel()
	p := newPublisher(t)
	p.answers(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) })
	d := p.documents(true)
	for range 20 { // more than a person may have fetched
		_, err := d.Client(t.Context(), ann, p.id(), nil)
		require.Contains(t, reason(t, err), "the host answers 500")
	}
	require.EqualValues(t, 1, p.fetched.Load())
	p.describes("")
	p.now.Add((30*time.Second - time.Millisecond).Milliseconds())
	_, err := d.Client(t.Context(), ann, p.id(), nil)
	require.Error(t, err)
	p.now.Add(1)
	_, err = d.Client(t.Context(), ann, p.id(), nil)
	require.NoError(t, err)
}

// What one person has fetched, or is kept waiting for, is nobody else's loss.
func TestAPersonKeepsAHostFromNobodyElse(t *testing.T) {
	t.Parallel()
	p := newPublisher(t)
	p.answers(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) })
	d := p.documents(true)
	var err error
	for i := range 11 {
		_, err = d.Client(t.Context(), "eve", fmt.Sprintf("%s/%d.json", p.URL, i), nil)
	}
	require.Contains(t, reason(t, err), "too many apps")
	require.EqualValues(t, 10, p.fetched.Load())
	p.describes("")
	_, err = d.Client(t.Context(), ann, p.id(), nil)
	require.NoError(t, err)
	_, err = d.Client(t.Context(), "eve", p.id(), nil)
	require.NoError(t, err, "what is known costs nothing")
	p.now.Add((6 * time.Second).Milliseconds())
	_, err = d.Client(t.Context(), "eve", p.URL+"/more.json", nil)
	require.NotContains(t, reason(t, err), "too many apps")

	hold := make(chan struct{})
	p.answers(func(http.ResponseWriter, *http.Request) { <-hold })
	p.now.Add(time.Hour.Milliseconds())
	before := p.fetched.Load()
	var all sync.WaitGroup
	for i := range 2 {
		all.Go(func() { _, _ = d.Client(t.Context(), "eve", fmt.Sprintf("%s/slow%d.json", p.URL, i), nil) })
	}
	require.Eventually(t, func() bool { return p.fetched.Load() == before+2 }, 2*time.Second, time.Millisecond)
	_, err = d.Client(t.Context(), "eve", p.URL+"/third.json", nil)
	require.Contains(t, reason(t, err), "several apps")
	close(hold)
	all.Wait()
}

func TestADocumentIsFetchedOnceForMany(t *testing.T) {
	t.Parallel()
	p := newPublisher(t)
	p.describes("")
	describe, hold := p.current.Load().(answering), make(chan struct{})
	p.answers(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-hold:
		case <-r.Context().Done():
		}
		describe(w, r)
	})
	d := p.documents(true)
	var all sync.WaitGroup
	for i := range 10 {
		all.Go(func() { _, _ = d.Client(t.Context(), strconv.Itoa(i), p.id(), nil) })
	}
	require.Eventually(t, func() bool { return p.fetched.Load() == 1 }, 2*time.Second, time.Millisecond)
	close(hold)
	all.Wait()
	require.EqualValues(t, 1, p.fetched.Load())
}

func TestIDsThatAreNoAddressesOfDocuments(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	for _, id := range []string{
		"http://app.example/client.json", "https://app.example", "https://app.example/", "https://app.example/a/../client.json",
		"https://app.example/./client.json", "https://app.example/%2e%2e/client.json", "https://app.example/client.json#x",
		"https://u@app.example/client.json", "HTTPS://app.example/client.json", "https:///client.json", "https:client.json",
	} {
		a := w.get("/oauth/authorize?" + request(id).Encode())
		require.Equal(t, http.StatusBadRequest, a.StatusCode, id)
		require.Contains(t, a.Text, "not registered", id)
		require.Equal(t, http.StatusUnauthorized, w.redeem(id, "x").StatusCode, id)
	}
}
