package page

import "strings"

// presses is the label of the button that makes the list longer, such as "Load more"; "" when there is none.
func (d *Document) presses(found []*candidate) string {
	cards := d.onCards(found)
	for _, e := range d.all() {
		if e.hidden || cards[e.index] || !e.isPressed() || e.disabled() || len(found) == 0 || e.index < found[0].element.index {
			continue
		}
		if text := strings.Trim(e.visibleText(), " +>›»→"); len(text) <= 100 && loadMore.MatchString(d.fold(text)) {
			return text
		}
	}
	return ""
}
