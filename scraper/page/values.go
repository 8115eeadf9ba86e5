package page

import (
	"encoding/json"
	"slices"
)

// Values are the data that stand in the page beside what it shows, in the order of the page: JSON in scripts and attributes,
// and values that scripts assign or pass on.
func (d *Document) Values() []any {
	var values []any
	b := &blocks{page: d.Base, each: func(v any) { values = append(values, v) }}
	b.look(d)
	return values
}

// ValueExtent is what a value says about how far the lists in it go.
func ValueExtent(v any) Extent {
	x := Silent()
	gatherExtent(v, &x, 0)
	return x
}

// maxExtentDepth is how deep in a value the numbers are looked for that speak of its list as a whole.
const maxExtentDepth = 4

func gatherExtent(v any, x *Extent, depth int) {
	o, ok := v.(map[string]any)
	if !ok || depth > maxExtentDepth {
		return
	}
	*x = x.And(extentOf(o))
	for _, child := range o {
		gatherExtent(child, x, depth+1)
	}
}

// ScalarText is a text, a number or a truth as text; "" for anything else.
func ScalarText(v any) string {
	switch v := v.(type) {
	case string:
		var r reader
		return r.text(v)
	case json.Number:
		return v.String()
	case bool:
		if v {
			return "true"
		}
		return "false"
	}
	return ""
}

// LinkKey says how surely the keys on the way into a record lead to its address, as PlaceKey and GroupKey do for its place and its
// department: 1 is surest, 0 is not at all.
func LinkKey(keys []string) int { return keyRank(keys, urlKeys) }

// IDKey is as LinkKey, for what tells the record from others.
func IDKey(keys []string) int {
	if len(keys) > 1 {
		return 0
	}
	return keyRank(keys, idKeys)
}

// PlaceKey is as LinkKey.
func PlaceKey(keys []string) int {
	if rank := keyRank(keys, placeKeys); rank > 0 {
		return rank
	}
	for i, names := range placeParts {
		if slices.Contains(names, Letters(keys[len(keys)-1])) {
			return 2*(len(placeKeys)+i) + len(keys)
		}
	}
	return 0
}

// GroupKey is as LinkKey.
func GroupKey(keys []string) int { return keyRank(keys, groupKeys) }

// keyRank is the rank of the first key in a list of names, with those that follow it being no more than wrappers.
func keyRank(keys, names []string) int {
	i := slices.Index(names, Letters(keys[0]))
	if i < 0 {
		return 0
	}
	for _, key := range keys[1:] {
		if key != "*" && !slices.Contains(labelKeys, key) {
			return 0
		}
	}
	return 2*i + len(keys)
}
