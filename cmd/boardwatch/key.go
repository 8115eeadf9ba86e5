package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/boardwatch/boardwatch/boardwatch"
)

func newKeyCmd(c *cli) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "key",
		Short: "Create and delete a person's API keys",
		Long: `Create and delete a person's API keys. An account has at most five, and its plan must include the REST interface to
create one.

  boardwatch key create --account ann@example.com --name "nightly export"`,
	}
	cmd.AddCommand(newKeyCreateCmd(c), newKeyListCmd(c), newKeyDeleteCmd(c))
	return cmd
}

// newKey is a key on the one occasion on which its secret is shown.
type newKey struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Hint   string `json:"hint"`
	Secret string `json:"secret"`
}

func newKeyCreateCmd(c *cli) *cobra.Command {
	var email, name string
	cmd := &cobra.Command{
		Use:   "create [--account EMAIL] --name NAME",
		Short: "Create a key and show its secret once",
		Long: `Create a key: {id, name, hint, secret}. The secret is shown now and never again.

  boardwatch key create --account ann@example.com --name laptop`,
		Args: takes(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.withAccount(cmd, email, func(ctx context.Context, a *app, owner boardwatch.Account) error {
				key, secret, err := a.keys.Create(ctx, owner, name)
				if err != nil {
					return notMade(cmd, "key", err, owner)
				}
				return printItem(c, newKey{ID: key.ID, Name: key.Name, Hint: key.Hint, Secret: secret},
					column[newKey]{"ID", func(k newKey) string { return k.ID }},
					column[newKey]{"NAME", func(k newKey) string { return k.Name }},
					column[newKey]{"HINT", func(k newKey) string { return k.Hint }},
					column[newKey]{"SECRET", func(k newKey) string { return k.Secret }},
				)
			})
		},
	}
	accountFlag(cmd, &email)
	cmd.Flags().StringVar(&name, "name", "", "`NAME` to tell the key from others")
	must(cmd.MarkFlagRequired("name"))
	return cmd
}

// notMade adds what can be done about the refusal of a key or a webhook. What is wrong with how it was wished for is a
// mistake in the command line; that there are as many already is not.
func notMade(cmd *cobra.Command, thing string, err error, owner boardwatch.Account) error {
	e, ok := errors.AsType[*boardwatch.Error](err)
	if !ok {
		return err
	}
	if e.Code == boardwatch.CodePlanRequired {
		return fail(e, fmt.Sprintf("Run \"boardwatch account set-plan %s PLAN\" first.", owner.Email))
	}
	if fields, ok := e.Details.([]boardwatch.FieldError); ok && fields[0].Field != thing {
		return usageError(cmd, e)
	}
	return err
}

// keyView is a key in a list.
type keyView struct {
	ID         string  `json:"id"`
	Name       string  `json:"name"`
	Hint       string  `json:"hint"`
	LastUsedAt *string `json:"lastUsedAt"`
	CreatedAt  *string `json:"createdAt"`
}

func newKeyListCmd(c *cli) *cobra.Command {
	var email string
	cmd := &cobra.Command{
		Use:   "list [--account EMAIL]",
		Short: "List an account's keys, without their secrets",
		Long:  "List an account's keys: {id, name, hint, lastUsedAt, createdAt}.",
		Args:  takes(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.withAccount(cmd, email, func(ctx context.Context, a *app, owner boardwatch.Account) error {
				keys, err := a.keys.List(ctx, owner)
				if err != nil {
					return err
				}
				views := make([]keyView, len(keys))
				for i, k := range keys {
					views[i] = keyView{k.ID, k.Name, k.Hint, optional(stamp(k.LastUsedAt)), optional(stamp(k.CreatedAt))}
				}
				return printList(c, views,
					column[keyView]{"ID", func(k keyView) string { return k.ID }},
					column[keyView]{"NAME", func(k keyView) string { return k.Name }},
					column[keyView]{"HINT", func(k keyView) string { return k.Hint }},
					column[keyView]{"LAST USED", func(k keyView) string { return orText(text(k.LastUsedAt), "never") }},
					column[keyView]{"CREATED", func(k keyView) string { return text(k.CreatedAt) }},
				)
			})
		},
	}
	accountFlag(cmd, &email)
	return cmd
}

func newKeyDeleteCmd(c *cli) *cobra.Command {
	var email string
	cmd := &cobra.Command{
		Use:   "delete [--account EMAIL] ID",
		Short: "Revoke a key immediately and permanently",
		Long:  "Make a key invalid, at once and for good. The id is that of \"boardwatch key list\".",
		Args:  takes("ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.withAccount(cmd, email, func(ctx context.Context, a *app, owner boardwatch.Account) error {
				if err := a.keys.Delete(ctx, owner, args[0]); err != nil {
					if boardwatch.CodeOf(err) == boardwatch.CodeNotFound {
						return fail(fmt.Errorf("%s has no key with the id %s", owner.Email, args[0]),
							fmt.Sprintf("Run \"boardwatch key list --account %s\" to see its keys.", owner.Email))
					}
					return err
				}
				c.note("deleted key %s", args[0])
				return nil
			})
		},
	}
	accountFlag(cmd, &email)
	return cmd
}

// note tells a person on stderr what was done.
func (c *cli) note(format string, args ...any) {
	fmt.Fprintln(c.Err, plain(fmt.Sprintf(format, args...)))
}

// stamp is an instant as the interface shows it; empty for none.
func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(boardwatch.TimeFormat)
}
