package page

import "github.com/boardwatch/boardwatch/scraper/page/judge"

// phrase is a text of the page with what it says, found out once however often the text stands there.
type phrase struct {
	text   string
	folded string
	asked  uint32 // a bit for each question that was asked
	yes    uint32 // and one for each whose answer is yes
	kind   kind
	where  string
	score  float64
	parts  int32 // what signs keep apart in it
	places int32 // those of them that are known places
	parted *columns
	model  *judge.Model // what judges it; nil: the one that the program carries
}

// knows is a question about a phrase.
type knows uint8

const (
	knowsKind knows = iota
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
)

// once reports whether a question is asked for the first time.
func (p *phrase) once(q knows) bool {
	known := p.asked&(1<<q) != 0
	p.asked |= 1 << q
	return !known
}

// is answers a question and remembers the answer.
func (p *phrase) is(q knows, find func() bool) bool {
	if p.once(q) && find() {
		p.yes |= 1 << q
	}
	return p.yes&(1<<q) != 0
}

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

// about is what the text is about when it is a heading.
func (p *phrase) about() kind {
	if p.once(knowsKind) {
		p.kind = kindOf(p.folded)
	}
	return p.kind
}

func (p *phrase) namesRole() bool {
	return p.is(knowsRole, func() bool { return roleNamed(p.text, p.folded) })
}

func (p *phrase) plausible() bool {
	return len(p.text) <= 600 && p.is(knowsTitle, p.isTitle)
}

func (p *phrase) looksLikePlace() bool {
	return len(p.text) <= 320 && p.is(knowsPlace, p.isPlace)
}

// saysTerms reports whether the text says a kind of work.
func (p *phrase) saysTerms() bool {
	return p.is(knowsTerms, func() bool { return terms.MatchString(p.folded) })
}

// labelsField reports whether the text says that what follows is a place or a department.
func (p *phrase) labelsField() bool {
	return p.is(knowsLabel, func() bool { return isPlaceLabel(p.folded) || isGroupLabel(p.folded) })
}

// labelsPlace reports whether the text is a label of places.
func (p *phrase) labelsPlace() bool {
	return p.is(knowsPlaceLabel, func() bool { return placeLabel.MatchString(p.folded) })
}

// endsClosed reports whether a title begins or ends with the word that the role is closed: "Welder (filled)".
func (p *phrase) endsClosed() bool {
	return p.is(knowsClosed, func() bool { return endsClosed(p.folded) })
}

// marksClosed reports whether the text is what a card says whose role is no longer open.
func (p *phrase) marksClosed() bool {
	return p.is(knowsClosing, func() bool {
		return closedMark.MatchString(p.folded) || saysClosedSince(p.folded) || saysClosedNow(p.folded)
	})
}

// callsToAct reports whether the text is that of a button.
func (p *phrase) callsToAct() bool {
	return p.is(knowsAction, func() bool { return actions.MatchString(p.folded) })
}

// invites reports whether the text invites applications without a role.
func (p *phrase) invites() bool {
	return p.is(knowsInvitation, func() bool { return unsolicited.MatchString(p.folded) })
}

// leadsOn reports whether the text is that of a link to more about what it stands beside.
func (p *phrase) leadsOn() bool {
	return p.is(knowsOnward, func() bool { return applies.MatchString(p.folded) })
}

// showsOpening reports whether the text is that of a link to an opening that does not name it: "View the vacancy".
func (p *phrase) showsOpening() bool { return p.callsToAct() && jobNouns.MatchString(p.folded) }

// negates reports whether the text holds a word without which no language says that there are no roles.
func (p *phrase) negates() bool {
	return p.is(knowsNegation, func() bool { return negations().MatchString(p.folded) })
}

// saysBroken reports whether the text says that a list could not be loaded.
func (p *phrase) saysBroken() bool {
	return p.is(knowsBroken, func() bool { return brokenList.MatchString(p.folded) })
}

// namesDepartment reports whether the text names a part of a company.
func (p *phrase) namesDepartment() bool {
	return p.is(knowsDepartment, func() bool { return namesDepartment(p.folded) })
}

// isContract reports whether the text says only how long or how much is worked, or when it was posted.
func (p *phrase) isContract() bool {
	return p.is(knowsContract, func() bool { return contract.MatchString(p.folded) })
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
