package deliver_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/deliver"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/storagetest"
	"github.com/boardwatch/boardwatch/transport/webhook"
)

// world is a store with one board, whose checks cause deliveries, and the senders of this process.
type world struct {
	t        testing.TB
	store    *storage.Store
	database storagetest.Database
	board    boardwatch.Board
	options  deliver.Options
	sender   webhook.Options
}

func newWorld(tb testing.TB, database storagetest.Database) *world {
	tb.Helper()
	return newWorldAt(tb, database, nil)
}

// newWorldAt is a world whose store has another clock.
func newWorldAt(tb testing.TB, database storagetest.Database, now func() time.Time) *world {
	tb.Helper()
	w := &world{t: tb, database: database, sender: webhook.Options{Local: true}}
	w.open(now)
	w.account("first@northwind.example")
	return w
}

// open opens the store, as another process would.
func (w *world) open(now func() time.Time) {
	w.t.Helper()
	w.store = w.database(w.t, storage.Options{Now: now, Plans: account.Plans{
		account.PlanUltra: {Boards: 100, Cadence: time.Millisecond, Webhooks: true},
	}})
}

// account adds an account that tracks the board, and returns its id.
func (w *world) account(email string) string {
	w.t.Helper()
	ctx := w.t.Context()
	a := account.Account{ID: boardwatch.NewID(), Email: email, Plan: account.PlanUltra, Verified: true}
	require.NoError(w.t, w.store.CreateAccount(ctx, a))
	b, _, err := w.store.Subscribe(ctx, boardwatch.Subscription{AccountID: a.ID},
		boardwatch.Board{Source: "greenhouse:northwind", URL: "https://northwind.example/jobs"}, "https://northwind.example/")
	require.NoError(w.t, err)
	w.board = b
	return a.ID
}

// webhook registers a receiver for an account of its own.
func (w *world) webhook(url string, events ...boardwatch.EventType) boardwatch.Webhook {
	w.t.Helper()
	id := boardwatch.NewID()
	if len(events) == 0 {
		events = boardwatch.EventTypes()
	}
	hook := boardwatch.Webhook{
		ID: id, AccountID: w.account(id + "@northwind.example"), URL: url, Events: events,
		Secret: account.NewWebhookSecret(), CreatedAt: boardwatch.Milli(time.Now()),
	}
	require.NoError(w.t, w.store.CreateWebhook(w.t.Context(), hook, boardwatch.MaxWebhooks))
	return hook
}

// owe makes n checks of the board find roles.
func (w *world) owe(n int) {
	w.t.Helper()
	for range n {
		w.check(func(in boardwatch.CheckInput) ([]boardwatch.Payload, []boardwatch.Delivery) { return w.found(in, 1) })
	}
}

// oweAtOnce makes one check cause n deliveries to every webhook.
func (w *world) oweAtOnce(n int) {
	w.t.Helper()
	w.check(func(in boardwatch.CheckInput) ([]boardwatch.Payload, []boardwatch.Delivery) { return w.found(in, n) })
}

func (w *world) found(in boardwatch.CheckInput, n int) (payloads []boardwatch.Payload, due []boardwatch.Delivery) {
	jobs := make([]boardwatch.Job, 6) // some 2 kB
	for i := range jobs {
		jobs[i] = boardwatch.Job{
			ID: boardwatch.NewID(), BoardID: in.Board.ID, Title: fmt.Sprint("Engineer ", i), Location: "Berlin", Department: "Engineering",
			URL: "https://northwind.example/jobs/" + boardwatch.NewID(), Status: boardwatch.JobOpen, FirstSeenAt: in.Now, LastSeenAt: in.Now,
		}
	}
	for range n {
		p := boardwatch.JobsPayload(boardwatch.NewID(), boardwatch.EventJobFound, in.Board, "Northwind", jobs, in.Now)
		payloads = append(payloads, p)
		for _, hook := range in.Webhooks {
			if hook.Wants(p.Type) {
				due = append(due, boardwatch.Delivery{
					ID: boardwatch.NewID(), WebhookID: hook.ID, BoardID: in.Board.ID, PayloadID: p.ID, Type: p.Type,
					State: boardwatch.DeliveryPending, CreatedAt: in.Now, NextAttemptAt: in.Now,
				})
			}
		}
	}
	return payloads, due
}

func (w *world) check(owed func(boardwatch.CheckInput) ([]boardwatch.Payload, []boardwatch.Delivery)) {
	w.t.Helper()
	var claims []boardwatch.Claim
	require.Eventually(w.t, func() bool {
		var err error
		claims, err = w.store.ClaimDue(w.t.Context(), 1, time.Minute, boardwatch.ClaimFilter{})
		require.NoError(w.t, err)
		return len(claims) == 1
	}, 10*time.Second, time.Millisecond)
	err := w.store.SaveCheck(w.t.Context(), claims[0], func(in boardwatch.CheckInput) boardwatch.CheckResult {
		r := boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: 0}.Normalize()
		result := boardwatch.Decide(in, r, false, boardwatch.Rules{}, boardwatch.NewID)
		result.Board.NextCheckAt = in.Now
		result.Payloads, result.Deliveries = owed(in)
		return result
	})
	require.NoError(w.t, err)
}

// dispatcher returns a dispatcher that is not running yet.
func (w *world) dispatcher() *deliver.Dispatcher {
	return deliver.New(w.store, webhook.New(w.sender), w.options)
}

// run lets a dispatcher send until the test ends or stop is called, which waits for its end.
func (w *world) run(d *deliver.Dispatcher) (stop func()) {
	w.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- d.Run(ctx) }()
	var once sync.Once
	stop = func() {
		once.Do(func() {
			cancel()
			require.NoError(w.t, <-done)
		})
	}
	w.t.Cleanup(stop)
	return stop
}

func (w *world) log(hook boardwatch.Webhook) []boardwatch.Delivery {
	w.t.Helper()
	list, err := w.store.DeliveriesOf(w.t.Context(), hook.ID, 10_000)
	require.NoError(w.t, err)
	return list
}

// settled waits until nothing is pending for the webhook.
func (w *world) settled(hook boardwatch.Webhook) []boardwatch.Delivery {
	w.t.Helper()
	require.Eventually(w.t, func() bool {
		ids, err := w.store.FindDeliveries(w.t.Context(), boardwatch.DeliveryFilter{WebhookID: hook.ID, State: boardwatch.DeliveryPending})
		require.NoError(w.t, err)
		return len(ids) == 0
	}, 30*time.Second, 2*time.Millisecond)
	return w.log(hook)
}

// refreshed returns the webhook as it is in the store.
func (w *world) refreshed(hook boardwatch.Webhook) boardwatch.Webhook {
	w.t.Helper()
	hooks, err := w.store.Webhooks(w.t.Context(), hook.AccountID)
	require.NoError(w.t, err)
	require.Len(w.t, hooks, 1)
	return hooks[0]
}

// post is a request that a receiver got.
type post struct {
	at     time.Time
	header http.Header
	body   []byte
}

// receiver keeps what it gets.
type receiver struct {
	url string

	mu    sync.Mutex
	posts []post
}

// newReceiver answers with what answer writes, or 204 if it is nil. answer gets the number of earlier requests.
func newReceiver(tb testing.TB, answer func(n int, w http.ResponseWriter, r *http.Request)) *receiver {
	tb.Helper()
	rc := &receiver{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		rc.mu.Lock()
		n := len(rc.posts)
		rc.posts = append(rc.posts, post{time.Now(), r.Header.Clone(), body})
		rc.mu.Unlock()
		if answer == nil {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		answer(n, w, r)
	}))
	tb.Cleanup(server.Close)
	rc.url = server.URL
	return rc
}

func (rc *receiver) got() []post {
	rc.mu.Lock()
	defer rc.mu.Unlock()
	return append([]post(nil), rc.posts...)
}

func newSender() *webhook.Sender { return webhook.New(webhook.Options{Local: true}) }
