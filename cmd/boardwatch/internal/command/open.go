package command

import (
	"context"
	"errors"
	"log/slog"

	"github.com/spf13/cobra"

	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/app"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
)

// WithApp runs a command's work on the parts, and puts them away afterwards.
func (c *CLI) WithApp(cmd *cobra.Command, work func(ctx context.Context, a *app.App) error) (err error) {
	return c.WithPresentApp(cmd, app.MustExist, work)
}

// WithPresentApp is WithApp for commands that may make the database.
func (c *CLI) WithPresentApp(cmd *cobra.Command, p app.Presence, work func(ctx context.Context, a *app.App) error) error {
	return c.with(cmd, func(ctx context.Context, cfg config.Config, log *slog.Logger) (*app.App, error) {
		return app.Open(ctx, cfg, log, nil, nil, p)
	}, work)
}

// WithSealedApp is WithApp for work that reads or writes webhook secrets.
func (c *CLI) WithSealedApp(cmd *cobra.Command, work func(ctx context.Context, a *app.App) error) error {
	return c.with(cmd, func(ctx context.Context, cfg config.Config, log *slog.Logger) (*app.App, error) {
		return app.OpenSealed(ctx, cfg, log, nil, app.MustExist)
	}, work)
}

func (c *CLI) with(
	cmd *cobra.Command, open func(context.Context, config.Config, *slog.Logger) (*app.App, error), work func(context.Context, *app.App) error,
) (err error) {
	cfg, err := c.Config(cmd)
	if err != nil {
		return err
	}
	a, err := open(cmd.Context(), cfg, c.Logger(cfg))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	return work(cmd.Context(), a)
}
