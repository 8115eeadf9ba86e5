package command

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/app"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/exit"
)

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
