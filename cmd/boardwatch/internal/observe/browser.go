package observe

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/boardwatch/boardwatch/scraper/browser"
)

// browserMetrics tells how each browser does at the moment of asking.
type browserMetrics struct {
	states func() (states []browser.State, waiting int)

	up, open, room, shown, lost, waiting *prometheus.Desc
}

var _ prometheus.Collector = (*browserMetrics)(nil)

// NewBrowser are the metrics of a browser, or of all in a pool.
func NewBrowser(b *browser.Browser) prometheus.Collector {
	of := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc("boardwatch_browser_"+name, help, labels, nil)
	}
	return &browserMetrics{
		states:  b.States,
		up:      of("up", "1 while a browser answers; 0 while it does not, or no page has needed it.", "browser"),
		open:    of("pages_open", "Pages that a browser shows now.", "browser"),
		room:    of("pages_limit", "Pages that a browser may show at the same time.", "browser"),
		shown:   of("pages_total", "Pages that a browser has shown.", "browser"),
		lost:    of("losses_total", "How often a browser was lost.", "browser"),
		waiting: of("pages_waiting", "Pages that wait for a browser."),
	}
}

// Describe names the metrics.
func (m *browserMetrics) Describe(to chan<- *prometheus.Desc) {
	for _, d := range [...]*prometheus.Desc{m.up, m.open, m.room, m.shown, m.lost, m.waiting} {
		to <- d
	}
}

// Collect tells them.
func (m *browserMetrics) Collect(to chan<- prometheus.Metric) {
	states, waiting := m.states()
	gauge := func(d *prometheus.Desc, value int, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, float64(value), labels...)
	}
	for _, s := range states {
		up := 0
		if s.Product != "" {
			up = 1
		}
		gauge(m.up, up, s.Name)
		gauge(m.open, s.Open, s.Name)
		gauge(m.room, s.Room, s.Name)
		to <- prometheus.MustNewConstMetric(m.shown, prometheus.CounterValue, float64(s.Shown), s.Name)
		to <- prometheus.MustNewConstMetric(m.lost, prometheus.CounterValue, float64(s.Lost), s.Name)
	}
	gauge(m.waiting, waiting)
}
