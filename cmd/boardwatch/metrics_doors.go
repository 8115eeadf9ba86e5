package main

import (
	"cmp"
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

// doors counts what a handler answers. Without metrics it is the handler itself.
func (m *metrics) doors(next http.Handler) http.Handler {
	if m == nil {
		return next
	}
	d := newDoorMetrics(m.registry)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start, door := time.Now(), doorOf(r.URL.Path)
		answer := &answered{ResponseWriter: w}
		defer func() {
			status := cmp.Or(answer.status, http.StatusOK)
			fault := recover()
			if fault != nil && answer.status == 0 {
				status = http.StatusInternalServerError
			}
			d.requests.WithLabelValues(door, strconv.Itoa(status)).Inc()
			d.duration.WithLabelValues(door).Observe(time.Since(start).Seconds())
			if fault != nil {
				panic(fault) // the server logs it and answers
			}
		}()
		next.ServeHTTP(answer, r)
	})
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
	case within("/v1", "/openapi.json", "/docs"):
		return "rest"
	case within("/mcp", "/.well-known/mcp"):
		return "mcp"
	case within("/oauth", "/.well-known"):
		return "oauth"
	default:
		return "app"
	}
}

// answered notes the status of an answer.
type answered struct {
	http.ResponseWriter

	status int // 0 until something is written
}

func (a *answered) WriteHeader(status int) {
	if a.status == 0 && status >= http.StatusOK {
		a.status = status
	}
	a.ResponseWriter.WriteHeader(status)
}

// Unwrap lets http.ResponseController reach the connection: to flush, and to move deadlines.
func (a *answered) Unwrap() http.ResponseWriter { return a.ResponseWriter }
