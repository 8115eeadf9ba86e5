package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	main "github.com/boardwatch/boardwatch/cmd/boardwatch"
)

const (
	commandsBegin = "<!-- what follows is made by: go test ./cmd/boardwatch -run TestCommandDocument -update -->\n"
	commandsEnd   = "<!-- end of the commands -->\n"
)

func TestCommandDocument(t *testing.T) {
	t.Parallel()
	replaceInDocument(t, filepath.Join("..", "..", "docs", "cli.md"), commandsBegin, commandsEnd, commandReference())
}

func TestOwnAdapterDocument(t *testing.T) {
	t.Parallel()
	replaceInDocument(t, filepath.Join("..", "..", "docs", "adding-an-ats.md"),
		"<!-- what follows is made by: go test ./cmd/boardwatch -run TestOwnAdapterDocument -update -->\n", "<!-- end of the adapter -->\n",
		"\n```go\n"+excerpt(t, "ats/ats.go", "// Adapter reads", "\n// Namer is")+"```\n\n"+
			"A whole one, from [examples/own-adapter](../examples/own-adapter):\n\n"+
			"```go\n"+excerpt(t, "examples/own-adapter/northwind.go", "package main", "")+"```\n\n"+
			"It is given to the scraper beside those of `ats.All()`; the first that knows an address has it:\n\n"+
			"```go\n"+excerpt(t, "examples/own-adapter/main.go", "// newReader knows", "\n// read prints")+"```\n\n")
}

// excerpt is the part of a source file from one text up to another, or to its end.
func excerpt(t *testing.T, name, from, to string) string {
	t.Helper()
	source, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(name)))
	require.NoError(t, err)
	_, part, ok := strings.Cut(string(source), from)
	require.True(t, ok, "%s does not begin anywhere in %s", from, name)
	if to == "" {
		return from + part
	}
	part, _, ok = strings.Cut(part, to)
	require.True(t, ok, "%s does not end in %s", from, name)
	return from + part
}

func commandReference() string {
	var b strings.Builder
	for _, doc := range main.CommandDocs() {
		b.WriteString("\n### " + doc.Path + "\n\n```text\n" + doc.Use + "\n")
		if len(doc.Aliases) > 0 {
			b.WriteString("also: " + strings.Join(doc.Aliases, ", ") + "\n")
		}
		b.WriteString("\n" + strings.TrimSpace(doc.Long) + "\n```\n")
		if len(doc.Flags) > 0 {
			b.WriteString("\n| Flag | Meaning |\n|---|---|\n")
		}
		for _, f := range doc.Flags {
			b.WriteString("| `" + f.Name + "` | " + strings.ReplaceAll(f.Usage, "|", `\|`) + " |\n")
		}
	}
	return b.String() + "\n"
}

// replaceInDocument holds the part of a document between two marks equal to what the program says of itself.
func replaceInDocument(t *testing.T, name, begin, end, want string) {
	t.Helper()
	raw, err := os.ReadFile(name)
	require.NoError(t, err)
	head, rest, ok := strings.Cut(string(raw), begin)
	require.True(t, ok, "the document has no place for it")
	got, tail, ok := strings.Cut(rest, end)
	require.True(t, ok, "its place has no end")
	if *update {
		require.NoError(t, os.WriteFile(name, []byte(head+begin+want+end+tail), 0o600))
		return
	}
	require.True(t, want == got, "%s is behind: run the test with -update", filepath.Base(name)) //nolint:testifylint // both are long
}
