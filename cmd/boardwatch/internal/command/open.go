package command

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/app"
)

// WithApp runs a command's work on the parts, and puts them away afterwards.
func (c *CLI) WithApp(cmd *cobra.Command, work func(ctx context.Context, a *app.App) error) (err error) {
	return c.WithPresentApp(cmd, app.MustExist, work)
}

// WithPresentApp is withApp for commands that may make the database.
func (c *CLI) WithPresentApp(cmd *cobra.Command, p app.Presence, work func(ctx context.Context, a *app.App) error) (err error) {
	cfg, err := c.Config(cmd)
	if err != nil {
		return err
	}
	a, err := app.Open(cmd.Context(), cfg, c.Logger(cfg), nil, nil, p)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	return work(cmd.Context(), a)
}

// WithSealedApp is withApp for work that reads or writes webhook secrets.
func (c *CLI) WithSealedApp(cmd *cobra.Command, work func(ctx context.Context, a *app.App) error) (err error) {
	cfg, err := c.Config(cmd)
	if err != nil {
		return err
	}
	a, err := app.OpenSealed(cmd.Context(), cfg, c.Logger(cfg), nil, app.MustExist)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	return work(cmd.Context(), a)
}
