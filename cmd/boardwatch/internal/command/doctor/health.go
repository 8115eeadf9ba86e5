package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/app"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/exit"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/service"
)

// Health is "boardwatch health".
func Health(c *command.CLI) *cobra.Command {
	var base string
	cmd := &cobra.Command{
		Use:   "health",
		Short: "Ask a running service whether it is ready",
		Long: `Ask a running service whether it can do its work: {status, parts}. The service is looked for at the address of the
setting "listen", or at --url. Exit code 0 means that every part is well. The command is meant for container health
checks.

  boardwatch health
  boardwatch health --url http://127.0.0.1:9090`,
		Args: command.Takes(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := c.Config(cmd)
			if err != nil {
				return err
			}
			if base == "" {
				base = config.Config{}.PublicURL(cfg.Listen)
			}
			if err := config.CheckOrigin(base); err != nil {
				return exit.Usage(cmd, fmt.Errorf("--url %w", err))
			}
			return health(cmd.Context(), c, strings.TrimSuffix(base, "/"))
		},
	}
	config.AddFlags(cmd.Flags(), "listen")
	cmd.Flags().StringVar(&base, "url", "", "`URL` of the service")
	return cmd
}

func health(ctx context.Context, c *command.CLI, base string) error {
	state, err := askReady(ctx, base)
	if err != nil {
		return exit.Fail(fmt.Errorf("no service answers at %s: %s", base, unwell(err)), `Start one with "boardwatch serve", or name another address with --url.`)
	}
	if err := printReadiness(c, state); err != nil {
		return err
	}
	if state.Status != "ready" {
		return exit.Negative()
	}
	return nil
}

func printReadiness(c *command.CLI, state service.Readiness) error {
	if c.Format() == command.OutputJSON || c.Format() == command.OutputNDJSON {
		return command.PrintItem(c, state)
	}
	var parts []partView
	for _, name := range slices.Sorted(maps.Keys(state.Parts)) {
		parts = append(parts, partView{name, state.Parts[name].OK, command.Optional(state.Parts[name].Reason)})
	}
	return command.PrintList(c, parts,
		command.Col("PART", func(p partView) string { return p.Part }),
		command.Col("STATE", func(p partView) string {
			if p.OK {
				return "ok"
			}
			return command.Text(p.Reason)
		}),
	)
}

// partView is a part as a row of a table.
type partView struct {
	Part   string  `json:"part"`
	OK     bool    `json:"ok"`
	Reason *string `json:"reason"`
}

// errStranger says that something else answers at the address.
var errStranger = errors.New("the program that answers there is not boardwatch")

// unwell is why there is no answer, for a person.
func unwell(err error) string {
	if errors.Is(err, errStranger) {
		return err.Error()
	}
	return app.Unconnected(err)
}

// readyTimeout is how long a service may take to say how it is.
const readyTimeout = 4 * time.Second

// askReady asks the service directly: no proxy stands between a machine and itself.
func askReady(ctx context.Context, base string) (service.Readiness, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, readyTimeout, errors.New("no answer in time"))
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/readyz", nil)
	if err != nil {
		return service.Readiness{}, err
	}
	transport := &http.Transport{DialContext: (&net.Dialer{}).DialContext, DisableKeepAlives: true}
	res, err := transport.RoundTrip(req)
	if ctx.Err() != nil {
		return service.Readiness{}, ctx.Err()
	}
	if err != nil {
		if urlErr, ok := errors.AsType[*url.Error](err); ok {
			err = urlErr.Err
		}
		return service.Readiness{}, err
	}
	defer res.Body.Close()
	var state service.Readiness
	if err := json.NewDecoder(io.LimitReader(res.Body, 64<<10)).Decode(&state); err != nil || state.Parts == nil {
		return service.Readiness{}, fmt.Errorf("%w (status %s)", errStranger, res.Status)
	}
	return state, nil
}
