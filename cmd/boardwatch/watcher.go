package main

import (
	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/watch"
)

// watcher reads the boards; metrics and observe may be nil.
func (a *app) watcher(m *metrics, observe func(watch.CheckReport)) *watch.Watcher {
	var store boardwatch.CheckStore = a.store
	var source boardwatch.Source = signposted{a.scraper, a.cfg}
	report := observe
	if m != nil {
		store, source = m.checkStore(store), m.source(source)
		report = func(r watch.CheckReport) {
			m.observe(r)
			if observe != nil {
				observe(r)
			}
		}
	}
	w := watch.New(store, source, watch.Options{
		Rules: a.cfg.Rules(), Concurrency: a.cfg.Checks.Concurrency, Timeout: a.cfg.Checks.Timeout,
		Log: a.log, Begin: a.traces.check(), Observe: report,
	})
	if m != nil {
		m.registry.MustRegister(newCrowdMetrics(w.Crowded))
	}
	return w
}
