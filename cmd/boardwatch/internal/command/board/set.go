package board

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/app"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/exit"
)

func newSetCmd(c *command.CLI) *cobra.Command {
	var proxy, robots string
	cmd := &cobra.Command{
		Use:   "set ID",
		Short: "Set or show how one board is read",
		Long: `Set how one board is read, for everyone who tracks it: {boardId, proxy, robots}. Without flags, the command only shows
the values, and a value that is not named does not change. A running service uses the new values from the next check
on. That check is made at once, unless the site asked for a pause.

A password in a proxy's address is stored encrypted and never shown. With "--proxy -" the address is read from
standard input, so that other users of this machine cannot see it.

  boardwatch board set 6f1e0c9a2b7d4e5f8a90b1c2 --proxy http://proxy.example:3128
  boardwatch board set 6f1e0c9a2b7d4e5f8a90b1c2 --robots ignore --proxy default`,
		Args: command.Takes("ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			change, err := accessChange(c, cmd, proxy, robots)
			if err != nil {
				return err
			}
			return c.WithSealedApp(cmd, func(ctx context.Context, a *app.App) error {
				return setAccess(ctx, c, a, args[0], change)
			})
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&proxy, "proxy", "", "`URL` of the proxy for this board; none for no proxy, default for the setting http.proxy")
	flags.StringVar(&robots, "robots", "", "`RULE`: obey, ignore, or default for the setting http.obey_robots")
	return cmd
}

// boardAccess is how a board is read, as "board set" prints it.
type boardAccess struct {
	BoardID string `json:"boardId"`
	Proxy   string `json:"proxy"`  // without a password; "default" for the setting
	Robots  string `json:"robots"` // "default" for the setting
}

// accessChange is what the flags change; nil when there is none.
func accessChange(c *command.CLI, cmd *cobra.Command, proxy, robots string) (func(*boardwatch.Access), error) {
	if cmd.Flags().Changed("proxy") && proxy == "-" {
		line, err := bufio.NewReader(c.In).ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("read the proxy from standard input: %w", err)
		}
		proxy = strings.TrimSpace(line)
	}
	way, err := boardwatch.ParseProxy(proxy)
	if err != nil {
		return nil, exit.Usage(cmd, command.SettingFault("--proxy", err))
	}
	rule, err := boardwatch.ParseRobotsRule(robots)
	if err != nil {
		return nil, exit.Usage(cmd, command.SettingFault("--robots", err))
	}
	setsProxy, setsRobots := cmd.Flags().Changed("proxy"), cmd.Flags().Changed("robots")
	if !setsProxy && !setsRobots {
		return nil, nil //nolint:nilnil // nothing to change is no fault
	}
	return func(a *boardwatch.Access) {
		if setsProxy {
			a.Proxy = way
		}
		if setsRobots {
			a.Robots = rule
		}
	}, nil
}

func setAccess(ctx context.Context, c *command.CLI, a *app.App, id string, change func(*boardwatch.Access)) error {
	access, err := a.Store.Access(ctx, id)
	if err != nil && (change == nil || boardwatch.CodeOf(err) == boardwatch.CodeNotFound) {
		return Fault(err, id)
	}
	if change != nil {
		change(&access)
		if err := a.Store.SetAccess(ctx, id, access); err != nil {
			return Fault(err, id)
		}
	}
	shown := access.Redacted()
	item := boardAccess{BoardID: id, Proxy: cmp.Or(shown.Proxy, "default"), Robots: cmp.Or(string(shown.Robots), "default")}
	return command.PrintItem(c, item,
		command.Col("BOARD ID", func(b boardAccess) string { return b.BoardID }),
		command.Col("PROXY", func(b boardAccess) string { return b.Proxy }),
		command.Col("ROBOTS", func(b boardAccess) string { return b.Robots }),
	)
}
