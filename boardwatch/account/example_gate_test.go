package account_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/sqlite"
)

// An interface asks, in this order, who the caller is, whether they may enter, and whether their budget allows the
// request.
func ExampleGate() {
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
	a := account.Account{ID: boardwatch.NewID(), Email: "ann@northwind.example", Plan: account.PlanPro, Verified: true}
	if err := store.CreateAccount(ctx, a); err != nil {
		fmt.Println(err)
		return
	}
	_, secret, err := account.NewKeys(store, account.Options{}).Create(ctx, a, "laptop")
	if err != nil {
		fmt.Println(err)
		return
	}

	gate := account.NewGate(store, account.Options{})
	enter := func(secret string) {
		caller, err := gate.ByKey(ctx, secret)
		if err == nil {
			err = gate.Admit(caller.Account, account.DoorREST)
		}
		var left boardwatch.Budget
		if err == nil {
			left, err = gate.Spend(ctx, caller, account.DoorREST)
		}
		if err != nil {
			fmt.Println(boardwatch.CodeOf(err))
			return
		}
		fmt.Println(caller.Key.Name, left.Remaining)
	}
	enter(secret)
	enter("bw_nonsense")
	if err := store.SetPlan(ctx, a.ID, account.PlanFree); err != nil {
		fmt.Println(err)
	}
	enter(secret)
	// Output:
	// laptop 59
	// unauthorized
	// plan_required
}
