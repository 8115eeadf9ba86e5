package board

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/app"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/exit"
)

// taggedBoard is the tags of a board on an account's list.
type taggedBoard struct {
	BoardID string   `json:"boardId"`
	Tags    []string `json:"tags"`
}

func newTagCmd(c *command.CLI) *cobra.Command {
	var add, remove []string
	cmd := c.Owned(&cobra.Command{
		Use:   "tag [--account EMAIL] ID",
		Short: "Add or remove tags of a board",
		Long: `Add or remove tags of a board on an account's list, and print its tags: {boardId, tags}. Tags belong to the account,
and case makes no difference. Lists of boards, lists of roles and saved searches can be limited to them.

  boardwatch board tag --account ann@example.com --add robotics --add "near home" 66f0c0ffee66f0c0ffee66f0`,
		Args: command.Takes("ID"),
	}, func(cmd *cobra.Command, a *app.App, owner account.Account, args []string) error {
		tags, err := a.Tracker.Tag(cmd.Context(), owner, args[0], add, remove)
		if boardwatch.CodeOf(err) == boardwatch.CodeInvalidRequest {
			return exit.Usage(cmd, command.SettingFault("--add", err))
		}
		if err != nil {
			return things().Missing(err, owner, args[0])
		}
		return command.PrintItem(c, taggedBoard{args[0], append([]string{}, tags...)},
			command.Col("BOARD ID", func(t taggedBoard) string { return t.BoardID }),
			command.Col("TAGS", func(t taggedBoard) string { return strings.Join(t.Tags, ", ") }),
		)
	})
	cmd.Flags().StringArrayVar(&add, "add", nil, "`TAG` to add; may be repeated")
	cmd.Flags().StringArrayVar(&remove, "remove", nil, "`TAG` to remove; may be repeated")
	return cmd
}
