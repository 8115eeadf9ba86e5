package boardwatch_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Another module can have an adapter and a deliverer of its own: the examples need nothing that is ours alone.
func TestExamplesCompileInAnotherModule(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("vets another module")
	}
	other := newModule(t)
	for _, example := range []string{"own-adapter", "embed", "watch-boards", "webhook-receiver", "poll-jobs"} {
		files, err := filepath.Glob(filepath.Join("examples", filepath.FromSlash(example), "*.go"))
		require.NoError(t, err)
		require.NotEmpty(t, files)
		for _, file := range files {
			source, err := os.ReadFile(file)
			require.NoError(t, err)
			moved := strings.ReplaceAll(string(source), module+"examples/", "northwind.example/")
			other.write(strings.TrimPrefix(filepath.ToSlash(file), "examples/"), moved)
		}
	}
	other.run("vet", "./...")
}

// Who imports the rules, takes webhooks, or asks over REST, gets nothing from anybody else.
func TestCoreReceiverAndClientBringNoModuleAlong(t *testing.T) {
	t.Parallel()
	other := newModule(t)
	other.write("main.go", `package main

import (
	"fmt"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/client"
	"github.com/boardwatch/boardwatch/boardwatch/receiver"
)

func main() { fmt.Println(boardwatch.NewID(), client.DefaultEvery, receiver.DefaultPrefix) }
`)
	modules := other.run("list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", ".")
	require.ElementsMatch(t, []string{"northwind.example", "github.com/boardwatch/boardwatch"}, unique(strings.Fields(modules)))
}

func unique(words []string) (out []string) {
	seen := map[string]bool{}
	for _, w := range words {
		if !seen[w] {
			out = append(out, w)
		}
		seen[w] = true
	}
	return out
}

// otherModule is a module of somebody else, which requires this one as it stands here.
type otherModule struct {
	t      *testing.T
	folder string
}

func newModule(t *testing.T) otherModule {
	t.Helper()
	root, err := filepath.Abs(".")
	require.NoError(t, err)
	m := otherModule{t, t.TempDir()}
	mod, err := os.ReadFile("go.mod")
	require.NoError(t, err)
	ours, versions, ok := strings.Cut(string(mod), "\n")
	require.True(t, ok)
	require.Equal(t, "module github.com/boardwatch/boardwatch", ours)
	m.write("go.mod", "module northwind.example\n"+versions+
		"\nreplace github.com/boardwatch/boardwatch => "+root+"\n\nrequire github.com/boardwatch/boardwatch v0.0.0\n")
	sums, err := os.ReadFile("go.sum")
	require.NoError(t, err)
	m.write("go.sum", string(sums))
	return m
}

func (m otherModule) write(name, text string) {
	m.t.Helper()
	file := filepath.Join(m.folder, filepath.FromSlash(name))
	require.NoError(m.t, os.MkdirAll(filepath.Dir(file), 0o700))
	require.NoError(m.t, os.WriteFile(file, []byte(text), 0o600))
}

// run runs the go command in the module and returns what it prints. The go.mod names every version, and -mod=readonly
// keeps the go command from looking any up: it reads the modules that the packages come from and no others, so this works
// with whatever `go vet ./...` has put into the module cache, and downloads what a fresh cache lacks.
func (m otherModule) run(args ...string) string {
	m.t.Helper()
	cmd := exec.CommandContext(m.t.Context(), "go", args...)
	cmd.Dir = m.folder
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=readonly", "GOWORK=off")
	var told strings.Builder
	cmd.Stderr = &told
	out, err := cmd.Output()
	require.NoError(m.t, err, told.String())
	return string(out)
}
