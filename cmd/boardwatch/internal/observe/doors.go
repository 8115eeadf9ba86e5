package observe

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// doorMetrics are what answering requests tells Prometheus.
type doorMetrics struct {
	requests *prometheus.CounterVec
	duration *prometheus.HistogramVec
}

func newDoorMetrics(registry *prometheus.Registry) *doorMetrics {
	m := &doorMetrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "boardwatch_http_requests_total",
			Help: "Requests answered, by door (rest, mcp, oauth, app, probe) and status.",
		}, []string{"door", "code"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "boardwatch_http_request_duration_seconds", Help: "Time from a request's headers to the end of its answer, by door.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10, 30},
		}, []string{"door"}),
	}
	registry.MustRegister(m.requests, m.duration)
	return m
}

// RequestEnded counts one request. Without metrics nobody counts.
func (m *Metrics) RequestEnded() func(r *http.Request, status int, took time.Duration) {
	if m == nil {
		return nil
	}
	return newDoorMetrics(m.Registry).observe
}

func (m *doorMetrics) observe(r *http.Request, status int, took time.Duration) {
	door := doorOf(r.URL.Path)
	m.requests.WithLabelValues(door, strconv.Itoa(status)).Inc()
	m.duration.WithLabelValues(door).Observe(took.Seconds())
}

// doorOf is the door that a path leads to. There are five, whatever strangers ask for.
func doorOf(path string) string {
	within := func(folders ...string) bool {
		for _, f := range folders {
			if path == f || strings.HasPrefix(path, f+"/") {
				return true
			}
		}
		return false
	}
	switch {
	case within("/healthz", "/readyz"):
		return "probe"
	case within("/v1", "/openapi.json"):
		return "rest"
	case within("/mcp", "/.well-known/mcp"):
		return "mcp"
	case within("/oauth", "/.well-known"):
		return "oauth"
	default:
		return "app"
	}
}
