package page

import (
	"encoding/hex"
	"hash/fnv"
	"slices"
)

// Form is a hash of how the page is built: equal for two states of a page that differ in their texts, or in how many
// entries their lists have.
func (d *Document) Form() string {
	seen := make(map[string]bool)
	for _, e := range d.within(d.body) {
		seen[e.kind()+"<"+e.parent.kind()] = true
	}
	parts := make([]string, 0, len(seen))
	for part := range seen {
		parts = append(parts, part)
	}
	slices.Sort(parts)
	h := fnv.New64a()
	for _, part := range parts {
		_, _ = h.Write([]byte(part + "\n")) // a hash takes everything
	}
	return hex.EncodeToString(h.Sum(nil))
}

// kind is the element's tag with what of its class says how it is written.
func (e *element) kind() string {
	if e.class == nil {
		return e.node.Data
	}
	return e.node.Data + "." + e.class.stable
}

// Lines are the lines of text that the page shows, navigation and footer left out.
func (d *Document) Lines() []string {
	t := d.Tree()
	var lines []string
	for _, e := range d.body.kids {
		if !e.chrome {
			lines = append(lines, t.Lines(e.node, false, false)...)
		}
	}
	return lines
}
