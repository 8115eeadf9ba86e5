//go:build chaos

package chaos_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/receiver"
	"github.com/boardwatch/boardwatch/chaos/systems"
)

// hook is a receiver of webhooks with moods. It verifies and records every attempt.
type hook struct {
	name string
	id   string
	url  string
	serv atomic.Pointer[http.Handler]

	mu     sync.Mutex
	rng    *rand.Rand
	steady bool
	mood   mood
	until  time.Time
	busy   map[string]bool
	taken  map[string]*delivered
	order  []*delivered

	attempts, refusals, repeats, changed, overlaps, forged atomic.Int64

	reason atomic.Pointer[error] // why the last unsigned attempt was refused
}

// mood is how a receiver answers for a while.
type mood int

const (
	takes mood = iota
	fails
	hangs
	resets
	wavers // it accepts every second attempt
)

// delivered is an accepted delivery.
type delivered struct {
	id        string
	kind      boardwatch.EventType
	createdAt time.Time
	board     string
	jobs      []toldJob
	truncated int
	reason    string // of a failure
	sum       uint64
}

type toldJob struct {
	ID          string    `json:"id"`
	BoardID     string    `json:"boardId"`
	Title       string    `json:"title"`
	URL         string    `json:"url"`
	Status      string    `json:"status"`
	FirstSeenAt time.Time `json:"firstSeenAt"`
	ClosedAt    time.Time `json:"closedAt"`
}

func newHook(t *testing.T, name string, rng *rand.Rand) *hook {
	t.Helper()
	h := &hook{name: name, rng: rng, busy: map[string]bool{}, taken: map[string]*delivered{}}
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	h.url = "http://localhost:" + strconv.Itoa(listener.Addr().(*net.TCPAddr).Port) + "/" + name
	server := &http.Server{ReadHeaderTimeout: time.Minute, ErrorLog: log.New(io.Discard, "", 0), Handler: http.HandlerFunc(
		func(w http.ResponseWriter, r *http.Request) { (*h.serv.Load()).ServeHTTP(w, r) })}
	var serving sync.WaitGroup
	serving.Go(func() { _ = server.Serve(listener) })
	t.Cleanup(func() {
		_ = server.Close()
		serving.Wait()
	})
	return h
}

// trust makes the receiver ready for deliveries signed with the secret.
func (h *hook) trust(t *testing.T, secret string, jumps []jump) {
	t.Helper()
	r, err := receiver.New([]string{secret}, receiver.Options{
		Seen: receiver.Forgetful{}, Now: func() time.Time { return jumped(jumps) },
		Refused: func(_ *http.Request, reason error) {
			switch {
			case errors.Is(reason, receiver.ErrUnread): // its sender was killed
			case errors.Is(reason, boardwatch.ErrSignatureStale) && jumpedSince(jumps, time.Now().Add(-webhookTimeout-time.Second)): // signed by the other clock
			default:
				h.forged.Add(1)
				h.reason.Store(&reason)
			}
		},
	})
	require.NoError(t, err)
	handler := r.Middleware(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		e, _ := receiver.FromContext(r.Context())
		h.take(r.Context(), w, e)
	}))
	h.serv.Store(&handler)
}

// take answers an attempt according to the mood, and records accepted deliveries.
func (h *hook) take(ctx context.Context, w http.ResponseWriter, e receiver.Event) {
	h.attempts.Add(1)
	id := e.Head().ID
	h.mu.Lock()
	if h.busy[id] {
		h.overlaps.Add(1)
	}
	h.busy[id] = true
	mood := h.feels()
	h.mu.Unlock()
	if mood == hangs {
		select {
		case <-ctx.Done():
		case <-time.After(3 * time.Second): // longer than the service waits
		}
	}
	h.mu.Lock()
	delete(h.busy, id)
	if mood == takes {
		h.note(e)
	}
	h.mu.Unlock()
	switch mood {
	case takes:
		w.WriteHeader(http.StatusNoContent)
	case resets:
		h.refusals.Add(1)
		panic(http.ErrAbortHandler)
	default:
		h.refusals.Add(1)
		w.WriteHeader(http.StatusInternalServerError)
	}
}

// feels returns the current mood. The caller has the lock.
func (h *hook) feels() mood {
	if h.steady || h.name == "steady" {
		return takes
	}
	now := time.Now()
	if now.After(h.until) {
		h.mood = takes
		if h.rng.IntN(2) == 0 {
			h.mood = mood(1 + h.rng.IntN(4))
		}
		h.until = now.Add(time.Duration(1+h.rng.IntN(5)) * time.Second)
	}
	if h.mood == wavers {
		return [...]mood{takes, fails}[h.rng.IntN(2)]
	}
	return h.mood
}

func (h *hook) calm() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.steady = true
}

// note records an accepted delivery. The caller has the lock.
func (h *hook) note(e receiver.Event) {
	head := e.Head()
	sum := systems.Hash(string(head.Body))
	if old := h.taken[head.ID]; old != nil {
		h.repeats.Add(1)
		if old.sum != sum {
			h.changed.Add(1)
		}
		return
	}
	d := &delivered{id: head.ID, kind: head.Type, createdAt: head.CreatedAt, sum: sum}
	var body struct {
		Board struct {
			ID string `json:"id"`
		} `json:"board"`
		Jobs      []toldJob `json:"jobs"`
		Truncated int       `json:"truncated"`
		Error     string    `json:"error"`
	}
	if err := json.Unmarshal(head.Body, &body); err != nil {
		h.forged.Add(1)
		h.reason.Store(&err)
		return
	}
	d.board, d.jobs, d.truncated, d.reason = body.Board.ID, body.Jobs, body.Truncated, body.Error
	h.taken[head.ID] = d
	h.order = append(h.order, d)
}

// deliveries returns the accepted deliveries, without repeats.
func (h *hook) deliveries() []*delivered {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]*delivered{}, h.order...)
}
