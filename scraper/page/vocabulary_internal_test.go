package page

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
)

func TestTheFilesOfWordsHaveKnownSectionsOnly(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{
		"about a search", "actions", "advert part", "all are in", "all roles", "and", "announcement", "announces", "any number", "apply", "around a place", "asides", "away", "block",
		"broken list", "captcha", "careers at", "careers segment", "chosen", "closed", "closings", "code label", "consent", "contract", "contrast", "counter", "crew",
		"department", "department class", "department filler", "department label", "department label word", "details", "feminine", "feminine first", "filler", "filter set",
		"further", "further places", "gap", "gone", "gone unless", "idle", "idle word", "in", "in all", "inside a place", "invites", "job", "job adjective", "job class", "job noun",
		"job segment", "label filler", "lead", "limit", "load more", "loading more", "maintenance", "members", "missing", "next", "none", "not", "of", "of a range", "open", "openings", "or", "other roles",
		"page", "page of pages", "pages at page", "part end", "part shown", "pin class", "place class", "place label", "place label word", "place noun", "place unit",
		"relocated", "remote", "remote region", "results", "role", "role adjective", "role column", "role end", "role end wide", "role part", "role stem", "seeks", "several",
		"show all", "sign in", "site",
		"sold segment", "speaks to readers",
		"statement accept", "statement all", "statement applications", "statement complete", "statement filled", "statement hire", "statement jobs", "statement neutral", "statement no",
		"statement nothing", "statement open", "statement over", "statement people", "statement recruiting", "statement seek", "statement team", "statement whole",
		"terms of work", "title label", "to", "to careers", "to roles", "total", "unsolicited", "until", "vacancy",
		"vacant", "wide but no role", "work mode",
	}, slices.Sorted(maps.Keys(vocabulary())))
	for _, section := range []string{"role", "role stem", "role end", "department", "idle word", "label filler", "place label word", "around a place", "next", "further", "load more", "page", "of"} {
		for _, text := range vocabulary()[section] {
			require.Equal(t, Fold(text), text, "words are compared in folded form")
		}
	}
}

// Words of other scripts than the Latin one are easily seen, so they stand for all words: they belong into words/.
func TestWordsOfLanguagesAreData(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			if text, ok := n.(*ast.BasicLit); ok && text.Kind == token.STRING {
				require.False(t, strings.ContainsFunc(text.Value, isForeign), "%s: %s", name, text.Value)
			}
			return true
		})
	}
}

func isForeign(r rune) bool { return unicode.IsLetter(r) && !unicode.Is(unicode.Latin, r) }
