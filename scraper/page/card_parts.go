package page

// onOtherCards reports whether the cards of two lists of the group's candidates are made of different parts: each card of
// one has a part that no card of the other has, and the reverse.
func (g *group) onOtherCards(a, b []*candidate) bool {
	mine, theirs := g.partsOf(a), g.partsOf(b)
	return hasOwnPart(mine, theirs) && hasOwnPart(theirs, mine)
}

// cardPart is the tag and class of an element on a card.
type cardPart struct {
	tag   string
	class *className
}

// partsOf counts on how many cards of the candidates each part stands. The empty part counts the cards.
func (g *group) partsOf(items []*candidate) map[cardPart]int {
	items = items[:min(len(items), maxCompared)]
	parts := map[cardPart]int{{}: len(items)}
	for _, c := range items {
		seen := make(map[cardPart]bool)
		for _, e := range g.page.within(g.cardAround(c)) {
			if e == c.element || e.class == nil {
				continue
			}
			if p := (cardPart{e.node.Data, e.class}); !seen[p] {
				seen[p] = true
				parts[p]++
			}
		}
	}
	return parts
}

// maxCompared is how many cards of a list are compared with those of another.
const maxCompared = 20

// hasOwnPart reports whether a part stands on all cards of one list and on none of the other.
func hasOwnPart(mine, theirs map[cardPart]int) bool {
	all := mine[cardPart{}]
	for p, n := range mine {
		if p != (cardPart{}) && n == all && theirs[p] == 0 {
			return true
		}
	}
	return false
}

// cardAround is the largest element around a candidate that contains no other text of the group.
func (g *group) cardAround(c *candidate) *element {
	e := c.element
	for p := e.parent; p != nil && p != g.page.body; p = p.parent {
		for _, o := range g.items {
			if o != c && p.contains(o.element) {
				return e
			}
		}
		e = p
	}
	return e
}
