package command

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/app"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/exit"
)

// ForAccount is work on behalf of an account, with the arguments of its command.
type ForAccount func(cmd *cobra.Command, a *app.App, owner account.Account, args []string) error

// Owned completes a command that works on behalf of an account: the one that --account names.
func (c *CLI) Owned(cmd *cobra.Command, work ForAccount) *cobra.Command {
	return OnBehalf(cmd, c.WithApp, work)
}

// Sealed is Owned for work that reads or writes secrets.
func (c *CLI) Sealed(cmd *cobra.Command, work ForAccount) *cobra.Command {
	return OnBehalf(cmd, c.WithSealedApp, work)
}

// OnBehalf completes a command that works on behalf of an account; open puts the parts together for it.
func OnBehalf(
	cmd *cobra.Command, open func(*cobra.Command, func(context.Context, *app.App) error) error, work ForAccount,
) *cobra.Command {
	email := cmd.Flags().String("account", "", "`EMAIL` of the account (default: the only one)")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return open(cmd, func(ctx context.Context, a *app.App) error {
			owner, err := ownerOf(ctx, a, cmd, *email)
			if err != nil {
				return err
			}
			return work(cmd, a, owner, args)
		})
	}
	return cmd
}

// After has a command check its usage before its work.
func After(check func(cmd *cobra.Command, args []string) error, cmd *cobra.Command) *cobra.Command {
	work := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return exit.Usage(cmd, err)
		}
		return work(cmd, args)
	}
	return cmd
}

// ownersNamed is up to how many accounts are named to somebody who has to choose one.
const ownersNamed = 5

// ownerOf is the account with the address; without one, the installation's only account.
func ownerOf(ctx context.Context, a *app.App, cmd *cobra.Command, email string) (account.Account, error) {
	if email != "" {
		return AccountOf(ctx, a, email)
	}
	all, err := a.Accounts.List(ctx)
	switch {
	case err != nil:
		return account.Account{}, err
	case len(all) == 0:
		return account.Account{}, exit.Fail(errors.New("there is no account yet"),
			`Make one: boardwatch account create --email you@example.com --plan ultra --verified`)
	case len(all) == 1:
		return all[0], nil
	case len(all) > ownersNamed:
		return account.Account{}, exit.Usage(cmd, fmt.Errorf("there are %d accounts: choose one with --account", len(all)))
	}
	emails := make([]string, len(all))
	for i, one := range all {
		emails[i] = one.Email
	}
	return account.Account{}, exit.Usage(cmd, fmt.Errorf("there are %d accounts: choose one with --account: %s", len(all), strings.Join(emails, ", ")))
}

// AccountOf finds the account that a command names.
func AccountOf(ctx context.Context, a *app.App, email string) (account.Account, error) {
	found, err := a.Accounts.Show(ctx, email)
	switch boardwatch.CodeOf(err) {
	case boardwatch.CodeNotFound:
		return found, exit.Fail(fmt.Errorf("no account has the address %s", email), `Run "boardwatch account list" to see all accounts.`)
	case boardwatch.CodeInvalidRequest:
		return found, exit.Fail(fmt.Errorf("%q is not an e-mail address", email), "")
	default:
		return found, err
	}
}

// Things are what an account has several of, such as webhooks. Listing them and removing one is the same for every kind.
type Things[T any] struct {
	One, Many string // "webhook", "webhooks"
	Lacks     string // "has no", as what an account is said to do without one
	Secret    bool   // the commands read or write secrets

	Columns []Column[T]
	List    func(ctx context.Context, a *app.App, owner account.Account) ([]T, error)
	// Remove also returns what is worth telling besides.
	Remove func(ctx context.Context, a *app.App, owner account.Account, id string) (told string, err error)
}

// owned completes a command that works on these things.
func (t Things[T]) owned(c *CLI, cmd *cobra.Command, work ForAccount) *cobra.Command {
	if t.Secret {
		return c.Sealed(cmd, work)
	}
	return c.Owned(cmd, work)
}

// ListCmd is the command that lists the things.
func (t Things[T]) ListCmd(c *CLI, short, long string) *cobra.Command {
	cmd := &cobra.Command{Use: "list [--account EMAIL]", Short: short, Long: long, Args: Takes()}
	return t.owned(c, cmd, func(cmd *cobra.Command, a *app.App, owner account.Account, _ []string) error {
		all, err := t.List(cmd.Context(), a, owner)
		if err != nil {
			return err
		}
		return PrintList(c, all, t.Columns...)
	})
}

// RemoveCmd is the command that deletes or removes a thing.
func (t Things[T]) RemoveCmd(c *CLI, verb, short, long string) *cobra.Command {
	cmd := &cobra.Command{Use: verb + " [--account EMAIL] ID", Short: short, Long: long, Args: Takes("ID")}
	return t.owned(c, cmd, func(cmd *cobra.Command, a *app.App, owner account.Account, args []string) error {
		told, err := t.Remove(cmd.Context(), a, owner, args[0])
		if err != nil {
			return t.Missing(err, owner, args[0])
		}
		c.Note("%sd %s %s%s", verb, t.One, args[0], told)
		return nil
	})
}

// Missing says that an account has no thing with that id, if that is what the error means.
func (t Things[T]) Missing(err error, owner account.Account, id string) error {
	if boardwatch.CodeOf(err) != boardwatch.CodeNotFound {
		return err
	}
	return exit.Fail(fmt.Errorf("%s %s %s with the id %s", owner.Email, t.Lacks, t.One, id),
		fmt.Sprintf("Run \"boardwatch %s list --account %s\" to see its %s.", t.One, owner.Email, t.Many))
}
