package web

import (
	"bytes"
	"context"
	"html/template"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

// factRow is a fact that the source states.
type factRow struct{ Name, Text string }

// factRows lists the facts for people.
func factRows(f boardwatch.Facts) []factRow {
	rows := []factRow{
		{"Work", string(f.Mode)},
		{"Employment", f.TypeWords()},
		{"Pay", f.Pay.String()},
		{"Places", f.PlacesText()},
		{"Posted", dayText(f.PostedAt)},
		{"Apply until", dayText(f.ValidThrough)},
		{"Reference", f.Requisition},
		{"Language", f.Language},
	}
	return slices.DeleteFunc(rows, func(r factRow) bool { return r.Text == "" })
}

// dayText returns the day of a moment that a source states.
func dayText(s boardwatch.Stated) string {
	day, _, _ := strings.Cut(string(s), "T")
	return day
}

// evidence says what our own record tells about the age of a role, in sentences.
func evidence(events []boardwatch.RoleEvent, j boardwatch.Job, now time.Time) (sentences []string) {
	since, changed, reopened := j.FirstSeenAt, j.FirstSeenAt, 0
	for _, e := range events {
		switch e.Kind {
		case boardwatch.ChangeReopened:
			reopened++
			since, changed = e.At, e.At
		case boardwatch.ChangeUpdated:
			changed = e.At
		default:
		}
	}
	days := func(from, to time.Time) string {
		n := int(to.Sub(from).Hours() / 24)
		if n == 0 {
			return "less than a day"
		}
		return number(n) + " " + noun(n, "day", "days")
	}
	if j.Status == boardwatch.JobClosed {
		sentences = append(sentences, "It was open for "+days(since, j.ClosedAt)+".")
	} else {
		text := "It has been open for " + days(since, now)
		if changed.After(since) {
			text += " and unchanged for " + days(changed, now)
		}
		sentences = append(sentences, text+".")
	}
	if reopened > 0 {
		sentences = append(sentences, "It opened again "+number(reopened)+" "+noun(reopened, "time", "times")+".")
	}
	return sentences
}

// mostDiffs is how many changes of a text are shown: the last ones.
const mostDiffs = 10

// postingOf fills in what the source states about a role, and how that has changed.
func (a *App) postingOf(ctx context.Context, p *rolePage, j boardwatch.Job, events []boardwatch.RoleEvent) error {
	p.Facts, p.Evidence = factRows(j.Facts), evidence(events, j, a.o.Now())
	var err error
	if p.Earlier, p.EarlierClosed, err = a.s.Tracker.EarlierPosting(ctx, j); err != nil {
		return err
	}
	var hashes []string
	textOf := func(e boardwatch.RoleEvent) (change boardwatch.FieldChange, ok bool) {
		i := slices.IndexFunc(e.Changes, func(f boardwatch.FieldChange) bool { return f.Field == boardwatch.FieldText })
		if i < 0 {
			return change, false
		}
		return e.Changes[i], true
	}
	var changed []int
	for i, e := range events {
		if f, ok := textOf(e); ok {
			changed, hashes = append(changed, i), append(hashes, f.From, f.To)
		}
	}
	changed = changed[max(0, len(changed)-mostDiffs):]
	texts, err := a.s.Tracker.Texts(ctx, append(hashes[max(0, len(hashes)-2*mostDiffs):], j.TextHash)...)
	if err != nil {
		return err
	}
	p.Posting = postingHTML(texts[j.TextHash])
	for _, i := range changed {
		f, _ := textOf(events[i])
		row := &p.Events[len(events)-1-i]
		if texts[f.From] != "" && texts[f.To] != "" {
			row.Diff = track.DiffText(texts[f.From], texts[f.To])
		}
	}
	return nil
}

// postingMarkdown reads the texts of roles. Their HTML is left out, and so are links to anything but pages and mailboxes.
//
//nolint:gochecknoglobals // made once, and never changed
var postingMarkdown = goldmark.New(goldmark.WithParserOptions(parser.WithASTTransformers(util.Prioritized(postingLinks{}, 100))))

// mostNested is how deep lists and quotations of a text may be; a deeper one is shown as it is written.
const mostNested = 12

// postingHTML returns the text of a role as HTML.
func postingHTML(markdown string) template.HTML {
	if markdown == "" {
		return ""
	}
	for line := range strings.Lines(markdown) {
		if len(line)-len(strings.TrimLeft(line, " >-*+#0123456789.)")) > 4*mostNested || strings.Count(line, "[")+strings.Count(line, "*")+strings.Count(line, "_")+
			strings.Count(line, "`")+strings.Count(line, "<") > 400 {
			return template.HTML("<pre>" + template.HTMLEscapeString(markdown) + "</pre>") //nolint:gosec // escaped
		}
	}
	var b bytes.Buffer
	if err := postingMarkdown.Convert([]byte(markdown), &b); err != nil {
		return template.HTML("<pre>" + template.HTMLEscapeString(markdown) + "</pre>") //nolint:gosec // escaped
	}
	return template.HTML(b.String()) //nolint:gosec // everything is escaped, and HTML is left out
}

// postingLinks makes the links of a text harmless, puts its headings below those of the page, and leaves out images.
type postingLinks struct{}

// Transform changes the tree of a text.
func (postingLinks) Transform(page *ast.Document, r text.Reader, _ parser.Context) {
	instead := make(map[ast.Node]string) // what stands for images and for links that lead nowhere

	_ = ast.Walk(page, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // no visit fails
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			n.Level = min(6, n.Level+2)
		case *ast.Link:
			if u, err := url.Parse(string(n.Destination)); err != nil || webAddress(string(n.Destination)) == "" && u.Scheme != "mailto" {
				n.Destination = nil
			}
			n.Title = nil // nobody sees it
			n.SetAttributeString("rel", []byte("nofollow noopener noreferrer"))
		case *ast.AutoLink:
			if n.AutoLinkType == ast.AutoLinkURL && webAddress(string(n.URL(r.Source()))) == "" {
				instead[n] = string(n.Label(r.Source()))
			}
			n.SetAttributeString("rel", []byte("nofollow noopener noreferrer"))
		case *ast.Image:
			instead[n] = ""
		}
		return ast.WalkContinue, nil
	})
	for n, text := range instead {
		n.Parent().ReplaceChild(n.Parent(), n, ast.NewString([]byte(text)))
	}
}
