package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/build"
)

// versionView is the version in JSON.
type versionView struct {
	Version  string  `json:"version"`
	Revision *string `json:"revision"` // null when the build did not say
	Time     *string `json:"time"`     // of the revision
	Go       string  `json:"go"`
	Platform string  `json:"platform"`
}

func newVersionCmd(c *cli) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Long: `Print the version as one line of text. -o json gives {version, revision, time, go, platform}. The revision and its
time are null if the build did not record them.

  boardwatch version
  boardwatch version -o json`,
		Args: takes(),
		RunE: func(*cobra.Command, []string) error {
			b := build.Read()
			if c.output == "" {
				_, err := fmt.Fprintln(c.Out, b)
				return err
			}
			return printItem(c, versionView{b.Version, optional(b.Revision), optional(b.Time), b.Go, b.Platform},
				column[versionView]{"VERSION", func(v versionView) string { return v.Version }},
				column[versionView]{"REVISION", func(v versionView) string { return text(v.Revision) }},
				column[versionView]{"TIME", func(v versionView) string { return text(v.Time) }},
				column[versionView]{"GO", func(v versionView) string { return v.Go }},
				column[versionView]{"PLATFORM", func(v versionView) string { return v.Platform }},
			)
		},
	}
}
