package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// accountFlag adds the flag that says for whom a command acts.
func accountFlag(cmd *cobra.Command, email *string) {
	cmd.Flags().StringVar(email, "account", "", "`EMAIL` of the account (default: the only one)")
}

// forAccount is work on behalf of an account.
type forAccount func(ctx context.Context, a *app, owner boardwatch.Account) error

// withAccount is withApp for work on behalf of an account.
func (c *cli) withAccount(cmd *cobra.Command, email string, work forAccount) error {
	return c.withApp(cmd, onBehalf(cmd, email, work))
}

// withSealedAccount is withAccount for work that reads or writes secrets.
func (c *cli) withSealedAccount(cmd *cobra.Command, email string, work forAccount) error {
	return c.withSealedApp(cmd, onBehalf(cmd, email, work))
}

func onBehalf(cmd *cobra.Command, email string, work forAccount) func(context.Context, *app) error {
	return func(ctx context.Context, a *app) error {
		owner, err := a.owner(ctx, cmd, email)
		if err != nil {
			return err
		}
		return work(ctx, a, owner)
	}
}

// ownersNamed is up to how many accounts are named to somebody who has to choose one.
const ownersNamed = 5

// owner is the account with the address; without one, the installation's only account.
func (a *app) owner(ctx context.Context, cmd *cobra.Command, email string) (boardwatch.Account, error) {
	if email != "" {
		return a.account(ctx, email)
	}
	all, err := a.accounts.List(ctx)
	switch {
	case err != nil:
		return boardwatch.Account{}, err
	case len(all) == 0:
		return boardwatch.Account{}, fail(errors.New("there is no account yet"),
			`Make one: boardwatch account create --email you@example.com --plan ultra --verified`)
	case len(all) == 1:
		return all[0], nil
	case len(all) > ownersNamed:
		return boardwatch.Account{}, usageError(cmd, fmt.Errorf("there are %d accounts: choose one with --account", len(all)))
	}
	emails := make([]string, len(all))
	for i, one := range all {
		emails[i] = one.Email
	}
	return boardwatch.Account{}, usageError(cmd, fmt.Errorf("there are %d accounts: choose one with --account: %s", len(all), strings.Join(emails, ", ")))
}
