package scraper

// phrase is a text of the page with what it says, found out once however often the text stands there.
type phrase struct {
	folded string
	known  [5]bool // which of the following is known
	kind   kind
	role   bool
	title  bool
	place  bool
	terms  bool
}

const (
	knowsKind = iota
	knowsRole
	knowsTitle
	knowsPlace
	knowsTerms
)

// phraseOf is what the text says.
func (d *document) phraseOf(text string) *phrase {
	p := d.phrases[text]
	if p == nil {
		p = &phrase{folded: fold(text)}
		d.phrases[text] = p
	}
	return p
}

// said is what the element's text says.
func (e *element) said() *phrase {
	if e.phrase == nil {
		e.phrase = e.page.phraseOf(e.visibleText())
	}
	return e.phrase
}

// fold is the form of the text in which words are compared.
func (d *document) fold(text string) string { return d.phraseOf(text).folded }

// folded is the text that the element shows, in that form.
func (e *element) folded() string { return e.said().folded }

func (d *document) kindOf(text string) kind {
	p := d.phraseOf(text)
	if !p.known[knowsKind] {
		p.kind, p.known[knowsKind] = kindOf(p.folded), true
	}
	return p.kind
}

func (d *document) namesRole(text string) bool {
	p := d.phraseOf(text)
	if !p.known[knowsRole] {
		p.role, p.known[knowsRole] = namesRole(text), true
	}
	return p.role
}

func (d *document) plausible(text string) bool {
	if len(text) > 600 {
		return false
	}
	p := d.phraseOf(text)
	if !p.known[knowsTitle] {
		p.title, p.known[knowsTitle] = plausible(text), true
	}
	return p.title
}

func (d *document) looksLikePlace(text string) bool {
	if len(text) > 320 {
		return false
	}
	p := d.phraseOf(text)
	if !p.known[knowsPlace] {
		p.place, p.known[knowsPlace] = looksLikePlace(text), true
	}
	return p.place
}

// saysTerms reports whether a text says a kind of work.
func (d *document) saysTerms(text string) bool {
	p := d.phraseOf(text)
	if !p.known[knowsTerms] {
		p.terms, p.known[knowsTerms] = terms.MatchString(p.folded), true
	}
	return p.terms
}
