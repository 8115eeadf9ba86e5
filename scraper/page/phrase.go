package page

import "github.com/boardwatch/boardwatch/scraper/page/judge"

// phrase is a text of the page with what it says, found out once however often the text stands there.
type phrase struct {
	text       string
	folded     string
	known      [questions]bool // which of the following is known
	kind       kind
	role       bool
	title      bool
	place      bool
	terms      bool
	onlyTerms  bool
	where      string
	group      bool
	department bool
	contract   bool
	label      bool // of what follows
	placeLabel bool
	field      bool // behind a label
	closed     bool
	closing    bool
	action     bool
	invitation bool
	onward     bool
	negation   bool
	broken     bool
	part       bool // the heading of a part of an advert
	score      float64
	parts      int32 // what signs keep apart in it
	places     int32 // those of them that are known places
	parted     *columns
	model      *judge.Model // what judges it; nil: the one that the program carries
}

const (
	knowsKind = iota
	knowsRole
	knowsTitle
	knowsPlace
	knowsTerms
	knowsOnlyTerms
	knowsWhere
	knowsGroup
	knowsDepartment
	knowsContract
	knowsLabel
	knowsPlaceLabel
	knowsField
	knowsClosed
	knowsClosing
	knowsAction
	knowsInvitation
	knowsOnward
	knowsNegation
	knowsBroken
	knowsPart
	knowsScore
	knowsParts
	knowsColumns

	questions
)

// phraseOf is what the text says.
func (d *Document) phraseOf(text string) *phrase {
	p := d.phrases[text]
	if p == nil {
		if len(d.fresh) == 0 {
			d.fresh = make([]phrase, 32)
		}
		p, d.fresh = &d.fresh[0], d.fresh[1:]
		d.work.Step(1 + len(text)/bytesPerStep)
		p.text, p.folded, p.model = text, Fold(text), d.model
		d.phrases[text] = p
	}
	return p
}

// words are the text in the form in which words are compared; "" when there is none.
func (p *phrase) words() string {
	if p == nil {
		return ""
	}
	return p.folded
}

// said is what the element's text says.
func (e *element) said() *phrase {
	if p := e.phrase; p != nil {
		return p
	}
	e.phrase = e.page.phraseOf(e.visibleText())
	return e.phrase
}

// saying is what the text says, which may be that of the element.
func (e *element) saying(text string) *phrase {
	if p := e.phrase; p != nil && p.text == text || !e.hidden && !e.icon && len(text) == int(e.to-e.from) && text == e.visibleText() {
		return e.said()
	}
	return e.page.phraseOf(text)
}

// fold is the form of the text in which words are compared.
func (d *Document) fold(text string) string { return d.phraseOf(text).folded }

// folded is the text that the element shows, in that form.
func (e *element) folded() string { return e.said().folded }

// once asks a question about the phrase unless the answer is known.
func (p *phrase) once(which int) bool {
	known := p.known[which]
	p.known[which] = true
	return !known
}

// about is what the text is about when it is a heading.
func (p *phrase) about() kind {
	if p.once(knowsKind) {
		p.kind = kindOf(p.folded)
	}
	return p.kind
}

func (p *phrase) namesRole() bool {
	if p.once(knowsRole) {
		p.role = roleNamed(p.text, p.folded)
	}
	return p.role
}

func (p *phrase) plausible() bool {
	if len(p.text) <= 600 && p.once(knowsTitle) {
		p.title = p.isTitle()
	}
	return p.title
}

func (p *phrase) looksLikePlace() bool {
	if len(p.text) <= 320 && p.once(knowsPlace) {
		p.place = p.isPlace()
	}
	return p.place
}

// saysTerms reports whether the text says a kind of work.
func (p *phrase) saysTerms() bool {
	if p.once(knowsTerms) {
		p.terms = terms.MatchString(p.folded)
	}
	return p.terms
}

// labelsField reports whether the text says that what follows is a place or a department.
func (p *phrase) labelsField() bool {
	if p.once(knowsLabel) {
		p.label = isPlaceLabel(p.folded) || isGroupLabel(p.folded)
	}
	return p.label
}

// labelsPlace reports whether the text is a label of places.
func (p *phrase) labelsPlace() bool {
	if p.once(knowsPlaceLabel) {
		p.placeLabel = placeLabel.MatchString(p.folded)
	}
	return p.placeLabel
}

// endsClosed reports whether a title begins or ends with the word that the role is closed: "Welder (filled)".
func (p *phrase) endsClosed() bool {
	if p.once(knowsClosed) {
		p.closed = endsClosed(p.folded)
	}
	return p.closed
}

// marksClosed reports whether the text is what a card says whose role is no longer open.
func (p *phrase) marksClosed() bool {
	if p.once(knowsClosing) {
		p.closing = closedMark.MatchString(p.folded) || saysClosedSince(p.folded) || saysClosedNow(p.folded)
	}
	return p.closing
}

// callsToAct reports whether the text is that of a button.
func (p *phrase) callsToAct() bool {
	if p.once(knowsAction) {
		p.action = actions.MatchString(p.folded)
	}
	return p.action
}

// invites reports whether the text invites applications without a role.
func (p *phrase) invites() bool {
	if p.once(knowsInvitation) {
		p.invitation = unsolicited.MatchString(p.folded)
	}
	return p.invitation
}

// leadsOn reports whether the text is that of a link to more about what it stands beside.
func (p *phrase) leadsOn() bool {
	if p.once(knowsOnward) {
		p.onward = applies.MatchString(p.folded)
	}
	return p.onward
}

// negates reports whether the text holds a word without which no language says that there are no roles.
func (p *phrase) negates() bool {
	if p.once(knowsNegation) {
		p.negation = negations().MatchString(p.folded)
	}
	return p.negation
}

// saysBroken reports whether the text says that a list could not be loaded.
func (p *phrase) saysBroken() bool {
	if p.once(knowsBroken) {
		p.broken = brokenList.MatchString(p.folded)
	}
	return p.broken
}

// namesDepartment reports whether the text names a part of a company.
func (p *phrase) namesDepartment() bool {
	if p.once(knowsDepartment) {
		p.department = namesDepartment(p.folded)
	}
	return p.department
}

// isContract reports whether the text says only how long or how much is worked, or when it was posted.
func (p *phrase) isContract() bool {
	if p.once(knowsContract) {
		p.contract = contract.MatchString(p.folded)
	}
	return p.contract
}

func (d *Document) kindOf(text string) kind { return d.phraseOf(text).about() }

func (d *Document) namesRole(text string) bool { return d.phraseOf(text).namesRole() }

func (d *Document) plausible(text string) bool {
	return len(text) <= 600 && d.phraseOf(text).plausible()
}

func (d *Document) looksLikePlace(text string) bool {
	return len(text) <= 320 && d.phraseOf(text).looksLikePlace()
}

// likely is how likely the text is the title of a role, as the logarithm of the odds.
func (p *phrase) likely() float64 {
	if p.once(knowsScore) {
		p.score = p.model.Text(p.text)
	}
	return p.score
}

// clearly is the score from which a text is taken for the title of a role though no word of it is known.
const clearly = 2

// readsAsRole reports whether the text reads like the title of a role: a word of it is known, or the whole of it is like titles.
func (p *phrase) readsAsRole() bool {
	return p.namesRole() || p.likely() > clearly && !p.looksLikePlace() && !namesPart(p.folded)
}
