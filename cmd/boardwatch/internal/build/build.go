// Package build says which program this is: what the build was told, and what the Go tool recorded.
package build

import (
	"cmp"
	"runtime"
	"runtime/debug"
)

// What a build says of itself: -ldflags "-X …/internal/build.version=1.2.3 -X …/internal/build.commit=…
// -X …/internal/build.date=2026-11-20T09:00:00Z". What it leaves out is taken from what the Go tool recorded.
var (
	version = ""
	commit  = ""
	date    = "" // of the commit, so that the same source makes the same program
)

// Info says which program this is.
type Info struct {
	Version  string
	Revision string // empty when the build did not say
	Time     string // of the revision
	Go       string
	Platform string
}

// String is the line that "boardwatch version" prints.
func (b Info) String() string {
	s := "boardwatch " + b.Version
	if b.Revision != "" {
		s += " (" + b.Revision[:min(12, len(b.Revision))] + ")"
	}
	return s + " " + b.Go + " " + b.Platform
}

// Version is the version alone, for user agents and status pages.
func Version() string { return Read().Version }

// Read collects what is known of this program.
func Read() Info {
	b := Info{Version: version, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if ok {
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				b.Revision = s.Value
			case "vcs.time":
				b.Time = s.Value
			}
		}
	}
	b.Revision, b.Time = cmp.Or(commit, b.Revision), cmp.Or(date, b.Time)
	if b.Version == "" && ok && info.Main.Version != "(devel)" {
		b.Version = info.Main.Version
	}
	if b.Version == "" {
		b.Version = "0.0.0-dev"
	}
	return b
}
