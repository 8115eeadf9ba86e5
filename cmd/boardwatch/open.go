package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"
)

// withApp runs a command's work on the parts, and puts them away afterwards.
func (c *cli) withApp(cmd *cobra.Command, work func(ctx context.Context, a *app) error) (err error) {
	return c.withPresentApp(cmd, mustExist, work)
}

// withPresentApp is withApp for commands that may make the database.
func (c *cli) withPresentApp(cmd *cobra.Command, p presence, work func(ctx context.Context, a *app) error) (err error) {
	cfg, err := c.config(cmd)
	if err != nil {
		return err
	}
	a, err := openApp(cmd.Context(), cfg, c.logger(cfg), nil, nil, p)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.close()) }()
	return work(cmd.Context(), a)
}

// withSealedApp is withApp for work that reads or writes webhook secrets.
func (c *cli) withSealedApp(cmd *cobra.Command, work func(ctx context.Context, a *app) error) (err error) {
	cfg, err := c.config(cmd)
	if err != nil {
		return err
	}
	a, err := openSealedApp(cmd.Context(), cfg, c.logger(cfg), nil, mustExist)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.close()) }()
	return work(cmd.Context(), a)
}
