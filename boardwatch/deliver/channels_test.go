package deliver_test

import (
	"bytes"
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/deliver"
	"github.com/boardwatch/boardwatch/storage/storagetest"
)

// places give configurable answers, and record what they were sent.
type places struct {
	answer func(n int) boardwatch.Receipt

	mu   sync.Mutex
	sent []string
}

func (p *places) Deliver(_ context.Context, _ boardwatch.Webhook, d boardwatch.Delivery) boardwatch.Receipt {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sent = append(p.sent, string(d.Body))
	return p.answer(len(p.sent))
}

func (p *places) got() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string{}, p.sent...)
}

// channel adds a channel of an account that tracks the board.
func (w *world) channel(kind boardwatch.ChannelKind) boardwatch.Channel {
	w.t.Helper()
	id := boardwatch.NewID()
	c, err := account.CleanChannel(boardwatch.Channel{ID: id, AccountID: w.account(id + "@northwind.example"), Kind: kind, To: "https://place.example/x"})
	require.NoError(w.t, err)
	require.NoError(w.t, w.store.CreateChannel(w.t.Context(), c, account.MaxChannels))
	return c
}

// tell makes one check cause n messages to every channel.
func (w *world) tell(n int) {
	w.t.Helper()
	w.check(func(in boardwatch.CheckInput) (payloads []boardwatch.Payload, due []boardwatch.Delivery) {
		for range n {
			p := boardwatch.Payload{ID: boardwatch.NewID(), Type: boardwatch.EventNews, BoardID: in.Board.ID, CreatedAt: in.Now, Tail: []byte(`"type":"news"}`)}
			payloads = append(payloads, p)
			for _, l := range in.Listeners {
				due = append(due, boardwatch.Delivery{
					ID: boardwatch.NewID(), WebhookID: l.ID, BoardID: in.Board.ID, PayloadID: p.ID, Type: p.Type, State: boardwatch.DeliveryPending,
					CreatedAt: in.Now, NextAttemptAt: in.Now,
				})
			}
		}
		return payloads, due
	})
}

// all reports whether all deliveries to a channel are as they should be.
func (w *world) all(c boardwatch.Channel, n int, as func(d boardwatch.Delivery) bool) func() bool {
	return func() bool {
		list, err := w.store.DeliveriesOf(w.t.Context(), c.ID, 100)
		require.NoError(w.t, err)
		require.Len(w.t, list, n)
		for _, d := range list {
			if !as(d) {
				return false
			}
		}
		return true
	}
}

func TestWhatIsGatheredIsSentTogether(t *testing.T) {
	t.Parallel()
	w := newWorld(t, storagetest.SQLite(t))
	w.options.Rules = quickly()
	c := w.channel(boardwatch.ChannelEmail)
	w.tell(3)
	p := &places{answer: func(n int) boardwatch.Receipt {
		if n == 1 {
			return boardwatch.Receipt{Error: "try later"}
		}
		return boardwatch.Receipt{Code: http.StatusOK}
	}}
	w.run(deliver.New(w.store, p, w.options))
	require.Eventually(t, w.all(c, 3, func(d boardwatch.Delivery) bool {
		return d.State == boardwatch.DeliveryDelivered && d.Attempts == 2
	}), 10*time.Second, 5*time.Millisecond)
	sent := p.got()
	require.Len(t, sent, 2, "one mail, and once more")
	require.Equal(t, sent[0], sent[1], "they stay together")
	require.Equal(t, 3, bytes.Count([]byte(sent[0]+"\n"), []byte("\"type\":\"news\"}\n")), "one message a line")
}

func TestAPlaceThatWantsToBeLeftAloneIs(t *testing.T) {
	t.Parallel()
	w := newWorld(t, storagetest.SQLite(t))
	w.options.Rules = quickly()
	c := w.channel(account.ChannelSlack)
	w.tell(3)
	p := &places{answer: func(int) boardwatch.Receipt {
		return boardwatch.Receipt{Code: http.StatusTooManyRequests, Error: "answered 429", RetryAfter: time.Hour}
	}}
	begin := time.Now()
	w.run(deliver.New(w.store, p, w.options))
	require.Eventually(t, w.all(c, 3, func(d boardwatch.Delivery) bool {
		return d.State == boardwatch.DeliveryPending && d.NextAttemptAt.After(begin.Add(59*time.Minute))
	}), 10*time.Second, 5*time.Millisecond, "what waits is put off with it")
	require.Len(t, p.got(), 1, "people are told one message after another, so no second one was under way")
}

// unrecorded is a store that records no outcome before the test lets it.
type unrecorded struct {
	deliver.Store

	let chan struct{}
}

func (u *unrecorded) SaveAttempts(ctx context.Context, outcomes []boardwatch.Attempts) ([]boardwatch.WebhookClaim, error) {
	select {
	case <-u.let:
		return u.Store.SaveAttempts(ctx, outcomes)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// counter counts what is sent to channels and to webhooks. Webhooks answer after a channel got a message.
type counter struct {
	told, posted atomic.Int32
	begun        chan struct{}
}

func (c *counter) Deliver(ctx context.Context, w boardwatch.Webhook, _ boardwatch.Delivery) boardwatch.Receipt {
	if w.Channel != "" {
		if c.told.Add(1) == 1 {
			close(c.begun)
		}
		return boardwatch.Receipt{Code: http.StatusOK}
	}
	select {
	case <-c.begun:
		c.posted.Add(1)
		return boardwatch.Receipt{Code: http.StatusOK}
	case <-ctx.Done():
		return boardwatch.Receipt{Error: "too late"}
	}
}

func TestNobodyIsToldAnythingElseBeforeTheLastMessageIsRecorded(t *testing.T) {
	t.Parallel()
	w := newWorld(t, storagetest.SQLite(t))
	c := w.channel(account.ChannelSlack)
	w.webhook("https://receiver.example/hook")
	w.tell(3)
	w.oweAtOnce(100)
	store, sent := &unrecorded{w.store, make(chan struct{})}, &counter{begun: make(chan struct{})}
	w.run(deliver.New(store, sent, w.options))
	require.Eventually(t, func() bool { return sent.posted.Load() == 100 }, 10*time.Second, 5*time.Millisecond, "programs need not wait")
	require.EqualValues(t, 1, sent.told.Load(), "only this message could come twice")
	close(store.let)
	require.Eventually(t, w.all(c, 3, func(d boardwatch.Delivery) bool {
		return d.State == boardwatch.DeliveryDelivered
	}), 10*time.Second, 5*time.Millisecond)
	require.EqualValues(t, 3, sent.told.Load())
}
