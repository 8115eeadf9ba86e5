package program

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/app"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/exit"
)

// Completion is "boardwatch completion".
func Completion(c *command.CLI) *cobra.Command {
	return &cobra.Command{
		Use:   "completion bash|zsh|fish|powershell",
		Short: "Print the completion script for a shell",
		Long: `Print a script that lets a shell complete commands and flags. The script for bash needs the package bash-completion.

  bash        source <(boardwatch completion bash)
  zsh         boardwatch completion zsh > "${fpath[1]}/_boardwatch"
  fish        boardwatch completion fish > ~/.config/fish/completions/boardwatch.fish
  powershell  boardwatch completion powershell | Out-String | Invoke-Expression`,
		ValidArgs: []string{"bash", "zsh", "fish", "powershell"},
		Args:      command.Takes("the name of a shell"),
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(c.Out, true)
			case "zsh":
				return root.GenZshCompletion(c.Out)
			case "fish":
				return root.GenFishCompletion(c.Out, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(c.Out)
			default:
				return exit.Usage(cmd, fmt.Errorf("%q is not one of bash, zsh, fish, powershell", args[0]))
			}
		},
	}
}

// completer offers what may stand in a place of a command line.
type completer = func(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective)

// Complete has the commands of the tree offer plans, accounts, boards and outputs where they name one.
func Complete(c *command.CLI, root *cobra.Command) {
	k := known{c}
	command.Must(root.RegisterFlagCompletionFunc("output", offered(command.OutputTable, command.OutputJSON, command.OutputNDJSON, command.OutputCSV)))
	plans := make([]string, 0, len(account.PlanNames()))
	for _, name := range account.PlanNames() {
		plans = append(plans, string(name))
	}
	completeIn(root, map[string]completer{"account": k.accounts, "board": k.boards, "plan": offered(plans...)},
		map[string][]completer{
			"account show": {k.accounts}, "account set-plan": {k.accounts, offered(plans...)},
			"account verify": {k.accounts}, "account delete": {k.accounts},
			"board remove": {k.boards}, "board check": {k.boards}, "board history": {k.boards},
			"board recipe": {k.boards}, "board set": {k.boards}, "board tag": {k.boards},
		})
}

// completeIn registers completions of flags, by name, and of arguments, by command and place.
func completeIn(cmd *cobra.Command, flags map[string]completer, arguments map[string][]completer) {
	for name, offer := range flags {
		if cmd.LocalNonPersistentFlags().Lookup(name) != nil {
			command.Must(cmd.RegisterFlagCompletionFunc(name, offer))
		}
	}
	_, path, _ := strings.Cut(cmd.CommandPath(), " ")
	if places, ok := arguments[path]; ok {
		cmd.ValidArgsFunction = func(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
			if len(args) >= len(places) {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return places[len(args)](cmd, args, typed)
		}
	}
	for _, sub := range cmd.Commands() {
		completeIn(sub, flags, arguments)
	}
}

func offered(words ...string) completer {
	return func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return slices.Clone(words), cobra.ShellCompDirectiveNoFileComp
	}
}

// known offers what is in the database.
type known struct{ c *command.CLI }

// accounts offers the addresses of all accounts.
func (k known) accounts(cmd *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var words []cobra.Completion
	return k.fromDatabase(cmd, func(ctx context.Context, a *app.App) error {
		accounts, err := a.Accounts.List(ctx)
		for _, owner := range accounts {
			words = append(words, owner.Email)
		}
		return err
	}, &words)
}

// boards offers the ids of the boards on all lists, or on that of the account which the command line names.
func (k known) boards(cmd *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var words []cobra.Completion
	return k.fromDatabase(cmd, func(ctx context.Context, a *app.App) error {
		accounts, err := a.Accounts.List(ctx)
		if err != nil {
			return err
		}
		named, only := cmd.Flags().Lookup("account"), ""
		if named != nil && named.Changed {
			only, _ = account.NormalizeEmail(named.Value.String()) // what is no address stands for all
		}
		for _, owner := range accounts {
			if only != "" && only != owner.Email {
				continue
			}
			boards, err := a.Tracker.Boards(ctx, owner, "")
			if err != nil {
				return err
			}
			for _, b := range boards {
				words = append(words, cobra.CompletionWithDesc(b.ID, command.Plain(b.Company+" "+b.CareersURL)))
			}
		}
		return nil
	}, &words)
}

// fromDatabase offers words that the database knows. Where there is none, or it cannot be read, nothing is offered: a shell
// has no place for an error.
func (k known) fromDatabase(
	cmd *cobra.Command, find func(ctx context.Context, a *app.App) error, words *[]cobra.Completion,
) ([]cobra.Completion, cobra.ShellCompDirective) {
	cfg, err := k.c.Config(cmd)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	if file, ok := cfg.SQLiteFile(); ok {
		if _, err := os.Stat(file); err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
	}
	if cmd.Context() == nil {
		cmd.SetContext(cmd.Root().Context())
	}
	if err := k.c.WithApp(cmd, find); err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	slices.Sort(*words)
	*words = slices.Compact(*words)
	return *words, cobra.ShellCompDirectiveNoFileComp
}
