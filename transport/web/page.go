package web

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"path"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

//go:embed templates
var templateFiles embed.FS

// baseTemplate and partTemplate are used by every page.
const (
	baseTemplate = "templates/base.html"
	partTemplate = "templates/parts.html"
)

// view is the data for everything around a page's own content.
type view struct {
	Title   string
	Section string // the entry of the navigation that the page belongs to
	Narrow  bool   // a single column, for forms
	Still   bool   // the answer to a form, which cannot be asked for again

	Account     *viewer // nil before sign-in
	News        news
	Theme       string // "light", "dark", or empty for the system's
	NoShortcuts bool
	Here        string // the path to return to
	Version     string
	Feed        *link // the Atom feed of what the page shows
	Flash       *flash
	FlashLink   *link  // the subject of the flash
	Undo        *undo  // takes back what the flash tells
	Contact     link   // the operator
	Secure      string // where to open the app instead, if the page was opened in a way that keeps nobody signed in
	Reload      bool   // a browser without scripts loads the page again after a few seconds

	Page any // the page's own content
}

// entry is a link in the header of every page.
type entry struct {
	link

	News int // how much is new there
}

// Nav lists the links in the header of every page.
func (v view) Nav() []entry {
	entries := []entry{
		{link{"Boards", "/boards"}, 0},
		{link{"Roles", "/roles"}, v.News.Roles},
		{link{"Changes", "/changes"}, v.News.Changes},
		{link{"Compare", "/compare"}, 0},
		{link{"Settings", "/settings"}, 0},
	}
	if v.Account.Admin {
		entries = append(entries, entry{link{"Operator", "/admin"}, 0})
	}
	return entries
}

// OtherTheme is the theme that the theme button switches to without JavaScript, when the system's theme is unknown.
func (v view) OtherTheme() string {
	if v.Theme == "dark" {
		return "light"
	}
	return "dark"
}

// viewer is the person who sees the page.
type viewer struct {
	Email string
	Plan  account.PlanName
	Admin bool
}

// PlanName returns the plan's name with a capital.
func (v viewer) PlanName() string { return capital(string(v.Plan)) }

// Initial returns the first letter of the address.
func (v viewer) Initial() string {
	first, _ := utf8.DecodeRuneInString(v.Email)
	return string(unicode.ToUpper(first))
}

type link struct{ Name, Address string }

// contactOf links to the operator, as far as the settings say how to reach them.
func contactOf(contact string) link {
	switch {
	case contact == "":
		return link{Name: "the operator"}
	case strings.Contains(contact, "://"):
		return link{"the operator", contact}
	default:
		return link{contact, "mailto:" + contact}
	}
}

// flash is a sentence about what has just happened.
type flash struct{ Kind, Text string }

// chip shows a state in one or two words. Kind is its style: ok, warn, bad, busy, or empty.
type chip struct{ Kind, Text string }

// pager links to the previous and the next page.
type pager struct {
	Before, After, Text string
	Undated             bool // the list is not ordered by time
}

// pages maps file names to templates.
type pages struct {
	byName map[string]*page
}

// page is the template of a page. Times depend on the viewer's time zone, which cannot be passed to the functions of a
// template. So each rendering uses its own copy of the template, and copies are reused.
type page struct {
	original func() (*template.Template, error) // read when first needed, and never executed: it could not be copied afterwards
	now      func() time.Time
	idle     chan *pageCopy
}

type pageCopy struct {
	template *template.Template
	zone     *time.Location // of the page being rendered
}

// idlePages is how many copies of a page are kept for reuse.
const idlePages = 8

func loadPages(a *assets, now func() time.Time) (*pages, error) {
	funcs := template.FuncMap{
		"asset":   a.address,
		"number":  number,
		"noun":    noun,
		"count":   count,
		"heads":   heads,
		"capital": func(s any) string { return capital(fmt.Sprint(s)) },

		"describe": describe,
		"faultsAt": faults.of,
	}
	maps.Copy(funcs, (&pageCopy{}).functions(now))
	base, err := template.New("base").Funcs(funcs).ParseFS(templateFiles, baseTemplate, partTemplate)
	if err != nil {
		return nil, fmt.Errorf("read page templates: %w", err)
	}
	entries, err := templateFiles.ReadDir("templates")
	if err != nil {
		return nil, fmt.Errorf("list page templates: %w", err)
	}
	p := &pages{byName: map[string]*page{}}
	for _, entry := range entries {
		file := path.Join("templates", entry.Name())
		if file == baseTemplate || file == partTemplate {
			continue
		}
		files := []string{file}
		if strings.HasPrefix(entry.Name(), "settings-") {
			files = []string{"templates/settings.html", file}
		}
		original := sync.OnceValues(func() (*template.Template, error) {
			t, err := base.Clone()
			if err != nil {
				return nil, err
			}
			return t.ParseFS(templateFiles, files...)
		})
		p.byName[strings.TrimSuffix(entry.Name(), ".html")] = &page{original, now, make(chan *pageCopy, idlePages)}
	}
	return p, nil
}

// heads returns the heads of a table. A name that ends in # is that of a column of numbers, and one in parentheses is hidden.
func heads(names ...string) []column {
	out := make([]column, len(names))
	for i, name := range names {
		name, number := strings.CutSuffix(name, "#")
		bare := strings.Trim(name, "()")
		out[i] = column{Name: bare, Number: number, Hidden: bare != name}
	}
	return out
}

// functions returns the template functions that show times.
func (c *pageCopy) functions(now func() time.Time) template.FuncMap {
	return template.FuncMap{
		"ago": func(t time.Time) string { return ago(now(), t, c.zone) },
		"soon": func(t time.Time) string {
			if !t.After(now()) {
				return "now"
			}
			return ago(now(), t, c.zone)
		},
		"clock":   func(t time.Time) string { return t.In(c.zone).Format("15:04") },
		"instant": func(t time.Time) string { return t.UTC().Format(time.RFC3339) },
		"moment":  func(t time.Time) string { return moment(t, c.zone) },
		"stamp":   func(t time.Time) string { return stamp(now(), t, c.zone) },
	}
}

// moment formats a time in full.
func moment(t time.Time, zone *time.Location) string {
	return t.In(zone).Format("2 January 2006, 15:04 MST")
}

// stamp names a moment by its day and hour, the way people say it.
func stamp(now, t time.Time, zone *time.Location) string {
	t = t.In(zone)
	day, today := track.Date(t, zone), track.Date(now, zone)
	name := dayName(day, today)
	if d := day.Sub(today); d >= -24*time.Hour && d <= 24*time.Hour {
		name = strings.ToLower(name)
	}
	return name + ", " + t.Format("15:04")
}

var instants = regexp.MustCompile(`(?:at )?(\d{4}-\d\d-\d\dT[\d:.]+Z)`)

// spokenReason returns a reason as a sentence, with the moments in it as people say them.
func spokenReason(reason string, now time.Time, zone *time.Location) string {
	return sentence(instants.ReplaceAllStringFunc(reason, func(s string) string {
		t, err := time.Parse(time.RFC3339, instants.FindStringSubmatch(s)[1])
		if err != nil {
			return s
		}
		return stamp(now, t, zone)
	}))
}

// take returns a copy that nobody else uses.
func (p *page) take() (*pageCopy, error) {
	select {
	case c := <-p.idle:
		return c, nil
	default:
	}
	t, err := p.original()
	if err == nil {
		t, err = t.Clone()
	}
	if err != nil {
		return nil, fmt.Errorf("read page template: %w", err)
	}
	c := &pageCopy{template: t}
	t.Funcs(c.functions(p.now))
	return c, nil
}

func (p *page) giveBack(c *pageCopy) {
	select {
	case p.idle <- c:
	default:
	}
}

// render renders a whole page first, so that an error is shown as an error and not as half a page. Times are shown in
// the zone.
func (p *pages) render(name string, zone *time.Location, v view) ([]byte, error) {
	page, ok := p.byName[name]
	if !ok {
		return nil, fmt.Errorf("there is no page template %s", name)
	}
	c, err := page.take()
	if err != nil {
		return nil, err
	}
	defer page.giveBack(c)
	c.zone = zone
	var b bytes.Buffer
	if err := c.template.ExecuteTemplate(&b, "base", v); err != nil {
		return nil, fmt.Errorf("make page %s: %w", name, err)
	}
	return b.Bytes(), nil
}

// writePage sends a page, which must not be cached because it is about one account.
func writePage(w http.ResponseWriter, r *http.Request, status int, body []byte) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) //nolint:gosec // a template has escaped it; a client that has gone is its own affair
	}
}

// ago says how long ago something was, or how soon it will be, the way people say it.
func ago(now, t time.Time, zone *time.Location) string {
	if t.After(now) {
		if d := t.Sub(now); d < 12*time.Hour {
			return "in " + span(d)
		}
		return daysFrom(now, t, zone)
	}
	d := now.Sub(t)
	switch {
	case d < time.Minute:
		return "just now"
	case d < 6*time.Hour || track.Date(t, zone).Equal(track.Date(now, zone)):
		return span(d) + " ago"
	default:
		return daysFrom(now, t, zone)
	}
}

// daysFrom names a day that is not today.
func daysFrom(now, t time.Time, zone *time.Location) string {
	day, today := track.Date(t, zone), track.Date(now, zone)
	switch days := int(day.Sub(today).Hours() / 24); {
	case days >= -1 && days <= 1:
		return strings.ToLower(dayName(day, today))
	case days < -30:
		return day.Format("2 Jan 2006")
	case days < 0:
		return strconv.Itoa(-days) + " days ago"
	default:
		return "in " + strconv.Itoa(days) + " days"
	}
}

func span(d time.Duration) string {
	switch {
	case d < time.Minute:
		return strconv.Itoa(max(1, int(d.Seconds()))) + " s"
	case d < time.Hour:
		return strconv.Itoa(int(d.Minutes())) + " min"
	case d < 48*time.Hour:
		return strconv.Itoa(int(d.Hours())) + " h"
	default:
		return strconv.Itoa(int(d.Hours()/24)) + " days"
	}
}

// number formats a count as English does.
func number(n int) string {
	text := strconv.Itoa(n)
	for at := len(text) - 3; at > 0 && text[at-1] != '-'; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}

// count formats the number beside a link, which has room for three digits.
func count(n int) string {
	if n > 999 {
		return "999+"
	}
	return strconv.Itoa(n)
}

// noun returns the singular or plural that goes with a count.
func noun(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

func capital(s string) string {
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
