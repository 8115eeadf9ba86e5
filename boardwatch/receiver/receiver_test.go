package receiver_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/receiver"
)

const secret = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY"

const pingBody = `{"id":"65f0c0ffee000000000000fe","type":"ping","createdAt":"2026-11-20T12:00:00.000Z",` +
	`"webhook":{"id":"65f0c0ffee00000000000009","events":["job.found"]}}`

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// hook is a receiver with the deliveries it has accepted and refused.
type hook struct {
	handler http.Handler
	mu      sync.Mutex
	took    []receiver.Event
	refused []error
	fail    error
}

func newHook(t *testing.T, o receiver.Options) *hook {
	t.Helper()
	h := &hook{}
	o.Now = func() time.Time { return noon }
	o.Refused = func(_ *http.Request, reason error) { h.refused = append(h.refused, reason) }
	r, err := receiver.New([]string{"whsec_older", secret}, o)
	require.NoError(t, err)
	h.handler = r.Handler(func(_ context.Context, e receiver.Event) error {
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.fail != nil {
			return h.fail
		}
		h.took = append(h.took, e)
		return nil
	})
	return h
}

func (h *hook) post(req *http.Request) *http.Response {
	w := httptest.NewRecorder()
	h.handler.ServeHTTP(w, req)
	return w.Result()
}

func delivery(body string) *http.Request {
	req := httptest.NewRequest(http.MethodPost, "/hook", strings.NewReader(body))
	req.Header.Set("X-Boardwatch-Signature", boardwatch.Sign([]byte(secret), []byte(body), noon))
	return req
}

func TestReceiver(t *testing.T) {
	t.Parallel()
	signed := func(change func(*http.Request)) *http.Request {
		req := delivery(pingBody)
		change(req)
		return req
	}
	set := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	at := func(secret string, when time.Time) func(*http.Request) {
		return set("X-Boardwatch-Signature", boardwatch.Sign([]byte(secret), []byte(pingBody), when))
	}
	cases := []struct {
		name   string
		req    *http.Request
		status int
		reason error
	}{
		{"takes what is signed", delivery(pingBody), 204, nil},
		{"takes what is signed with another of its secrets", signed(at("whsec_older", noon)), 204, nil},
		{"takes headers that agree", signed(func(r *http.Request) {
			r.Header.Set("X-Boardwatch-Event", "ping")
			r.Header.Set("X-Boardwatch-Delivery", "65f0c0ffee000000000000fe")
		}), 204, nil},
		{"takes a signature of exactly five minutes", signed(at(secret, noon.Add(-5*time.Minute))), 204, nil},
		{"takes a type it does not know", delivery(`{"id":"x","type":"board.renamed"}`), 204, nil},
		{"refuses another method", httptest.NewRequest(http.MethodGet, "/hook", nil), 405, receiver.ErrMethod},
		{"refuses what is not signed", signed(func(r *http.Request) { r.Header.Del("X-Boardwatch-Signature") }), 401, boardwatch.ErrSignatureMalformed},
		{"refuses two signature headers", signed(func(r *http.Request) { r.Header.Add("X-Boardwatch-Signature", "t=1,v1=00") }), 401, boardwatch.ErrSignatureMalformed},
		{"refuses another secret", signed(at("whsec_forged", noon)), 401, boardwatch.ErrSignatureWrong},
		{"refuses an old signature", signed(at(secret, noon.Add(-301*time.Second))), 401, boardwatch.ErrSignatureStale},
		{"refuses other bytes than were signed", signed(func(r *http.Request) { r.Body = io.NopCloser(strings.NewReader(pingBody + " ")) }), 401, boardwatch.ErrSignatureWrong},
		{"refuses headers of another event", signed(set("X-Boardwatch-Event", "job.found")), 400, receiver.ErrOther},
		{"refuses headers of another delivery", signed(set("X-Boardwatch-Delivery", "65f0c0ffee000000000000ff")), 400, receiver.ErrOther},
		{"refuses what is no event", delivery(`{}`), 400, receiver.ErrEvent},
		{"refuses what is no JSON", delivery(`jobs!`), 400, receiver.ErrEvent},
		{"refuses nothing at all", delivery(""), 400, receiver.ErrEvent},
		{"refuses a long body", delivery(strings.Repeat("x", 2001)), 413, receiver.ErrTooLarge},
		{"refuses a long body of no stated length", signed(func(r *http.Request) {
			r.Body, r.ContentLength = io.NopCloser(strings.NewReader(strings.Repeat("x", 2001))), -1
		}), 413, receiver.ErrTooLarge},
		{"refuses a body that breaks off", signed(func(r *http.Request) {
			r.Body = io.NopCloser(io.MultiReader(strings.NewReader("{"), broken{}))
		}), 408, receiver.ErrUnread},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			h := newHook(t, receiver.Options{MaxBody: 2000})
			got := h.post(tc.req)
			require.Equal(t, tc.status, got.StatusCode)
			if tc.reason == nil {
				require.Empty(t, h.refused)
				require.Len(t, h.took, 1)
				return
			}
			require.Empty(t, h.took)
			require.Len(t, h.refused, 1)
			require.ErrorIs(t, h.refused[0], tc.reason)
			require.Equal(t, tc.status, receiver.StatusOf(h.refused[0]))
			said, err := io.ReadAll(got.Body)
			require.NoError(t, err)
			require.NotContains(t, string(said), "cable", "the cause is not the sender's business")
		})
	}
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, errors.New("somebody pulled the cable") }

func TestReceiverSetsBounds(t *testing.T) {
	t.Parallel()

	t.Run("a method that is refused is named", func(t *testing.T) {
		t.Parallel()
		got := newHook(t, receiver.Options{}).post(httptest.NewRequest(http.MethodPut, "/hook", nil))
		require.Equal(t, "POST", got.Header.Get("Allow"))
	})
	t.Run("a body that drips is not waited for", func(t *testing.T) {
		t.Parallel()
		h := newHook(t, receiver.Options{ReadTimeout: 50 * time.Millisecond})
		site := httptest.NewServer(h.handler)
		t.Cleanup(site.Close)
		conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", site.Listener.Addr().String())
		require.NoError(t, err)
		t.Cleanup(func() { _ = conn.Close() })
		_, err = io.WriteString(conn, "POST /hook HTTP/1.1\r\nHost: hook.example\r\nContent-Length: 100\r\n\r\n{")
		require.NoError(t, err)
		answer := make([]byte, 12)
		_, err = io.ReadFull(conn, answer)
		require.NoError(t, err)
		require.Equal(t, "HTTP/1.1 408", string(answer))
	})
	t.Run("other header names, other tolerance", func(t *testing.T) {
		t.Parallel()
		h := newHook(t, receiver.Options{Prefix: "X-Roles", Tolerance: time.Hour})
		req := delivery(pingBody)
		require.Equal(t, 401, h.post(req).StatusCode)
		req = delivery(pingBody)
		req.Header.Set("X-Roles-Signature", boardwatch.Sign([]byte(secret), []byte(pingBody), noon.Add(-time.Hour)))
		require.Equal(t, 204, h.post(req).StatusCode)
	})
	t.Run("a receiver needs a secret", func(t *testing.T) {
		t.Parallel()
		for _, none := range [][]string{nil, {}, {""}, {secret, ""}} {
			_, err := receiver.New(none, receiver.Options{})
			require.ErrorContains(t, err, "secret is missing")
		}
	})
}

func TestReceiverTakesEachDeliveryOnce(t *testing.T) {
	t.Parallel()

	t.Run("what was taken is not handed on again", func(t *testing.T) {
		t.Parallel()
		h := newHook(t, receiver.Options{})
		for range 3 {
			require.Equal(t, 204, h.post(delivery(pingBody)).StatusCode)
		}
		require.Len(t, h.took, 1)
	})
	t.Run("what failed is handed on again", func(t *testing.T) {
		t.Parallel()
		h := newHook(t, receiver.Options{})
		h.fail = errors.New("database is away")
		got := h.post(delivery(pingBody))
		require.Equal(t, 500, got.StatusCode)
		said, err := io.ReadAll(got.Body)
		require.NoError(t, err)
		require.NotContains(t, string(said), "database")
		h.fail = nil
		require.Equal(t, 204, h.post(delivery(pingBody)).StatusCode)
		require.Len(t, h.took, 1)
	})
	t.Run("every time, for who asks for it", func(t *testing.T) {
		t.Parallel()
		h := newHook(t, receiver.Options{Seen: receiver.Forgetful{}})
		require.Equal(t, 204, h.post(delivery(pingBody)).StatusCode)
		require.Equal(t, 204, h.post(delivery(pingBody)).StatusCode)
		require.Len(t, h.took, 2)
	})
	t.Run("one at a time", func(t *testing.T) {
		t.Parallel()
		entered, leave := make(chan struct{}), make(chan struct{})
		r, err := receiver.New([]string{secret}, receiver.Options{Now: func() time.Time { return noon }})
		require.NoError(t, err)
		h := &hook{handler: r.Handler(func(context.Context, receiver.Event) error {
			close(entered)
			<-leave
			return nil
		})}
		first := make(chan int)
		go func() { first <- h.post(delivery(pingBody)).StatusCode }()
		<-entered
		second := h.post(delivery(pingBody))
		require.Equal(t, 409, second.StatusCode)
		require.NotEmpty(t, second.Header.Get("Retry-After"))
		close(leave)
		require.Equal(t, 204, <-first)
		require.Equal(t, 204, h.post(delivery(pingBody)).StatusCode)
	})
	t.Run("a panic gives it back", func(t *testing.T) {
		t.Parallel()
		seen := receiver.NewMemory(1)
		r, err := receiver.New([]string{secret}, receiver.Options{Seen: seen, Now: func() time.Time { return noon }})
		require.NoError(t, err)
		h := &hook{handler: r.Handler(func(context.Context, receiver.Event) error { panic("oh") })}
		require.Panics(t, func() { h.post(delivery(pingBody)) })
		state, err := seen.Begin(t.Context(), "65f0c0ffee000000000000fe")
		require.NoError(t, err)
		require.Equal(t, receiver.Fresh, state)
	})
	t.Run("not without knowing what came before", func(t *testing.T) {
		t.Parallel()
		h := newHook(t, receiver.Options{Seen: seenFuncs{
			begin: func(string) (receiver.State, error) { return "", errors.New("away") },
		}})
		require.Equal(t, 503, h.post(delivery(pingBody)).StatusCode)
		require.Empty(t, h.took)
	})
	t.Run("success is not claimed when it could not be kept", func(t *testing.T) {
		t.Parallel()
		h := newHook(t, receiver.Options{Seen: seenFuncs{
			begin: func(string) (receiver.State, error) { return receiver.Fresh, nil },
			end:   func(string, bool) error { return errors.New("away") },
		}})
		require.Equal(t, 503, h.post(delivery(pingBody)).StatusCode)
	})
	t.Run("the sender's hanging up does not undo what was done", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(t.Context())
		var kept bool
		r, err := receiver.New([]string{secret}, receiver.Options{
			Now: func() time.Time { return noon },
			Seen: seenFuncs{
				begin: func(string) (receiver.State, error) { return receiver.Fresh, nil },
				end:   func(_ string, taken bool) error { kept = taken; return nil },
			},
		})
		require.NoError(t, err)
		h := &hook{handler: r.Handler(func(context.Context, receiver.Event) error { cancel(); return nil })}
		h.post(delivery(pingBody).WithContext(ctx))
		require.True(t, kept)
	})
}

// seenFuncs is a Seen made of functions.
type seenFuncs struct {
	begin func(id string) (receiver.State, error)
	end   func(id string, taken bool) error
}

func (s seenFuncs) Begin(_ context.Context, id string) (receiver.State, error) { return s.begin(id) }

func (s seenFuncs) End(ctx context.Context, id string, taken bool) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return s.end(id, taken)
}

func TestMiddleware(t *testing.T) {
	t.Parallel()
	serve := func(t *testing.T, next http.HandlerFunc) (*http.Response, receiver.State) {
		t.Helper()
		seen := receiver.NewMemory(10)
		r, err := receiver.New([]string{secret}, receiver.Options{Seen: seen, Now: func() time.Time { return noon }})
		require.NoError(t, err)
		got := (&hook{handler: r.Middleware(next)}).post(delivery(pingBody))
		state, err := seen.Begin(t.Context(), "65f0c0ffee000000000000fe")
		require.NoError(t, err)
		return got, state
	}

	t.Run("gives the event and the body to a handler", func(t *testing.T) {
		t.Parallel()
		got, state := serve(t, func(w http.ResponseWriter, r *http.Request) {
			e, ok := receiver.FromContext(r.Context())
			if !ok {
				http.Error(w, "no event", http.StatusTeapot)
				return
			}
			body, err := io.ReadAll(r.Body)
			if err == nil && bytes.Equal(body, e.Head().Body) {
				_, _ = io.WriteString(w, string(e.Head().Type))
			}
		})
		said, err := io.ReadAll(got.Body)
		require.NoError(t, err)
		require.Equal(t, "ping", string(said))
		require.Equal(t, receiver.Taken, state)
	})
	t.Run("an answer of nothing is success", func(t *testing.T) {
		t.Parallel()
		got, state := serve(t, func(http.ResponseWriter, *http.Request) {})
		require.Equal(t, 200, got.StatusCode)
		require.Equal(t, receiver.Taken, state)
	})
	t.Run("any other answer is failure", func(t *testing.T) {
		t.Parallel()
		for _, status := range []int{302, 400, 503} {
			got, state := serve(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) })
			require.Equal(t, status, got.StatusCode)
			require.Equal(t, receiver.Fresh, state)
		}
	})
	t.Run("a hint before the answer is not the answer", func(t *testing.T) {
		t.Parallel()
		_, state := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusProcessing)
			w.WriteHeader(http.StatusBadGateway)
		})
		require.Equal(t, receiver.Fresh, state)
	})
	t.Run("without it there is no event", func(t *testing.T) {
		t.Parallel()
		_, ok := receiver.FromContext(t.Context())
		require.False(t, ok)
	})
}
