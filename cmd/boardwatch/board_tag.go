package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// taggedBoard is the tags of a board on an account's list.
type taggedBoard struct {
	BoardID string   `json:"boardId"`
	Tags    []string `json:"tags"`
}

func newBoardTagCmd(c *cli) *cobra.Command {
	var email string
	var add, remove []string
	cmd := &cobra.Command{
		Use:   "tag [--account EMAIL] ID",
		Short: "Add or remove tags of a board",
		Long: `Add or remove tags of a board on an account's list, and print its tags: {boardId, tags}. Tags belong to the account,
and case makes no difference. Lists of boards, lists of roles and saved searches can be limited to them.

  boardwatch board tag --account ann@example.com --add robotics --add "near home" 66f0c0ffee66f0c0ffee66f0`,
		Args: takes("ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.withAccount(cmd, email, func(ctx context.Context, a *app, owner boardwatch.Account) error {
				tags, err := a.tracker.Tag(ctx, owner, args[0], add, remove)
				switch code := boardwatch.CodeOf(err); {
				case code == boardwatch.CodeNotFound:
					return fail(fmt.Errorf("%s does not track a board with the id %s", owner.Email, args[0]),
						fmt.Sprintf("Run \"boardwatch board list --account %s\" to see its boards.", owner.Email))
				case code == boardwatch.CodeInvalidRequest:
					return usageError(cmd, errors.New("--add "+fieldMessage(err)))
				case err != nil:
					return err
				}
				return printItem(c, taggedBoard{args[0], append([]string{}, tags...)},
					column[taggedBoard]{"BOARD ID", func(t taggedBoard) string { return t.BoardID }},
					column[taggedBoard]{"TAGS", func(t taggedBoard) string { return strings.Join(t.Tags, ", ") }},
				)
			})
		},
	}
	accountFlag(cmd, &email)
	cmd.Flags().StringArrayVar(&add, "add", nil, "`TAG` to add; may be repeated")
	cmd.Flags().StringArrayVar(&remove, "remove", nil, "`TAG` to remove; may be repeated")
	return cmd
}

// fieldMessage is what is wrong with the one field that an error names.
func fieldMessage(err error) string {
	if e, ok := errors.AsType[*boardwatch.Error](err); ok {
		if fields, ok := e.Details.([]boardwatch.FieldError); ok && len(fields) > 0 {
			return fields[0].Message
		}
	}
	return err.Error()
}
