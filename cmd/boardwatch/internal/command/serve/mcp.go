package serve

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/app"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/build"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command"
	"github.com/boardwatch/boardwatch/transport/mcp"
)

// MCP is "boardwatch mcp".
func MCP(c *command.CLI) *cobra.Command {
	var readOnly bool
	cmd := c.Owned(&cobra.Command{
		Use:   "mcp [--account EMAIL]",
		Short: "Run an MCP server on standard input and output",
		Long: `Run an MCP server on standard input and output for an agent on this machine: the five tools of /mcp with the same
answers, for one account. The agent starts the command. docs/mcp.md has the configuration for Claude Desktop, Claude
Code, Cursor and VS Code. No token is needed, because whoever can start the command can read the database. It reads no
pages. A running service does, and both can use one database at the same time. The command ends when its input does.
The log is written to standard error.

  boardwatch mcp --account ann@example.com
  boardwatch mcp --account ann@example.com --read-only`,
		Args: command.Takes(),
	}, func(cmd *cobra.Command, a *app.App, owner account.Account, _ []string) error {
		if c.ErrTerm.Is {
			c.Note("answering MCP messages on standard input for %s; an agent is meant to start this", owner.Email)
		}
		return stdio(a, owner, readOnly).Serve(cmd.Context(), c.In, c.Out)
	})
	cmd.Flags().BoolVar(&readOnly, "read-only", false, "leave out the tools that change something")
	return cmd
}

// stdio is the MCP server of an agent that works for the account on this machine.
func stdio(a *app.App, owner account.Account, readOnly bool) *mcp.Stdio {
	services := mcp.Services{Gate: a.Gate, Tracker: a.Lists, Feed: track.NewFeed(a.Store, nil)}
	return mcp.NewStdio(services, func(ctx context.Context) (account.Account, error) { return a.Store.Account(ctx, owner.ID) },
		mcp.StdioOptions{BaseURL: a.Config.BaseURL, ReadOnly: readOnly, Version: build.Version(), Log: a.Log})
}
