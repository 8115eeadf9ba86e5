// Package account has the commands that make and change accounts.
package account

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/app"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/exit"
)

// Command is "boardwatch account".
func Command(c *command.CLI) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "account",
		Short: "Make and change accounts",
		Long: `Create and change accounts. A service may be running meanwhile. Accounts are named by their e-mail address.

  boardwatch account create --email ann@example.com --plan ultra --verified
  boardwatch account list`,
	}
	cmd.AddCommand(newCreateCmd(c), newListCmd(c), newShowCmd(c), newSetPlanCmd(c),
		newVerifyCmd(c), newDeleteCmd(c))
	return cmd
}

// createOptions are the account that the flags of "account create" describe.
type createOptions struct {
	account.NewAccount

	c             *command.CLI
	plan          string
	passwordStdin bool
}

func newCreateCmd(c *command.CLI) *cobra.Command {
	o := createOptions{c: c}
	cmd := &cobra.Command{
		Use:   "create --email EMAIL",
		Short: "Create an account",
		Long: `Create an account, and the database if there is none yet. An account without a password can use API keys but cannot sign in, and connecting a program over
MCP needs a sign-in.

  boardwatch account create --email ann@example.com --plan pro --verified
  pass show boardwatch | boardwatch account create --email root@example.com --admin --verified --password-stdin`,
		Args: command.Takes(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.WithPresentApp(cmd, app.MadeIfAbsent, func(ctx context.Context, a *app.App) error { return o.run(ctx, cmd, a) })
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&o.Email, "email", "", "`ADDRESS` of the person")
	flags.StringVar(&o.plan, "plan", "", "`PLAN`: free, pro or ultra (default: the setting signup.plan)")
	flags.BoolVar(&o.Verified, "verified", false, "mark the address as confirmed")
	flags.BoolVar(&o.Admin, "admin", false, "the account may operate this installation")
	flags.BoolVar(&o.passwordStdin, "password-stdin", false, "read the password from the first line of standard input")
	command.Must(cmd.MarkFlagRequired("email"))
	return cmd
}

// run makes the account.
func (o *createOptions) run(ctx context.Context, cmd *cobra.Command, a *app.App) error {
	o.Plan = account.PlanName(cmp.Or(o.plan, a.Config.Signup.Plan))
	if o.passwordStdin {
		password, err := readPassword(o.c.In)
		if err != nil {
			return err
		}
		o.Password = password
	}
	if err := o.Validate(); err != nil {
		return exit.Usage(cmd, err)
	}
	made, err := a.Accounts.Create(ctx, o.NewAccount)
	if err != nil {
		return err
	}
	return command.PrintItem(o.c, made, columns()...)
}

func newListCmd(c *command.CLI) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List all accounts",
		Long:  "List all accounts by address: {id, email, plan, verified, admin}.",
		Args:  command.Takes(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.WithApp(cmd, func(ctx context.Context, a *app.App) error {
				accounts, err := a.Accounts.List(ctx)
				if err != nil {
					return err
				}
				return command.PrintList(c, accounts, columns()...)
			})
		},
	}
}

// onAccount completes a command on the account that its first argument names, and prints the account that the work returns.
func onAccount(c *command.CLI,
	cmd *cobra.Command, work func(cmd *cobra.Command, a *app.App, found account.Account, args []string) (account.Account, error),
) *cobra.Command {
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return c.WithApp(cmd, func(ctx context.Context, a *app.App) error {
			found, err := command.AccountOf(ctx, a, args[0])
			if err == nil {
				found, err = work(cmd, a, found, args)
			}
			if err != nil {
				return err
			}
			return command.PrintItem(c, found, columns()...)
		})
	}
	return cmd
}

func newShowCmd(c *command.CLI) *cobra.Command {
	return onAccount(c, &cobra.Command{
		Use:   "show EMAIL",
		Short: "Show one account",
		Long:  "Show one account: {id, email, plan, verified, admin}.",
		Args:  command.Takes("EMAIL"),
	}, func(_ *cobra.Command, _ *app.App, found account.Account, _ []string) (account.Account, error) {
		return found, nil
	})
}

func newSetPlanCmd(c *command.CLI) *cobra.Command {
	return command.After(func(_ *cobra.Command, args []string) error {
		return config.CheckEach(args[1:], config.PlanNames()...)
	}, onAccount(c, &cobra.Command{
		Use:   "set-plan EMAIL PLAN",
		Short: "Move an account to another plan",
		Long: `Move an account to another plan: free, pro or ultra. If the account has more boards than the new plan allows, the
newest are locked. If the new plan allows more, the oldest locked boards are unlocked. Keys and webhooks are kept,
even if the new plan does not include them.

  boardwatch account set-plan ann@example.com ultra`,
		Args: command.Takes("EMAIL", "PLAN"),
	}, func(cmd *cobra.Command, a *app.App, _ account.Account, args []string) (account.Account, error) {
		return a.Accounts.SetPlan(cmd.Context(), args[0], account.PlanName(args[1]))
	}))
}

func newVerifyCmd(c *command.CLI) *cobra.Command {
	var undo bool
	cmd := onAccount(c, &cobra.Command{
		Use:   "verify EMAIL",
		Short: "Mark an account's e-mail address as confirmed, or not",
		Long: `Mark an account's e-mail address as confirmed or, with --undo, as not confirmed. Nobody can use an account whose
address is not confirmed.

  boardwatch account verify ann@example.com`,
		Args: command.Takes("EMAIL"),
	}, func(cmd *cobra.Command, a *app.App, _ account.Account, args []string) (account.Account, error) {
		return a.Accounts.SetVerified(cmd.Context(), args[0], !undo)
	})
	cmd.Flags().BoolVar(&undo, "undo", false, "mark it as not confirmed")
	return cmd
}

func newDeleteCmd(c *command.CLI) *cobra.Command {
	var yes bool
	cmd := onAccount(c, &cobra.Command{
		Use:   "delete EMAIL",
		Short: "Delete an account",
		Long: `Delete an account with its keys, its webhooks and its list of boards. The boards themselves and their history stay.
The last operator's account cannot be deleted. On a terminal, the command asks for confirmation.`,
		Args: command.Takes("EMAIL"),
	}, func(cmd *cobra.Command, a *app.App, found account.Account, _ []string) (account.Account, error) {
		if !yes && !c.Confirm("Remove "+found.Email+" with its keys, webhooks and list of boards?") {
			return found, exit.Fail(errors.New("nothing was removed"), "")
		}
		return a.Accounts.Delete(cmd.Context(), found.Email)
	})
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask for confirmation")
	return cmd
}

func columns() []command.Column[account.Account] {
	return []command.Column[account.Account]{
		command.Col("ID", func(a account.Account) string { return a.ID }),
		command.Col("EMAIL", func(a account.Account) string { return a.Email }),
		command.Col("PLAN", func(a account.Account) string { return string(a.Plan) }),
		command.Col("VERIFIED", func(a account.Account) string { return strconv.FormatBool(a.Verified) }),
		command.Col("ADMIN", func(a account.Account) string { return strconv.FormatBool(a.Admin) }),
	}
}

// readPassword takes the first line.
func readPassword(in io.Reader) (string, error) {
	line, err := bufio.NewReader(io.LimitReader(in, account.MaxPassword+2)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("read the password from standard input: %w", err)
	}
	line = strings.TrimRight(line, "\r\n")
	if line == "" {
		return "", exit.Fail(errors.New("standard input holds no password"), "Pipe it in, or leave --password-stdin out.")
	}
	return line, nil
}
