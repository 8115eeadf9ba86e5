// Package serve has the commands that run: serve, with its demo, and mcp.
package serve

import (
	"context"
	"fmt"
	"net"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/app"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/observe"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/service"
)

// Command is "boardwatch serve".
func Command(c *command.CLI) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Run the service",
		Long: `Run the service: read boards when they are due, and answer requests. /healthz says that the process is alive, and
/readyz that it can do its work: the database answers and takes changes, and boards are watched. On an interrupt, the service finishes saving what it is saving and then stops. Boards
that are being read are read again after the next start.

  boardwatch serve
  boardwatch serve --demo
  boardwatch serve --listen :8080 --base-url https://boards.example.com --database postgres://boards@db/boards`,
		Args: command.Takes(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			signal.Ignore(syscall.SIGPIPE) // the service outlives whoever reads its log
			l, err := c.Load(cmd)
			if err != nil {
				return err
			}
			cfg := l.Config
			traced, err := observe.StartTraces(cmd.Context(), c.Environ, cfg, c.Logger(cfg))
			if err != nil {
				return err
			}
			defer traced.Stop(cmd.Context())
			if cfg.Demo {
				return serveDemo(cmd.Context(), c, l, traced)
			}
			listener, err := service.Listen(cmd.Context(), "listen", cfg.Listen)
			if err != nil {
				return err
			}
			started := false
			err = service.Run(cmd.Context(), cfg, c.Logger(cfg), listener, service.Hooks{
				Traces: traced,
				Notify: notifyManager(c),
				Ready: func(_ context.Context, _ *app.App, url string) error {
					started = true
					_, _ = fmt.Fprintln(c.Out, "listening on "+url)
					return nil
				},
			})
			if !started && cmd.Context().Err() != nil {
				err = nil // told to stop while it was still starting: that is what it did
			}
			return err
		},
	}
	config.AddFlags(cmd.Flags(), "listen", "base_url", "role", "demo")
	return cmd
}

// notifyManager returns what sends messages to systemd, or to whatever speaks its protocol (sd_notify); nil without such a
// manager. One that cannot be reached and cares stops the service by itself.
func notifyManager(c *command.CLI) func(state string) {
	socket, ok := c.Env("NOTIFY_SOCKET")
	if !ok {
		return nil
	}
	return func(state string) {
		conn, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: socket, Net: "unixgram"})
		if err == nil {
			_, err = conn.Write([]byte(state))
			_ = conn.Close() // a datagram is sent or it is not
		}
		if err != nil {
			c.Note("the service manager was not told %s: %v", state, err)
		}
	}
}
