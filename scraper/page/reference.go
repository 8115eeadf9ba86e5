package page

import (
	"iter"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Reference is an element of a page that may lead elsewhere, or load something.
type Reference struct {
	InFooter    bool
	ToRoles     bool     // it is a link whose words promise roles
	Loads       bool     // it is a script or a frame
	Destination *url.URL // where a click leads; nil when it leads nowhere
	Attributes  []html.Attribute
}

// stepsOfReference is how many steps it takes to look at a reference: callers compare each with the addresses of every hosted system.
const stepsOfReference = 10

// References are all elements of the page, as far as they may lead elsewhere.
func (d *Document) References() iter.Seq[Reference] {
	return func(yield func(Reference) bool) {
		for _, e := range d.elements {
			d.work.Step(stepsOfReference)
			r := Reference{InFooter: e.inFooter(), Destination: d.destination(e), Attributes: e.node.Attr}
			r.ToRoles = !r.InFooter && e.node.DataAtom == atom.A && toRoles.MatchString(Fold(linkWords(e)))
			r.Loads = e.node.DataAtom == atom.Script || e.node.DataAtom == atom.Iframe
			if !yield(r) {
				return
			}
		}
	}
}

func (e *element) inFooter() bool {
	for ; e != nil; e = e.parent {
		if e.node.DataAtom == atom.Footer || attr(e.node, "role") == "contentinfo" || attr(e.node, "id") == "footer" {
			return true
		}
	}
	return false
}

// InlineScripts are the texts of the scripts that stand in the page itself.
func (d *Document) InlineScripts() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, e := range d.all() {
			if e.node.DataAtom == atom.Script && !hasAttr(e.node, "src") && !yield(rawText(e.node)) {
				return
			}
		}
	}
}

// ContentPolicies are the Content-Security-Policies that stand in the page itself.
func (d *Document) ContentPolicies() []string {
	var texts []string
	for _, e := range d.all() {
		if e.node.DataAtom == atom.Meta && strings.EqualFold(attr(e.node, "http-equiv"), "Content-Security-Policy") {
			texts = append(texts, attr(e.node, "content"))
		}
	}
	return texts
}

// Refresh is where the page sends every visitor on at once, by its Refresh header or in itself; nil when it does not.
func (d *Document) Refresh(header string) *url.URL {
	if u := d.refreshed(header); u != nil {
		return u
	}
	for _, e := range d.all() {
		if e.node.DataAtom != atom.Meta || !strings.EqualFold(attr(e.node, "http-equiv"), "refresh") {
			continue
		}
		if u := d.refreshed(attr(e.node, "content")); u != nil {
			return u
		}
	}
	return nil
}

// longestRefresh is how many seconds a visitor waits at most.
const longestRefresh = 10

// refreshed is where "0; url=/jobs" leads, as browsers read it: "url=" and what quotes the address may be missing.
func (d *Document) refreshed(text string) *url.URL {
	text = strings.TrimSpace(text)
	at := strings.IndexAny(text, ";, \t\n")
	if at < 0 {
		return nil
	}
	if seconds, err := strconv.ParseFloat(text[:at], 64); err != nil || seconds > longestRefresh {
		return nil
	}
	target := strings.TrimLeft(text[at:], ";, \t\n")
	if key, value, found := strings.Cut(target, "="); found && strings.EqualFold(strings.TrimSpace(key), "url") {
		target = strings.TrimSpace(value)
	}
	if target != "" && (target[0] == '"' || target[0] == '\'') {
		target, _, _ = strings.Cut(target[1:], target[:1])
	}
	u := Resolve(d.Base, strings.TrimSpace(target))
	if target == "" || u == nil || Canonical(u) == Canonical(d.Base) {
		return nil
	}
	return u
}

// Language is the language that a page says it is in.
func (d *Document) Language() string {
	for _, e := range d.all() {
		if e.node.DataAtom == atom.Html {
			l, _, _ := strings.Cut(strings.ToLower(attr(e.node, "lang")), "-")
			return l
		}
	}
	return ""
}

// IsHeaded reports whether a title is what the page as a whole is headed with.
func (d *Document) IsHeaded(title string) bool {
	h := d.firstHeading()
	return h != nil && strings.Contains(h.folded(), Fold(title))
}
