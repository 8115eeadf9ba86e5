package ats_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/ats"
	"github.com/boardwatch/boardwatch/boardwatch"
)

// TestDocument holds docs/ats.md to what the adapters say about themselves; -update rewrites it.
func TestDocument(t *testing.T) {
	t.Parallel()
	path := filepath.Join("..", "docs", "ats.md")
	want := string(must(os.ReadFile(path)))
	want = replaceBetween(t, want, "systems", systems(ats.All()))
	want = replaceBetween(t, want, "facts", facts(t, ats.All()))
	want = replaceBetween(t, want, "named", strings.Join(ats.NamedVendors(), ", ")+".\n")
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(want), 0o600))
	}
	if want != string(must(os.ReadFile(path))) {
		t.Fatal("docs/ats.md is not what the adapters say: go test ./ats -run Document -update rewrites it")
	}
}

// TestReadme holds the number of systems in README.md to the adapters; -update rewrites it.
func TestReadme(t *testing.T) {
	t.Parallel()
	path := filepath.Join("..", "README.md")
	readme := string(must(os.ReadFile(path)))
	form := regexp.MustCompile(`\d+ hosted systems`)
	require.Len(t, form.FindAllString(readme, -1), 2, "README.md says twice how many systems there are")
	want := form.ReplaceAllLiteralString(readme, fmt.Sprintf("%d hosted systems", len(ats.All())))
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(want), 0o600))
		return
	}
	require.Equal(t, form.FindAllString(want, -1), form.FindAllString(readme, -1), "go test ./ats -run Readme -update rewrites it")
}

// replaceBetween replaces what stands between two comments of a document.
func replaceBetween(t *testing.T, document, mark, text string) string {
	t.Helper()
	begin, end := "<!-- "+mark+" -->\n", "<!-- /"+mark+" -->\n"
	before, rest, ok := strings.Cut(document, begin)
	require.True(t, ok, begin)
	_, after, ok := strings.Cut(rest, end)
	require.True(t, ok, end)
	return before + begin + text + end + after
}

func systems(adapters []ats.Adapter) string {
	var b strings.Builder
	count := make(map[ats.Evidence]int)
	for _, a := range adapters {
		if d, ok := a.(ats.Described); ok {
			count[d.About().Evidence]++
		}
	}
	fmt.Fprintf(&b, "%d systems: %d checked against recordings, %d described by several sources, %d by one.\n\n",
		len(adapters), count[ats.Recording], count[ats.Several], count[ats.Single])
	b.WriteString("| system | source | checked against | reads |\n|---|---|---|---|\n")
	for _, a := range adapters {
		if d, ok := a.(ats.Described); ok {
			about := d.About()
			fmt.Fprintf(&b, "| [%s](#%s) | `%s:` | %s | %s |\n", about.Name, a.Name(), a.Name(), evidence(about.Evidence), about.Reads)
		}
	}
	for _, a := range adapters {
		d, ok := a.(ats.Described)
		if !ok {
			continue
		}
		about := d.About()
		fmt.Fprintf(&b, "\n### %s\n\n%s, %s\n\n", a.Name(), about.Name, about.Site)
		for _, address := range about.Addresses {
			fmt.Fprintf(&b, "- `%s`\n", address)
		}
		fmt.Fprintf(&b, "\nThe list: `%s`\n", about.Endpoint)
		if p := about.Pace; p.Every > 0 {
			fmt.Fprintf(&b, "\nPace: a request every %s, %d at once. %s\n", p.Every, max(1, p.AtOnce), p.Source)
		}
	}
	return b.String()
}

// facts is a table of what the lists of systems hold besides, made from what their fixtures give.
func facts(t *testing.T, adapters []ats.Adapter) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("| system |")
	for _, f := range factNames {
		b.WriteString(" " + f + " |")
	}
	b.WriteString("\n|---" + strings.Repeat("|---", len(factNames)) + "|\n")
	for _, a := range adapters {
		var cases map[string]result
		require.NoError(t, json.Unmarshal(fixture(t, a.Name(), "want.json"), &cases))
		given := make(map[string]int)
		for _, c := range cases {
			for _, p := range c.Postings {
				countFacts(given, boardwatch.Posting(p))
			}
		}
		if len(given) == 0 {
			continue
		}
		b.WriteString("| " + a.Name() + " |")
		for _, f := range factNames {
			mark := " "
			if given[f] > 0 {
				mark = " yes "
			}
			b.WriteString(mark + "|")
		}
		b.WriteByte('\n')
	}
	return b.String()
}

var factNames = []string{"posted", "updated", "valid through", "mode", "type", "pay", "places", "requisition", "language", "text"}

// countFacts counts what a posting has of each.
func countFacts(counts map[string]int, p boardwatch.Posting) {
	f := p.Facts
	for i, has := range []bool{
		f.PostedAt != "", f.UpdatedAt != "", f.ValidThrough != "", f.Mode != "", f.Type != "", !f.Pay.IsZero(), len(f.Places) > 0, f.Requisition != "", f.Language != "", p.Text != "",
	} {
		if has {
			counts[factNames[i]]++
		}
	}
}

func evidence(e ats.Evidence) string {
	if e == ats.Single {
		return "one source: experimental"
	}
	return string(e)
}
