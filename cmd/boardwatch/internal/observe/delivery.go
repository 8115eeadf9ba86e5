package observe

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/deliver"
)

// deliveryMetrics are what sending webhooks tells Prometheus.
type deliveryMetrics struct {
	attempts    *prometheus.CounterVec
	duration    prometheus.Histogram
	late        prometheus.Histogram
	switchedOff prometheus.Counter
}

func newDeliveryMetrics(registry *prometheus.Registry) *deliveryMetrics {
	m := &deliveryMetrics{
		attempts: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "boardwatch_delivery_attempts_total",
			Help: "Attempts at deliveries to webhooks, by event and by what they made of the delivery: delivered, pending (to be tried again) or dead.",
		}, []string{"event", "state"}),
		duration: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "boardwatch_delivery_attempt_duration_seconds", Help: "Time of an attempt, from the lookup of the name to the end of the answer.",
			Buckets: []float64{.005, .02, .05, .1, .25, .5, 1, 2.5, 5, 10},
		}),
		late: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "boardwatch_delivery_due_lag_seconds", Help: "How long after it fell due an attempt began.",
			Buckets: []float64{.05, .1, .25, .5, 1, 2.5, 5, 15, 60, 300, 1800, 7200},
		}),
		switchedOff: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "boardwatch_webhooks_switched_off_total", Help: "Webhooks switched off because nothing succeeded for too long.",
		}),
	}
	registry.MustRegister(m.attempts, m.duration, m.late, m.switchedOff)
	return m
}

// observe counts one attempt.
func (m *deliveryMetrics) observe(r deliver.AttemptReport) {
	m.attempts.WithLabelValues(string(r.Delivery.Type), string(r.Delivery.State)).Inc()
	m.duration.Observe(r.Receipt.Duration.Seconds())
	m.late.Observe(r.Late.Seconds())
	if r.SwitchedOff {
		m.switchedOff.Inc()
	}
}

// DeliveryStore measures what sending asks of a store.
func (m *Metrics) DeliveryStore(s deliver.Store) deliver.Store {
	return meteredDeliveries{s, m}
}

// Attempts counts attempts at deliveries.
func (m *Metrics) Attempts() func(deliver.AttemptReport) {
	return newDeliveryMetrics(m.Registry).observe
}

// meteredDeliveries measures what sending asks of the store.
type meteredDeliveries struct {
	deliver.Store

	m *Metrics
}

// ClaimWebhooks is the store's own, measured.
func (s meteredDeliveries) ClaimWebhooks(ctx context.Context, n int, lease time.Duration) ([]boardwatch.WebhookClaim, error) {
	defer meteredStore{m: s.m}.measure("claim_webhooks", time.Now())
	return s.Store.ClaimWebhooks(ctx, n, lease)
}

// DueDeliveries is the store's own, measured.
func (s meteredDeliveries) DueDeliveries(
	ctx context.Context, webhookID string, now time.Time, skip map[string]bool, n, size int,
) (due []boardwatch.Delivery, more bool, err error) {
	defer meteredStore{m: s.m}.measure("due_deliveries", time.Now())
	return s.Store.DueDeliveries(ctx, webhookID, now, skip, n, size)
}

// SaveAttempts is the store's own, measured.
func (s meteredDeliveries) SaveAttempts(ctx context.Context, outcomes []boardwatch.Attempts) ([]boardwatch.WebhookClaim, error) {
	defer meteredStore{m: s.m}.measure("save_attempts", time.Now())
	return s.Store.SaveAttempts(ctx, outcomes)
}
