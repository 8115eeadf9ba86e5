package main

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/boardwatch/deliver"
	"github.com/boardwatch/boardwatch/boardwatch/pace"
	"github.com/boardwatch/boardwatch/boardwatch/watch"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/build"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/observe"
	"github.com/boardwatch/boardwatch/scraper/browser"
	"github.com/boardwatch/boardwatch/transport"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// countedStore is a store with figures of its own; nil cannot be counted.
type countedStore func() (account.Figures, error)

// Figures are what the function says.
func (f countedStore) Figures(context.Context) (account.Figures, error) { return f() }

// Figures registers what a store says of itself, at the times that a clock shows.
func Figures(r *prometheus.Registry, now func() time.Time, f func() (account.Figures, error)) {
	r.MustRegister(observe.NewFigures(countedStore(f), slog.New(slog.DiscardHandler), now))
}

// Doors are a handler whose requests are counted, as those of a server are.
func Doors(r *prometheus.Registry, next http.Handler) http.Handler {
	return transport.Observe(next, transport.Options{Ended: (&observe.Metrics{Registry: r}).RequestEnded()})
}

// slowStore is a store that knows a slow host.
type slowStore struct{ pace.Store }

// SlowHosts is that host.
func (slowStore) SlowHosts(context.Context, int) ([]pace.SlowHost, error) {
	return []pace.SlowHost{{Host: "api.example:443", Part: 0.5, Quiet: time.Minute}}, nil
}

// noDeliveries is a store that has none.
type noDeliveries struct{ deliver.Store }

// SaveAttempts saves nothing.
func (noDeliveries) SaveAttempts(context.Context, []boardwatch.Attempts) ([]boardwatch.WebhookClaim, error) {
	return nil, nil
}

// Metrics is a registry with every metric of the program, each of which has seen something.
func Metrics() *prometheus.Registry {
	m := observe.NewMetrics(build.Info{Version: "1.2.3", Go: "go1.26"})
	m.Observe(watch.CheckReport{Board: boardwatch.Board{Source: "greenhouse:northwind"}, Check: boardwatch.Check{Health: boardwatch.HealthFailed, Cause: cause.Timeout}})
	_, _ = m.DeliveryStore(noDeliveries{}).SaveAttempts(context.Background(), nil)
	m.Attempts()(deliver.AttemptReport{SwitchedOff: true})
	m.RequestEnded()(httptest.NewRequest(http.MethodGet, "/v1/jobs", nil), http.StatusNotFound, time.Second)
	Figures(m.Registry, time.Now, func() (account.Figures, error) {
		return account.Figures{Verdicts: []account.SystemVerdict{{}}}, nil
	})
	pace := observe.NewPace(slowStore{})
	pace.Observe(outbound.Paced{System: "greenhouse"})
	m.Registry.MustRegister(pace, observe.NewBrowser(browser.New(browser.Options{})),
		observe.NewCrowd(func() []string { return []string{"greenhouse"} }))
	return m.Registry
}
