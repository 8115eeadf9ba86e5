package outbound_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/transport/outbound"
)

// echo answers every request with its path, or with what the function says.
type echo func(*http.Request) *http.Response

func (e echo) RoundTrip(req *http.Request) (*http.Response, error) {
	if resp := e(req); resp != nil {
		resp.Request = req
		return resp, nil
	}
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: http.NoBody, Request: req}, nil
}

func TestSessionSendsNoMoreThanItMay(t *testing.T) {
	t.Parallel()
	client := outbound.New(outbound.Options{Transport: echo(func(*http.Request) *http.Response { return nil }), Pause: -1})
	session := client.SessionWith(outbound.SessionOptions{MaxRequests: 3})
	below := session.Session()
	for _, c := range []*outbound.Client{session, below, session} {
		_, err := c.Get(t.Context(), "https://northwind.example/", nil)
		require.NoError(t, err)
	}
	_, err := below.Get(t.Context(), "https://northwind.example/", nil)
	require.Equal(t, outbound.KindSpent, outbound.KindOf(err))
	require.Equal(t, 3, session.Requests())
	require.Equal(t, 1, below.Requests())
	require.Equal(t, 3, client.Requests())

	_, err = client.Get(t.Context(), "https://northwind.example/", nil)
	require.NoError(t, err, "the limit is the session's alone")
}

func TestSessionMayAskOnlyOnce(t *testing.T) {
	t.Parallel()
	busy := echo(func(*http.Request) *http.Response {
		return &http.Response{StatusCode: http.StatusBadGateway, Header: http.Header{}, Body: http.NoBody}
	})
	client := outbound.New(outbound.Options{Transport: busy, Pause: -1, Backoff: []time.Duration{0, 0}})
	for once, want := range map[bool]int{false: 3, true: 1} {
		session := client.SessionWith(outbound.SessionOptions{Once: once}).Session()
		_, err := session.Get(t.Context(), "https://northwind.example/", nil)
		require.NoError(t, err)
		require.Equal(t, want, session.Requests())
	}
}

func TestSessionAsksWhetherAPageMayBeRead(t *testing.T) {
	t.Parallel()
	site := echo(func(req *http.Request) *http.Response {
		if req.URL.Path != "/start" {
			return nil
		}
		return &http.Response{StatusCode: http.StatusFound, Header: http.Header{"Location": {"/end"}}, Body: http.NoBody}
	})
	var asked []string
	no := errors.New("not this one")
	session := outbound.New(outbound.Options{Transport: site, Pause: -1}).SessionWith(outbound.SessionOptions{
		Allow: func(_ context.Context, u *url.URL) error {
			asked = append(asked, u.Path)
			if u.Path == "/end" {
				return no
			}
			return nil
		},
	})
	_, err := session.Session().Get(t.Context(), "https://northwind.example/start", nil)
	require.ErrorIs(t, err, no, "a hop is judged like an address of its own")
	require.Equal(t, []string{"/start", "/end"}, asked)

	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://northwind.example/end", http.NoBody)
	require.NoError(t, err)
	_, err = session.Do(req)
	require.NoError(t, err, "Do asks nobody")
}

func TestSessionTakesItsOwnProxy(t *testing.T) {
	t.Parallel()
	proxy := func(name string) *url.URL {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(name)) }))
		t.Cleanup(server.Close)
		u, err := url.Parse(server.URL)
		require.NoError(t, err)
		return u
	}
	usual, own := proxy("usual"), proxy("own")
	straight := proxy("straight").String()
	client := outbound.New(outbound.Options{AllowLoopback: true, Proxy: http.ProxyURL(usual)})
	for _, tt := range []struct {
		name    string
		address string
		options outbound.SessionOptions
		want    string
	}{
		{"none of its own", "http://northwind.example/", outbound.SessionOptions{}, "usual"},
		{"one of its own", "http://northwind.example/", outbound.SessionOptions{Proxy: own}, "own"},
		{"no proxy at all", straight, outbound.SessionOptions{Direct: true, Proxy: own}, "straight"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			session := client.SessionWith(tt.options).Session()
			page, err := session.Get(t.Context(), tt.address, nil)
			require.NoError(t, err)
			require.Equal(t, tt.want, string(page.Body))
		})
	}
}

func TestGetTakesValidatorsToNoOtherAddress(t *testing.T) {
	t.Parallel()
	site := echo(func(req *http.Request) *http.Response {
		switch {
		case req.URL.Path == "/start" && req.Header.Get("If-None-Match") == `"1"`:
			return &http.Response{StatusCode: http.StatusFound, Header: http.Header{"Location": {"/end"}}, Body: http.NoBody}
		case req.Header.Get("If-None-Match") != "" || req.Header.Get("If-Modified-Since") != "":
			return &http.Response{StatusCode: http.StatusNotModified, Header: http.Header{}, Body: http.NoBody}
		}
		return nil
	})
	session := outbound.New(outbound.Options{Transport: site, Pause: -1}).Session()
	page, err := session.Get(t.Context(), "https://northwind.example/start", http.Header{"If-None-Match": {`"1"`}, "If-Modified-Since": {"x"}})
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, page.Status)
}

func TestSlowHostsArePausedFor(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		client := outbound.New(outbound.Options{Transport: echo(func(*http.Request) *http.Response { return nil }), Pause: time.Second})
		u := &url.URL{Scheme: "https", Host: "slow.example"}
		took := func() time.Duration {
			start := time.Now()
			for range 2 {
				_, err := client.Get(t.Context(), u.String(), nil)
				require.NoError(t, err)
			}
			<-time.After(time.Minute) // lets the pause pass
			return time.Since(start) - time.Minute
		}
		require.Equal(t, time.Second, took())
		client.Slow(u, 4*time.Second)
		require.Equal(t, 4*time.Second, took())
		client.Slow(u, time.Hour)
		require.Equal(t, 10*time.Second, took(), "a wish has its limit")
		client.Slow(u, 0)
		require.Equal(t, time.Second, took())
	})
}
