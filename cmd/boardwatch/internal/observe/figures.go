package observe

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
)

const (
	// figuresAge is how old the figures may be: counting a large database takes longer than a scrape should.
	figuresAge = time.Minute
	// figuresTimeout is how long counting may take.
	figuresTimeout = 5 * time.Second
)

// figureMetrics count what is in the database, when Prometheus asks and at most once a minute. Every process that shares a
// database says the same.
type figureMetrics struct {
	store account.FigureStore
	log   *slog.Logger
	now   func() time.Time

	up, boards, verdicts, due, oldestDue, roles, accounts, waiting, webhooks *prometheus.Desc

	mu    sync.Mutex
	last  account.Figures
	asked time.Time
	err   error
}

// NewFigures are the metrics of what is in a store.
func NewFigures(store account.FigureStore, log *slog.Logger, now func() time.Time) prometheus.Collector {
	gauge := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc("boardwatch_"+name, help, labels, nil)
	}
	return &figureMetrics{
		store: store, log: log, now: now,
		up:        gauge("database_up", "1 when the database answered the last time it was asked, else 0."),
		boards:    gauge("boards", "Boards by status: pending, scraping, ready, failed.", "status"),
		verdicts:  gauge("boards_by_verdict", "Boards by hosted system and the verdict on their last reading; \"none\" stands for none yet.", "system", "verdict"),
		due:       gauge("boards_due", "Boards whose time has come, those being read included."),
		oldestDue: gauge("boards_oldest_due_seconds", "How long the board that waits longest has been due."),
		roles:     gauge("roles", "Roles by status: open, closed.", "status"),
		accounts:  gauge("accounts", "Accounts by plan.", "plan"),
		waiting:   gauge("deliveries_waiting", "Deliveries to webhooks whose next attempt is due."),
		webhooks:  gauge("webhooks", "Webhooks by state: on, off.", "state"),
	}
}

// Describe names the metrics.
func (m *figureMetrics) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{m.up, m.boards, m.verdicts, m.due, m.oldestDue, m.roles, m.accounts, m.waiting, m.webhooks} {
		to <- d
	}
}

// Collect counts anew when the figures are old. When the database does not answer, boardwatch_database_up is all there is:
// old figures would hide it.
func (m *figureMetrics) Collect(to chan<- prometheus.Metric) {
	f, err := m.figures()
	send := func(d *prometheus.Desc, v float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
	}
	if err != nil {
		send(m.up, 0)
		return
	}
	send(m.up, 1)
	for _, s := range []boardwatch.BoardStatus{boardwatch.BoardPending, boardwatch.BoardScraping, boardwatch.BoardReady, boardwatch.BoardFailed} {
		send(m.boards, float64(f.Boards.ByStatus[s]), string(s))
	}
	for key, n := range byVerdict(f.Verdicts) {
		send(m.verdicts, float64(n), key[0], key[1])
	}
	for _, plan := range account.PlanNames() {
		send(m.accounts, float64(f.Accounts[plan]), string(plan))
	}
	send(m.due, float64(f.Due))
	send(m.oldestDue, f.OldestDue.Seconds())
	send(m.roles, float64(f.Boards.OpenJobs), string(boardwatch.JobOpen))
	send(m.roles, float64(f.Boards.ClosedJobs), string(boardwatch.JobClosed))
	send(m.waiting, float64(f.Waiting))
	send(m.webhooks, float64(f.WebhooksOn), "on")
	send(m.webhooks, float64(f.WebhooksOff), "off")
}

// byVerdict counts boards by system and verdict, with "none" for what is not known yet.
func byVerdict(verdicts []account.SystemVerdict) map[[2]string]int {
	counts := make(map[[2]string]int, len(verdicts))
	for _, v := range verdicts {
		system, verdict := v.System, string(v.Health)
		if system == "" {
			system = "none"
		}
		if verdict == "" {
			verdict = "none"
		}
		counts[[2]string{system, verdict}] += v.Boards
	}
	return counts
}

// figures are those of the last minute. A failure is not kept: the next scrape asks again.
func (m *figureMetrics) figures() (account.Figures, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if now := m.now(); m.err != nil || now.Sub(m.asked) >= figuresAge || now.Before(m.asked) {
		ctx, cancel := context.WithTimeoutCause(context.Background(), figuresTimeout, errors.New("no answer in time"))
		defer cancel()
		said := m.err != nil
		m.last, m.err = m.store.Figures(ctx)
		m.asked = now
		if m.err != nil && !said {
			m.log.WarnContext(ctx, "the database could not be counted for metrics", slog.Any("error", m.err))
		}
	}
	return m.last, m.err
}
