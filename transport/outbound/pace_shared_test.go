package outbound_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch/pace"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/storagetest"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// vendor answers for every host, as a proxy, and notes when requests begin and end.
type vendor struct {
	*httptest.Server

	mu       sync.Mutex
	answer   func(n int, w http.ResponseWriter) // n counts from 1
	requests []visit
	under    int
	overlaps int
}

// visit is one request.
type visit struct {
	from       string // its User-Agent
	begin, end time.Time
}

func newVendor(t *testing.T, answer func(n int, w http.ResponseWriter)) *vendor {
	t.Helper()
	v := &vendor{answer: answer}
	v.Server = httptest.NewServer(http.HandlerFunc(v.serve))
	t.Cleanup(v.Close)
	return v
}

func (v *vendor) serve(w http.ResponseWriter, r *http.Request) {
	v.mu.Lock()
	at := len(v.requests)
	v.requests = append(v.requests, visit{from: r.UserAgent(), begin: time.Now()})
	if v.under++; v.under > 1 {
		v.overlaps++
	}
	v.mu.Unlock()
	v.answer(at+1, w)
	v.mu.Lock()
	defer v.mu.Unlock()
	v.requests[at].end = time.Now()
	v.under--
}

func (v *vendor) visits() []visit {
	v.mu.Lock()
	defer v.mu.Unlock()
	return slices.Clone(v.requests)
}

// client is what another process would have: a store of its own on the same database.
func (v *vendor) client(t *testing.T, name string, turns pace.Store, pause time.Duration) *outbound.Client {
	t.Helper()
	proxy, err := url.Parse(v.URL)
	require.NoError(t, err)
	c := outbound.New(outbound.Options{
		UserAgent: name, Turns: turns, Pause: pause, Proxy: http.ProxyURL(proxy), Backoff: []time.Duration{},
	})
	t.Cleanup(c.CloseIdleConnections)
	return c
}

// askAll has the clients ask the vendor's one host, each without end, until it has answered so often.
func (v *vendor) askAll(t *testing.T, enough int, clients ...*outbound.Client) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var group sync.WaitGroup
	for _, c := range clients {
		group.Go(func() {
			for len(v.visits()) < enough {
				if _, err := c.Get(ctx, "http://vendor.example/", nil); err != nil && outbound.KindOf(err) != outbound.KindBusy {
					t.Error(err)
					return
				}
			}
		})
	}
	group.Wait()
}

// clockStep is by how much a pause may be shorter: the database's clock counts whole milliseconds.
const clockStep = 2 * time.Millisecond

func TestProcessesShareThePaceOfAHost(t *testing.T) {
	t.Parallel()
	const pause = 30 * time.Millisecond
	open := storagetest.Postgres(t)
	v := newVendor(t, func(_ int, w http.ResponseWriter) { w.WriteHeader(http.StatusNoContent) })
	var clients []*outbound.Client
	for _, name := range []string{"a", "b", "c"} {
		clients = append(clients, v.client(t, name, open(t, storage.Options{}), pause))
	}
	dying := open(t, storage.Options{})
	died, err := dying.Turns(t.Context(), nil, []pace.TurnRequest{{
		Host: "vendor.example:80", Process: "killed", Pace: pace.Pace{Pause: pause}, Longest: 100 * time.Millisecond,
	}})
	require.NoError(t, err)
	require.NotZero(t, died[0].Number)
	v.askAll(t, 60, clients...)

	visits := v.visits()
	asked := make(map[string]int)
	for i, got := range visits {
		asked[got.from]++
		if i > 0 {
			require.GreaterOrEqual(t, got.begin.Sub(visits[i-1].end), pause-clockStep, "request %d, of %s after %s", i, got.from, visits[i-1].from)
		}
	}
	require.Zero(t, v.overlaps, "one request at a time")
	for _, name := range []string{"a", "b", "c"} {
		require.GreaterOrEqual(t, asked[name], 10, "%s has its turn", name)
	}
}

func TestWhatOneProcessIsToldAllObey(t *testing.T) {
	t.Parallel()
	const pause = 40 * time.Millisecond
	open := storagetest.Postgres(t)
	v := newVendor(t, func(n int, w http.ResponseWriter) {
		if n == 10 {
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	})
	v.askAll(t, 20, v.client(t, "a", open(t, storage.Options{}), pause), v.client(t, "b", open(t, storage.Options{}), pause))
	visits := v.visits()
	require.GreaterOrEqual(t, visits[10].begin.Sub(visits[9].end), time.Second-clockStep, "nobody asks while the host wants to be left alone")
	for i, got := range visits[11:] {
		require.GreaterOrEqual(t, got.begin.Sub(visits[10+i].end), 2*pause-4*clockStep, "then half as often")
	}
}

func TestAProcessThatLosesItsStoreStopsAsking(t *testing.T) {
	t.Parallel()
	open := storagetest.Postgres(t)
	v := newVendor(t, func(_ int, w http.ResponseWriter) { w.WriteHeader(http.StatusNoContent) })
	store := open(t, storage.Options{})
	client := v.client(t, "a", store, time.Millisecond)
	v.askAll(t, 3, client)
	require.NoError(t, store.Close())
	before := len(v.visits())
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	_, err := client.Get(ctx, "http://vendor.example/", nil)
	require.Equal(t, outbound.KindStopped, outbound.KindOf(err))
	require.Len(t, v.visits(), before, "no request was sent")
}

// turnStore is a store that answers as the test wants.
type turnStore struct {
	pace.Store

	turns func(ctx context.Context, ends []pace.TurnEnd, requests []pace.TurnRequest) ([]pace.TurnAnswer, error)
}

func (s turnStore) Turns(ctx context.Context, ends []pace.TurnEnd, requests []pace.TurnRequest) ([]pace.TurnAnswer, error) {
	return s.turns(ctx, ends, requests)
}

func TestNoRequestBeginsTwoSecondsAfterTheStoreWasLost(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		memory := pace.NewMemory()
		var lost atomic.Bool
		var lastAnswer, begun atomic.Int64
		store := turnStore{turns: func(ctx context.Context, ends []pace.TurnEnd, requests []pace.TurnRequest) ([]pace.TurnAnswer, error) {
			if lost.Load() {
				<-ctx.Done() // a network that swallows everything
				return nil, ctx.Err()
			}
			lastAnswer.Store(time.Now().UnixNano())
			return memory.Turns(ctx, ends, requests)
		}}
		client := outbound.New(outbound.Options{Turns: store, Transport: roundTrip(func(*http.Request) (*http.Response, error) {
			begun.Store(time.Now().UnixNano())
			return answer(http.StatusOK), nil
		})})
		get := func(patience time.Duration) error {
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			_, err := client.Get(ctx, "https://a.example/", nil)
			return err
		}
		require.NoError(t, get(time.Minute))
		ctx, cancel := context.WithCancel(t.Context())
		var group sync.WaitGroup
		group.Go(func() { _, _ = client.Get(ctx, "https://a.example/", nil) }) // it has its turn when the store goes
		synctest.Wait()
		lost.Store(true)
		require.Equal(t, outbound.KindStopped, outbound.KindOf(get(time.Minute)))
		require.LessOrEqual(t, time.Duration(begun.Load()-lastAnswer.Load()), 2*time.Second)
		cancel()
		group.Wait()
		lost.Store(false)
		require.NoError(t, get(time.Minute), "when the store answers again, so does the host")
	})
}

func TestATurnThatComesTooLateIsNotUsed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		memory := pace.NewMemory()
		asked := 0
		var unused []pace.TurnEnd
		store := turnStore{turns: func(ctx context.Context, ends []pace.TurnEnd, requests []pace.TurnRequest) ([]pace.TurnAnswer, error) {
			for _, e := range ends {
				if e.Unused {
					unused = append(unused, e)
				}
			}
			answers, err := memory.Turns(ctx, ends, requests)
			if asked += len(requests); asked == 1 {
				<-time.After(2 * time.Second) // longer than it may take
			}
			return answers, err
		}}
		client := outbound.New(outbound.Options{Turns: store, Transport: roundTrip(func(*http.Request) (*http.Response, error) {
			return answer(http.StatusOK), nil
		})})
		_, err := client.Get(t.Context(), "https://a.example/", nil)
		require.NoError(t, err)
		synctest.Wait()
		require.Equal(t, 2, asked, "it asked for another")
		require.Len(t, unused, 1)
	})
}

func TestTurnsOfThoseWhoGaveUpAreGivenBack(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		memory := pace.NewMemory()
		var answering atomic.Bool
		store := turnStore{turns: func(ctx context.Context, ends []pace.TurnEnd, requests []pace.TurnRequest) ([]pace.TurnAnswer, error) {
			if !answering.Load() {
				return nil, errors.New("no answer")
			}
			<-time.After(100 * time.Millisecond)
			return memory.Turns(ctx, ends, requests)
		}}
		client := outbound.New(outbound.Options{Turns: store, Transport: roundTrip(func(*http.Request) (*http.Response, error) {
			return answer(http.StatusOK), nil
		})})
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		_, err := client.Get(ctx, "https://a.example/", nil)
		cancel()
		require.Equal(t, outbound.KindStopped, outbound.KindOf(err), "a store that fails is asked again until the caller gives up")

		answering.Store(true)
		ctx, cancel = context.WithTimeout(t.Context(), 50*time.Millisecond)
		_, err = client.Get(ctx, "https://a.example/", nil)
		cancel()
		require.Equal(t, outbound.KindStopped, outbound.KindOf(err))

		start := time.Now()
		_, err = client.Get(t.Context(), "https://a.example/", nil)
		require.NoError(t, err)
		require.Less(t, time.Since(start), time.Second, "the turn that nobody waited for is free again")
	})
}

func TestASlowRequestKeepsItsTurn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		memory := pace.NewMemory()
		under, most := 0, 0
		var mu sync.Mutex
		slow := roundTrip(func(*http.Request) (*http.Response, error) {
			mu.Lock()
			under++
			most = max(most, under)
			mu.Unlock()
			<-time.After(25 * time.Second)
			mu.Lock()
			defer mu.Unlock()
			under--
			return answer(http.StatusOK), nil
		})
		var group sync.WaitGroup
		for range 2 {
			client := outbound.New(outbound.Options{Turns: memory, Transport: slow})
			group.Go(func() {
				_, err := client.Get(t.Context(), "https://a.example/", nil)
				require.NoError(t, err)
			})
		}
		group.Wait()
		require.Equal(t, 1, most, "the other process waits for the end")

		start := time.Now()
		_, err := memory.Turns(t.Context(), nil, []pace.TurnRequest{{Host: "b.example:443", Process: "killed", Longest: 6 * time.Second}})
		require.NoError(t, err)
		quick := outbound.New(outbound.Options{Turns: memory, Transport: roundTrip(func(*http.Request) (*http.Response, error) {
			return answer(http.StatusOK), nil
		})})
		_, err = quick.Get(t.Context(), "https://b.example/", nil)
		require.NoError(t, err)
		require.Less(t, time.Since(start), 7*time.Second, "that of a process that was killed is soon free")
	})
}

func TestASystemHasItsOwnPace(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var d diary
		var told []outbound.Paced
		start := time.Now()
		client := outbound.New(outbound.Options{
			Paces: map[string]pace.Pace{"greenhouse": {Every: 250 * time.Millisecond, AtOnce: 2}},
			Paced: func(p outbound.Paced) {
				d.mu.Lock()
				defer d.mu.Unlock()
				told = append(told, p)
			},
			Transport: roundTrip(func(req *http.Request) (*http.Response, error) {
				d.note(start, req.URL.Hostname(), 400*time.Millisecond)
				return answer(http.StatusOK), nil
			}),
		})
		board := client.SessionWith(outbound.SessionOptions{System: "greenhouse"}).Session()
		var group sync.WaitGroup
		for range 4 {
			group.Go(func() {
				_, err := board.Session().Get(t.Context(), "https://api.example/", nil)
				require.NoError(t, err)
			})
		}
		group.Wait()
		ms := time.Millisecond
		require.Equal(t, []time.Duration{0, 250 * ms, 500 * ms, 750 * ms}, d.begins["api.example"])
		require.Equal(t, 2, d.atMax)
		require.Len(t, told, 4)
		require.Equal(t, "greenhouse", told[0].System)
	})
}
