package command

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch/track"
)

// WriteCSV writes items under the names that their fields have in JSON. Every row has the same columns, whatever an item leaves
// out: one for each field of any item. What an object holds in another one follows in its place, the elements of a list are
// joined with commas, and null is an empty cell. A name that several columns would have is written with those of its objects.
func WriteCSV[T any](w io.Writer, items []T) error {
	var none T
	var head columnSet
	for i := -1; i < len(items); i++ {
		item := none
		if i >= 0 {
			item = items[i]
		}
		fields, err := fieldsOf(item)
		if err != nil {
			return err
		}
		head.add(fields)
	}
	paths := head.leaves()
	row, at := make([]string, len(paths)), make(map[string]int, len(paths))
	named := make(map[string]int, len(paths))
	for _, path := range paths {
		named[lastName(path)]++
	}
	for i, path := range paths {
		row[i], at[path] = lastName(path), i
		if named[row[i]] > 1 {
			row[i] = path
		}
	}
	out := csv.NewWriter(w)
	if err := out.Write(row); err != nil {
		return err
	}
	for _, item := range items {
		fields, err := fieldsOf(item)
		if err != nil {
			return err
		}
		clear(row)
		for _, f := range fields {
			if i, ok := at[f.path]; ok {
				row[i] = f.cell
			}
		}
		if err := out.Write(row); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func lastName(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }

// columnSet is the paths of all fields that were added, in their order.
type columnSet struct {
	paths []string
	known map[string]bool
}

// add puts fields that are new before those that follow them in their own object.
func (s *columnSet) add(fields []field) {
	if s.known == nil {
		s.known = map[string]bool{}
	}
	for i, f := range slices.Backward(fields) {
		if s.known[f.path] {
			continue
		}
		s.known[f.path] = true
		place := len(s.paths)
		if i+1 < len(fields) {
			place = slices.Index(s.paths, fields[i+1].path)
		}
		s.paths = slices.Insert(s.paths, place, f.path)
	}
}

// leaves are the paths without those that were null here and an object there.
func (s *columnSet) leaves() []string {
	var leaves []string
	for _, p := range s.paths {
		if !slices.ContainsFunc(s.paths, func(q string) bool { return strings.HasPrefix(q, p+".") }) {
			leaves = append(leaves, p)
		}
	}
	return leaves
}

// field is one field of an object as a cell. Its path is its name behind those of the objects that hold it, with dots between.
type field struct{ path, cell string }

// fieldsOf are the fields of a value as it is in JSON, in their order.
func fieldsOf(v any) ([]field, error) {
	data, err := json.Marshal(v)
	if err != nil || !bytes.HasPrefix(data, []byte("{")) {
		return nil, err
	}
	return fieldsIn(data, "")
}

func fieldsIn(object []byte, prefix string) ([]field, error) {
	in := json.NewDecoder(bytes.NewReader(object))
	if _, err := in.Token(); err != nil { // the brace
		return nil, err
	}
	var fields []field
	for in.More() {
		name, err := in.Token()
		if err != nil {
			return nil, err
		}
		path := prefix + fmt.Sprint(name)
		var value json.RawMessage
		if err := in.Decode(&value); err != nil {
			return nil, err
		}
		if bytes.HasPrefix(value, []byte("{")) {
			inner, err := fieldsIn(value, path+".")
			if err != nil {
				return nil, err
			}
			fields = append(fields, inner...)
			continue
		}
		cell, err := cellOf(value)
		if err != nil {
			return nil, err
		}
		fields = append(fields, field{path, cell})
	}
	return fields, nil
}

// cellOf is a JSON value that is no object as the text of a cell.
func cellOf(value json.RawMessage) (string, error) {
	switch value[0] {
	case '"':
		var s string
		err := json.Unmarshal(value, &s)
		return track.Guarded(s), err
	case '[':
		var elements []json.RawMessage
		if err := json.Unmarshal(value, &elements); err != nil {
			return "", err
		}
		cells := make([]string, len(elements))
		for i, e := range elements {
			cell, err := cellOf(e)
			if err != nil {
				return "", err
			}
			cells[i] = cell
		}
		return strings.Join(cells, ","), nil
	case 'n':
		return "", nil
	default:
		return string(value), nil
	}
}
