// Command embed is a program with the whole watcher inside: it reads careers pages when they are due, keeps their history
// in a SQLite file, and hands what has changed to itself, until it is interrupted. What was not handed over by then is
// handed over after the next start.
//
//	go run ./examples/embed boards.db https://boards.greenhouse.io/northwindlabs …
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/deliver"
	"github.com/boardwatch/boardwatch/boardwatch/receiver"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/boardwatch/watch"
	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/sqlite"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: embed FILE ADDRESS…")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	p := program{
		file: os.Args[1], addresses: os.Args[2:], client: outbound.New(outbound.Options{}),
		rules: boardwatch.DefaultRules(), out: os.Stdout,
	}
	if err := p.run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1) //nolint:gocritic // there is nothing left to stop
	}
}

// program is what this one needs to run.
type program struct {
	file      string
	addresses []string
	client    *outbound.Client
	plans     account.Plans    // how often boards are read; nil means account.DefaultPlans
	rules     boardwatch.Rules // when roles close
	out       io.Writer
}

// run watches until the context ends. Then what is being read is left for the next start, and what is being saved or
// printed is finished.
func (p program) run(ctx context.Context) (err error) {
	lock, err := sqlite.Lock(p.file) // one process watches the boards of a file
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	store, err := sqlite.Open(ctx, p.file, storage.Options{Plans: p.plans})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	reader := scraper.New(p.client, scraper.Options{})
	if err := p.prepare(ctx, store, track.New(store, reader.Recognize, track.Options{Plans: p.plans})); err != nil {
		return err
	}

	dispatcher := deliver.New(store, printer{p.out}, deliver.Options{Rules: p.rules})
	watcher := watch.New(store, reader, watch.Options{
		Rules:   p.rules,
		Observe: func(watch.CheckReport) { dispatcher.Wake() }, // it would look by itself, a moment later
	})
	return together(ctx, watcher.Run, dispatcher.Run)
}

// prepare makes sure that there is an account, that it has a webhook, and that the boards are on its list.
func (p program) prepare(ctx context.Context, store *storage.Store, tracker *track.Tracker) error {
	owner, err := ownerOf(ctx, store)
	if err != nil {
		return err
	}
	for _, address := range p.addresses {
		_, err := tracker.Add(ctx, owner, track.NewBoard{URL: address})
		if err != nil && boardwatch.CodeOf(err) != boardwatch.CodeAlreadyTracked {
			return fmt.Errorf("%s: %w", address, err)
		}
	}
	return nil
}

// ownerOf is the account that this program acts as. Its webhook leads to the printer, which needs no address and signs
// nothing.
func ownerOf(ctx context.Context, store *storage.Store) (account.Account, error) {
	const email = "owner@localhost"
	owner, err := store.AccountByEmail(ctx, email)
	if boardwatch.CodeOf(err) != boardwatch.CodeNotFound {
		return owner, err
	}
	now, err := store.Now(ctx)
	if err != nil {
		return owner, err
	}
	owner = account.Account{ID: boardwatch.NewID(), Email: email, Plan: account.PlanUltra, Verified: true, CreatedAt: now}
	if err := store.CreateAccount(ctx, owner); err != nil {
		return owner, err
	}
	hook := boardwatch.Webhook{
		ID: boardwatch.NewID(), AccountID: owner.ID, URL: "print:", Events: boardwatch.EventTypes(), CreatedAt: now,
	}
	return owner, store.CreateWebhook(ctx, hook, boardwatch.MaxWebhooks)
}

// together runs the parts side by side. The first that ends stops the others, and all are waited for.
func together(ctx context.Context, parts ...func(context.Context) error) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var running sync.WaitGroup
	errs := make([]error, len(parts))
	for i, part := range parts {
		running.Go(func() {
			defer stop()
			errs[i] = part(ctx)
		})
	}
	running.Wait()
	return errors.Join(errs...)
}

// printer takes deliveries by printing them, one change a line.
type printer struct{ out io.Writer }

var _ boardwatch.Deliverer = printer{}

// Deliver makes one attempt. When it does not succeed, the dispatcher tries again by the schedule of the rules.
func (p printer) Deliver(_ context.Context, _ boardwatch.Webhook, d boardwatch.Delivery) boardwatch.Receipt {
	if err := p.print(d.Body); err != nil {
		return boardwatch.Receipt{Error: err.Error()}
	}
	return boardwatch.Receipt{Code: 200}
}

func (p printer) print(body []byte) error {
	event, err := receiver.Parse(body)
	if err != nil {
		return err
	}
	switch e := event.(type) {
	case receiver.JobsFound:
		return p.lines("found", e.Jobs, e.Truncated)
	case receiver.JobsArchived:
		return p.lines("closed", e.Jobs, e.Truncated)
	case receiver.BoardFailed:
		_, err = fmt.Fprintf(p.out, "failed\t%s\t%s\n", e.Board.CareersURL, e.Reason)
	}
	return err
}

func (p printer) lines(what string, jobs []boardwatch.Job, more int) error {
	for _, j := range jobs {
		if _, err := fmt.Fprintf(p.out, "%s\t%s\t%s\t%s\n", what, j.Title, j.Location, j.URL); err != nil {
			return err
		}
	}
	if more > 0 {
		_, err := fmt.Fprintf(p.out, "%s\t%d more\n", what, more)
		return err
	}
	return nil
}
