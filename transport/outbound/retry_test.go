package outbound_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/transport/outbound"
)

func TestDoTriesAgainWhatIsTransient(t *testing.T) {
	t.Parallel()
	const quick, slow = 0, 1300 * time.Millisecond // all waits, without jitter
	reset := &net.OpError{Op: "read", Err: syscall.ECONNRESET}
	tests := []struct {
		name     string
		method   string
		body     io.Reader
		status   int
		fault    error
		requests int
		waits    time.Duration
	}{
		{"a success is final", http.MethodGet, nil, 200, nil, 1, quick},
		{"not found is final", http.MethodGet, nil, 404, nil, 1, quick},
		{"forbidden is final", http.MethodGet, nil, 403, nil, 1, quick},
		{"an internal error", http.MethodGet, nil, 500, nil, 3, slow},
		{"a bad gateway ends as a bad gateway", http.MethodGet, nil, 502, nil, 3, slow},
		{"unavailable", http.MethodHead, nil, 503, nil, 3, slow},
		{"a slow gateway", http.MethodGet, nil, 504, nil, 3, slow},
		{"too many requests", http.MethodGet, nil, 429, nil, 3, slow},
		{"a reset", http.MethodGet, nil, 0, reset, 3, slow},
		{"a failing name server", http.MethodGet, nil, 0, &net.DNSError{Err: "server misbehaving", IsTemporary: true}, 3, slow},
		{"a name that does not exist is final", http.MethodGet, nil, 0, &net.DNSError{IsNotFound: true}, 1, quick},
		{"a question that can be asked again", http.MethodPost, strings.NewReader("{}"), 502, nil, 3, slow},
		{"a body that can be read only once", http.MethodPost, io.LimitReader(strings.NewReader("{}"), 2), 502, nil, 1, quick},
		{"a change is never repeated", http.MethodPut, strings.NewReader("{}"), 502, nil, 1, quick},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				client := outbound.New(outbound.Options{Pause: -1, Transport: roundTrip(func(req *http.Request) (*http.Response, error) {
					if test.body != nil {
						body, err := io.ReadAll(req.Body)
						require.NoError(t, err)
						require.Equal(t, "{}", string(body), "every try sends the whole body")
					}
					if test.fault != nil {
						return nil, test.fault
					}
					return answer(test.status), nil
				})})
				start := time.Now()
				resp, err := client.Do(request(t, test.method, "https://a.example/list", test.body))
				require.Equal(t, test.requests, client.Requests())
				require.GreaterOrEqual(t, time.Since(start), test.waits)
				require.LessOrEqual(t, time.Since(start), test.waits*5/4+2)
				if test.fault != nil {
					require.ErrorIs(t, err, test.fault)
					return
				}
				require.NoError(t, err)
				require.Equal(t, test.status, resp.StatusCode)
			})
		})
	}
}

func TestDoTriesATimeoutOnlyTwice(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		client := outbound.New(outbound.Options{Transport: roundTrip(func(req *http.Request) (*http.Response, error) {
			<-req.Context().Done()
			return nil, context.Cause(req.Context())
		})})
		_, err := client.Get(t.Context(), "https://a.example/", nil)
		require.Equal(t, outbound.KindTimeout, outbound.KindOf(err))
		require.Equal(t, 2, client.Requests())
	})
}

func TestDoWaitsAsLongAsItIsAsked(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, retryAfter string
		deadline         time.Duration // the caller's; none when zero
		requests         int
		waits            time.Duration
	}{
		{"some seconds", "5", 0, 3, 10 * time.Second},
		{"a date", "Sat, 01 Jan 2000 00:00:20 GMT", 0, 3, 20 * time.Second},
		{"a date that has passed", "Mon, 01 Jan 1990 00:00:00 GMT", 0, 3, 1300 * time.Millisecond},
		{"half a minute", "30", 0, 3, 60 * time.Second},
		{"more is not waited for", "31", 0, 1, 0},
		{"nor is what the caller has no time for", "5", 4 * time.Second, 1, 0},
		{"nonsense is not listened to", "soon", 0, 3, 1300 * time.Millisecond},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				client := outbound.New(outbound.Options{Pause: -1, Transport: roundTrip(func(*http.Request) (*http.Response, error) {
					return answer(http.StatusServiceUnavailable, "Retry-After", test.retryAfter), nil
				})})
				ctx := t.Context()
				if test.deadline > 0 {
					var cancel context.CancelFunc
					ctx, cancel = context.WithTimeout(ctx, test.deadline)
					defer cancel()
				}
				start := time.Now()
				page, err := client.Get(ctx, "https://a.example/", nil)
				require.NoError(t, err)
				require.Equal(t, http.StatusServiceUnavailable, page.Status)
				require.Equal(t, test.retryAfter, page.Header.Get("Retry-After"), "so that the caller can pass it on")
				require.Equal(t, test.requests, client.Requests())
				require.GreaterOrEqual(t, time.Since(start), test.waits)
				require.Less(t, time.Since(start), test.waits+2*time.Second)
			})
		})
	}
}
