package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/app"
)

// withApp runs a command's work on the parts, and puts them away afterwards.
func (c *cli) withApp(cmd *cobra.Command, work func(ctx context.Context, a *app.App) error) (err error) {
	return c.withPresentApp(cmd, app.MustExist, work)
}

// withPresentApp is withApp for commands that may make the database.
func (c *cli) withPresentApp(cmd *cobra.Command, p app.Presence, work func(ctx context.Context, a *app.App) error) (err error) {
	cfg, err := c.config(cmd)
	if err != nil {
		return err
	}
	a, err := app.Open(cmd.Context(), cfg, c.logger(cfg), nil, nil, p)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	return work(cmd.Context(), a)
}

// withSealedApp is withApp for work that reads or writes webhook secrets.
func (c *cli) withSealedApp(cmd *cobra.Command, work func(ctx context.Context, a *app.App) error) (err error) {
	cfg, err := c.config(cmd)
	if err != nil {
		return err
	}
	a, err := app.OpenSealed(cmd.Context(), cfg, c.logger(cfg), nil, app.MustExist)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	return work(cmd.Context(), a)
}
