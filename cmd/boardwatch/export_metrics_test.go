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
	r.MustRegister(newFigureMetrics(countedStore(f), slog.New(slog.DiscardHandler), now))
}

// Doors are a handler whose requests are counted, as those of a server are.
func Doors(r *prometheus.Registry, next http.Handler) http.Handler {
	return transport.Observe(next, transport.Options{Ended: (&metrics{registry: r}).ended()})
}

// slowStore is a store that knows a slow host.
type slowStore struct{ pace.Store }

// SlowHosts is that host.
func (slowStore) SlowHosts(context.Context, int) ([]pace.SlowHost, error) {
	return []pace.SlowHost{{Host: "api.example:443", Part: 0.5, Quiet: time.Minute}}, nil
}

// Metrics is a registry with every metric of the program, each of which has seen something.
func Metrics() *prometheus.Registry {
	m := newMetrics(buildInfo{Version: "1.2.3", Go: "go1.26"})
	m.observe(watch.CheckReport{Board: boardwatch.Board{Source: "greenhouse:northwind"}, Check: boardwatch.Check{Health: boardwatch.HealthFailed, Cause: cause.Timeout}})
	meteredStore{m: m}.measure("claim_due", time.Now())
	newDeliveryMetrics(m.registry).observe(deliver.AttemptReport{SwitchedOff: true})
	m.ended()(httptest.NewRequest(http.MethodGet, "/v1/jobs", nil), http.StatusNotFound, time.Second)
	Figures(m.registry, time.Now, func() (account.Figures, error) {
		return account.Figures{Verdicts: []account.SystemVerdict{{}}}, nil
	})
	pace := newPaceMetrics(slowStore{})
	pace.observe(outbound.Paced{System: "greenhouse"})
	m.registry.MustRegister(pace, newBrowserMetrics(browser.New(browser.Options{})),
		newCrowdMetrics(func() []string { return []string{"greenhouse"} }))
	return m.registry
}
