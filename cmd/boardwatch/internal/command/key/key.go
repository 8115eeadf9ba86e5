// Package key has the commands for API keys.
package key

import (
	"cmp"
	"context"

	"github.com/spf13/cobra"

	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/app"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command"
)

// Command is "boardwatch key".
func Command(c *command.CLI) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "key",
		Short: "Create and delete a person's API keys",
		Long: `Create and delete a person's API keys. An account has at most five, and its plan must include the REST interface to
create one.

  boardwatch key create --account ann@example.com --name "nightly export"`,
	}
	keys := things()
	cmd.AddCommand(newCreateCmd(c),
		keys.ListCmd(c, "List an account's keys, without their secrets", "List an account's keys: {id, name, hint, lastUsedAt, createdAt}."),
		keys.RemoveCmd(c, "delete", "Revoke a key immediately and permanently",
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

func newCreateCmd(c *command.CLI) *cobra.Command {
	var name string
	cmd := c.Owned(&cobra.Command{
		Use:   "create [--account EMAIL] --name NAME",
		Short: "Create a key and show its secret once",
		Long: `Create a key: {id, name, hint, secret}. The secret is shown now and never again.

  boardwatch key create --account ann@example.com --name laptop`,
		Args: command.Takes(),
	}, func(cmd *cobra.Command, a *app.App, owner account.Account, _ []string) error {
		key, secret, err := a.Keys.Create(cmd.Context(), owner, name)
		if err != nil {
			return command.NotMade(cmd, "key", err, owner)
		}
		return command.PrintItem(c, newKey{ID: key.ID, Name: key.Name, Hint: key.Hint, Secret: secret},
			command.Col("ID", func(k newKey) string { return k.ID }),
			command.Col("NAME", func(k newKey) string { return k.Name }),
			command.Col("HINT", func(k newKey) string { return k.Hint }),
			command.Col("SECRET", func(k newKey) string { return k.Secret }),
		)
	})
	cmd.Flags().StringVar(&name, "name", "", "`NAME` to tell the key from others")
	command.Must(cmd.MarkFlagRequired("name"))
	return cmd
}

// keyView is a key in a list.
type keyView struct {
	ID         string  `json:"id"`
	Name       string  `json:"name"`
	Hint       string  `json:"hint"`
	LastUsedAt *string `json:"lastUsedAt"`
	CreatedAt  *string `json:"createdAt"`
}

func things() command.Things[keyView] {
	return command.Things[keyView]{
		One: "key", Many: "keys", Lacks: "has no",
		Columns: []command.Column[keyView]{
			command.Col("ID", func(k keyView) string { return k.ID }),
			command.Col("NAME", func(k keyView) string { return k.Name }),
			command.Col("HINT", func(k keyView) string { return k.Hint }),
			command.Col("LAST USED", func(k keyView) string { return cmp.Or(command.Text(k.LastUsedAt), "never") }),
			command.Col("CREATED", func(k keyView) string { return command.Text(k.CreatedAt) }),
		},
		List: func(ctx context.Context, a *app.App, owner account.Account) ([]keyView, error) {
			keys, err := a.Keys.List(ctx, owner)
			views := make([]keyView, len(keys))
			for i, k := range keys {
				views[i] = keyView{k.ID, k.Name, k.Hint, command.Optional(command.Stamp(k.LastUsedAt)), command.Optional(command.Stamp(k.CreatedAt))}
			}
			return views, err
		},
		Remove: func(ctx context.Context, a *app.App, owner account.Account, id string) (string, error) {
			return "", a.Keys.Delete(ctx, owner, id)
		},
	}
}
