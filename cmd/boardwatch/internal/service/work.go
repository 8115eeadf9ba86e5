package service

import (
	"context"

	"golang.org/x/sync/errgroup"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/deliver"
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

// deliveries sends what is owed to webhooks and channels of the service at that address; m may be nil. What the watcher observes
// wakes it.
func deliveries(a *app.App, base string, m *observe.Metrics) (run func(ctx context.Context) error, observe func(watch.CheckReport), err error) {
	var store deliver.Store = a.Store
	o := deliver.Options{
		Rules: a.Config.Rules(), Concurrency: a.Config.Webhook.Concurrency, Timeout: a.Config.Webhook.Timeout, Log: a.Log,
	}
	if m != nil {
		store, o.Observe = m.DeliveryStore(store), m.Attempts()
	}
	sender, err := a.NewSender(base, a.Config.Dev)
	if err != nil {
		return nil, nil, err
	}
	dispatcher := deliver.New(a.Traces.Deliveries(store), a.Traces.Sender(sender), o)
	run = func(ctx context.Context) error {
		defer sender.CloseIdleConnections()
		return dispatcher.Run(ctx)
	}
	observe = func(r watch.CheckReport) {
		if r.Err == nil && !r.Unchanged {
			dispatcher.Wake()
		}
	}
	return run, observe, nil
}

// startDigest sends the daily mail and notices until the context ends, in processes that do the work.
func startDigest(ctx context.Context, a *app.App, group *errgroup.Group, base string) error {
	if !a.Config.Runs("worker") {
		return nil
	}
	d, err := a.Digest(base)
	if err != nil || d == nil {
		return err
	}
	group.Go(func() error { return d.Run(ctx) })
	return nil
}
