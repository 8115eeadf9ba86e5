package outbound_test

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/transport/outbound"
)

// roundTrip is a network in which time can be faked.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

func answer(status int, header ...string) *http.Response {
	resp := &http.Response{StatusCode: status, Proto: "HTTP/1.1", Header: http.Header{}, Body: http.NoBody}
	for i := 0; i+1 < len(header); i += 2 {
		resp.Header.Set(header[i], header[i+1])
	}
	return resp
}

// diary notes when requests begin and how many are under way at once.
type diary struct {
	mu            sync.Mutex
	begins        map[string][]time.Duration
	active, atMax int
}

func (d *diary) note(start time.Time, host string, takes time.Duration) {
	d.mu.Lock()
	if d.begins == nil {
		d.begins = make(map[string][]time.Duration)
	}
	d.begins[host] = append(d.begins[host], time.Since(start))
	d.active++
	d.atMax = max(d.atMax, d.active)
	d.mu.Unlock()
	<-time.After(takes)
	d.mu.Lock()
	d.active--
	d.mu.Unlock()
}

func TestClientPacesItsRequests(t *testing.T) {
	t.Parallel()
	const takes = 200 * time.Millisecond
	tests := []struct {
		name      string
		pause     time.Duration
		addresses []string
		begins    map[string][]time.Duration
		atOnce    int
	}{
		{
			"one host is asked once a second", 0,
			[]string{"https://a.example/1", "https://a.example:443/2", "https://A.example./3"},
			map[string][]time.Duration{"a.example": {0, 1200 * time.Millisecond, 2400 * time.Millisecond}},
			1,
		},
		{
			"hosts do not wait for one another", 0,
			[]string{"https://a.example/", "https://b.example/", "https://a.example/", "http://a.example/"},
			map[string][]time.Duration{"a.example": {0, 0, 1200 * time.Millisecond}, "b.example": {0}},
			3,
		},
		{
			"the pause can be shorter", 50 * time.Millisecond,
			[]string{"https://a.example/", "https://a.example/"},
			map[string][]time.Duration{"a.example": {0, 250 * time.Millisecond}},
			1,
		},
		{
			"without a pause requests still follow one another", -1,
			[]string{"https://a.example/", "https://a.example/"},
			map[string][]time.Duration{"a.example": {0, 200 * time.Millisecond}},
			1,
		},
		{
			"there is no pause on loopback", 0,
			[]string{"http://127.0.0.1:8080/", "http://127.0.0.1:8080/", "http://localhost:8080/"},
			map[string][]time.Duration{"127.0.0.1": {0, 200 * time.Millisecond}, "localhost": {0}},
			2,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var d diary
				start := time.Now()
				client := outbound.New(outbound.Options{
					Pause: test.pause, AllowLoopback: true,
					Transport: roundTrip(func(req *http.Request) (*http.Response, error) {
						d.note(start, strings.ToLower(strings.Trim(req.URL.Hostname(), ".")), takes)
						return answer(http.StatusOK), nil
					}),
				})
				var wg sync.WaitGroup
				for _, address := range test.addresses {
					wg.Go(func() {
						_, err := client.Session().Get(t.Context(), address, nil)
						require.NoError(t, err)
					})
				}
				wg.Wait()
				require.Equal(t, test.begins, d.begins)
				require.Equal(t, test.atOnce, d.atMax)
			})
		})
	}
}

func TestWaitingForOnesTurnEndsWithTheContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		client := outbound.New(outbound.Options{Transport: roundTrip(func(*http.Request) (*http.Response, error) {
			<-time.After(10 * time.Second)
			return answer(http.StatusOK), nil
		})})
		var wg sync.WaitGroup
		wg.Go(func() {
			_, err := client.Get(t.Context(), "https://a.example/", nil)
			require.NoError(t, err)
		})
		synctest.Wait()
		for range 3 {
			start := time.Now()
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			_, err := client.Get(ctx, "https://a.example/", nil)
			cancel()
			require.Equal(t, outbound.KindStopped, outbound.KindOf(err))
			require.ErrorIs(t, err, context.DeadlineExceeded)
			require.Equal(t, time.Second, time.Since(start))
		}
		wg.Wait()
		_, err := client.Get(t.Context(), "https://a.example/", nil)
		require.NoError(t, err, "who gave up does not keep the turn")
	})
}

func TestWaitingForOnesTurnIsNotPartOfTheTimeout(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		client := outbound.New(outbound.Options{
			Timeout: time.Second, Pause: time.Minute,
			Transport: roundTrip(func(*http.Request) (*http.Response, error) { return answer(http.StatusOK), nil }),
		})
		for range 3 {
			_, err := client.Get(t.Context(), "https://a.example/", nil)
			require.NoError(t, err)
		}
	})
}

func TestAHostThatAskedToBeLeftAloneIs(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		sent := 0
		client := outbound.New(outbound.Options{Transport: roundTrip(func(req *http.Request) (*http.Response, error) {
			sent++
			if req.URL.Path == "/busy" {
				return answer(http.StatusTooManyRequests, "Retry-After", "3600"), nil
			}
			return answer(http.StatusOK), nil
		})})
		page, err := client.Get(t.Context(), "https://a.example/busy", nil)
		require.NoError(t, err, "an hour is not waited for: the answer says it all")
		require.Equal(t, http.StatusTooManyRequests, page.Status)
		require.Equal(t, 1, sent)

		<-time.After(20 * time.Minute)
		_, err = client.Session().Get(t.Context(), "https://a.example/other", nil)
		require.EqualError(t, err, "a.example asked to be left alone for another 40m0s")
		busy := &outbound.Error{}
		require.ErrorAs(t, err, &busy)
		require.Equal(t, outbound.KindBusy, busy.Kind)
		require.Equal(t, 40*time.Minute, busy.RetryAfter)
		require.Equal(t, 1, sent)

		_, err = client.Get(t.Context(), "https://b.example/", nil)
		require.NoError(t, err, "other hosts asked for nothing")

		<-time.After(40*time.Minute - 20*time.Second)
		start := time.Now()
		_, err = client.Get(t.Context(), "https://a.example/other", nil)
		require.NoError(t, err)
		require.Equal(t, 20*time.Second, time.Since(start), "a short rest is waited for")
		require.Equal(t, 3, sent)
	})
}

func TestPacingManyHostsNeedsLittleMemory(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		client := outbound.New(outbound.Options{Transport: roundTrip(func(*http.Request) (*http.Response, error) {
			return answer(http.StatusServiceUnavailable, "Retry-After", "60"), nil
		})})
		most := 0
		for i := range 20_000 {
			u := &url.URL{Scheme: "https", Host: "h" + strconv.Itoa(i) + ".example"}
			resp, err := client.Do((&http.Request{Method: http.MethodGet, URL: u}).WithContext(t.Context()))
			require.NoError(t, err)
			require.NoError(t, resp.Body.Close())
			<-time.After(time.Second)
			most = max(most, client.Hosts())
		}
		require.Less(t, most, 2_000, "only hosts are remembered that were asked to slow down, which lasts ten minutes")
	})
}
