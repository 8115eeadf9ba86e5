package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

func newCompletionCmd(c *cli) *cobra.Command {
	return &cobra.Command{
		Use:   "completion bash|zsh|fish|powershell",
		Short: "Print the completion script for a shell",
		Long: `Print a script that lets a shell complete commands and flags. The script for bash needs the package bash-completion.

  bash        source <(boardwatch completion bash)
  zsh         boardwatch completion zsh > "${fpath[1]}/_boardwatch"
  fish        boardwatch completion fish > ~/.config/fish/completions/boardwatch.fish
  powershell  boardwatch completion powershell | Out-String | Invoke-Expression`,
		ValidArgs: []string{"bash", "zsh", "fish", "powershell"},
		Args:      takes("the name of a shell"),
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
				return usageError(cmd, fmt.Errorf("%q is not one of bash, zsh, fish, powershell", args[0]))
			}
		},
	}
}
