package watch_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/watch"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/sqlite"
)

// always is a source with two roles. A scraper.Scraper reads real ones.
type always struct{}

func (always) Discover(context.Context, string) (boardwatch.Board, error) {
	return boardwatch.Board{Source: "greenhouse:northwindlabs"}, nil
}

func (always) Read(context.Context, boardwatch.Board) (boardwatch.Reading, error) {
	return boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: 2, Postings: []boardwatch.Posting{
		{Key: "1", Title: "Glass Blower"}, {Key: "2", Title: "Kiln Engineer"},
	}}.Normalize(), nil
}

func ExampleWatcher_Run() {
	folder, err := os.MkdirTemp("", "boardwatch")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = os.RemoveAll(folder) }()
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	store, err := sqlite.Open(ctx, filepath.Join(folder, "boards.db"), storage.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = store.Close() }()

	// An account tracks a board, which is due at once. Programs use track.Tracker for this.
	a := account.Account{ID: boardwatch.NewID(), Email: "ann@northwind.example", Plan: account.PlanUltra, Verified: true}
	if err := store.CreateAccount(ctx, a); err != nil {
		fmt.Println(err)
		return
	}
	_, _, err = store.Subscribe(ctx, boardwatch.Subscription{AccountID: a.ID}, boardwatch.Board{Source: "greenhouse:northwindlabs"}, "")
	if err != nil {
		fmt.Println(err)
		return
	}

	watcher := watch.New(store, always{}, watch.Options{
		Rules: boardwatch.DefaultRules(),
		Observe: func(r watch.CheckReport) {
			fmt.Println(r.Board.Source, r.Check.Health, len(r.Change.Found), "found")
			stop() // a program runs until it is interrupted
		},
	})
	if err := watcher.Run(ctx); err != nil {
		fmt.Println(err)
	}
	// Output:
	// greenhouse:northwindlabs ok 2 found
}
