package page

import (
	"net/url"
	"strings"

	"golang.org/x/net/html/atom"
)

// lookAtSelect takes in a choice of pages.
func (r *wayfinder) lookAtSelect(e *element) {
	if e.parent == nil || e.parent.hidden || e.disabled() {
		return
	}
	options := r.childrenOf(e, atom.Option)
	if len(options) < 2 || len(options) > maxOptions {
		return
	}
	name := attr(e.node, "name")
	byName := parameterKind(name) == pageName
	joined := "" // a script puts the value behind it
	for text := range quotedAddresses(attr(e.node, "onchange")) {
		if strings.HasSuffix(text, "=") || strings.HasSuffix(text, "/") {
			joined = text
		}
	}
	chosen, pages := 0, byName
	for i, o := range options {
		value, text := optionValue(o), Fold(squeeze(rawText(o.node)))
		if hasAttr(o.node, "selected") {
			chosen = i
		}
		if byName {
			_, isNumber := wholeNumber(value)
			pages = pages && (isNumber || value == "")
			continue
		}
		n := numberedText(text)
		_, of := pageOf(text)
		pages = (i == 0 || pages) && ((saysPage(text) || parameterKind(name) != noPage || joined != "") && n == i+1 || of == len(options)) || r.turnTo(Resolve(r.Base, addressLike(value))).relation == turned
	}
	if !pages || chosen+1 >= len(options) {
		return
	}
	value := optionValue(options[chosen+1])
	u := Resolve(r.Base, addressLike(joined+value))
	if form := e.closest(atom.Form); u == nil && parameterKind(name) != noPage && !sendsByPost(form) {
		u = r.asked(form, name, value)
	}
	if r.turnTo(u).relation <= itself {
		r.script = r.script || r.isNear(e)
		return
	}
	r.take(e.parent, u, hint{label: nextLabel})
}

// maxOptions is how many pages a choice of pages has at most.
const maxOptions = 500

// addressLike is a text if it may be an address.
func addressLike(text string) string {
	if strings.ContainsAny(text, "/?") {
		return text
	}
	return ""
}

func optionValue(o *element) string {
	if hasAttr(o.node, "value") {
		return attr(o.node, "value")
	}
	return squeeze(rawText(o.node))
}

// where is what happens when something is pressed.
type where int8

const (
	nothing where = iota
	byScript
	address
)

// destination is where e leads when it is pressed.
func (r *wayfinder) destination(e *element) (*url.URL, where) {
	if !e.isPressed() {
		return nil, nothing
	}
	if e.tag == atom.A || e.tag == atom.Area {
		href := strings.TrimSpace(attr(e.node, "href"))
		if u := r.link(e); u != nil && u.Fragment != "" && r.turnTo(u).relation == itself {
			href = "#" + u.Fragment
		}
		switch {
		case e.tag == atom.A && r.link(e) != nil && href[0] != '#':
			return r.link(e), address
		case e.tag == atom.Area && Resolve(r.Base, href) != nil:
			return Resolve(r.Base, href), address
		case href == "" || href == "#" || strings.HasPrefix(href, "#!") || strings.HasPrefix(href, "#/") || strings.HasPrefix(strings.ToLower(href), "javascript:"):
			return nil, byScript
		case href[0] == '#' && r.withID(href[1:]) == nil:
			return nil, byScript
		}
		return nil, nothing
	}
	form := e.closest(atom.Form)
	if id := attr(e.node, "form"); form == nil && id != "" {
		form = r.withID(id)
	}
	kind := strings.ToLower(attr(e.node, "type"))
	if form == nil || kind == "button" || e.tag != atom.Button && e.tag != atom.Input || sendsByPost(form) || strings.EqualFold(attr(e.node, "formmethod"), "post") {
		return nil, byScript
	}
	if u := r.asked(form, attr(e.node, "name"), attr(e.node, "value")); r.turnTo(u).relation > itself {
		return u, address
	}
	return nil, byScript
}

// asked is the address that a form asks for when it is sent with one value more.
func (r *wayfinder) asked(form *element, name, value string) *url.URL {
	u := *r.pageAt
	values := make(url.Values)
	if form != nil {
		if at := Resolve(r.Base, attr(form.node, "action")); at != nil {
			u = *at
		}
		for _, e := range r.filledIn(form) {
			values.Set(attr(e.node, "name"), attr(e.node, "value"))
		}
	}
	if name != "" {
		values.Set(name, value)
	}
	u.RawQuery = values.Encode()
	return &u
}

// filledIn are the first of a form's fields that have a value.
func (r *wayfinder) filledIn(form *element) []*element {
	fields, known := r.forms[form]
	if !known {
		for _, e := range r.childrenOf(form, atom.Input) {
			kind := strings.ToLower(attr(e.node, "type"))
			if len(fields) < maxFields && attr(e.node, "name") != "" && attr(e.node, "value") != "" && (kind == "hidden" || kind == "text" || kind == "search" || kind == "") {
				fields = append(fields, e)
			}
		}
		r.forms[form] = fields
	}
	return fields
}

// maxFields is how many fields of a form are sent along.
const maxFields = 40

// sendsByPost reports whether a form changes something: what it asks for cannot be followed.
func sendsByPost(form *element) bool {
	return form != nil && strings.EqualFold(attr(form.node, "method"), "post")
}
