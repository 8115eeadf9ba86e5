package page

import "strings"

// maxColumns is in how many parts a text beside a title may fall.
const maxColumns = 5

// columnTally is what the cards show of the parts of the texts at one of their places.
type columnTally struct {
	all    int // texts
	parted [maxColumns + 1]int
	places [maxColumns + 1][maxColumns]int // by how many parts there are, and which
	groups int                             // first parts, before a comma, that name departments
}

// partColumns parts texts like "Berlin – Engineering" where the cards show that the parts are of different kinds: at one
// place of most cards there are equally many, and in one column of them alone most are places.
func (s *slots) partColumns(g *group) {
	parted := false
	for _, c := range g.items {
		for _, b := range c.beside {
			parts := b.said.columns()
			if b.parted == nil && len(parts) > 0 {
				b.parted, parted = &columnTally{}, true
			}
			if b.parted != nil {
				b.parted.add(s.page, b.said, parts)
			}
		}
	}
	if !parted {
		return
	}
	for _, c := range g.items {
		for _, b := range c.beside {
			if b.parted != nil {
				b.parted.all++
			}
		}
	}
	for _, c := range g.items {
		c.beside = s.inColumns(c.beside)
	}
}

func (t *columnTally) add(d *Document, said *phrase, parts []string) {
	t.parted[len(parts)]++
	for i, part := range parts {
		countIf(&t.places[len(parts)][i], d.looksLikePlace(part))
	}
	countIf(&t.groups, len(parts) == 2 && said.partsAtComma() && d.phraseOf(parts[0]).namesGroup())
}

// inColumns are the texts of one card, parted where the cards show that they are to be.
func (s *slots) inColumns(beside []slot) []slot {
	var parted []slot
	for i, b := range beside {
		parts := b.said.columns()
		if t := b.parted; len(parts) == 0 || !t.parts(len(parts)) || b.said.partsAtComma() && !t.departmentsFirst() {
			if parted != nil {
				parted = append(parted, b)
			}
			continue
		}
		if parted == nil {
			parted = append(make([]slot, 0, len(beside)+len(parts)), beside[:i]...)
		}
		for n, part := range parts {
			parted = append(parted, slot{s.columnAt(b.spot, n), s.page.phraseOf(part)})
		}
	}
	if parted == nil {
		return beside
	}
	return parted
}

// parts reports whether texts in n parts are to be parted.
func (t *columnTally) parts(n int) bool {
	if t.parted[n]*3 < t.all*2 {
		return false
	}
	places := 0
	for _, found := range t.places[n][:n] {
		countIf(&places, found*2 >= t.parted[n])
	}
	return places == 1
}

// departmentsFirst reports whether what stands before the commas are departments: "Platform, Lyon". Other texts have a town there.
func (t *columnTally) departmentsFirst() bool {
	return t.places[2][0] == 0 && t.groups*4 >= t.parted[2]
}

// columns is a text in parts.
type columns struct {
	sign  string // what keeps them apart
	parts []string
}

// partsAtComma reports whether nothing but commas keeps the parts of the text apart.
func (p *phrase) partsAtComma() bool { return p.columns() != nil && p.parted.sign == "," }

// columns are the parts of the text that signs with space around them, upright strokes and dots, or its first comma keep apart; nil
// when there is one part, or too many.
func (p *phrase) columns() []string {
	if p.once(knowsColumns) {
		p.parted = columnsOf(p.text)
	}
	if p.parted == nil {
		return nil
	}
	return p.parted.parts
}

func columnsOf(text string) *columns {
	sign := columnSign(text)
	var parts []string
	switch sign {
	case "":
		return nil
	case ",":
		parts = strings.SplitN(text, sign, 2)
	default:
		parts = strings.Split(text, sign)
	}
	if len(parts) > maxColumns {
		return nil
	}
	for i := range parts {
		if parts[i] = strings.TrimSpace(parts[i]); parts[i] == "" {
			return nil
		}
	}
	return &columns{sign, parts}
}

// columnSign is the sign that keeps the parts of a text apart, or "".
func columnSign(text string) string {
	for _, sign := range [...]string{"|", "·", "•", "⋅", "∙", "◦", "›", "»", "→", "／", " – ", " — ", " - ", " // ", " / ", " :: ", ","} {
		if strings.Contains(text, sign) {
			return sign
		}
	}
	return ""
}
