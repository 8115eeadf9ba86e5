// Package observe tells Prometheus and OpenTelemetry what a running service does.
package observe

import (
	"context"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/boardwatch/watch"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/build"
)

// Metrics are what the service tells Prometheus.
type Metrics struct {
	Registry *prometheus.Registry

	checks   *prometheus.CounterVec
	causes   *prometheus.CounterVec
	changes  *prometheus.CounterVec
	duration *prometheus.HistogramVec
	inFlight prometheus.Gauge
	dueLag   prometheus.Histogram
	store    *prometheus.HistogramVec
}

// NewMetrics are the metrics of a program.
func NewMetrics(version build.Info) *Metrics {
	m := &Metrics{
		Registry: prometheus.NewRegistry(),
		checks: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "boardwatch_checks_total",
			Help: "Checks that came to an end, by hosted system and verdict; merged boards and checks that could not be saved have verdicts of their own.",
		}, []string{"system", "verdict"}),
		causes: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "boardwatch_check_causes_total",
			Help: "Checks that were not ok, by hosted system and cause.",
		}, []string{"system", "cause"}),
		changes: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "boardwatch_roles_changed_total", Help: "Roles found, reopened, updated and closed.",
		}, []string{"change"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "boardwatch_check_duration_seconds", Help: "Time of a whole check: reading, judging and saving.",
			Buckets: []float64{.005, .02, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 120},
		}, []string{"system"}),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "boardwatch_checks_in_flight", Help: "Boards that are being looked at now.",
		}),
		dueLag: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "boardwatch_check_due_lag_seconds", Help: "How long after it fell due a board was claimed.",
			Buckets: []float64{.1, .25, .5, 1, 2.5, 5, 15, 60, 300, 1800, 7200},
		}),
		store: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "boardwatch_store_duration_seconds", Help: "Time of a call to the store, by operation.",
			Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, 1, 5},
		}, []string{"operation"}),
	}
	build := prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "boardwatch_build_info", Help: "Always 1; the labels say which version runs.",
		ConstLabels: prometheus.Labels{"version": version.Version, "revision": version.Revision, "goversion": version.Go},
	}, func() float64 { return 1 })
	m.Registry.MustRegister(m.checks, m.causes, m.changes, m.duration, m.inFlight, m.dueLag, m.store, build,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// Handler answers /metrics.
func (m *Metrics) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(m.Registry, promhttp.HandlerOpts{}))
	return mux
}

// Observe counts one check.
func (m *Metrics) Observe(r watch.CheckReport) {
	verdict := string(r.Check.Health)
	switch {
	case r.Err != nil:
		verdict = "unsaved"
	case r.Merged:
		verdict = "merged"
	case r.Unchanged:
		verdict = string(boardwatch.HealthOK)
	}
	system := r.Board.System()
	m.checks.WithLabelValues(system, verdict).Inc()
	if cause := r.Check.Cause; cause != "" {
		m.causes.WithLabelValues(system, string(cause)).Inc()
	}
	m.duration.WithLabelValues(system).Observe(r.Duration.Seconds())
	m.changes.WithLabelValues("found").Add(float64(len(r.Change.Found)))
	m.changes.WithLabelValues("reopened").Add(float64(len(r.Change.Reopened)))
	m.changes.WithLabelValues("updated").Add(float64(len(r.Change.Updated)))
	m.changes.WithLabelValues("closed").Add(float64(len(r.Change.Closed)))
}

// Source counts the looks of a source.
func (m *Metrics) Source(s boardwatch.Source) boardwatch.Source { return meteredSource{s, m} }

// CheckStore measures what watching asks of a store.
func (m *Metrics) CheckStore(s boardwatch.CheckStore) boardwatch.CheckStore {
	return meteredStore{s, m}
}

// meteredSource counts the looks that are under way.
type meteredSource struct {
	boardwatch.Source

	m *Metrics
}

// Discover is the source's own, counted.
func (s meteredSource) Discover(ctx context.Context, input string) (boardwatch.Board, error) {
	s.m.inFlight.Inc()
	defer s.m.inFlight.Dec()
	return s.Source.Discover(ctx, input)
}

// Find is the source's own, counted.
func (s meteredSource) Find(ctx context.Context, b boardwatch.Board) (boardwatch.Board, error) {
	s.m.inFlight.Inc()
	defer s.m.inFlight.Dec()
	if f, ok := s.Source.(boardwatch.Finder); ok {
		return f.Find(ctx, b)
	}
	return s.Source.Discover(ctx, b.URL)
}

// Read is the source's own, counted.
func (s meteredSource) Read(ctx context.Context, b boardwatch.Board) (boardwatch.Reading, error) {
	s.m.inFlight.Inc()
	defer s.m.inFlight.Dec()
	return s.Source.Read(ctx, b)
}

// Heal is the source's own, counted. A source that cannot heal has healed nothing.
func (s meteredSource) Heal(ctx context.Context, b boardwatch.Board, titles []string) (boardwatch.Reading, error) {
	s.m.inFlight.Inc()
	defer s.m.inFlight.Dec()
	if h, ok := s.Source.(boardwatch.Healer); ok {
		return h.Heal(ctx, b, titles)
	}
	return boardwatch.Failed(cause.RecipeBroken, "no recipe can be made anew here"), nil
}

// meteredStore measures what watching asks of the store.
type meteredStore struct {
	boardwatch.CheckStore

	m *Metrics
}

// ClaimDue is the store's own, measured; it also tells how late boards are looked at.
func (s meteredStore) ClaimDue(
	ctx context.Context, n int, lease time.Duration, f boardwatch.ClaimFilter,
) ([]boardwatch.Claim, error) {
	defer s.measure("claim_due", time.Now())
	claims, err := s.CheckStore.ClaimDue(ctx, n, lease, f)
	for _, c := range claims {
		if due := c.Board.NextCheckAt; due.After(c.Board.AddedAt) { // otherwise somebody asked for it
			s.m.dueLag.Observe(max(0, c.At.Sub(due).Seconds()))
		}
	}
	return claims, err
}

// SaveUnchanged is the store's own, measured.
func (s meteredStore) SaveUnchanged(
	ctx context.Context, c boardwatch.Claim, fingerprint string, next time.Time, saved func(error),
) {
	start := time.Now()
	s.CheckStore.SaveUnchanged(ctx, c, fingerprint, next, func(err error) {
		s.measure("save_unchanged", start)
		saved(err)
	})
}

// SaveCheck is the store's own, measured.
func (s meteredStore) SaveCheck(ctx context.Context, c boardwatch.Claim, decide func(boardwatch.CheckInput) boardwatch.CheckResult) error {
	defer s.measure("save_check", time.Now())
	return s.CheckStore.SaveCheck(ctx, c, decide)
}

// Resolve is the store's own, measured.
func (s meteredStore) Resolve(ctx context.Context, c boardwatch.Claim, found boardwatch.Board) (boardwatch.Claim, bool, error) {
	defer s.measure("resolve", time.Now())
	return s.CheckStore.Resolve(ctx, c, found)
}

func (s meteredStore) measure(operation string, start time.Time) {
	s.m.store.WithLabelValues(operation).Observe(time.Since(start).Seconds())
}
