package boardwatch_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNoCodeComparesASentence looks for code that compares, trims or searches the reason of a reading.
func TestNoCodeComparesASentence(t *testing.T) {
	t.Parallel()
	for _, file := range sources(t, []string{"boardwatch", "ats", "scraper", "storage", "transport", "cmd"}) {
		set := token.NewFileSet()
		tree, err := parser.ParseFile(set, file, nil, 0)
		require.NoError(t, err)
		ast.Inspect(tree, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BinaryExpr:
				if n.Op != token.EQL && n.Op != token.NEQ {
					return true
				}
				for _, sides := range [][2]ast.Expr{{n.X, n.Y}, {n.Y, n.X}} {
					lit, empty := sides[1].(*ast.BasicLit)
					empty = empty && lit.Value == `""` || nameOf(sides[1]) == "nil"
					require.False(t, isReason(sides[0]) && !empty, "%s compares a sentence: go by its cause", set.Position(n.Pos()))
				}
			case *ast.SwitchStmt:
				require.False(t, isReason(n.Tag), "%s switches on a sentence: go by its cause", set.Position(n.Pos()))
			case *ast.CallExpr:
				f, ok := n.Fun.(*ast.SelectorExpr)
				if !ok || !searches(f) {
					return true
				}
				require.False(t, slices.ContainsFunc(n.Args, isReason), "%s searches a sentence: go by its cause", set.Position(n.Pos()))
			}
			return true
		})
	}
}

func isReason(e ast.Expr) bool {
	s, ok := e.(*ast.SelectorExpr)
	if !ok || s.Sel.Name != "Reason" {
		return false
	}
	x, ok := s.X.(*ast.Ident)
	return !ok || x.Name != "e" // e.Reason is of certificates and of SMTP
}

func searches(f *ast.SelectorExpr) bool {
	x, ok := f.X.(*ast.Ident)
	return ok && (x.Name == "strings" && f.Sel.Name != "TrimSpace" || x.Name == "regexp") || f.Sel.Name == "MatchString"
}

// sources are the Go files of the folders that are no tests.
func sources(t *testing.T, folders []string) []string {
	t.Helper()
	var files []string
	for _, folder := range folders {
		require.NoError(t, filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
			if strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") && !slices.Contains(files, path) {
				files = append(files, path)
			}
			return err
		}))
	}
	return files
}

func nameOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.StarExpr:
		return nameOf(e.X)
	case *ast.UnaryExpr:
		return nameOf(e.X)
	}
	return ""
}
