package deliver_test

import (
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/deliver"
	"github.com/boardwatch/boardwatch/storage/storagetest"
)

// limited requires the error for one attempt too many, which says when the next is allowed.
func limited(t *testing.T, words string, err error) {
	t.Helper()
	require.Equal(t, boardwatch.CodeRateLimited, boardwatch.CodeOf(err), "%v", err)
	require.ErrorContains(t, err, words)
	var e *boardwatch.Error
	require.ErrorAs(t, err, &e)
	require.Positive(t, e.RetryAfter)
	require.LessOrEqual(t, e.RetryAfter, time.Minute)
}

func TestPingsAndReplaysAreCountedTogether(t *testing.T) {
	t.Parallel()
	for name, database := range map[string]func(testing.TB) storagetest.Database{
		"SQLite": storagetest.SQLite, "PostgreSQL": storagetest.Postgres,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, database(t))
			rc := newReceiver(t, nil)
			hook, other := w.webhook(rc.url), w.webhook(rc.url)
			operator := w.dispatcher()
			stop := w.run(operator)
			w.owe(1)
			sent := w.settled(hook)[0]
			w.settled(other)
			stop()
			before := len(rc.got())

			w.options.Rates = w.store
			doors := []*deliver.Dispatcher{w.dispatcher(), w.dispatcher()} // of two processes
			for i := range 3 {
				_, err := doors[i%2].Ping(t.Context(), hook.AccountID, hook.ID)
				require.NoError(t, err)
				_, err = doors[i%2].Replay(t.Context(), sent.ID, "")
				require.NoError(t, err)
			}
			_, err := doors[0].Ping(t.Context(), hook.AccountID, hook.ID)
			limited(t, "more than 6 test pings and replays in the last minute; the next one fits in ", err)
			_, err = doors[1].Replay(t.Context(), sent.ID, "")
			limited(t, "more than 6 test pings and replays in the last minute", err)
			require.Len(t, rc.got(), before+6)

			_, err = doors[0].Ping(t.Context(), other.AccountID, other.ID)
			require.NoError(t, err, "each webhook has its own budget")
			_, err = operator.Replay(t.Context(), sent.ID, "")
			require.NoError(t, err, "an operator has none")
		})
	}
}

func TestWebhooksThatComeAndGoHaveABudgetTogether(t *testing.T) {
	t.Parallel()
	w := newWorld(t, storagetest.SQLite(t))
	w.options.Rates = w.store
	d := w.dispatcher()
	rc := newReceiver(t, nil)
	hook := w.webhook(rc.url)
	for range boardwatch.MaxWebhooks {
		for range 6 {
			_, err := d.Ping(t.Context(), hook.AccountID, hook.ID)
			require.NoError(t, err)
		}
		require.NoError(t, w.store.DeleteWebhook(t.Context(), hook.AccountID, hook.ID))
		hook.ID = boardwatch.NewID()
		require.NoError(t, w.store.CreateWebhook(t.Context(), hook, boardwatch.MaxWebhooks))
	}
	_, err := d.Ping(t.Context(), hook.AccountID, hook.ID)
	limited(t, "more than 30 test pings and replays in the last minute", err)
}

func TestFourPingsAreUnderWayAtATime(t *testing.T) {
	t.Parallel()
	w := newWorld(t, storagetest.SQLite(t))
	var under, most atomic.Int64
	release := make(chan struct{})
	rc := newReceiver(t, func(_ int, w http.ResponseWriter, _ *http.Request) {
		n := under.Add(1)
		defer under.Add(-1)
		for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
		}
		<-release
		w.WriteHeader(http.StatusNoContent)
	})
	hook := w.webhook(rc.url)
	d := w.dispatcher() // an operator's dispatcher: nothing else limits it
	errs := make(chan error, 150)
	var group sync.WaitGroup
	for range 150 {
		group.Go(func() {
			_, err := d.Ping(t.Context(), hook.AccountID, hook.ID)
			errs <- err
		})
	}
	for range 146 {
		limited(t, "4 test pings and replays to this webhook are still under way", <-errs)
	}
	require.Eventually(t, func() bool { return under.Load() == 4 }, 10*time.Second, time.Millisecond)
	close(release)
	group.Wait()
	for range 4 {
		require.NoError(t, <-errs)
	}
	require.EqualValues(t, 4, most.Load())
	_, err := d.Ping(t.Context(), hook.AccountID, hook.ID)
	require.NoError(t, err, "their places are free again")
}
