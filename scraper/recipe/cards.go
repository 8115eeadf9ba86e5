package recipe

import "slices"

// cards says which members of a set stand in one card. The examples tell: a card is the largest element that contains one
// of them without another. Roles whose cards say more than a title need this.
type cards struct {
	of    map[*place]*place // the card of each member that has one
	count int
	// single says that each card has exactly one member that is written like an example.
	single bool
	texts  map[string]int // in how many cards a text stands
}

// cardsOf returns the cards of a set. There are none with a single example, or with examples that contain each other.
func (l *look) cardsOf(s *set) cards {
	c := cards{of: make(map[*place]*place), texts: make(map[string]int)}
	top := common(s.samples)
	if top == nil {
		return c
	}
	titles := make(map[*place]int)
	said := make(map[*place][]string)
	for _, e := range s.members {
		if card := e.below(top); card != nil {
			c.of[e] = card
			if !slices.Contains(said[card], e.folded) {
				said[card] = append(said[card], e.folded)
				c.texts[e.folded]++
			}
			if s.written(e) {
				titles[card]++
			}
		}
	}
	c.count, c.single = len(said), len(titles) == len(said)
	for _, n := range titles {
		c.single = c.single && n == 1
	}
	return c
}

// common is the smallest element that contains all of some places. It is nil for a single place, or if one of them
// contains another.
func common(samples []sighting) *place {
	if len(samples) < 2 {
		return nil
	}
	top := samples[0].parent
	for top != nil && slices.ContainsFunc(samples, func(s sighting) bool { return !top.contains(s.place) }) {
		top = top.parent
	}
	for i, a := range samples {
		for _, b := range samples[:i] {
			if top != nil && a.below(top) == b.below(top) && len(samples) == 2 {
				return nil
			}
		}
	}
	return top
}

// below is the child of an element above that contains e, or is e. It is nil if e does not stand below it.
func (e *place) below(above *place) *place {
	for ; e != nil; e = e.parent {
		if e.parent == above {
			return e
		}
	}
	return nil
}

// written reports whether an element has the tag and classes of an example.
func (s *set) written(e *place) bool {
	return slices.ContainsFunc(s.samples, func(x sighting) bool { return x.tag == e.tag && slices.Equal(x.classes, e.classes) })
}

// isLabel reports whether a member says the same in most cards, as "Apply" does.
func (c cards) isLabel(e *place) bool {
	n := c.texts[e.folded]
	return c.of[e] != nil && n > 1 && 2*n > c.count
}
