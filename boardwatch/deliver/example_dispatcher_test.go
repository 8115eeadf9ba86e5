package deliver_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/deliver"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/sqlite"
)

// printing is a Deliverer that needs no network. The one that posts signed requests is a webhook.Sender.
type printing struct{}

func (printing) Deliver(_ context.Context, w boardwatch.Webhook, d boardwatch.Delivery) boardwatch.Receipt {
	fmt.Println(d.Type, "to", w.URL)
	return boardwatch.Receipt{Code: 200}
}

func ExampleDispatcher_Run() {
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
	if err := owe(ctx, store); err != nil {
		fmt.Println(err)
		return
	}

	dispatcher := deliver.New(store, printing{}, deliver.Options{
		Rules: boardwatch.DefaultRules(),
		Observe: func(r deliver.AttemptReport) {
			fmt.Println(r.Delivery.State, "after", r.Delivery.Attempts)
			stop() // a program runs until it is interrupted
		},
	})
	if err := dispatcher.Run(ctx); err != nil {
		fmt.Println(err)
	}
	// Output:
	// job.found to print:
	// delivered after 1
}

// owe makes a check find a role on a board tracked by an account with a webhook. In a program, a watch.Watcher does
// this.
func owe(ctx context.Context, store *storage.Store) error {
	a := account.Account{ID: boardwatch.NewID(), Email: "ann@northwind.example", Plan: account.PlanUltra, Verified: true}
	hook := boardwatch.Webhook{ID: boardwatch.NewID(), AccountID: a.ID, URL: "print:", Events: boardwatch.EventTypes()}
	err := store.CreateAccount(ctx, a)
	if err == nil {
		err = store.CreateWebhook(ctx, hook, boardwatch.MaxWebhooks)
	}
	if err == nil {
		want := boardwatch.Board{Source: "greenhouse:northwindlabs"}
		_, _, err = store.Subscribe(ctx, boardwatch.Subscription{AccountID: a.ID}, want, "")
	}
	if err != nil {
		return err
	}
	claims, err := store.ClaimDue(ctx, 1, time.Minute, boardwatch.ClaimFilter{})
	for _, c := range claims {
		err = errors.Join(err, store.SaveCheck(ctx, c, func(in boardwatch.CheckInput) boardwatch.CheckResult {
			reading := boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: 1, Postings: []boardwatch.Posting{{Key: "1", Title: "Glass Blower"}}}
			return boardwatch.Decide(in, reading.Normalize(), false, boardwatch.DefaultRules(), boardwatch.NewID)
		}))
	}
	return err
}
