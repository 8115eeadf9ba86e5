package main

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// What a build says of itself: -ldflags "-X main.version=1.2.3 -X main.commit=… -X main.date=2026-11-20T09:00:00Z". What it
// leaves out is taken from what the Go tool recorded.
var (
	version = ""
	commit  = ""
	date    = "" // of the commit, so that the same source makes the same program
)

// buildInfo says which program this is.
type buildInfo struct {
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
			b := readBuild()
			if c.output == "" {
				_, err := fmt.Fprintln(c.Out, b)
				return err
			}
			return printItem(c, b,
				column[buildInfo]{"VERSION", func(b buildInfo) string { return b.Version }},
				column[buildInfo]{"REVISION", func(b buildInfo) string { return text(b.Revision) }},
				column[buildInfo]{"TIME", func(b buildInfo) string { return text(b.Time) }},
				column[buildInfo]{"GO", func(b buildInfo) string { return b.Go }},
				column[buildInfo]{"PLATFORM", func(b buildInfo) string { return b.Platform }},
			)
		},
	}
}

// String is the line that "boardwatch version" prints.
func (b buildInfo) String() string {
	s := "boardwatch " + b.Version
	if revision := text(b.Revision); revision != "" {
		s += " (" + revision[:min(12, len(revision))] + ")"
	}
	return s + " " + b.Go + " " + b.Platform
}

// programVersion is the version alone, for user agents and status pages.
func programVersion() string { return readBuild().Version }

func readBuild() buildInfo {
	b := buildInfo{Version: version, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if ok {
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				b.Revision = optional(s.Value)
			case "vcs.time":
				b.Time = optional(s.Value)
			}
		}
	}
	b.Revision, b.Time = cmp.Or(optional(commit), b.Revision), cmp.Or(optional(date), b.Time)
	if b.Version == "" && ok && info.Main.Version != "(devel)" {
		b.Version = info.Main.Version
	}
	if b.Version == "" {
		b.Version = "0.0.0-dev"
	}
	return b
}
