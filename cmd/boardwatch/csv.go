package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch/track"
)

// writeCSV writes items under the names that their fields have in JSON, every field in the same order. What an object
// holds in another one follows in its place, the elements of a list are joined with commas, and null is an empty cell.
func writeCSV[T any](w io.Writer, items []T) error {
	var none T
	head, err := fieldsOf(none)
	if err != nil {
		return err
	}
	out := csv.NewWriter(w)
	row := make([]string, len(head))
	for i, f := range head {
		row[i] = f.name
	}
	if err := out.Write(row); err != nil {
		return err
	}
	for _, item := range items {
		fields, err := fieldsOf(item)
		if err != nil {
			return err
		}
		clear(row)
		for i, f := range fields[:min(len(fields), len(row))] {
			row[i] = f.cell
		}
		if err := out.Write(row); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// field is one field of an object as a cell.
type field struct{ name, cell string }

// fieldsOf are the fields of a value as it is in JSON, in their order.
func fieldsOf(v any) ([]field, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return fieldsIn(data)
}

func fieldsIn(object []byte) ([]field, error) {
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
		var value json.RawMessage
		if err := in.Decode(&value); err != nil {
			return nil, err
		}
		if bytes.HasPrefix(value, []byte("{")) {
			inner, err := fieldsIn(value)
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
		fields = append(fields, field{fmt.Sprint(name), cell})
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
