package track_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/sqlite"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

func ExampleTracker_Add() {
	folder, err := os.MkdirTemp("", "boardwatch")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = os.RemoveAll(folder) }()
	ctx := context.Background()
	store, err := sqlite.Open(ctx, filepath.Join(folder, "boards.db"), storage.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = store.Close() }()
	a := account.Account{ID: boardwatch.NewID(), Email: "ann@northwind.example", Plan: account.PlanFree, Verified: true}
	if err := store.CreateAccount(ctx, a); err != nil {
		fmt.Println(err)
		return
	}

	reader := scraper.New(outbound.New(outbound.Options{}), scraper.Options{}) // sends no requests here: the address is enough
	tracker := track.New(store, reader.Recognize, track.Options{})
	for _, address := range []string{
		"https://boards.greenhouse.io/northwindlabs", "job-boards.greenhouse.io/northwindlabs/jobs/7", "northwind.example", "no address",
	} {
		added, err := tracker.Add(ctx, a, track.NewBoard{URL: address})
		if err != nil {
			fmt.Println(boardwatch.CodeOf(err))
			continue
		}
		fmt.Println(added.Board.CareersURL, added.Board.Status, added.Board.Tracking)
	}
	// Output:
	// https://boards.greenhouse.io/northwindlabs pending active
	// already_tracked
	// https://northwind.example pending active
	// invalid_request
}
