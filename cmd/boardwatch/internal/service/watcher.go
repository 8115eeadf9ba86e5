package service

import (
	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/watch"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/app"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/observe"
)

// watcher reads the boards; metrics and told may be nil.
func watcher(a *app.App, m *observe.Metrics, told func(watch.CheckReport)) *watch.Watcher {
	var store boardwatch.CheckStore = a.Store
	var source boardwatch.Source = signposted{a.Scraper, a.Config}
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
		Rules: a.Config.Rules(), Concurrency: a.Config.Checks.Concurrency, Timeout: a.Config.Checks.Timeout,
		Log: a.Log, Begin: a.Traces.Check(), Observe: report,
	})
	if m != nil {
		m.Registry.MustRegister(observe.NewCrowd(w.Crowded))
	}
	return w
}
