// Command own-store reads boards once with the service's own tracker and watcher, on a store of its own: package memory
// keeps everything in memory and passes the suite for stores.
//
//	go run ./examples/own-store https://boards.greenhouse.io/northwindlabs …
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync/atomic"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/boardwatch/watch"
	"github.com/boardwatch/boardwatch/examples/own-store/memory"
	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: own-store ADDRESS…")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	reader := scraper.New(outbound.New(outbound.Options{}), scraper.Options{})
	if err := run(ctx, reader, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1) //nolint:gocritic // there is nothing left to stop
	}
}

// run checks each board once and prints the roles that are then known, one a line.
func run(ctx context.Context, reader *scraper.Scraper, addresses []string, out io.Writer) error {
	store := memory.New().Open(nil)
	owner := boardwatch.Account{ID: boardwatch.NewID(), Email: "owner@localhost", Plan: boardwatch.PlanUltra, Verified: true}
	if err := store.CreateAccount(ctx, owner); err != nil {
		return err
	}
	tracker := track.New(store, reader.Recognize, track.Options{})
	for _, address := range addresses {
		if _, err := tracker.Add(ctx, owner, track.NewBoard{URL: address}); err != nil {
			return fmt.Errorf("%s: %w", address, err)
		}
	}
	if err := checkOnce(ctx, store, reader, len(addresses)); err != nil {
		return err
	}
	return list(ctx, tracker, owner, out)
}

// checkOnce runs a watcher until as many checks have ended as there are boards.
func checkOnce(ctx context.Context, store boardwatch.CheckStore, reader boardwatch.Source, boards int) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var left atomic.Int64
	left.Store(int64(boards))
	watcher := watch.New(store, reader, watch.Options{
		Rules: boardwatch.DefaultRules(),
		Observe: func(watch.CheckReport) {
			if left.Add(-1) == 0 {
				stop()
			}
		},
	})
	return watcher.Run(ctx)
}

// list prints how the boards are, and the roles on them.
func list(ctx context.Context, tracker *track.Tracker, owner boardwatch.Account, out io.Writer) error {
	boards, err := tracker.Tracked(ctx, owner)
	if err != nil {
		return err
	}
	for _, b := range boards {
		fmt.Fprintf(out, "%s\t%s\t%s\n", b.Board.URL, b.Board.Status, b.Board.State.Reason)
	}
	jobs, err := tracker.AllJobs(ctx, owner, boardwatch.JobFilter{Status: boardwatch.JobOpen})
	for _, j := range jobs {
		fmt.Fprintf(out, "%s\t%s\t%s\n", j.Title, j.Location, j.URL)
	}
	return err
}
