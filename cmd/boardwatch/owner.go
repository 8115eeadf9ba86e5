package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/boardwatch/boardwatch/boardwatch/account"
)

// forAccount is work on behalf of an account, with the arguments of its command.
type forAccount func(cmd *cobra.Command, a *app, owner account.Account, args []string) error

// owned completes a command that works on behalf of an account: the one that --account names.
func (c *cli) owned(cmd *cobra.Command, work forAccount) *cobra.Command {
	return onBehalf(cmd, c.withApp, work)
}

// sealed is owned for work that reads or writes secrets.
func (c *cli) sealed(cmd *cobra.Command, work forAccount) *cobra.Command {
	return onBehalf(cmd, c.withSealedApp, work)
}

func onBehalf(
	cmd *cobra.Command, open func(*cobra.Command, func(context.Context, *app) error) error, work forAccount,
) *cobra.Command {
	email := cmd.Flags().String("account", "", "`EMAIL` of the account (default: the only one)")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return open(cmd, func(ctx context.Context, a *app) error {
			owner, err := a.owner(ctx, cmd, *email)
			if err != nil {
				return err
			}
			return work(cmd, a, owner, args)
		})
	}
	return cmd
}

// after has a command check its usage before its work.
func after(check func(cmd *cobra.Command, args []string) error, cmd *cobra.Command) *cobra.Command {
	work := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return usageError(cmd, err)
		}
		return work(cmd, args)
	}
	return cmd
}

// ownersNamed is up to how many accounts are named to somebody who has to choose one.
const ownersNamed = 5

// owner is the account with the address; without one, the installation's only account.
func (a *app) owner(ctx context.Context, cmd *cobra.Command, email string) (account.Account, error) {
	if email != "" {
		return a.account(ctx, email)
	}
	all, err := a.accounts.List(ctx)
	switch {
	case err != nil:
		return account.Account{}, err
	case len(all) == 0:
		return account.Account{}, fail(errors.New("there is no account yet"),
			`Make one: boardwatch account create --email you@example.com --plan ultra --verified`)
	case len(all) == 1:
		return all[0], nil
	case len(all) > ownersNamed:
		return account.Account{}, usageError(cmd, fmt.Errorf("there are %d accounts: choose one with --account", len(all)))
	}
	emails := make([]string, len(all))
	for i, one := range all {
		emails[i] = one.Email
	}
	return account.Account{}, usageError(cmd, fmt.Errorf("there are %d accounts: choose one with --account: %s", len(all), strings.Join(emails, ", ")))
}
