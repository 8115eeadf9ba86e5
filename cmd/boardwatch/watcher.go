package main

import (
	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/watch"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/observe"
)

// watcher reads the boards; metrics and told may be nil.
func (a *app) watcher(m *observe.Metrics, told func(watch.CheckReport)) *watch.Watcher {
	var store boardwatch.CheckStore = a.store
	var source boardwatch.Source = signposted{a.scraper, a.cfg}
	report := told
	if m != nil {
		store, source = m.CheckStore(store), m.Source(source)
		report = func(r watch.CheckReport) {
			m.Observe(r)
			if told != nil {
				told(r)
			}
		}
	}
	w := watch.New(store, source, watch.Options{
		Rules: a.cfg.Rules(), Concurrency: a.cfg.Checks.Concurrency, Timeout: a.cfg.Checks.Timeout,
		Log: a.log, Begin: a.traces.Check(), Observe: report,
	})
	if m != nil {
		m.Registry.MustRegister(observe.NewCrowd(w.Crowded))
	}
	return w
}
