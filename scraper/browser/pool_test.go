package browser_test

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/scraper/browser"
)

// hostOf is the host and the port of a DevTools address.
func hostOf(t *testing.T, address string) (host string, port int) {
	t.Helper()
	u, err := url.Parse(address)
	require.NoError(t, err)
	port, err = strconv.Atoi(u.Port())
	require.NoError(t, err)
	return u.Host, port
}

// shows has a number of pages shown, several at a time, and calls at after each.
func shows(t *testing.T, b *browser.Browser, address string, pages, together int, at func(done int)) {
	t.Helper()
	left := make(chan struct{}, pages)
	for range pages {
		left <- struct{}{}
	}
	close(left)
	var done atomic.Int64
	var workers sync.WaitGroup
	for range together {
		workers.Go(func() {
			for range left {
				shown, err := b.Show(t.Context(), scraper.View{Address: address})
				if err != nil || !strings.Contains(string(shown.HTML), "Pipe Fitter") {
					t.Errorf("a page was not shown: %v", err)
				}
				at(int(done.Add(1)))
			}
		})
	}
	workers.Wait()
}

// Pages are spread over several browsers. One that is killed loses no page, is left aside, and gets pages again once it is
// back.
func TestBrowserPool(t *testing.T) {
	t.Parallel()
	needsChromium(t)
	a := newApplication(t, map[string]string{"/careers": goodPage})
	first, second := elsewhere(t), elsewhere(t)
	third, end := startElsewhere(t, 0, t.TempDir())
	host, port := hostOf(t, third)
	remotes := []string{"ws://" + host}
	for _, address := range []string{first, second} {
		other, _ := hostOf(t, address)
		remotes = append(remotes, "ws://"+other)
	}
	b := browser.New(browser.Options{Outbound: onLoopback(), Remotes: remotes, MaxPages: 2})
	t.Cleanup(func() { require.NoError(t, b.Close()) })

	shows(t, b, a.URL+"/careers", 24, 6, func(int) {})
	states, waiting := b.States()
	require.Zero(t, waiting)
	for _, s := range states {
		require.NotEmpty(t, s.Product, s)
		require.Zero(t, s.Open, s)
		require.InDelta(t, 8, s.Shown, 4, s)
	}

	var once sync.Once
	shows(t, b, a.URL+"/careers", 36, 6, func(done int) {
		if done >= 6 {
			once.Do(end)
		}
	})
	states, _ = b.States()
	require.Equal(t, host, states[0].Name)
	require.Equal(t, 1, states[0].Lost)
	require.EqualError(t, states[0].Fault, "no browser answers at "+host+" (browser.remote_url)")
	require.True(t, states[0].Retry.After(time.Now().Add(-time.Minute)))
	require.Contains(t, b.State(), "no browser answers at "+host)

	_, again := startElsewhere(t, port, t.TempDir())
	t.Cleanup(again)
	before := states[0].Shown
	require.Eventually(t, func() bool {
		shows(t, b, a.URL+"/careers", 6, 6, func(int) {})
		states, _ = b.States()
		return states[0].Shown > before
	}, time.Minute, 100*time.Millisecond)
	require.NoError(t, states[0].Fault)
}

// silentHost accepts connections and never says a word.
func silentHost(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	var serving sync.WaitGroup
	serving.Go(func() {
		var held []net.Conn
		for {
			c, err := l.Accept()
			if err != nil {
				break
			}
			held = append(held, c)
		}
		for _, c := range held {
			_ = c.Close()
		}
	})
	t.Cleanup(func() {
		require.NoError(t, l.Close())
		serving.Wait()
	})
	return l.Addr().String()
}

// A browser that accepts connections and says nothing holds up no page that another can show.
func TestBrowserPoolPassesOverASilentOne(t *testing.T) {
	t.Parallel()
	needsChromium(t)
	a := newApplication(t, map[string]string{"/careers": goodPage})
	b := browser.New(browser.Options{Outbound: onLoopback(), Remotes: []string{"ws://" + silentHost(t), elsewhere(t)}, MaxPages: 1})
	began := time.Now()
	shows(t, b, a.URL+"/careers", 1, 1, func(int) {})
	require.Less(t, time.Since(began), 14*time.Second, "a connection is waited for longer than that")
	require.NoError(t, b.Close())
}

// Pages get their places in the order in which they came, and one that gives up leaves its place to the next.
func TestBrowserQueue(t *testing.T) {
	t.Parallel()
	needsChromium(t)
	a := newApplication(t, map[string]string{"/careers": goodPage})
	b := browser.New(browser.Options{Outbound: onLoopback(), MaxPages: 1})
	t.Cleanup(func() { require.NoError(t, b.Close()) })
	holding, free := make(chan struct{}), make(chan struct{})
	var order []int
	var mu sync.Mutex
	var group sync.WaitGroup
	var once sync.Once
	group.Go(func() {
		_, err := b.Show(t.Context(), scraper.View{Address: a.URL + "/careers", Enough: func(*scraper.Shown) scraper.Patience {
			once.Do(func() { close(holding) })
			<-free
			return scraper.Enough
		}})
		require.NoError(t, err)
	})
	<-holding
	queued := func(n int) {
		require.Eventually(t, func() bool { _, waiting := b.States(); return waiting == n }, 5*time.Second, time.Millisecond)
	}
	for i := range 3 {
		group.Go(func() {
			_, err := b.Show(t.Context(), scraper.View{Address: fmt.Sprintf("%s/careers?%d", a.URL, i)})
			require.NoError(t, err)
			mu.Lock()
			order = append(order, i)
			mu.Unlock()
		})
		queued(i + 1)
	}
	ctx, cancel := context.WithCancel(t.Context())
	group.Go(func() {
		_, err := b.Show(ctx, scraper.View{Address: a.URL + "/careers"})
		require.ErrorIs(t, err, context.Canceled)
	})
	queued(4)
	cancel()
	queued(3)
	close(free)
	group.Wait()
	require.Equal(t, []int{0, 1, 2}, order)
}

// A page whose browser was there a moment ago waits for it to come back.
func TestBrowserPoolAllGone(t *testing.T) {
	t.Parallel()
	needsChromium(t)
	a := newApplication(t, map[string]string{"/careers": goodPage})
	address, end := startElsewhere(t, 0, t.TempDir())
	host, port := hostOf(t, address)
	b := browser.New(browser.Options{Outbound: onLoopback(), Remotes: []string{"ws://" + host}, MaxPages: 1})
	t.Cleanup(func() { require.NoError(t, b.Close()) })
	show := func() error {
		_, err := b.Show(t.Context(), scraper.View{Address: a.URL + "/careers"})
		return err
	}
	require.NoError(t, show())
	end()
	waited := make(chan error, 1)
	go func() { waited <- show() }()
	require.Eventually(t, func() bool { states, _ := b.States(); return states[0].Fault != nil }, 10*time.Second, time.Millisecond)
	_, again := startElsewhere(t, port, t.TempDir())
	t.Cleanup(again)
	require.NoError(t, <-waited)
}
