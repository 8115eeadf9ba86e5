//go:build long

package boardwatch_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The packages whose sentences say why something was not read.
var speakers = []string{"boardwatch", "boardwatch/watch", "transport/outbound", "ats", "scraper"}

// TestBehaviourDoesNotDependOnSentences rewords every sentence that says why a board was not read, and finds that all pages
// are read as before. Code goes by causes; a sentence may be reworded at any time.
func TestBehaviourDoesNotDependOnSentences(t *testing.T) {
	t.Parallel()
	overlay := struct{ Replace map[string]string }{make(map[string]string)}
	reworded := 0
	for _, file := range sources(t, speakers) {
		text, n := reword(t, file)
		if n == 0 {
			continue
		}
		reworded += n
		path, err := filepath.Abs(file)
		require.NoError(t, err)
		overlay.Replace[path] = filepath.Join(t.TempDir(), "source.go")
		require.NoError(t, os.WriteFile(overlay.Replace[path], text, 0o600))
	}
	require.Greater(t, reworded, 200, "the sentences were found")
	encoded, err := json.Marshal(overlay)
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "overlay.json")
	require.NoError(t, os.WriteFile(file, encoded, 0o600))
	out, err := exec.CommandContext(t.Context(), "go", "test", "-vet=off", "-overlay", file, "./scraper",
		"-run", "^TestReadPage$", "-args", "-reworded").CombinedOutput()
	require.NoError(t, err, string(out))
}

// reword is the text of a source file with its sentences reworded, and how many they are.
func reword(t *testing.T, file string) ([]byte, int) {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, file, text, 0)
	require.NoError(t, err)
	found := make(map[int]*ast.BasicLit)
	take := func(nodes ...ast.Node) {
		for _, n := range nodes {
			ast.Inspect(n, func(n ast.Node) bool {
				if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING && strings.Contains(lit.Value, " ") {
					found[set.Position(lit.Pos()).Offset] = lit
				}
				return true
			})
		}
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if slices.Contains([]string{"Failed", "didf", "noBoard", "partial", "lacks", "PageUnread"}, nameOf(n.Fun)) {
				for _, arg := range n.Args {
					take(arg)
				}
			}
		case *ast.CompositeLit:
			if slices.Contains([]string{"Trouble", "systemError"}, nameOf(n.Type)) {
				take(n)
			}
		case *ast.KeyValueExpr:
			if key, ok := n.Key.(*ast.Ident); ok && slices.Contains([]string{"Reason", "Message"}, key.Name) {
				take(n.Value)
			}
		case *ast.AssignStmt:
			if slices.ContainsFunc(n.Lhs, func(e ast.Expr) bool { return slices.Contains([]string{"Reason", "did", "wants"}, nameOf(e)) }) {
				for _, value := range n.Rhs {
					take(value)
				}
			}
		}
		return true
	})
	out := slices.Clone(text)
	for at, lit := range found {
		copy(out[at:], otherwise(lit.Value)) // as long as before
	}
	_, err = parser.ParseFile(set, file, out, 0)
	require.NoError(t, err)
	return out, len(found)
}

// otherwise is a literal with other letters, but for the verbs of formats and what is escaped.
func otherwise(literal string) string {
	if value, err := strconv.Unquote(literal); err != nil || strings.Contains(value, "<") {
		return literal
	}
	out := []byte(literal)
	for i := 0; i < len(out); i++ {
		switch c := out[i]; {
		case c == '%' || c == '\\':
			i++
		case c >= 'a' && c <= 'z':
			out[i] = 'a' + (c-'a'+13)%26
		}
	}
	return string(out)
}
