package main

import (
	"context"

	"golang.org/x/sync/errgroup"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/deliver"
	"github.com/boardwatch/boardwatch/boardwatch/watch"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/observe"
)

// deliveries sends what is owed to webhooks and channels of the service at that address; m may be nil. What the watcher observes
// wakes it.
func (a *app) deliveries(base string, m *observe.Metrics) (run func(ctx context.Context) error, observe func(watch.CheckReport), err error) {
	var store boardwatch.DeliveryStore = a.store
	o := deliver.Options{
		Rules: a.cfg.Rules(), Concurrency: a.cfg.Webhook.Concurrency, Timeout: a.cfg.Webhook.Timeout, Log: a.log,
	}
	if m != nil {
		store, o.Observe = m.DeliveryStore(store), m.Attempts()
	}
	sender, err := a.newSender(base, a.cfg.Dev)
	if err != nil {
		return nil, nil, err
	}
	dispatcher := deliver.New(a.traces.Deliveries(store), a.traces.Sender(sender), o)
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
func (a *app) startDigest(ctx context.Context, group *errgroup.Group, base string) error {
	if !a.cfg.Runs("worker") {
		return nil
	}
	d, err := a.digest(base)
	if err != nil || d == nil {
		return err
	}
	group.Go(func() error { return d.Run(ctx) })
	return nil
}
