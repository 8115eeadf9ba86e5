package scraper_test

import (
	"bytes"
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// A pause that one board of a host was asked for is the host's: no other board asks meanwhile, and when it is over another
// board asks first.
func TestAPauseOfAHostHoldsForAllItsBoards(t *testing.T) {
	t.Parallel()
	for status, header := range map[int]string{http.StatusTooManyRequests: "600", http.StatusServiceUnavailable: "Mon, 05 Oct 2099 12:00:00 GMT"} {
		synctest.Test(t, func(t *testing.T) {
			var asked []string
			calm := false
			client := outbound.New(outbound.Options{Pause: -1, Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
				asked = append(asked, r.URL.Path)
				resp := &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Request: r, Body: io.NopCloser(bytes.NewBufferString(`{"jobs":[{"id":1,"title":"Welder","absolute_url":"https://job-boards.greenhouse.io/x/jobs/1"}],"meta":{"total":1}}`))}
				if !calm && r.URL.Path == "/v1/boards/northwind/jobs" {
					resp.StatusCode, resp.Header = status, http.Header{"Retry-After": {header}}
				}
				return resp, nil
			})})
			reader := scraper.New(client, scraper.Options{})
			newID := boardwatch.NewID
			boards := map[string]boardwatch.Board{}
			check := func(token string) boardwatch.Board {
				b, ok := boards[token]
				if !ok {
					b = boardwatch.Board{ID: token, Source: "greenhouse:" + token, URL: "https://job-boards.greenhouse.io/" + token, Cadence: time.Minute, Company: token}
					b.State.LastSuccessAt, b.State.Health = time.Now().Add(-time.Hour), boardwatch.HealthOK
				}
				r, err := reader.Read(t.Context(), b)
				require.NoError(t, err)
				boards[token] = boardwatch.Decide(boardwatch.CheckInput{Now: time.Now(), Board: b}, r, false, boardwatch.DefaultRules(), newID).Board
				return boards[token]
			}
			refused := check("northwind")
			require.Equal(t, boardwatch.HealthFailed, refused.State.Health)
			asked = nil
			<-time.After(5 * time.Second)
			for _, token := range []string{"lighthouse", "quayside"} {
				kept := check(token)
				require.Equal(t, boardwatch.HealthPartial, kept.State.Health, kept.State.Reason)
				require.Equal(t, cause.Throttled, kept.State.Cause)
				require.True(t, kept.NextCheckAt.Before(refused.NextCheckAt), "it asks before the one that was refused")
				require.False(t, kept.NextCheckAt.Before(kept.State.RetryAfter))
			}
			require.Empty(t, asked, "the host is left alone")
			<-time.After(time.Until(boards["lighthouse"].NextCheckAt))
			calm = true
			require.Equal(t, boardwatch.HealthOK, check("lighthouse").State.Health)
			<-time.After(time.Until(refused.NextCheckAt))
			require.Equal(t, boardwatch.HealthOK, check("northwind").State.Health)
		})
	}
}
