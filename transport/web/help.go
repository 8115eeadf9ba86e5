package web

import (
	"bytes"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"strings"
	"sync"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/boardwatch/boardwatch/docs"
)

// helpPath is the address of the documentation.
const helpPath = "/help"

// source is where files are that the documentation links to but the program does not contain.
const source = "https://github.com/boardwatch/boardwatch/blob/main/"

// help is the documentation: its pages by name, and the sections for the search.
type help struct {
	pages    map[string]helpPage
	sections []helpSection
}

// helpPage is a page of the documentation.
type helpPage struct {
	Title   string
	Content template.HTML
	Back    string // the page that linked here
	Index   bool
	Query   string // the search words
	Results []helpResult
}

// documentation is the help of every app of the process: all have the same files.
//
//nolint:gochecknoglobals // a constant that is made when it is first needed
var documentation = sync.OnceValues(loadHelp)

// loadHelp renders every page of the documentation.
func loadHelp() (help, error) {
	files, err := fs.Glob(docs.Files, "*.md")
	if err != nil {
		return help{}, fmt.Errorf("list documentation: %w", err)
	}
	markdown := goldmark.New(
		goldmark.WithExtensions(extension.Table),
		goldmark.WithParserOptions(parser.WithAutoHeadingID(), parser.WithASTTransformers(util.Prioritized(helpLinks{}, 100))),
	)
	h := help{pages: make(map[string]helpPage, len(files))}
	for _, file := range files {
		content, err := docs.Files.ReadFile(file)
		if err != nil {
			return help{}, fmt.Errorf("read documentation: %w", err)
		}
		tree := markdown.Parser().Parse(text.NewReader(content), parser.WithContext(parser.NewContext(parser.WithIDs(anchors{}))))
		var b bytes.Buffer
		if err := markdown.Renderer().Render(&b, content, tree); err != nil {
			return help{}, fmt.Errorf("make page of %s: %w", file, err)
		}
		name := strings.TrimSuffix(file, ".md")
		title, _, _ := strings.Cut(strings.TrimPrefix(string(content), "# "), "\n")
		h.pages[name] = helpPage{Title: title, Content: template.HTML(scrollable.Replace(b.String()))} //nolint:gosec // from our own files, without their HTML
		h.sections = append(h.sections, sectionsOf(tree, content, title, helpAddress(file))...)
	}
	return h, nil
}

// scrollable makes wide tables and code scrollable by keyboard.
//
//nolint:gochecknoglobals // a constant; Go has no constant replacers
var scrollable = strings.NewReplacer("<pre>", `<pre tabindex="0">`, "<table>", `<div class="scroll" tabindex="0"><table>`, "</table>", "</table></div>")

// helpLinks rewrites links between pages to the app's addresses.
type helpLinks struct{}

// Transform changes the tree of a page.
func (helpLinks) Transform(page *ast.Document, _ text.Reader, _ parser.Context) {
	_ = ast.Walk(page, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // no visit fails
		if l, ok := n.(*ast.Link); ok && entering {
			l.Destination = []byte(helpAddress(string(l.Destination)))
		}
		return ast.WalkContinue, nil
	})
}

// helpAddress returns the address of a documentation link in the app.
func helpAddress(address string) string {
	path, fragment, _ := strings.Cut(address, "#")
	if fragment != "" {
		fragment = "#" + fragment
	}
	switch name, page := strings.CutSuffix(path, ".md"); {
	case path == "" || strings.Contains(path, ":"):
		return address
	case strings.HasPrefix(path, "../"):
		return source + strings.TrimPrefix(path, "../") + fragment
	case page && name == "README":
		return helpPath + fragment
	case page && !strings.Contains(name, "/"):
		return helpPath + "/" + name + fragment
	default:
		return source + "docs/" + path + fragment
	}
}

// showHelp shows a page of the documentation, or the results of a search, to everybody.
func (a *App) showHelp(w http.ResponseWriter, r *http.Request, c *caller) error {
	name := r.PathValue("page")
	if name == "" {
		name = "README"
	}
	help, err := documentation()
	if err != nil {
		return err
	}
	p, ok := help.pages[name]
	if !ok {
		return a.nothing(w, r, c)
	}
	p.Index = name == "README"
	p.Back = localPath(r.URL.Query().Get("back"), "/")
	if p.Query = strings.TrimSpace(r.URL.Query().Get("q")); p.Query != "" {
		p.Title, p.Index, p.Results = "Search the documentation", false, help.search(p.Query)
	}
	return a.show(w, r, c, http.StatusOK, "help", view{Title: p.Title, Page: p})
}
