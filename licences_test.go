package boardwatch_test

import (
	"flag"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write what documents say of the code anew")

const (
	licencesBegin = "<!-- the table below is made by: go test . -run TestLicences -update -->\n"
	licencesEnd   = "<!-- end of the table -->\n"
)

// TestLicences holds docs/licences.md to what is really in the program, on every platform, and each licence to those that
// go with ours.
func TestLicences(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("lists the modules of three platforms")
	}
	modules := map[string]string{} // path and version to folder
	for _, platform := range []string{"linux", "darwin", "windows"} {
		cmd := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}\t{{.Dir}}{{end}}{{end}}", "./cmd/boardwatch")
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+platform)
		out, err := cmd.Output()
		require.NoError(t, err)
		for line := range strings.Lines(string(out)) {
			if name, dir, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
				modules[name] = dir
			}
		}
	}
	require.Greater(t, len(modules), 20)

	var b strings.Builder
	b.WriteString("\n| Module | Version | Licence |\n|---|---|---|\n")
	for _, name := range slices.Sorted(maps.Keys(modules)) {
		module, version, _ := strings.Cut(name, " ")
		licence := licenceOf(t, modules[name])
		require.NotEmpty(t, licence, "%s: its licence is none of those that go with Apache-2.0, or is not known here", name)
		b.WriteString("| [" + module + "](https://pkg.go.dev/" + module + "@" + version + "?tab=licenses) | " + version + " | " + licence + " |\n")
	}
	want := b.String() + "\n"

	page := filepath.Join("docs", "licences.md")
	raw, err := os.ReadFile(page)
	require.NoError(t, err)
	head, rest, ok := strings.Cut(string(raw), licencesBegin)
	require.True(t, ok)
	got, tail, ok := strings.Cut(rest, licencesEnd)
	require.True(t, ok)
	if *update {
		require.NoError(t, os.WriteFile(page, []byte(head+licencesBegin+want+licencesEnd+tail), 0o600))
		return
	}
	require.True(t, want == got, "%s is behind: run the test with -update", page) //nolint:testifylint // both are long
}

// licenceOf knows a licence by its own words, or answers nothing.
func licenceOf(t *testing.T, dir string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "LICEN[CS]E*"))
	require.NoError(t, err)
	slices.Sort(files) // LICENSE stands before LICENSE-3RD-PARTY
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			continue // a folder
		}
		text := strings.ToLower(strings.Join(strings.Fields(string(raw)), " "))
		has := func(phrase string) bool { return strings.Contains(text, phrase) }
		switch {
		case has("apache license") && has("version 2.0"):
			return "Apache-2.0"
		case has("permission is hereby granted, free of charge"):
			return "MIT"
		case has("permission to use, copy, modify, and/or distribute this software for any purpose"):
			return "ISC"
		case has("redistribution and use in source and binary forms") && (has("neither the name") || has("names of its contributors")):
			return "BSD-3-Clause"
		case has("redistribution and use in source and binary forms"):
			return "BSD-2-Clause"
		}
	}
	return ""
}
