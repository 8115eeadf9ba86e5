package boardwatch_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
)

// pages are all documents with their text.
func pages(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for _, file := range documents(t) {
		raw, err := os.ReadFile(file)
		require.NoError(t, err)
		texts[file] = string(raw)
	}
	return texts
}

// TestDocumentsPointAtHeadingsThatAreThere follows links to a heading, of the same document or of another.
func TestDocumentsPointAtHeadingsThatAreThere(t *testing.T) {
	t.Parallel()
	texts, link := pages(t), regexp.MustCompile(`\]\(([^)#\s]*)#([^)\s]+)\)`)
	for page, text := range texts {
		for _, m := range link.FindAllStringSubmatch(withoutCode(text), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			at := page
			if m[1] != "" {
				at = filepath.Join(filepath.Dir(page), filepath.FromSlash(m[1]))
			}
			require.Contains(t, headings(texts[at]), m[2], "%s leads to %s#%s", page, m[1], m[2])
		}
	}
}

// TestEveryDocumentIsInTheIndex holds docs/README.md complete.
func TestEveryDocumentIsInTheIndex(t *testing.T) {
	t.Parallel()
	texts := pages(t)
	for page := range texts {
		if dir, name := filepath.Split(page); dir == "docs/" && name != "README.md" {
			require.Contains(t, texts["docs/README.md"], "("+name+")", page)
		}
	}
}

// TestThreatsAreTested holds docs/security.md to the tests that it names, and the fuzz targets to docs/security.md.
func TestThreatsAreTested(t *testing.T) {
	t.Parallel()
	page := pages(t)["docs/security.md"]
	named := regexp.MustCompile("`((?:[a-z/]+\\.)?(?:Test|Fuzz)[A-Za-z0-9_]+)`").FindAllStringSubmatch(page, -1)
	require.Greater(t, len(named), 60)
	known := testsByFolder(t)
	for _, n := range named {
		require.True(t, known[n[1]], "docs/security.md names %s, which is not there", n[1])
	}
	for name := range known {
		if strings.Contains(name, ".Fuzz") && !elsewhere(name) {
			require.Contains(t, page, "`"+name+"`", "a fuzz target that the threat model does not know")
		}
	}
}

// elsewhere says that a fuzz target is listed with its package (pages and hosted systems have many), or is about what no
// stranger wrote.
func elsewhere(name string) bool {
	return strings.HasPrefix(name, "scraper.") || strings.HasPrefix(name, "scraper/page.") || strings.HasPrefix(name, "ats.") ||
		name == "storage.FuzzFold"
}

// testsByFolder are the names of all tests and fuzz targets, each after its folder; those of the root have none.
func testsByFolder(t *testing.T) map[string]bool {
	t.Helper()
	known := map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)[A-Za-z0-9_]+)\(`)
	err := filepath.WalkDir(".", func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		folder := filepath.ToSlash(filepath.Dir(path)) + "."
		if folder == ".." {
			folder = ""
		}
		for _, m := range declared.FindAllStringSubmatch(string(raw), -1) {
			known[folder+m[1]] = true
		}
		return nil
	})
	require.NoError(t, err)
	return known
}

// withoutCode leaves out what is shown as code, where brackets are no links.
func withoutCode(text string) string {
	text = regexp.MustCompile("(?ms)^```.*?^```").ReplaceAllString(text, "")
	return regexp.MustCompile("`[^`\n]*`").ReplaceAllString(text, "")
}

// headings are the anchors of a document's headings, as forges make them.
func headings(text string) []string {
	var anchors []string
	text = regexp.MustCompile("(?ms)^```.*?^```").ReplaceAllString(text, "")
	for _, m := range regexp.MustCompile(`(?m)^#+ +(.+)$`).FindAllStringSubmatch(text, -1) {
		title := regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`).ReplaceAllString(m[1], "$1")
		anchors = append(anchors, strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
				return unicode.ToLower(r)
			default:
				return -1
			}
		}, title))
	}
	return anchors
}

// Every error code is explained where programs are told of it, and in the description that is served.
func TestErrorCodesAreExplained(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile(filepath.Join("boardwatch", "errors.go"))
	require.NoError(t, err)
	described, err := os.ReadFile(filepath.Join("transport", "rest", "openapi.json"))
	require.NoError(t, err)
	codes := regexp.MustCompile(`Code = "([a-z_]+)"`).FindAllStringSubmatch(string(source), -1)
	require.Len(t, codes, 8, "the published interface knows eight")
	rest := pages(t)["docs/rest.md"]
	for _, c := range codes {
		require.Regexp(t, `(?m)^\|.*`+"`"+c[1]+"`", rest, "docs/rest.md")
		require.Contains(t, string(described), `"`+c[1]+`"`)
	}
}

// TestEveryDecisionIsInTheIndexOnce holds the index of docs/decisions.md: a row for each area, a link for each decision.
func TestEveryDecisionIsInTheIndexOnce(t *testing.T) {
	t.Parallel()
	page := pages(t)["docs/decisions.md"]
	want := headings(strings.Join(regexp.MustCompile(`(?m)^### .+$`).FindAllString(page, -1), "\n"))
	areas := headings(strings.Join(regexp.MustCompile(`(?m)^## .+$`).FindAllString(page, -1), "\n"))
	var linked, rows []string
	for _, row := range regexp.MustCompile(`(?m)^\| \[[^\]]+\]\(#([^)]*)\) \|(.*)$`).FindAllStringSubmatch(page, -1) {
		rows = append(rows, row[1])
		for _, link := range regexp.MustCompile(`\]\(#([^)]+)\)`).FindAllStringSubmatch(row[2], -1) {
			linked = append(linked, link[1])
		}
	}
	require.Equal(t, areas, rows)
	require.Equal(t, want, linked)
}
