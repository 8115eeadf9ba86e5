package web

import (
	"context"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
)

// An account that asks for everything again and again, or a program that does so with its feed, must not keep others waiting.
func TestAnAccountsDownloadsAreAnsweredTwoAtATime(t *testing.T) {
	t.Parallel()
	a := new(App)
	begun, end := make(chan struct{}), make(chan struct{})
	slow := a.download(func(http.ResponseWriter, *http.Request, *caller) error {
		begun <- struct{}{}
		<-end
		return nil
	})
	quick := a.download(func(http.ResponseWriter, *http.Request, *caller) error { return nil })
	ask := func(h handler, id, token string) error {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/export", nil)
		r.SetPathValue("token", token)
		return h(httptest.NewRecorder(), r, &caller{Account: account.Account{ID: id}})
	}
	for _, of := range []struct{ id, token string }{{"ann", ""}, {"", "the token of a feed"}} {
		var under sync.WaitGroup
		answered := make(chan error, mostDownloads)
		for range mostDownloads {
			under.Go(func() { answered <- ask(slow, of.id, of.token) })
			<-begun
		}
		require.Equal(t, boardwatch.CodeRateLimited, boardwatch.CodeOf(ask(quick, of.id, of.token)))
		require.NoError(t, ask(quick, "bob", ""))
		require.NoError(t, ask(quick, "", "another token"))
		for range mostDownloads {
			end <- struct{}{}
		}
		under.Wait()
		for range mostDownloads {
			require.NoError(t, <-answered)
		}
		require.NoError(t, ask(quick, of.id, of.token))
	}
	require.Empty(t, a.crowd.under)
}

func TestAnAccountsPagesWaitForEachOther(t *testing.T) {
	t.Parallel()
	var c crowd
	enter := func(ctx context.Context) (leave func(), err error) { return c.enter(ctx, "ann", 1, 1) }
	first, err := enter(t.Context())
	require.NoError(t, err)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = enter(gone)
	require.ErrorIs(t, err, context.Canceled, "nobody waits for it any more")

	second := make(chan error)
	go func() {
		leave, err := enter(t.Context())
		if err == nil {
			leave()
		}
		second <- err
	}()
	require.Eventually(t, func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		return c.under["ann"].all == 2
	}, time.Minute, time.Millisecond)
	_, err = enter(t.Context())
	require.Equal(t, boardwatch.CodeRateLimited, boardwatch.CodeOf(err), "the only place to wait is taken")
	first()
	require.NoError(t, <-second)
	require.Empty(t, c.under)
}
