package page

import (
	"cmp"
	"maps"
	"strings"

	nethtml "golang.org/x/net/html"

	"golang.org/x/net/html/atom"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/fact"
)

// microdata adds the postings that the page marks up with itemprop.
func (d *Document) microdata(s *Statement) {
	for _, e := range d.typed {
		if len(s.Postings) >= MaxPostings || !marksPosting(e) {
			continue
		}
		marked := d.properties(e)
		p := boardwatch.Posting{Title: cmp.Or(marked.text("title"), marked.text("name"))}
		if p.Title == "" {
			continue
		}
		p.Location = cmp.Or(joinAddress(marked.text), marked.text("jobLocation"))
		u := Resolve(d.Base, marked.text("url"))
		if a := e.below(atom.A); u == nil && a != nil {
			u = d.link(a)
		}
		if u != nil {
			SetAddress(&p, u)
		}
		p.Facts = flatFacts(marked.text)
		if description := marked["description"]; description != nil {
			var markup strings.Builder
			if nethtml.Render(&markup, description.node) == nil {
				describe(&p, markup.String(), d.Base)
			}
		}
		s.Postings = append(s.Postings, p)
	}
}

// marksPosting reports whether an element is marked up as a posting, in microdata or in RDFa.
func marksPosting(e *element) bool {
	for _, a := range e.node.Attr {
		if a.Key == "itemtype" && strings.HasSuffix(a.Val, "schema.org/JobPosting") ||
			a.Key == "typeof" && (a.Val == "JobPosting" || strings.HasSuffix(a.Val, ":JobPosting") || strings.HasSuffix(a.Val, "/JobPosting")) {
			return true
		}
	}
	return false
}

// properties are the elements that carry what a posting marks up, by name: for each the first that says anything.
type properties map[string]*element

// markedUp are the names of what is read from the markup of a posting.
var markedUp = set(`title name url addressLocality addressRegion addressCountry jobLocation datePosted dateModified validThrough employmentType jobLocationType
	inLanguage baseSalary salaryCurrency currency value minValue maxValue unitText description identifier`)

func (d *Document) properties(e *element) properties {
	found := make(properties)
	var after, ofNumber offset // the first places behind the employer and behind the number
	for _, k := range d.within(e) {
		for _, key := range [...]string{"itemprop", "property"} {
			name := attr(k.node, key)
			name = name[strings.LastIndexByte(name, ':')+1:]
			switch {
			case k.index < after:
				continue
			case name == "hiringOrganization":
				after = k.end
			case name == "identifier":
				ofNumber = k.end
			case name == "value" && k.index < ofNumber:
				name = "identifier"
				delete(found, name)
			case name == "name" && k.index < ofNumber:
				continue
			}
			if markedUp[name] && found[name] == nil && valueOf(k, name) != "" {
				found[name] = k
			}
		}
	}
	return found
}

func (p properties) text(name string) string {
	if p[name] == nil {
		return ""
	}
	return valueOf(p[name], name)
}

// flatFacts are the facts of a posting whose members stand side by side, given on in the form of JSON-LD.
func flatFacts(said func(name string) string) boardwatch.Facts {
	object := make(map[string]any)
	for name := range markedUp {
		if text := said(name); text != "" && name != "description" {
			object[name] = text
		}
	}
	if object["currency"] != nil || object["minValue"] != nil {
		object["baseSalary"] = maps.Clone(object)
	}
	if object["addressCountry"] != nil || object["addressLocality"] != nil {
		object["jobLocation"] = map[string]any{"address": maps.Clone(object)}
	}
	facts, _ := fact.Linked(object)
	return facts
}

// valueOf is what an element says as a property of that name: machines before people, and an address only where one is meant.
func valueOf(e *element, name string) string {
	for _, key := range [...]string{"content", "href", "datetime"} {
		if v := attr(e.node, key); v != "" && (key != "href" || name == "url") {
			return squeeze(v)
		}
	}
	return squeeze(textOf(e.node))
}

// textOf is the text of a node that is for people or machines: what hides it does not matter, scripts do not count.
func textOf(n *nethtml.Node) string {
	if n.DataAtom == atom.Script || n.DataAtom == atom.Style {
		return ""
	}
	return rawText(n)
}

// meta is the content of the page's <meta> of that name or property, or "".
func (d *Document) meta(name string) string {
	for _, e := range d.all() {
		if e.tag == atom.Meta && (strings.EqualFold(attr(e.node, "property"), name) || strings.EqualFold(attr(e.node, "name"), name)) {
			if v := squeeze(attr(e.node, "content")); v != "" {
				return v
			}
		}
		if e.tag == atom.Body {
			return ""
		}
	}
	return ""
}
