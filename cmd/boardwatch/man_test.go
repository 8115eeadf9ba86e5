package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	main "github.com/boardwatch/boardwatch/cmd/boardwatch"
)

func TestManualPages(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "man1")
	out := main.Line{Args: []string{"man", dir}}.Run(t.Context())
	require.Zero(t, out.Code, out.Err)

	for _, doc := range main.CommandDocs() {
		page, err := os.ReadFile(filepath.Join(dir, strings.ReplaceAll(doc.Path, " ", "-")+".1"))
		require.NoError(t, err)
		text := string(page)
		require.True(t, strings.HasPrefix(text, ".TH "), doc.Path)
		for _, f := range doc.Flags {
			for word := range strings.FieldsSeq(f.Name) {
				require.Contains(t, text, strings.ReplaceAll(strings.Trim(word, ","), "-", `\-`), doc.Path)
			}
		}
		require.NotContains(t, text, "\n'", "%s: a line that man would take for a command", doc.Path)
	}
	serve, err := os.ReadFile(filepath.Join(dir, "boardwatch-serve.1"))
	require.NoError(t, err)
	require.Contains(t, string(serve), ".nf\nboardwatch serve\nboardwatch serve \\-\\-demo\n", "examples stand as they were written")
	require.Contains(t, string(serve), ".BR boardwatch (1)")
}

func TestManualPagesAreUnderstood(t *testing.T) {
	t.Parallel()
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Skip("groff is not installed")
	}
	dir := t.TempDir()
	require.Zero(t, main.Line{Args: []string{"man", dir}}.Run(t.Context()).Code)
	pages, err := filepath.Glob(filepath.Join(dir, "*.1"))
	require.NoError(t, err)
	require.NotEmpty(t, pages)
	for _, page := range pages {
		out, err := exec.CommandContext(t.Context(), groff, "-man", "-Tutf8", "-ww", "-z", page).CombinedOutput()
		require.NoError(t, err, page)
		require.Empty(t, string(out), page)
	}
}

func TestManualPagesNeedADirectory(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	out := main.Line{Args: []string{"man", file}}.Run(t.Context())
	require.Equal(t, 1, out.Code)
	require.Contains(t, out.Err, "make the directory")
}
