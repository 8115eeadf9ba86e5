package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
)

func newAccountCmd(c *cli) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "account",
		Short: "Make and change accounts",
		Long: `Create and change accounts. A service may be running meanwhile. Accounts are named by their e-mail address.

  boardwatch account create --email ann@example.com --plan ultra --verified
  boardwatch account list`,
	}
	cmd.AddCommand(newAccountCreateCmd(c), newAccountListCmd(c), newAccountShowCmd(c), newAccountSetPlanCmd(c),
		newAccountVerifyCmd(c), newAccountDeleteCmd(c))
	return cmd
}

func newAccountCreateCmd(c *cli) *cobra.Command {
	var n account.NewAccount
	var plan string
	var passwordStdin bool
	cmd := &cobra.Command{
		Use:   "create --email EMAIL",
		Short: "Create an account",
		Long: `Create an account, and the database if there is none yet. An account without a password can use API keys but cannot sign in, and connecting a program over
MCP needs a sign-in.

  boardwatch account create --email ann@example.com --plan pro --verified
  pass show boardwatch | boardwatch account create --email root@example.com --admin --verified --password-stdin`,
		Args: takes(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.withPresentApp(cmd, madeIfAbsent, func(ctx context.Context, a *app) error {
				if n.Plan = account.PlanName(plan); plan == "" {
					n.Plan = account.PlanName(a.cfg.Signup.Plan)
				}
				if passwordStdin {
					password, err := readPassword(c.In)
					if err != nil {
						return err
					}
					n.Password = password
				}
				if err := n.Validate(); err != nil {
					return usageError(cmd, err)
				}
				made, err := a.accounts.Create(ctx, n)
				if err != nil {
					return err
				}
				return printItem(c, made, accountColumns()...)
			})
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&n.Email, "email", "", "`ADDRESS` of the person")
	flags.StringVar(&plan, "plan", "", "`PLAN`: free, pro or ultra (default: the setting signup.plan)")
	flags.BoolVar(&n.Verified, "verified", false, "mark the address as confirmed")
	flags.BoolVar(&n.Admin, "admin", false, "the account may operate this installation")
	flags.BoolVar(&passwordStdin, "password-stdin", false, "read the password from the first line of standard input")
	must(cmd.MarkFlagRequired("email"))
	return cmd
}

func newAccountListCmd(c *cli) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List all accounts",
		Long:  "List all accounts by address: {id, email, plan, verified, admin}.",
		Args:  takes(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.withApp(cmd, func(ctx context.Context, a *app) error {
				accounts, err := a.accounts.List(ctx)
				if err != nil {
					return err
				}
				return printList(c, accounts, accountColumns()...)
			})
		},
	}
}

// onAccount completes a command on the account that its first argument names, and prints the account that the work returns.
func (c *cli) onAccount(
	cmd *cobra.Command, work func(cmd *cobra.Command, a *app, found account.Account, args []string) (account.Account, error),
) *cobra.Command {
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return c.withApp(cmd, func(ctx context.Context, a *app) error {
			found, err := a.account(ctx, args[0])
			if err == nil {
				found, err = work(cmd, a, found, args)
			}
			if err != nil {
				return err
			}
			return printItem(c, found, accountColumns()...)
		})
	}
	return cmd
}

func newAccountShowCmd(c *cli) *cobra.Command {
	return c.onAccount(&cobra.Command{
		Use:   "show EMAIL",
		Short: "Show one account",
		Long:  "Show one account: {id, email, plan, verified, admin}.",
		Args:  takes("EMAIL"),
	}, func(_ *cobra.Command, _ *app, found account.Account, _ []string) (account.Account, error) {
		return found, nil
	})
}

func newAccountSetPlanCmd(c *cli) *cobra.Command {
	return after(func(_ *cobra.Command, args []string) error {
		return config.CheckEach(args[1:], config.PlanNames()...)
	}, c.onAccount(&cobra.Command{
		Use:   "set-plan EMAIL PLAN",
		Short: "Move an account to another plan",
		Long: `Move an account to another plan: free, pro or ultra. If the account has more boards than the new plan allows, the
newest are locked. If the new plan allows more, the oldest locked boards are unlocked. Keys and webhooks are kept,
even if the new plan does not include them.

  boardwatch account set-plan ann@example.com ultra`,
		Args: takes("EMAIL", "PLAN"),
	}, func(cmd *cobra.Command, a *app, _ account.Account, args []string) (account.Account, error) {
		return a.accounts.SetPlan(cmd.Context(), args[0], account.PlanName(args[1]))
	}))
}

func newAccountVerifyCmd(c *cli) *cobra.Command {
	var undo bool
	cmd := c.onAccount(&cobra.Command{
		Use:   "verify EMAIL",
		Short: "Mark an account's e-mail address as confirmed, or not",
		Long: `Mark an account's e-mail address as confirmed or, with --undo, as not confirmed. Nobody can use an account whose
address is not confirmed.

  boardwatch account verify ann@example.com`,
		Args: takes("EMAIL"),
	}, func(cmd *cobra.Command, a *app, _ account.Account, args []string) (account.Account, error) {
		return a.accounts.SetVerified(cmd.Context(), args[0], !undo)
	})
	cmd.Flags().BoolVar(&undo, "undo", false, "mark it as not confirmed")
	return cmd
}

func newAccountDeleteCmd(c *cli) *cobra.Command {
	var yes bool
	cmd := c.onAccount(&cobra.Command{
		Use:   "delete EMAIL",
		Short: "Delete an account",
		Long: `Delete an account with its keys, its webhooks and its list of boards. The boards themselves and their history stay.
The last operator's account cannot be deleted. On a terminal, the command asks for confirmation.`,
		Args: takes("EMAIL"),
	}, func(cmd *cobra.Command, a *app, found account.Account, _ []string) (account.Account, error) {
		if !yes && !c.confirm("Remove "+found.Email+" with its keys, webhooks and list of boards?") {
			return found, fail(errors.New("nothing was removed"), "")
		}
		return a.accounts.Delete(cmd.Context(), found.Email)
	})
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask for confirmation")
	return cmd
}

func accountColumns() []column[account.Account] {
	return []column[account.Account]{
		{"ID", func(a account.Account) string { return a.ID }},
		{"EMAIL", func(a account.Account) string { return a.Email }},
		{"PLAN", func(a account.Account) string { return string(a.Plan) }},
		{"VERIFIED", func(a account.Account) string { return strconv.FormatBool(a.Verified) }},
		{"ADMIN", func(a account.Account) string { return strconv.FormatBool(a.Admin) }},
	}
}

// account finds the account that a command names.
func (a *app) account(ctx context.Context, email string) (account.Account, error) {
	found, err := a.accounts.Show(ctx, email)
	switch boardwatch.CodeOf(err) {
	case boardwatch.CodeNotFound:
		return found, fail(fmt.Errorf("no account has the address %s", email), `Run "boardwatch account list" to see all accounts.`)
	case boardwatch.CodeInvalidRequest:
		return found, fail(fmt.Errorf("%q is not an e-mail address", email), "")
	default:
		return found, err
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
		return "", fail(errors.New("standard input holds no password"), "Pipe it in, or leave --password-stdin out.")
	}
	return line, nil
}

// confirm asks a question when there is a person to ask; a program that runs the command has decided already.
func (c *cli) confirm(question string) bool {
	f, ok := c.In.(*os.File)
	if !ok || !c.ErrTerm.Is || !term.IsTerminal(int(f.Fd())) {
		return true
	}
	fmt.Fprint(c.Err, question+" [y/N] ")
	answer, err := bufio.NewReader(f).ReadString('\n')
	if err != nil {
		return false
	}
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return true
	default:
		return false
	}
}

// must is for mistakes of the programmer.
func must(err error) {
	if err != nil {
		panic(err)
	}
}
