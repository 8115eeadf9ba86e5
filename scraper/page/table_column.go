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
func (d *Document) partColumns(g *group) {
	tallies := make(map[slotKey]*columnTally)
	for _, c := range g.items {
		for _, b := range c.beside {
			parts := columns(b.text)
			t := tallies[b.slotKey]
			if t == nil && len(parts) > 0 {
				t = &columnTally{}
				tallies[b.slotKey] = t
			}
			if t == nil {
				continue
			}
			t.parted[len(parts)]++
			for i, part := range parts {
				countIf(&t.places[len(parts)][i], d.looksLikePlace(part))
			}
			countIf(&t.groups, len(parts) == 2 && atComma(b.text) && d.phraseOf(parts[0]).namesGroup())
		}
	}
	if len(tallies) == 0 {
		return
	}
	for _, c := range g.items {
		for _, b := range c.beside {
			if t := tallies[b.slotKey]; t != nil {
				t.all++
			}
		}
	}
	for _, c := range g.items {
		c.beside = inColumns(c.beside, tallies)
	}
}

// inColumns are the texts of one card, parted where the cards show that they are to be.
func inColumns(beside []slot, tallies map[slotKey]*columnTally) []slot {
	var parted []slot
	for i, b := range beside {
		parts := columns(b.text)
		if t := tallies[b.slotKey]; len(parts) == 0 || !t.parts(len(parts)) || atComma(b.text) && !t.departmentsFirst() {
			if parted != nil {
				parted = append(parted, b)
			}
			continue
		}
		if parted == nil {
			parted = append(make([]slot, 0, len(beside)+len(parts)), beside[:i]...)
		}
		for n, part := range parts {
			key := b.slotKey
			key.column = n + 1
			parted = append(parted, slot{key, part})
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

// atComma reports whether nothing but commas keeps the parts of a text apart.
func atComma(text string) bool { return columnSign(text) == "," }

// columns are the parts of a text that signs with space around them, upright strokes and dots, or its first comma keep apart; nil
// when there is one part, or too many.
func columns(text string) []string {
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
	return parts
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
