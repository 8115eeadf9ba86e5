package web

import (
	"bytes"
	"fmt"
	"html"
	"html/template"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/boardwatch/boardwatch/docs"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

// helpPath is the address of the documentation.
const helpPath = "/help"

// source is where files are that the documentation links to but the program does not contain.
const source = "https://github.com/boardwatch/boardwatch/blob/main/"

// help is the documentation: its pages by name and in the order of the index, and the sections for the search.
type help struct {
	pages    map[string]helpPage
	contents []listedPage
	sections []helpSection
}

// listedPage is a page in the list of all pages.
type listedPage struct {
	tab

	Group string // the heading above it in the index, if it is the first one there
}

// helpPage is a page of the documentation.
type helpPage struct {
	Title   string
	Content template.HTML
	Parts   []link       // its headings
	Pages   []listedPage // all pages
	Back    string       // the page that linked here
	Index   bool
	Query   string // the search words
	Results []helpResult
}

// documentation is the help of every app of the process: all have the same files.
//
//nolint:gochecknoglobals // a constant that is made when it is first needed
var documentation = sync.OnceValues(loadHelp)

// forDevelopers is the heading of the index below which pages are listed that the app does not show.
const forDevelopers = "\n## For developers"

//nolint:gochecknoglobals // a constant pattern
var indexed = lazyregexp.New(`\(([a-z-]+)\.md\)`)

// loadHelp renders the pages of the documentation for people who use the program: those that the index lists first.
func loadHelp() (help, error) {
	texts := map[string]string{}
	index, err := docs.Files.ReadFile("README.md")
	if err != nil {
		return help{}, fmt.Errorf("read documentation: %w", err)
	}
	texts["README"], _, _ = strings.Cut(string(index), forDevelopers)
	names, groups := []string{"README"}, map[string]string{}
	for part := range strings.SplitSeq(texts["README"], "\n## ") {
		group, _, _ := strings.Cut(part, "\n")
		for _, found := range indexed.FindAllStringSubmatch(part, -1) {
			content, err := docs.Files.ReadFile(found[1] + ".md")
			if err != nil {
				return help{}, fmt.Errorf("read documentation: %w", err)
			}
			names, texts[found[1]] = append(names, found[1]), string(content)
			groups[found[1]], group = group, ""
		}
	}
	markdown := goldmark.New(
		goldmark.WithExtensions(extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute))),
		goldmark.WithParserOptions(parser.WithAutoHeadingID(), parser.WithASTTransformers(util.Prioritized(helpLinks(texts), 100))),
	)
	h := help{pages: make(map[string]helpPage, len(names))}
	for _, name := range names {
		content := []byte(texts[name])
		tree := markdown.Parser().Parse(text.NewReader(content), parser.WithContext(parser.NewContext(parser.WithIDs(anchors{}))))
		var b bytes.Buffer
		if err := markdown.Renderer().Render(&b, content, tree); err != nil {
			return help{}, fmt.Errorf("make page of %s: %w", name, err)
		}
		title, _, _ := strings.Cut(strings.TrimPrefix(texts[name], "# "), "\n")
		page := helpPage{Title: title, Content: template.HTML(scrollable.Replace(b.String()))} //nolint:gosec // from our own files, without their HTML
		address := helpLinks(texts).address(name + ".md")
		sections := sectionsOf(tree, content, title, address)
		for _, s := range sections {
			if s.level == 2 {
				page.Parts = append(page.Parts, link{s.Heading, s.Address})
			}
		}
		h.pages[name] = page
		h.contents = append(h.contents, listedPage{tab{Name: title, Address: address}, groups[name]})
		h.sections = append(h.sections, sections...)
	}
	return h, nil
}

// scrollable makes wide tables and code scrollable by keyboard.
//
//nolint:gochecknoglobals // a constant; Go has no constant replacers
var scrollable = strings.NewReplacer("<pre>", `<pre tabindex="0">`, "<table>", `<div class="scroll" tabindex="0"><table>`, "</table>", "</table></div>")

// helpLinks rewrites links between pages to the app's addresses. It has the pages that the app shows, by name.
type helpLinks map[string]string

// Transform changes the tree of a page.
func (h helpLinks) Transform(page *ast.Document, _ text.Reader, _ parser.Context) {
	_ = ast.Walk(page, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // no visit fails
		if l, ok := n.(*ast.Link); ok && entering {
			l.Destination = []byte(h.address(string(l.Destination)))
		}
		return ast.WalkContinue, nil
	})
}

// address returns the address of a documentation link in the app.
func (h helpLinks) address(address string) string {
	path, fragment, _ := strings.Cut(address, "#")
	if fragment != "" {
		fragment = "#" + fragment
	}
	name, page := strings.CutSuffix(path, ".md")
	_, shown := h[name]
	switch {
	case path == "" || strings.Contains(path, ":"):
		return address
	case strings.HasPrefix(path, "../"):
		return source + strings.TrimPrefix(path, "../") + fragment
	case page && name == "README":
		return helpPath + fragment
	case page && shown:
		return helpPath + "/" + name + fragment
	default:
		return source + "docs/" + path + fragment
	}
}

// withAddress returns a text of the documentation with this instance's address in its examples.
func (a *App) withAddress(text template.HTML) template.HTML {
	own := html.EscapeString(strings.TrimSuffix(a.o.BaseURL.String(), "/"))
	examples := strings.NewReplacer("http://127.0.0.1:8080", own, "https://boards.example.com", own)
	return template.HTML(examples.Replace(string(text))) //nolint:gosec // the text is the documentation's, and the address is escaped
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
	p.Content = a.withAddress(p.Content)
	p.Query = strings.TrimSpace(r.URL.Query().Get("q"))
	p.Pages = slices.Clone(help.contents)
	for i := range p.Pages {
		p.Pages[i].Here = p.Pages[i].Address == r.URL.Path && p.Query == ""
	}
	if p.Query != "" {
		p.Title, p.Index, p.Results = "Search the documentation", false, help.search(p.Query)
	}
	return a.show(w, r, c, http.StatusOK, "help", view{Title: p.Title, Page: p})
}

// showReference shows the description of the REST interface to everybody.
func (a *App) showReference(w http.ResponseWriter, r *http.Request, c *caller) error {
	if a.o.Reference == "" {
		return a.nothing(w, r, c)
	}
	return a.show(w, r, c, http.StatusOK, "reference", view{Title: "REST interface", Page: a.o.Reference})
}
