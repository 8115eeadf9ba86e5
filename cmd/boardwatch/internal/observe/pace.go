package observe

import (
	"cmp"
	"context"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/pace"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

const (
	// slowHostsShown is how many hosts that are asked less often than usual have a metric of their own.
	slowHostsShown = 10
	// slowHostsTimeout is how long looking for them may take.
	slowHostsTimeout = 2 * time.Second
)

// Pace tell how requests come by their turns at hosts: by hosted system, and of the slowest hosts by name.
type Pace struct {
	store pace.Store

	requests, refusals, waited, left, quiet *prometheus.Desc

	mu      sync.Mutex
	systems map[string]*pacedRequests
}

// pacedRequests are those to the hosts of one system.
type pacedRequests struct {
	sent, refused int
	waited        time.Duration
}

var _ prometheus.Collector = (*Pace)(nil)

// NewPace are the metrics of the requests to hosts, and of the hosts in a store that are asked less often.
func NewPace(store pace.Store) *Pace {
	desc := func(name, help, label string) *prometheus.Desc {
		return prometheus.NewDesc("boardwatch_"+name, help, []string{label}, nil)
	}
	return &Pace{
		store: store, systems: make(map[string]*pacedRequests),
		requests: desc("host_requests_total", "Requests to hosts, by the hosted system whose board is read; \"page\" stands for all others.", "system"),
		refusals: desc("host_refusals_total", "Requests that were answered with 429 or 503.", "system"),
		waited:   desc("host_wait_seconds_total", "How long requests waited for their turn at a host.", "system"),
		left:     desc("host_pace_ratio", "The part of its pace that is left for a host that refused requests. At most ten hosts, the slowest; all processes on one database say the same.", "host"),
		quiet:    desc("host_quiet_seconds", "How long a host still wants to be left alone. The same hosts.", "host"),
	}
}

// Observe counts a request.
func (m *Pace) Observe(p outbound.Paced) {
	m.mu.Lock()
	defer m.mu.Unlock()
	system := cmp.Or(p.System, boardwatch.PageSystem)
	s := m.systems[system]
	if s == nil {
		s = new(pacedRequests)
		m.systems[system] = s
	}
	s.sent++
	s.waited += p.Waited
	if p.Refused {
		s.refused++
	}
}

// Describe names the metrics.
func (m *Pace) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{m.requests, m.refusals, m.waited, m.left, m.quiet} {
		to <- d
	}
}

// Collect tells them. Without an answer of the store those of single hosts are absent.
func (m *Pace) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), slowHostsTimeout)
	defer cancel()
	slow, err := m.store.SlowHosts(ctx, slowHostsShown)
	if err == nil {
		for _, h := range slow {
			to <- prometheus.MustNewConstMetric(m.left, prometheus.GaugeValue, h.Part, h.Host)
			to <- prometheus.MustNewConstMetric(m.quiet, prometheus.GaugeValue, h.Quiet.Seconds(), h.Host)
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for system, s := range m.systems {
		to <- prometheus.MustNewConstMetric(m.requests, prometheus.CounterValue, float64(s.sent), system)
		to <- prometheus.MustNewConstMetric(m.refusals, prometheus.CounterValue, float64(s.refused), system)
		to <- prometheus.MustNewConstMetric(m.waited, prometheus.CounterValue, s.waited.Seconds(), system)
	}
}

// crowdMetrics tell of the systems that are crowded at the moment of asking.
type crowdMetrics struct {
	names   func() []string
	crowded *prometheus.Desc
}

var _ prometheus.Collector = (*crowdMetrics)(nil)

// NewCrowd is the metric of the systems that names returns.
func NewCrowd(names func() []string) prometheus.Collector {
	return &crowdMetrics{names: names, crowded: prometheus.NewDesc("boardwatch_system_crowded",
		"1 while more boards of a hosted system are due than its host lets this process read; absent otherwise.",
		[]string{"system"}, nil)}
}

// Describe names the metric.
func (m *crowdMetrics) Describe(to chan<- *prometheus.Desc) { to <- m.crowded }

// Collect tells it.
func (m *crowdMetrics) Collect(to chan<- prometheus.Metric) {
	for _, system := range m.names() {
		to <- prometheus.MustNewConstMetric(m.crowded, prometheus.GaugeValue, 1, system)
	}
}
