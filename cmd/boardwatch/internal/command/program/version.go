// Package program has the commands about the program itself: version, completion and man.
package program

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/build"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command"
)

// versionView is the version in JSON.
type versionView struct {
	Version  string  `json:"version"`
	Revision *string `json:"revision"` // null when the build did not say
	Time     *string `json:"time"`     // of the revision
	Go       string  `json:"go"`
	Platform string  `json:"platform"`
}

// Version is "boardwatch version".
func Version(c *command.CLI) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Long: `Print the version as one line of text. -o json gives {version, revision, time, go, platform}. The revision and its
time are null if the build did not record them.

  boardwatch version
  boardwatch version -o json`,
		Args: command.Takes(),
		RunE: func(*cobra.Command, []string) error {
			b := build.Read()
			if c.Output == "" {
				_, err := fmt.Fprintln(c.Out, b)
				return err
			}
			return command.PrintItem(c, versionView{b.Version, command.Optional(b.Revision), command.Optional(b.Time), b.Go, b.Platform},
				command.Col("VERSION", func(v versionView) string { return v.Version }),
				command.Col("REVISION", func(v versionView) string { return command.Text(v.Revision) }),
				command.Col("TIME", func(v versionView) string { return command.Text(v.Time) }),
				command.Col("GO", func(v versionView) string { return v.Go }),
				command.Col("PLATFORM", func(v versionView) string { return v.Platform }),
			)
		},
	}
}
