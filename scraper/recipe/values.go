package recipe

import (
	"cmp"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/boardwatch/boardwatch/scraper/page"
)

// valuesOf are the data of a page, or the page itself where it is data.
func valuesOf(d *page.Document, v page.Visit) []any {
	if page.DataKind(v.Text) != page.JSONData {
		return d.Values()
	}
	value, err := page.DecodeJSON(v.Text)
	if err != nil {
		return nil
	}
	return []any{value}
}

// MakeOfData makes a recipe for data that a page asks for at an address.
func MakeOfData(text []byte, at *url.URL, x Examples) (Recipe, page.List, bool) {
	value, err := page.DecodeJSON(text)
	if err != nil || x.Check() != nil {
		return Recipe{}, page.List{}, false
	}
	for _, r := range fromValues([]any{value}, x) {
		r.Data.URL = at.String()
		if l := r.ReadData(text, at); r.Validate() == nil && x.fit(l.Reading) {
			return r, l, true
		}
	}
	return Recipe{}, page.List{}, false
}

// fromValues are recipes for data in which the examples stand, those with most entries first.
func fromValues(values []any, x Examples) []Recipe {
	type made struct {
		recipe  Recipe
		entries int
	}
	var found []made
	for _, v := range values {
		for _, d := range pathsIn(v, x) {
			found = append(found, made{Recipe{Version: Version, Not: x.Not, Data: &d}, len(walk(v, strings.Split(d.Entries, ".")))})
		}
	}
	slices.SortStableFunc(found, func(a, b made) int { return cmp.Compare(b.entries, a.entries) })
	recipes := make([]Recipe, len(found))
	for i, m := range found {
		recipes[i] = m.recipe
	}
	return recipes
}

// maxPaths is how many places of an example in one value are looked at.
const maxPaths = 40

// pathsIn are the ways to the examples in one value: lists of entries that all have a title at the same place.
func pathsIn(v any, x Examples) []Data {
	var found []Data
	wanted := keyOf(x.Like[0])
	var paths [][]string
	locate(v, nil, wanted, &paths)
	for _, path := range paths {
		for at := len(path) - 2; at >= 0; at-- {
			d := Data{Entries: strings.Join(stars(v, path, at), "."), Title: strings.Join(path[at+1:], ".")}
			entries := walk(v, strings.Split(d.Entries, "."))
			if !isListed(v, path, at) || !d.hasAll(entries, x.Like) {
				continue
			}
			d.fill(entries)
			if !slices.Contains(found, d) {
				found = append(found, d)
			}
			break
		}
	}
	return found
}

// locate collects the ways to a text.
func locate(v any, path []string, wanted string, paths *[][]string) {
	if len(path) > 40 || len(*paths) >= maxPaths {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if key != "" && !strings.Contains(key, ".") {
				locate(v[key], append(slices.Clip(path), key), wanted, paths)
			}
		}
	case []any:
		for i, child := range v {
			locate(child, append(slices.Clip(path), strconv.Itoa(i)), wanted, paths)
		}
	case string:
		if keyOf(page.ScalarText(v)) == wanted {
			*paths = append(*paths, path)
		}
	}
}

// isListed reports whether the step at a place of the way is a choice among members that are alike.
func isListed(v any, path []string, at int) bool {
	above := walk(v, path[:at])
	if len(above) != 1 {
		return false
	}
	switch o := above[0].(type) {
	case []any:
		return true
	case map[string]any:
		return isTable(o)
	}
	return false
}

// isTable reports whether an object holds entries under their ids: all are objects, and most keys of them are the same.
func isTable(o map[string]any) bool {
	if len(o) < 2 {
		return false
	}
	var first map[string]any
	for _, key := range slices.Sorted(maps.Keys(o)) {
		member, ok := o[key].(map[string]any)
		if !ok {
			return false
		}
		if first == nil {
			first = member
			continue
		}
		same := 0
		for k := range member {
			if _, ok := first[k]; ok {
				same++
			}
		}
		if same*3 < len(first)*2 {
			return false
		}
	}
	return true
}

// stars is the way to an entry with a star at every choice among members that are alike.
func stars(v any, path []string, at int) []string {
	way := slices.Clone(path[:at+1])
	for i := range way {
		if isListed(v, path, i) {
			way[i] = "*"
		}
	}
	return way
}

// hasAll reports whether every entry has a title, and the titles hold all that they should.
func (d Data) hasAll(entries []any, titles []string) bool {
	there := make(map[string]bool, len(entries))
	for _, e := range entries {
		text := textAt(e, d.Title)
		if text == "" {
			return false
		}
		there[keyOf(text)] = true
	}
	for _, title := range titles {
		if !there[keyOf(title)] {
			return false
		}
	}
	return true
}

// fill adds the ways to what else the entries say.
func (d *Data) fill(entries []any) {
	paths := pathsOf(entries)
	d.Link = best(paths, page.LinkKey, func(path string) bool { return hold(entries, path, true, isAddress) })
	if d.Link == "" {
		d.ID = best(paths, page.IDKey, func(path string) bool { return hold(entries, path, true, isShort) })
	}
	d.Place = best(paths, page.PlaceKey, func(path string) bool { return hold(entries, path, false, isShort) })
	d.Department = best(paths, page.GroupKey, func(path string) bool { return hold(entries, path, false, isShort) })
}

// best is the path whose key is the first that is known for such a thing; "" when there is none.
func best(paths []string, rank func(keys []string) int, fits func(path string) bool) string {
	found, at := "", 0
	for _, path := range paths {
		if n := rank(strings.Split(path, ".")); n > 0 && (found == "" || n < at) && fits(path) {
			found, at = path, n
		}
	}
	return found
}

// maxDeep is how deep in an entry its fields are looked for.
const maxDeep = 4

// pathsOf are the ways to all texts in the first entries, lists with stars.
func pathsOf(entries []any) []string {
	var paths []string
	var look func(v any, path []string)
	look = func(v any, path []string) {
		if len(path) > maxDeep {
			return
		}
		switch v := v.(type) {
		case map[string]any:
			for _, key := range slices.Sorted(maps.Keys(v)) {
				if key != "" && !strings.Contains(key, ".") {
					look(v[key], append(slices.Clip(path), key))
				}
			}
		case []any:
			for _, child := range v[:min(len(v), 3)] {
				look(child, append(slices.Clip(path), "*"))
			}
		default:
			if text := strings.Join(path, "."); page.ScalarText(v) != "" && !slices.Contains(paths, text) {
				paths = append(paths, text)
			}
		}
	}
	for _, e := range entries[:min(len(entries), 5)] {
		look(e, nil)
	}
	return paths
}

// hold reports whether most entries have such a text at a path, and another one each where they have to differ.
func hold(entries []any, path string, differ bool, fits func(string) bool) bool {
	found, texts := 0, make(map[string]bool)
	for _, e := range entries {
		if text := textAt(e, path); fits(text) {
			found++
			texts[text] = true
		}
	}
	return found*2 > len(entries) && (!differ || len(texts) == found)
}

func isAddress(text string) bool {
	return text != "" && !strings.ContainsAny(text, " \n") && strings.ContainsAny(text, "/?")
}

func isShort(text string) bool { return text != "" && len(text) <= 120 && !strings.Contains(text, "/") }
