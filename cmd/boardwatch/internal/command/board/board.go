// Package board has the commands for the boards on an account's list, import and export among them.
package board

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/app"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/exit"
	"github.com/boardwatch/boardwatch/internal/redact"
)

// Command is "boardwatch board".
func Command(c *command.CLI) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "board",
		Short: "Show and change the boards that an account tracks",
		Long: `Show and change the careers pages that an account tracks. These commands do not read pages. A running service does.

  boardwatch board add --account ann@example.com https://boards.greenhouse.io/northwind
  boardwatch board list --account ann@example.com`,
	}
	cmd.AddCommand(newAddCmd(c), newListCmd(c), things().RemoveCmd(c, "remove", "Remove a board from an account's list",
		"Remove a board from an account's list. The board and its history stay, and adding it again brings everything back."),
		newCheckCmd(c), newHistoryCmd(c),
		newSetCmd(c), newRecipeCmd(c), newTagCmd(c))
	return cmd
}

func newAddCmd(c *command.CLI) *cobra.Command {
	var company string
	cmd := c.Owned(&cobra.Command{
		Use:   "add [--account EMAIL] URL...",
		Short: "Add boards to an account's list",
		Long: `Add boards to an account's list: careers pages, boards of a hosted system, or company domains. The result is {board,
locked}, or an array of these for several addresses. If one board cannot be added, the others still are. "-" reads a
list from standard input, in any format that "import" reads.

  boardwatch board add --account ann@example.com northwind.example https://jobs.lever.co/contoso
  pbpaste | boardwatch board add --account ann@example.com -`,
		Args: command.TakesSome("URL"),
	}, func(cmd *cobra.Command, a *app.App, owner account.Account, args []string) error {
		wishes, err := wishes(c, args, company)
		if err != nil {
			return err
		}
		var added []track.Added
		var faults []error
		var addresses []string
		for _, w := range wishes {
			got, err := add(cmd.Context(), a, owner, w)
			if err != nil {
				faults, addresses = append(faults, err), append(addresses, w.Board.URL)
				continue
			}
			added = append(added, got)
		}
		return errors.Join(printAdded(c, added, len(wishes) > 1 || args[0] == "-"), refused(faults, app.WayIn(a.Config, addresses)))
	})
	cmd.Flags().StringVar(&company, "company-name", "", "`NAME` of the company, shown until the board says the real one")
	return cmd
}

// wishes are the boards that arguments name; "-" stands for the list on standard input.
func wishes(c *command.CLI, args []string, company string) ([]track.Entry, error) {
	var wishes []track.Entry
	for _, arg := range args {
		if arg != "-" {
			wishes = append(wishes, track.Entry{Board: track.NewBoard{URL: arg, CompanyName: company}})
			continue
		}
		list, err := readList(c, "-", track.ListAuto)
		if err != nil {
			return nil, err
		}
		if len(list) == 0 {
			return nil, exit.Fail(errors.New("standard input has no addresses"), "Write one address per line.")
		}
		for _, entry := range list {
			if entry.Board.CompanyName == "" {
				entry.Board.CompanyName = company
			}
			wishes = append(wishes, entry)
		}
	}
	return wishes, nil
}

// add puts one board on an account's list.
func add(ctx context.Context, a *app.App, owner account.Account, w track.Entry) (track.Added, error) {
	if w.Fault != "" {
		return track.Added{}, fmt.Errorf("line %d %s", w.Line, w.Fault)
	}
	added, err := a.Tracker.Add(ctx, owner, w.Board)
	if err != nil {
		return track.Added{}, addFault(w.Board.URL, err)
	}
	return added, nil
}

// addFault says which address could not be added, and why.
func addFault(address string, err error) error {
	address = redact.WithoutPassword(address)
	e, ok := errors.AsType[*boardwatch.Error](err)
	if !ok {
		return fmt.Errorf("%s: %w", address, err)
	}
	switch details := e.Details.(type) {
	case boardwatch.AlreadyTracked:
		return fmt.Errorf("%s is on the list already, as board %s", address, details.BoardID)
	case []boardwatch.FieldError:
		sentences := make([]string, len(details))
		for i, d := range details {
			sentences[i] = d.Field + " " + d.Message
			if d.Field == "url" {
				sentences[i] = "the address " + d.Message
			}
		}
		return fmt.Errorf("%q cannot be added: %s", address, strings.Join(sentences, "; "))
	default:
		return fmt.Errorf("%s: %s", address, e.Message)
	}
}

// refused ends the command when something was not added; nothing otherwise.
func refused(faults []error, next string) error {
	if len(faults) == 0 {
		return nil
	}
	return exit.Fail(errors.Join(faults...), next)
}

func printAdded(c *command.CLI, added []track.Added, several bool) error {
	columns := []command.Column[track.Added]{
		command.Col("ID", func(a track.Added) string { return a.Board.ID }),
		command.Col("STATUS", func(a track.Added) string { return string(a.Board.Status) }),
		command.Col("TRACKING", func(a track.Added) string { return string(a.Board.Tracking) }),
		command.Col("COMPANY", func(a track.Added) string { return a.Board.Company }),
		command.Col("CAREERS URL", func(a track.Added) string { return a.Board.CareersURL }),
	}
	switch {
	case several:
		return command.PrintList(c, added, columns...)
	case len(added) == 1:
		return command.PrintItem(c, added[0], columns...)
	default:
		return nil
	}
}

func newListCmd(c *command.CLI) *cobra.Command {
	var status string
	var tags []string
	cmd := c.Owned(&cobra.Command{
		Use:   "list [--account EMAIL]",
		Short: "List an account's boards",
		Long:  "List an account's boards in the order they were added, as the interface's own Board objects.",
		Args:  command.Takes(),
	}, func(cmd *cobra.Command, a *app.App, owner account.Account, _ []string) error {
		wanted, err := track.ParseBoardStatus(status)
		if err != nil {
			return exit.Usage(cmd, err)
		}
		boards, err := a.Tracker.BoardsTagged(cmd.Context(), owner, wanted, tags)
		if err != nil {
			return err
		}
		return command.PrintList(c, boards, Columns()...)
	})
	cmd.Flags().StringVar(&status, "status", "all", "`STATUS`: pending, scraping, ready, failed or all")
	cmd.Flags().StringArrayVar(&tags, "tag", nil, "only boards with this `TAG`; may be repeated")
	return cmd
}

// Columns are what a table shows of a board.
func Columns() []command.Column[boardwatch.BoardView] {
	return []command.Column[boardwatch.BoardView]{
		command.Col("ID", func(b boardwatch.BoardView) string { return b.ID }),
		command.Col("COMPANY", func(b boardwatch.BoardView) string { return b.Company }),
		command.Col("STATUS", func(b boardwatch.BoardView) string { return string(b.Status) }),
		command.Col("TRACKING", func(b boardwatch.BoardView) string { return string(b.Tracking) }),
		command.Col("OPEN", func(b boardwatch.BoardView) string { return strconv.Itoa(b.OpenJobs) }),
		command.Col("CLOSED", func(b boardwatch.BoardView) string { return strconv.Itoa(b.ClosedJobs) }),
		command.Col("LAST CHECKED", func(b boardwatch.BoardView) string { return command.Stamp(b.LastCheckedAt) }),
		command.Col("LAST SUCCESS", func(b boardwatch.BoardView) string { return command.Stamp(b.LastSuccessAt) }),
		command.Col("CAREERS URL", func(b boardwatch.BoardView) string { return b.CareersURL }),
	}
}

// things are the boards on an account's list.
func things() command.Things[boardwatch.BoardView] {
	return command.Things[boardwatch.BoardView]{
		One: "board", Many: "boards", Lacks: "does not track a",
		Remove: func(ctx context.Context, a *app.App, owner account.Account, id string) (string, error) {
			return " from the list of " + owner.Email, a.Tracker.Remove(ctx, owner, id)
		},
	}
}

// queuedCheck is the answer to a request for a check.
type queuedCheck struct {
	BoardID string `json:"boardId"`
	Queued  bool   `json:"queued"`
}

func newCheckCmd(c *command.CLI) *cobra.Command {
	var wait bool
	cmd := &cobra.Command{
		Use:   "check ID",
		Short: "Ask the running service to check a board soon",
		Long: `Put a board at the head of the queue: {boardId, queued}. A running service then reads it. The command is refused, with
exit code 1, if the board was checked less than a minute ago, if the site asked for a pause, if the board is waiting
after failures, or if nobody is actively tracking it.

With --wait, the command waits until the check has ended and prints its entry of "board history" instead. On a terminal, a
bar shows how long that may take, by how long the last full reading took. The exit code is 1 unless its health is ok.

  boardwatch board check 66f2a9c81b5e4d0fa3c27e10
  boardwatch board check 66f2a9c81b5e4d0fa3c27e10 --wait`,
		Args: command.Takes("ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.WithApp(cmd, func(ctx context.Context, a *app.App) error {
				var before boardwatch.Check
				if wait {
					var err error
					if before, err = lastCheck(ctx, a, args[0]); err != nil {
						return Fault(err, args[0])
					}
				}
				refusal, err := a.Tracker.RequestCheck(ctx, "", args[0])
				if err != nil {
					return Fault(err, args[0])
				}
				if refusal != "" {
					return exit.Fail(fmt.Errorf("board %s was not queued: %s", args[0], refusal),
						fmt.Sprintf("Run \"boardwatch board history %s\" to see its last checks.", args[0]))
				}
				if wait {
					return awaitCheck(ctx, c, a, args[0], before)
				}
				c.Note("queued: a running service checks the board next")
				return command.PrintItem(c, queuedCheck{args[0], true},
					command.Col("BOARD ID", func(q queuedCheck) string { return q.BoardID }),
					command.Col("QUEUED", func(q queuedCheck) string { return strconv.FormatBool(q.Queued) }),
				)
			})
		},
	}
	cmd.Flags().BoolVar(&wait, "wait", false, "wait until the check has ended, and print it")
	return cmd
}

// lastCheck is the newest entry of a board's history; the zero value is that of a board that was never checked.
func lastCheck(ctx context.Context, a *app.App, boardID string) (boardwatch.Check, error) {
	history, err := a.Tracker.History(ctx, boardID, 1)
	if err != nil || len(history) == 0 {
		return boardwatch.Check{}, err
	}
	return history[0], nil
}

const (
	// checkLook is how often awaitCheck looks whether the check has ended.
	checkLook = 250 * time.Millisecond
	// noServiceAfter is when it says that perhaps no service is running.
	noServiceAfter = 30 * time.Second
)

// awaitCheck prints the first check of the board after another one.
func awaitCheck(ctx context.Context, c *command.CLI, a *app.App, boardID string, before boardwatch.Check) error {
	board, err := a.Store.Board(ctx, boardID)
	if err != nil {
		return Fault(err, boardID)
	}
	began, doubted := c.Now(), false
	shown := c.NewEstimate("Checking", board.State.Took)
	defer shown.End()
	for {
		check, err := lastCheck(ctx, a, boardID)
		if err != nil {
			return Fault(err, boardID)
		}
		if check.ID != before.ID || check.Repeats != before.Repeats {
			shown.End()
			if err := command.PrintItem(c, check, checkColumns()...); err != nil {
				return err
			}
			if check.Health != boardwatch.HealthOK {
				return exit.Negative()
			}
			return nil
		}
		waited := c.Now().Sub(began)
		if !doubted && waited > max(noServiceAfter, board.State.Took) {
			shown.End()
			c.Note("still waiting: either the board is long, or no service is running (see \"boardwatch doctor\")")
			doubted = true
		}
		shown.Show(waited)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(checkLook):
		}
	}
}

func newHistoryCmd(c *command.CLI) *cobra.Command {
	var limit int
	cmd := &cobra.Command{
		Use:   "history ID",
		Short: "Show a board's last checks",
		Long: `Show a board's last checks, newest first. A series of checks that changed nothing is one entry, with the number of
repeats. The first reading of a board is marked as first: the roles that it found were there before. missed is the number of
roles whose absence counts towards closing them.`,
		Args: command.Takes("ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.WithApp(cmd, func(ctx context.Context, a *app.App) error {
				if err := config.Between(1, 1000, limit); err != nil {
					return exit.Usage(cmd, fmt.Errorf("--limit %w", err))
				}
				checks, err := a.Tracker.History(ctx, args[0], limit)
				if err != nil {
					return Fault(err, args[0])
				}
				return command.PrintList(c, checks, checkColumns()...)
			})
		},
	}
	cmd.Flags().IntVar(&limit, "limit", 20, "at most `N` entries")
	return cmd
}

func checkColumns() []command.Column[boardwatch.Check] {
	return []command.Column[boardwatch.Check]{
		command.Col("AT", func(k boardwatch.Check) string { return command.Stamp(k.At) }),
		command.Col("HEALTH", func(k boardwatch.Check) string { return string(k.Health) }),
		command.Col("OPEN", func(k boardwatch.Check) string { return strconv.Itoa(k.OpenJobs) }),
		command.Col("FOUND", func(k boardwatch.Check) string { return strconv.Itoa(k.Found) }),
		command.Col("CLOSED", func(k boardwatch.Check) string { return strconv.Itoa(k.Closed) }),
		command.Col("UPDATED", func(k boardwatch.Check) string { return strconv.Itoa(k.Updated) }),
		command.Col("MISSED", func(k boardwatch.Check) string { return strconv.Itoa(k.Missed) }),
		command.Col("REPEATS", func(k boardwatch.Check) string { return strconv.Itoa(k.Repeats) }),
		command.Col("CAUSE", func(k boardwatch.Check) string { return string(k.Cause) }),
		command.Col("REASON", func(k boardwatch.Check) string { return k.Reason }),
	}
}

// Fault says that there is no board with that id, if that is what the error means.
func Fault(err error, id string) error {
	if boardwatch.CodeOf(err) == boardwatch.CodeNotFound {
		return exit.Fail(fmt.Errorf("there is no board with the id %s", id), "")
	}
	return err
}
