package deliver_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/deliver"
	"github.com/boardwatch/boardwatch/storage/storagetest"
	"github.com/boardwatch/boardwatch/transport/webhook"
)

// always answers with a status.
func always(code int) func(int, http.ResponseWriter, *http.Request) {
	return func(_ int, w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
}

// quickly is a schedule with five waits, like the published one.
func quickly() boardwatch.Rules {
	return boardwatch.Rules{RetrySchedule: []time.Duration{
		10 * time.Millisecond, 20 * time.Millisecond, 30 * time.Millisecond, 40 * time.Millisecond, 50 * time.Millisecond,
	}}
}

func TestDeliversWhatAChangeOwes(t *testing.T) {
	t.Parallel()
	w := newWorld(t, storagetest.SQLite(t))
	rc := newReceiver(t, nil)
	hook := w.webhook(rc.url)
	other := w.webhook(rc.url, boardwatch.EventBoardFailed)
	d := w.dispatcher()
	w.run(d)
	w.owe(1)
	d.Wake()
	log := w.settled(hook)
	require.Len(t, log, 1)
	require.Empty(t, w.log(other), "it did not choose the event")
	got := rc.got()
	require.Len(t, got, 1)
	h := got[0].header
	require.Equal(t, "application/json", h.Get("Content-Type"))
	require.Equal(t, "Boardwatch-Webhooks/dev", h.Get("User-Agent"))
	require.Equal(t, "job.found", h.Get("X-Boardwatch-Event"))
	require.Equal(t, log[0].ID, h.Get("X-Boardwatch-Delivery"))
	require.Contains(t, string(got[0].body), `{"id":"`+log[0].ID+`","type":"job.found",`)
	require.NoError(t, boardwatch.Verify([]byte(hook.Secret), got[0].body, h.Get("X-Boardwatch-Signature"),
		boardwatch.SignatureTolerance, time.Now()))
	require.Equal(t, boardwatch.DeliveryDelivered, log[0].State)
	require.Equal(t, 1, log[0].Attempts)
	require.Equal(t, http.StatusNoContent, log[0].ResponseCode)
	require.Empty(t, log[0].Error)
	require.False(t, log[0].LastAttemptAt.IsZero())
	require.True(t, log[0].NextAttemptAt.IsZero())
}

func TestTriesSixTimesAndNoMore(t *testing.T) {
	t.Parallel()
	w := newWorld(t, storagetest.SQLite(t))
	var clock atomic.Int64
	clock.Store(time.Now().Unix())
	w.sender.Now = func() time.Time { return time.Unix(clock.Add(60), 0) } // each attempt is signed a minute later
	w.options.Rules = quickly()
	rc := newReceiver(t, always(http.StatusInternalServerError))
	hook := w.webhook(rc.url)
	w.run(w.dispatcher())
	w.owe(1)
	log := w.settled(hook)
	require.Equal(t, boardwatch.DeliveryDead, log[0].State)
	require.Equal(t, 6, log[0].Attempts)
	require.Equal(t, http.StatusInternalServerError, log[0].ResponseCode)
	require.Equal(t, "answered 500 Internal Server Error", log[0].Error)
	got := rc.got()
	require.Len(t, got, 6)
	signatures := map[string]bool{}
	for i, p := range got {
		require.Equal(t, got[0].body, p.body, "the same bytes")
		require.Equal(t, got[0].header.Get("X-Boardwatch-Delivery"), p.header.Get("X-Boardwatch-Delivery"))
		signatures[p.header.Get("X-Boardwatch-Signature")] = true
		if i > 0 {
			require.GreaterOrEqual(t, p.at.Sub(got[i-1].at), w.options.Rules.RetrySchedule[i-1])
		}
	}
	require.Len(t, signatures, 6, "a fresh t each time")
	require.True(t, w.refreshed(hook).DisabledAt.IsZero(), "three days have not passed")
	require.False(t, w.refreshed(hook).FailingSince.IsZero())
}

func TestStopsTryingWhenTaken(t *testing.T) {
	t.Parallel()
	w := newWorld(t, storagetest.SQLite(t))
	w.options.Rules = quickly()
	rc := newReceiver(t, func(n int, w http.ResponseWriter, r *http.Request) {
		switch n {
		case 0:
			http.Redirect(w, r, "/elsewhere", http.StatusFound)
		case 1:
			w.WriteHeader(http.StatusTooManyRequests)
		default:
			w.WriteHeader(http.StatusAccepted)
		}
	})
	hook := w.webhook(rc.url)
	w.run(w.dispatcher())
	w.owe(1)
	log := w.settled(hook)
	require.Equal(t, boardwatch.DeliveryDelivered, log[0].State)
	require.Equal(t, 3, log[0].Attempts)
	require.Len(t, rc.got(), 3, "redirects are not followed")
	require.True(t, w.refreshed(hook).FailingSince.IsZero(), "a success clears it")
}

func TestSlowAnswersAreFailures(t *testing.T) {
	t.Parallel()
	w := newWorld(t, storagetest.SQLite(t))
	w.options.Rules = boardwatch.Rules{RetrySchedule: []time.Duration{}}
	w.sender.Timeout = 50 * time.Millisecond
	rc := newReceiver(t, func(_ int, _ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	hook := w.webhook(rc.url)
	w.run(w.dispatcher())
	w.owe(1)
	log := w.settled(hook)
	require.Equal(t, boardwatch.DeliveryDead, log[0].State)
	require.Contains(t, log[0].Error, "took too long to answer")
	require.Zero(t, log[0].ResponseCode)
}

func TestSwitchesOffWhatKeepsFailing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, storagetest.SQLite(t))
	w.options.Rules = boardwatch.Rules{RetrySchedule: []time.Duration{time.Millisecond}, DisableAfter: time.Millisecond}
	var reports []deliver.AttemptReport
	var mu sync.Mutex
	w.options.Observe = func(r deliver.AttemptReport) {
		mu.Lock()
		defer mu.Unlock()
		reports = append(reports, r)
	}
	rc := newReceiver(t, always(http.StatusGone))
	hook := w.webhook(rc.url)
	w.owe(20)
	w.run(w.dispatcher())
	for _, d := range w.settled(hook) {
		require.Equal(t, boardwatch.DeliveryDead, d.State)
		require.NotEmpty(t, d.Error)
	}
	off := w.refreshed(hook)
	require.False(t, off.DisabledAt.IsZero())
	require.Contains(t, off.DisabledReason, "every delivery has failed since")
	require.LessOrEqual(t, len(rc.got()), 40)
	w.owe(1)
	require.Len(t, w.log(hook), 20, "nothing is queued for it")
	mu.Lock()
	defer mu.Unlock()
	require.True(t, slices.ContainsFunc(reports, func(r deliver.AttemptReport) bool { return r.SwitchedOff }))
}

func TestASlowReceiverHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	w := newWorld(t, storagetest.SQLite(t))
	release := make(chan struct{})
	var at, most atomic.Int64
	slow := newReceiver(t, func(_ int, w http.ResponseWriter, _ *http.Request) {
		n := at.Add(1)
		for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
		}
		<-release
		at.Add(-1)
		w.WriteHeader(http.StatusOK)
	})
	quick := newReceiver(t, nil)
	slowHook := w.webhook(slow.url)
	quickHook := w.webhook(quick.url)
	w.oweAtOnce(200)
	w.run(w.dispatcher())
	w.settled(quickHook)
	require.Len(t, quick.got(), 200)
	require.LessOrEqual(t, most.Load(), int64(4))
	close(release)
	w.settled(slowHook)
	require.Len(t, slow.got(), 200)
	require.LessOrEqual(t, most.Load(), int64(4), "at most so many are in flight")
}

// failed returns n webhooks at the address whose last attempt failed. A new dispatcher assumes that their receivers are
// slow.
func (w *world) failed(n int, url string) (hooks []boardwatch.Webhook) {
	w.t.Helper()
	for range n {
		hooks = append(hooks, w.webhook(url))
	}
	w.owe(1)
	d := w.dispatcher()
	stop := w.run(d)
	for _, hook := range hooks {
		require.Eventually(w.t, func() bool { return !w.refreshed(hook).FailingSince.IsZero() }, 10*time.Second, time.Millisecond)
	}
	stop()
	return hooks
}

func TestSlowReceiversShareHalfOfThePlaces(t *testing.T) {
	t.Parallel()
	w := newWorld(t, storagetest.SQLite(t))
	w.options.Concurrency = 4
	w.options.Rules = quickly()
	var failing atomic.Bool
	failing.Store(true)
	release := make(chan struct{})
	var at, most atomic.Int64
	slow := newReceiver(t, func(_ int, w http.ResponseWriter, _ *http.Request) {
		if failing.Load() {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		n := at.Add(1)
		for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
		}
		<-release
		at.Add(-1)
		w.WriteHeader(http.StatusOK)
	})
	slowHooks := w.failed(3, slow.url)
	failing.Store(false)
	quickHook := w.webhook(newReceiver(t, nil).url)
	w.oweAtOnce(50)
	w.run(w.dispatcher())
	require.Len(t, w.settled(quickHook), 50, "the slow ones answer nothing meanwhile")
	require.Eventually(t, func() bool { return most.Load() == 2 }, 10*time.Second, time.Millisecond)
	close(release)
	for _, hook := range slowHooks {
		w.settled(hook)
	}
	require.EqualValues(t, 2, most.Load())
}

func TestTheOnlyPlaceServesSlowReceiversToo(t *testing.T) {
	t.Parallel()
	w := newWorld(t, storagetest.SQLite(t))
	w.options.Concurrency = 1
	w.options.Rules = quickly()
	rc := newReceiver(t, func(n int, w http.ResponseWriter, _ *http.Request) {
		if n == 0 {
			w.WriteHeader(http.StatusInternalServerError)
		}
	})
	hooks := w.failed(1, rc.url)
	w.run(w.dispatcher())
	require.Equal(t, boardwatch.DeliveryDelivered, w.settled(hooks[0])[0].State)
}

func TestManyWebhooksTakeTurns(t *testing.T) {
	t.Parallel()
	w := newWorld(t, storagetest.SQLite(t))
	w.options.Concurrency = 2
	rc := newReceiver(t, nil)
	var hooks []boardwatch.Webhook
	for range 70 { // more than can be held at a time
		hooks = append(hooks, w.webhook(rc.url))
	}
	w.oweAtOnce(3)
	w.run(w.dispatcher())
	for _, hook := range hooks {
		for _, d := range w.settled(hook) {
			require.Equal(t, boardwatch.DeliveryDelivered, d.State)
		}
	}
	ids := map[string]int{}
	for _, p := range rc.got() {
		ids[p.header.Get("X-Boardwatch-Delivery")]++
	}
	require.Len(t, ids, 210)
	require.Len(t, rc.got(), 210, "each once")
}

func TestAStopLetsAttemptsFinish(t *testing.T) {
	t.Parallel()
	w := newWorld(t, storagetest.SQLite(t))
	arrived := make(chan struct{})
	release := make(chan struct{})
	rc := newReceiver(t, func(n int, w http.ResponseWriter, _ *http.Request) {
		if n == 0 {
			close(arrived)
		}
		<-release
		w.WriteHeader(http.StatusOK)
	})
	hook := w.webhook(rc.url)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- w.dispatcher().Run(ctx) }()
	w.owe(1)
	<-arrived
	cancel()
	w.owe(1)
	close(release)
	require.NoError(t, <-done)
	log := w.log(hook)
	require.Equal(t, boardwatch.DeliveryDelivered, log[1].State)
	require.Equal(t, boardwatch.DeliveryPending, log[0].State, "nothing new is begun")
	claims, err := w.store.ClaimWebhooks(t.Context(), 1, time.Second)
	require.NoError(t, err)
	require.Len(t, claims, 1, "the webhook is given back")
}

func TestAnAttemptThatIsBrokenOffCountsForNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, storagetest.SQLite(t))
	arrived := make(chan struct{})
	rc := newReceiver(t, func(_ int, _ http.ResponseWriter, r *http.Request) {
		close(arrived)
		<-r.Context().Done()
	})
	hook := w.webhook(rc.url)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- w.dispatcher().Run(ctx) }()
	w.owe(1)
	<-arrived
	cancel()
	require.NoError(t, <-done)
	log := w.log(hook)
	require.Equal(t, boardwatch.DeliveryPending, log[0].State)
	require.Zero(t, log[0].Attempts)
	require.True(t, w.refreshed(hook).FailingSince.IsZero())
}

func TestTwoDispatchersShareTheWork(t *testing.T) {
	t.Parallel()
	w := newWorld(t, storagetest.SQLite(t))
	rc := newReceiver(t, nil)
	var hooks []boardwatch.Webhook
	for range 10 {
		hooks = append(hooks, w.webhook(rc.url))
	}
	w.run(w.dispatcher())
	w.run(w.dispatcher())
	for range 5 {
		w.oweAtOnce(4)
	}
	for _, hook := range hooks {
		require.Len(t, w.settled(hook), 20)
	}
	require.Len(t, rc.got(), 200, "no delivery is in two hands")
}

// brokenStore fails to save outcomes while it is told to.
type brokenStore struct {
	deliver.Store

	failures atomic.Int64
}

func (s *brokenStore) SaveAttempts(ctx context.Context, outcomes []boardwatch.Attempts) ([]boardwatch.WebhookClaim, error) {
	if s.failures.Add(-1) >= 0 {
		return nil, errors.New("the disk is full")
	}
	return s.Store.SaveAttempts(ctx, outcomes)
}

func TestAnOutcomeThatCannotBeSavedIsSavedLater(t *testing.T) {
	t.Parallel()
	w := newWorld(t, storagetest.SQLite(t))
	rc := newReceiver(t, nil)
	hook := w.webhook(rc.url)
	s := &brokenStore{Store: w.store}
	s.failures.Store(1)
	w.run(deliver.New(s, webhook.New(w.sender), w.options))
	w.oweAtOnce(3)
	w.settled(hook)
	require.Len(t, rc.got(), 3, "and nothing is sent twice for it")
}

func TestWhatWaitsForADeletedWebhookIsDropped(t *testing.T) {
	t.Parallel()
	w := newWorld(t, storagetest.SQLite(t))
	arrived := make(chan struct{}, 100)
	release := make(chan struct{})
	rc := newReceiver(t, func(_ int, w http.ResponseWriter, _ *http.Request) {
		arrived <- struct{}{}
		<-release
		w.WriteHeader(http.StatusOK)
	})
	hook := w.webhook(rc.url)
	w.oweAtOnce(10)
	stop := w.run(w.dispatcher())
	for range 4 {
		<-arrived
	}
	require.NoError(t, w.store.DeleteWebhook(t.Context(), hook.AccountID, hook.ID))
	close(release)
	other := w.webhook(rc.url)
	w.oweAtOnce(1)
	w.settled(other)
	stop()
	require.Empty(t, w.log(hook))
}

func TestAStartOnSQLiteEndsTheLeasesOfAProcessThatDied(t *testing.T) {
	t.Parallel()
	w := newWorld(t, storagetest.SQLite(t))
	rc := newReceiver(t, nil)
	hook := w.webhook(rc.url)
	w.owe(1)
	claims, err := w.store.ClaimWebhooks(t.Context(), 1, time.Hour)
	require.NoError(t, err)
	require.Len(t, claims, 1)
	require.NoError(t, w.store.Close())
	w.open(nil)
	w.run(w.dispatcher())
	require.Equal(t, boardwatch.DeliveryDelivered, w.settled(hook)[0].State)
}

func TestAClockThatLeapsSendsNothingTwice(t *testing.T) {
	t.Parallel()
	var leap atomic.Int64
	w := newWorldAt(t, storagetest.SQLite(t), func() time.Time { return time.Now().Add(time.Duration(leap.Load())) })
	arrived, release := make(chan struct{}, 10), make(chan struct{})
	slow := newReceiver(t, func(_ int, w http.ResponseWriter, _ *http.Request) {
		arrived <- struct{}{}
		<-release
		w.WriteHeader(http.StatusOK)
	})
	slowHook := w.webhook(slow.url)
	d := w.dispatcher()
	w.run(d)
	w.owe(1)
	<-arrived
	leap.Store(int64(time.Hour)) // the leases have expired, but only by the store's clock
	for range 3 {
		other := w.webhook(newReceiver(t, nil).url)
		w.owe(1)
		d.Wake()
		w.settled(other)
	}
	close(release)
	log := w.settled(slowHook)
	require.Len(t, log, 4)
	for _, d := range log {
		require.Equal(t, boardwatch.DeliveryDelivered, d.State)
	}
	require.Len(t, slow.got(), 4, "each once")
}

func TestOverdueWorkIsSpreadOut(t *testing.T) {
	t.Parallel()
	const n = 15
	w := newWorldAt(t, storagetest.SQLite(t), func() time.Time { return time.Now().Add(-time.Hour) })
	rc := newReceiver(t, nil)
	hook := w.webhook(rc.url)
	w.oweAtOnce(n)
	require.NoError(t, w.store.Close()) // and an hour later
	w.open(nil)
	w.run(w.dispatcher())
	w.settled(hook)
	got := rc.got()
	require.Len(t, got, n)
	require.GreaterOrEqual(t, got[n-1].at.Sub(got[0].at), (n-1)*15*time.Millisecond)
}

func TestPing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, storagetest.SQLite(t))
	rc := newReceiver(t, always(http.StatusTeapot))
	hook := w.webhook(rc.url, boardwatch.EventJobFound)
	d := w.dispatcher()
	receipt, err := d.Ping(t.Context(), hook.AccountID, hook.ID)
	require.NoError(t, err)
	require.Equal(t, http.StatusTeapot, receipt.Code)
	require.Equal(t, "answered 418 I'm a teapot", receipt.Error)
	require.Positive(t, receipt.Duration)
	got := rc.got()
	require.Len(t, got, 1, "it is not retried")
	require.Equal(t, "ping", got[0].header.Get("X-Boardwatch-Event"))
	require.Contains(t, string(got[0].body), `"type":"ping"`)
	require.Contains(t, string(got[0].body), `"webhook":{"id":"`+hook.ID+`","events":["job.found"]}`)
	require.Contains(t, string(got[0].body), `"id":"`+got[0].header.Get("X-Boardwatch-Delivery")+`"`)
	require.NoError(t, boardwatch.Verify([]byte(hook.Secret), got[0].body, got[0].header.Get("X-Boardwatch-Signature"),
		boardwatch.SignatureTolerance, time.Now()))
	require.Empty(t, w.log(hook))
	require.True(t, w.refreshed(hook).FailingSince.IsZero(), "it counts for nothing")
	require.Equal(t, receipt.Error, w.refreshed(hook).Tested.Error)
	_, err = d.Ping(t.Context(), hook.AccountID, boardwatch.NewID())
	require.Equal(t, boardwatch.CodeNotFound, boardwatch.CodeOf(err))
	_, err = d.Ping(t.Context(), boardwatch.NewID(), hook.ID)
	require.Equal(t, boardwatch.CodeNotFound, boardwatch.CodeOf(err))
}

func TestReplay(t *testing.T) {
	t.Parallel()
	w := newWorld(t, storagetest.SQLite(t))
	w.options.Rules = boardwatch.Rules{RetrySchedule: []time.Duration{}}
	rc := newReceiver(t, func(n int, w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(map[int]int{0: http.StatusBadGateway}[n] + map[bool]int{true: http.StatusOK}[n > 0])
	})
	elsewhere := newReceiver(t, nil)
	hook := w.webhook(rc.url)
	d := w.dispatcher()
	stop := w.run(d)
	w.owe(1)
	dead := w.settled(hook)[0]
	stop()
	before := w.refreshed(hook)

	replayed, err := d.Replay(t.Context(), dead.ID, "")
	require.NoError(t, err)
	require.True(t, replayed.Receipt.OK())
	require.Equal(t, rc.url, replayed.URL)
	got := rc.got()
	require.Len(t, got, 2)
	require.Equal(t, got[0].body, got[1].body)
	require.Equal(t, got[0].header.Get("X-Boardwatch-Delivery"), got[1].header.Get("X-Boardwatch-Delivery"))
	log := w.log(hook)[0].Log
	require.Len(t, log, 2)
	require.False(t, log[0].Resent)
	stamp0, _, _ := strings.Cut(got[0].header.Get("X-Boardwatch-Signature"), "v1=")
	require.Equal(t, stamp0+"v1=…", log[0].Signature, "the signature itself is not kept")
	require.True(t, log[1].Resent)
	require.Equal(t, http.StatusOK, log[1].Code)
	stamp1, _, _ := strings.Cut(got[1].header.Get("X-Boardwatch-Signature"), "v1=")
	require.Equal(t, stamp1+"v1=…", log[1].Signature, "the signature itself is not kept")
	dead.Log = log
	require.Equal(t, []boardwatch.Delivery{dead}, w.log(hook), "its state stays as it was")
	require.Equal(t, before, w.refreshed(hook), "it counts for nothing")

	_, err = d.Replay(t.Context(), dead.ID, elsewhere.url)
	require.NoError(t, err)
	require.Equal(t, got[0].body, elsewhere.got()[0].body)
	require.NoError(t, boardwatch.Verify([]byte(hook.Secret), got[0].body,
		elsewhere.got()[0].header.Get("X-Boardwatch-Signature"), boardwatch.SignatureTolerance, time.Now()))
	require.Equal(t, []boardwatch.Delivery{dead}, w.log(hook), "what goes elsewhere is not in the log")
	_, err = d.Replay(t.Context(), boardwatch.NewID(), "")
	require.Equal(t, boardwatch.CodeNotFound, boardwatch.CodeOf(err))
}
