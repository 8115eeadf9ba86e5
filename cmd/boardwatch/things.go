package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
)

// things are what an account has several of, such as webhooks. Listing them and removing one is the same for every kind.
type things[T any] struct {
	one, many string // "webhook", "webhooks"
	lacks     string // "has no", as what an account is said to do without one
	secret    bool   // the commands read or write secrets

	columns []column[T]
	list    func(ctx context.Context, a *app, owner account.Account) ([]T, error)
	// remove also returns what is worth telling besides.
	remove func(ctx context.Context, a *app, owner account.Account, id string) (told string, err error)
}

// owned completes a command that works on these things.
func (t things[T]) owned(c *cli, cmd *cobra.Command, work forAccount) *cobra.Command {
	if t.secret {
		return c.sealed(cmd, work)
	}
	return c.owned(cmd, work)
}

func (t things[T]) listCmd(c *cli, short, long string) *cobra.Command {
	cmd := &cobra.Command{Use: "list [--account EMAIL]", Short: short, Long: long, Args: takes()}
	return t.owned(c, cmd, func(cmd *cobra.Command, a *app, owner account.Account, _ []string) error {
		all, err := t.list(cmd.Context(), a, owner)
		if err != nil {
			return err
		}
		return printList(c, all, t.columns...)
	})
}

// removeCmd is the command that deletes or removes a thing.
func (t things[T]) removeCmd(c *cli, verb, short, long string) *cobra.Command {
	cmd := &cobra.Command{Use: verb + " [--account EMAIL] ID", Short: short, Long: long, Args: takes("ID")}
	return t.owned(c, cmd, func(cmd *cobra.Command, a *app, owner account.Account, args []string) error {
		told, err := t.remove(cmd.Context(), a, owner, args[0])
		if err != nil {
			return t.missing(err, owner, args[0])
		}
		c.note("%sd %s %s%s", verb, t.one, args[0], told)
		return nil
	})
}

// missing says that an account has no thing with that id, if that is what the error means.
func (t things[T]) missing(err error, owner account.Account, id string) error {
	if boardwatch.CodeOf(err) != boardwatch.CodeNotFound {
		return err
	}
	return fail(fmt.Errorf("%s %s %s with the id %s", owner.Email, t.lacks, t.one, id),
		fmt.Sprintf("Run \"boardwatch %s list --account %s\" to see its %s.", t.one, owner.Email, t.many))
}
