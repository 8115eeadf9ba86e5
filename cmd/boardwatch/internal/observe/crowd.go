package observe

import "github.com/prometheus/client_golang/prometheus"

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
