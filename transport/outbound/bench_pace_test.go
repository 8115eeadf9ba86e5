package outbound_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch/pace"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/storagetest"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// BenchmarkPace measures how many requests a second reach a host that takes 0.3 s for an answer, with the pause for hosts of
// which nothing is known and with the pace of SmartRecruiters, from one and from three processes on one PostgreSQL.
func BenchmarkPace(b *testing.B) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		<-time.After(300 * time.Millisecond)
		w.WriteHeader(http.StatusNoContent)
	}))
	b.Cleanup(server.Close)
	proxy, err := url.Parse(server.URL)
	require.NoError(b, err)
	known := map[string]pace.Pace{"smartrecruiters": {Every: 200 * time.Millisecond, AtOnce: 4}}
	for _, paces := range []map[string]pace.Pace{nil, known} {
		for _, processes := range []int{1, 3} {
			name := "pause"
			if paces != nil {
				name = "smartrecruiters"
			}
			b.Run(name+"/processes="+strconv.Itoa(processes), func(b *testing.B) {
				open := storagetest.Postgres(b)
				clients := make([]*outbound.Client, processes)
				for i := range clients {
					clients[i] = outbound.New(outbound.Options{
						Turns: open(b, storage.Options{}), Paces: paces, Proxy: http.ProxyURL(proxy),
					}).SessionWith(outbound.SessionOptions{System: "smartrecruiters"})
					b.Cleanup(clients[i].CloseIdleConnections)
				}
				askTogether(b, clients)
			})
		}
	}
}

// askTogether has five looks of each client ask one host, b.N times in all.
func askTogether(b *testing.B, clients []*outbound.Client) {
	b.Helper()
	var asked atomic.Int64
	var group sync.WaitGroup
	b.ResetTimer()
	for _, c := range clients {
		for range 5 {
			group.Go(func() {
				for asked.Add(1) <= int64(b.N) {
					if _, err := c.Get(b.Context(), "http://vendor.example/", nil); err != nil {
						b.Error(err)
						return
					}
				}
			})
		}
	}
	group.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
}
