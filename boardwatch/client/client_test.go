package client_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/client"
)

const (
	key     = "bw_0123456789"
	limited = `429 {"error":{"code":"rate_limited","message":"too many","retryAfter":7}}`
	broken  = `500 {"error":{"code":"internal_error","message":"a fault"}}`
	status  = `200 {"status":"ok","account":{"plan":"pro","boards":{"tracked":2,"limit":50,"locked":1}},` +
		`"key":{"name":"laptop","hint":"x7Qd","lastUsedAt":"2026-11-20T09:12:44.000Z"},` +
		`"rateLimit":{"limit":60,"remaining":59,"resetAt":null},"polledAt":"2026-11-20T09:12:44.018Z"}`
)

// service answers with what is next in its script, and remembers what it was asked and how long the client waited.
type service struct {
	*client.Client

	mu      sync.Mutex
	answers []string // a status, a space and a body
	noted   []string // the method and the address, and the body if there is one
	header  http.Header
	waited  []time.Duration
}

func newService(t *testing.T, o client.Options, answers ...string) *service {
	t.Helper()
	s := &service{answers: answers}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	var err error
	s.Client, err = client.New(server.URL+"/", key, o)
	require.NoError(t, err)
	s.SetWait(func(ctx context.Context, d time.Duration) error {
		s.waited = append(s.waited, d)
		return ctx.Err()
	})
	return s
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	body, _ := io.ReadAll(r.Body)
	s.header = r.Header
	s.noted = append(s.noted, strings.TrimSpace(r.Method+" "+r.URL.String()+" "+string(body)))
	code, answer := 0, ""
	if len(s.answers) > 0 {
		_, _ = fmt.Sscan(s.answers[0], &code)
		_, answer, _ = strings.Cut(s.answers[0], " ")
		s.answers = s.answers[1:]
	}
	switch code {
	case 0: // nothing is left of the script, or it says so
		panic(http.ErrAbortHandler)
	case http.StatusFound:
		w.Header().Set("Location", answer)
	}
	w.Header().Set("X-Request-Id", "65f0c0ffee00000000000001")
	w.WriteHeader(code)
	_, _ = io.WriteString(w, answer)
}

// asked are the requests so far. A handler may still be at work when the client has lost its answer.
func (s *service) asked() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.noted)
}

func TestClient(t *testing.T) {
	t.Parallel()

	t.Run("asks who is asking", func(t *testing.T) {
		t.Parallel()
		s := newService(t, client.Options{UserAgent: "nightly-import/2"}, status)
		got, err := s.Status(t.Context())
		require.NoError(t, err)
		require.Equal(t, []string{"GET /v1/status"}, s.asked())
		require.Equal(t, "Bearer "+key, s.header.Get("Authorization"))
		require.Equal(t, "nightly-import/2", s.header.Get("User-Agent"))
		require.Equal(t, string(account.PlanPro), got.Account.Plan)
		require.Equal(t, client.BoardCount{Tracked: 2, Limit: 50, Locked: 1}, got.Account.Boards)
		require.Equal(t, "laptop", got.Key.Name)
		require.Equal(t, 59, got.RateLimit.Remaining)
		require.Nil(t, got.RateLimit.ResetAt)
	})

	t.Run("changes the list", func(t *testing.T) {
		t.Parallel()
		board := `{"board":{"id":"4f1c9a27d05be83176aa20c5","company":null,"careersUrl":"https://a.example","status":"pending"},"locked":true}`
		s := newService(t, client.Options{}, "202 "+board, "201 "+board, "204 ", `200 {"boards":[],"total":0}`)
		added, err := s.AddBoard(t.Context(), client.NewBoard{URL: "https://a.example"})
		require.NoError(t, err)
		require.Equal(t, "4f1c9a27d05be83176aa20c5", added.Board.ID)
		require.True(t, added.Locked)
		require.False(t, added.Ready)
		added, err = s.AddBoard(t.Context(), client.NewBoard{URL: "https://a.example", CompanyName: "A"})
		require.NoError(t, err)
		require.True(t, added.Ready)
		require.NoError(t, s.DeleteBoard(t.Context(), "a/../b"))
		_, err = s.Boards(t.Context(), boardwatch.BoardReady)
		require.NoError(t, err)
		require.Equal(t, []string{
			`POST /v1/boards {"url":"https://a.example"}`, `POST /v1/boards {"url":"https://a.example","companyName":"A"}`,
			"DELETE /v1/boards/a%2F..%2Fb", "GET /v1/boards?status=ready",
		}, s.asked())
	})

	t.Run("makes requests again when that is worth it, and only then", func(t *testing.T) {
		t.Parallel()
		get := func(s *service) error { _, err := s.Status(t.Context()); return err }
		add := func(s *service) error {
			_, err := s.AddBoard(t.Context(), client.NewBoard{URL: "x"})
			return err
		}
		for name, c := range map[string]struct {
			call     func(*service) error
			answers  []string
			requests int
			waited   []time.Duration
			code     boardwatch.Code // of the error in the end
		}{
			"as long as the rate limit says": {get, []string{limited, status}, 2, []time.Duration{7 * time.Second}, ""},
			"with growing pauses after faults": {
				get, []string{broken, broken, broken, status}, 4, []time.Duration{time.Second, 2 * time.Second, 4 * time.Second}, "",
			},
			"faults of whatever stands before": {get, []string{"502 <html>", status}, 2, []time.Duration{time.Second}, ""},
			"lost answers":                     {get, []string{"0 ", status}, 2, []time.Duration{time.Second}, ""},
			"a change that was refused by the limit": {
				add, []string{limited, broken, `202 {}`}, 3, []time.Duration{7 * time.Second, 2 * time.Second}, "",
			},
			"no change that may have happened":        {add, []string{"0 "}, 1, nil, ""},
			"no change that a proxy failed on":        {add, []string{"502 <html>"}, 1, nil, ""},
			"nothing that is the fault of the caller": {get, []string{`400 {"error":{"code":"invalid_request","message":"no"}}`}, 1, nil, "invalid_request"},
			"nothing that a person must change":       {get, []string{`403 {"error":{"code":"plan_required","message":"no"}}`}, 1, nil, "plan_required"},
			"nothing beyond the patience": {
				get, []string{strings.Replace(limited, "7", "121", 1)}, 1, nil, "rate_limited",
			},
		} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				s := newService(t, client.Options{}, c.answers...)
				err := c.call(s)
				require.Equal(t, c.code, client.CodeOf(err), "%v", err)
				require.Len(t, s.asked(), c.requests)
				require.Equal(t, c.waited, s.waited)
			})
		}
	})

	t.Run("makes one request if it has no patience", func(t *testing.T) {
		t.Parallel()
		s := newService(t, client.Options{Patience: -1}, limited)
		_, err := s.Status(t.Context())
		require.Equal(t, boardwatch.CodeRateLimited, client.CodeOf(err))
	})

	t.Run("gives up when the context ends", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(t.Context())
		s := newService(t, client.Options{}, limited, status)
		s.SetWait(func(ctx context.Context, _ time.Duration) error {
			cancel()
			return ctx.Err()
		})
		_, err := s.Status(ctx)
		require.ErrorIs(t, err, context.Canceled)
		require.Len(t, s.asked(), 1)
	})

	t.Run("has typed errors", func(t *testing.T) {
		t.Parallel()
		for answer, want := range map[string]client.Error{
			`400 {"error":{"code":"invalid_request","message":"m","details":[{"field":"url","message":"no"}]}}`: {
				Status: 400, Code: boardwatch.CodeInvalidRequest, Message: "m", Fields: []boardwatch.FieldError{{Field: "url", Message: "no"}},
			},
			`409 {"error":{"code":"already_tracked","message":"m","details":{"boardId":"4f1c9a27d05be83176aa20c5"}}}`: {
				Status: 409, Code: boardwatch.CodeAlreadyTracked, Message: "m", BoardID: "4f1c9a27d05be83176aa20c5",
			},
			limited: {Status: 429, Code: boardwatch.CodeRateLimited, Message: "too many", RetryAfter: 7 * time.Second},
		} {
			s := newService(t, client.Options{Patience: -1}, answer)
			_, err := s.AddBoard(t.Context(), client.NewBoard{URL: "x"})
			want.RequestID = "65f0c0ffee00000000000001"
			require.Equal(t, &want, err)
		}
	})

	t.Run("does not follow redirects with its key, and says where they lead", func(t *testing.T) {
		t.Parallel()
		s := newService(t, client.Options{}, "302 https://elsewhere.example/v1/status", status)
		_, err := s.Status(t.Context())
		require.ErrorContains(t, err, "redirects to https://elsewhere.example/v1/status; use that address")
		require.Len(t, s.asked(), 1)
	})

	t.Run("tells an answer of something else", func(t *testing.T) {
		t.Parallel()
		for _, answer := range []string{"200 <html>", "404 <html>", `404 {"message":"no"}`} {
			s := newService(t, client.Options{}, answer)
			_, err := s.Status(t.Context())
			require.ErrorContains(t, err, "not boardwatch's")
			require.Empty(t, client.CodeOf(err))
		}
	})

	t.Run("keeps its key out of errors and the log", func(t *testing.T) {
		t.Parallel()
		var log strings.Builder
		s := newService(t, client.Options{Log: slog.New(slog.NewTextHandler(&log, nil))}, limited, "0 ", broken)
		_, err := s.Status(t.Context())
		require.Error(t, err)
		require.NotContains(t, err.Error(), key)
		require.Contains(t, log.String(), "rate_limited")
		require.NotContains(t, log.String(), key)
	})

	t.Run("makes one request at a time", func(t *testing.T) {
		t.Parallel()
		s := newService(t, client.Options{}, limited, status, status, status, status)
		var group sync.WaitGroup
		errs := make([]error, 4)
		for i := range errs {
			group.Go(func() { _, errs[i] = s.Status(t.Context()) })
		}
		group.Wait()
		for _, err := range errs {
			require.NoError(t, err)
		}
		require.Equal(t, []time.Duration{7 * time.Second}, s.waited, "the others wait behind the one that was refused")
	})
}

func TestNewRefusesWhatCannotWork(t *testing.T) {
	t.Parallel()
	for _, address := range []string{
		"", "boards.example", "ftp://boards.example", "https://", "https://ann:secret@boards.example", "https://boards.example/?key=secret", "http://[::1",
	} {
		_, err := client.New(address, key, client.Options{})
		require.ErrorContains(t, err, "address", address)
		require.NotContains(t, err.Error(), "secret")
	}
	for _, wrong := range []string{"", " bw_x", "bw_x\n", "bw_é"} {
		_, err := client.New("https://boards.example", wrong, client.Options{})
		require.ErrorContains(t, err, "key")
	}
}
