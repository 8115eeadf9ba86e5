package page

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/boardwatch/boardwatch/internal/script"
)

// Some frameworks send values as a list in which objects name the positions of their members. This file puts them
// together again.

// isFlattened reports whether a list is written that way: its first entry is an object of positions only.
func isFlattened(list []any) bool {
	if len(list) < 4 {
		return false
	}
	switch first := list[0].(type) {
	case map[string]any:
		for _, v := range first {
			if _, ok := position(v, len(list)); !ok {
				return false
			}
		}
		return len(first) > 0
	case []any:
		if len(first) != 2 {
			return false
		}
		kind, ok := first[0].(string)
		return ok && (kind == "Reactive" || kind == "ShallowReactive")
	}
	return false
}

// Unflatten puts together what SvelteKit sends for a page: an object with a flattened list for each part of it. Other
// values are as they were.
func Unflatten(v any) any {
	o, ok := v.(map[string]any)
	nodes, isList := o["nodes"].([]any)
	if !ok || !isList || o["type"] != "data" {
		return v
	}
	parts := make([]any, 0, len(nodes))
	for _, node := range nodes {
		part, _ := node.(map[string]any)
		if list, ok := part["data"].([]any); ok && len(list) > 0 {
			parts = append(parts, unflatten(list))
		}
	}
	return parts
}

func position(v any, n int) (int, bool) {
	number, ok := v.(json.Number)
	if !ok {
		return 0, false
	}
	i, err := strconv.Atoi(number.String())
	return i, err == nil && i < n
}

func unflatten(list []any) any {
	u := &unflattener{values: list, done: make(map[int]any)}
	return u.at(0, 0)
}

type unflattener struct {
	values []any
	done   map[int]any
}

// at is the value that position i stands for. Positions below zero stand for nothing.
func (u *unflattener) at(i, depth int) any {
	if i < 0 || i >= len(u.values) || depth > maxNesting {
		return nil
	}
	if v, ok := u.done[i]; ok {
		return v
	}
	switch v := u.values[i].(type) {
	case map[string]any:
		o := make(map[string]any, len(v))
		u.done[i] = o
		for key, at := range v {
			if n, ok := position(at, len(u.values)); ok {
				o[u.key(key)] = u.at(n, depth+1)
			}
		}
		return o
	case []any:
		return u.list(i, v, depth)
	default:
		u.done[i] = v
		return v
	}
}

// key is the name of a member: itself, or "_5" for the text at that position.
func (u *unflattener) key(key string) string {
	if rest, ok := strings.CutPrefix(key, "_"); ok {
		if i, err := strconv.Atoi(rest); err == nil && i >= 0 && i < len(u.values) {
			if name, ok := u.values[i].(string); ok {
				return name
			}
		}
	}
	return key
}

// list is a list of positions, or a typed value: a kind and what it holds.
func (u *unflattener) list(i int, v []any, depth int) any {
	if len(v) > 0 {
		if kind, ok := v[0].(string); ok {
			w := u.typed(kind, v[1:], depth)
			u.done[i] = w
			return w
		}
	}
	list := make([]any, len(v))
	u.done[i] = list
	for j, at := range v {
		if n, ok := position(at, len(u.values)); ok {
			list[j] = u.at(n, depth+1)
		}
	}
	return list
}

func (u *unflattener) typed(kind string, args []any, depth int) any {
	if len(args) == 0 {
		return nil
	}
	switch kind {
	case "Set":
		list := make([]any, 0, len(args))
		for _, at := range args {
			if n, ok := position(at, len(u.values)); ok {
				list = append(list, u.at(n, depth+1))
			}
		}
		return list
	case "Map", "null":
		o := make(map[string]any, len(args)/2)
		for j := 0; j+1 < len(args); j += 2 {
			key, _ := args[j].(string)
			if n, ok := position(args[j], len(u.values)); ok {
				key = script.Key(u.at(n, depth+1))
			}
			if n, ok := position(args[j+1], len(u.values)); ok {
				o[key] = u.at(n, depth+1)
			}
		}
		return o
	}
	if n, ok := position(args[0], len(u.values)); ok {
		return u.at(n, depth+1) // Reactive, Ref and the like
	}
	return args[0] // Date and the like
}

// unwrap undoes Astro's way of writing the properties of an island: each value in a list, behind its kind.
func unwrap(v any, depth int) any {
	if depth > maxNesting {
		return nil
	}
	switch v := v.(type) {
	case map[string]any:
		o := make(map[string]any, len(v))
		for key, child := range v {
			o[key] = unwrap(child, depth+1)
		}
		return o
	case []any:
		if len(v) != 2 {
			return v
		}
		kind, ok := v[0].(json.Number)
		if !ok {
			return v
		}
		if list, ok := v[1].([]any); ok && (kind == "1" || kind == "4" || kind == "5") {
			out := make([]any, len(list))
			for i, child := range list {
				out[i] = unwrap(child, depth+1)
			}
			return out
		}
		return unwrap(v[1], depth+1)
	}
	return v
}

// flightTable is the rows of Next.js' stream by their ids.
type flightTable struct {
	byID  map[string]any
	order []string
}

// flightRows parts the stream into rows, "id:value" each. Texts carry their length, because they may hold line breaks.
func flightRows(text string) flightTable {
	t := flightTable{byID: make(map[string]any)}
	for len(text) > 0 && len(t.order) < maxObjects {
		id, rest, found := strings.Cut(text, ":")
		if !found {
			break
		}
		if strings.ContainsAny(id, "\n {[\"") || len(id) > 8 {
			_, text, _ = strings.Cut(text, "\n") // not a row
			continue
		}
		if strings.HasPrefix(rest, "T") {
			size, body, _ := strings.Cut(rest[1:], ",")
			if n, err := strconv.ParseUint(size, 16, 31); err == nil && int(n) <= len(body) {
				t.byID[id], text = body[:n], body[n:]
				continue
			}
		}
		var line string
		line, text, _ = strings.Cut(rest, "\n")
		if i := strings.IndexAny(line, "[{\""); i >= 0 && i <= 2 {
			if v, err := DecodeJSON([]byte(line[i:])); err == nil {
				t.byID[id] = v
				t.order = append(t.order, id)
			}
		}
	}
	return t
}

// flightReader puts rows that refer to one another together.
type flightReader struct {
	rows     flightTable
	steps    int
	dangling bool // data is referred to that was not sent
}

func isHex(s string) bool {
	_, err := strconv.ParseUint(s, 16, 32)
	return err == nil
}

// resolve replaces references, such as "$1f" and "$L5:props:jobs", by what they refer to.
func (r *flightReader) resolve(v any, depth int) any {
	if r.steps--; r.steps < 0 || depth > maxNesting {
		return nil
	}
	switch v := v.(type) {
	case string:
		if len(v) < 2 || v[0] != '$' {
			return v
		}
		return r.follow(v, depth)
	case map[string]any:
		for key, child := range v {
			if s, ok := child.(string); !ok || strings.HasPrefix(s, "$") {
				v[key] = r.resolve(child, depth+1)
			}
		}
	case []any:
		for i, child := range v {
			if s, ok := child.(string); !ok || strings.HasPrefix(s, "$") {
				v[i] = r.resolve(child, depth+1)
			}
		}
	}
	return v
}

func (r *flightReader) follow(ref string, depth int) any {
	name := strings.TrimLeft(ref[1:], "L@FQW")
	if strings.HasPrefix(ref, "$$") {
		return ref[1:]
	}
	if date, ok := strings.CutPrefix(ref, "$D"); ok && strings.Contains(date, "-") {
		return date
	}
	keys := strings.Split(name, ":")
	v, ok := r.rows.byID[keys[0]]
	if !ok && !strings.HasPrefix(ref, "$L") && isHex(keys[0]) {
		r.dangling = true
	}
	if !ok || strings.HasPrefix(ref, "$L") && len(keys) == 1 { // a part of the page, which is read by itself
		return nil
	}
	for _, key := range keys[1:] {
		if list, ok := v.([]any); ok && len(list) == 4 && list[0] == "$" { // an element: its kind, key and properties
			switch key {
			case "props":
				v = list[3]
				continue
			case "key":
				v = list[2]
				continue
			}
		}
		v = script.Member(v, key)
	}
	if s, ok := v.(string); ok && strings.HasPrefix(s, "$") && s != ref {
		return r.resolve(s, depth+1)
	}
	return v
}
