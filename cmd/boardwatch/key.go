package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
)

func newKeyCmd(c *cli) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "key",
		Short: "Create and delete a person's API keys",
		Long: `Create and delete a person's API keys. An account has at most five, and its plan must include the REST interface to
create one.

  boardwatch key create --account ann@example.com --name "nightly export"`,
	}
	keys := keyThings()
	cmd.AddCommand(newKeyCreateCmd(c),
		keys.listCmd(c, "List an account's keys, without their secrets", "List an account's keys: {id, name, hint, lastUsedAt, createdAt}."),
		keys.removeCmd(c, "delete", "Revoke a key immediately and permanently",
			"Make a key invalid, at once and for good. The id is that of \"boardwatch key list\"."))
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
	var name string
	cmd := c.owned(&cobra.Command{
		Use:   "create [--account EMAIL] --name NAME",
		Short: "Create a key and show its secret once",
		Long: `Create a key: {id, name, hint, secret}. The secret is shown now and never again.

  boardwatch key create --account ann@example.com --name laptop`,
		Args: takes(),
	}, func(cmd *cobra.Command, a *app, owner account.Account, _ []string) error {
		key, secret, err := a.keys.Create(cmd.Context(), owner, name)
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
	cmd.Flags().StringVar(&name, "name", "", "`NAME` to tell the key from others")
	must(cmd.MarkFlagRequired("name"))
	return cmd
}

// notMade adds what can be done about the refusal of a key or a webhook. What is wrong with how it was wished for is a
// mistake in the command line; that there are as many already is not.
func notMade(cmd *cobra.Command, thing string, err error, owner account.Account) error {
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

func keyThings() things[keyView] {
	return things[keyView]{
		one: "key", many: "keys", lacks: "has no",
		columns: []column[keyView]{
			{"ID", func(k keyView) string { return k.ID }},
			{"NAME", func(k keyView) string { return k.Name }},
			{"HINT", func(k keyView) string { return k.Hint }},
			{"LAST USED", func(k keyView) string { return orText(text(k.LastUsedAt), "never") }},
			{"CREATED", func(k keyView) string { return text(k.CreatedAt) }},
		},
		list: func(ctx context.Context, a *app, owner account.Account) ([]keyView, error) {
			keys, err := a.keys.List(ctx, owner)
			views := make([]keyView, len(keys))
			for i, k := range keys {
				views[i] = keyView{k.ID, k.Name, k.Hint, optional(stamp(k.LastUsedAt)), optional(stamp(k.CreatedAt))}
			}
			return views, err
		},
		remove: func(ctx context.Context, a *app, owner account.Account, id string) (string, error) {
			return "", a.keys.Delete(ctx, owner, id)
		},
	}
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
