package ats

import (
	"bytes"
	"encoding/json"
	"html"
	"reflect"
	"slices"
	"strings"
)

// place is one place in the usual order, city, region and country: what is there joined with ", ", nothing twice.
func place(parts ...string) string {
	distinct := make([]string, 0, len(parts))
	for _, part := range parts {
		if part = collapse(part); part != "" && !slices.Contains(distinct, part) {
			distinct = append(distinct, part)
		}
	}
	return strings.Join(distinct, ", ")
}

// placeAsGiven is one place whose parts may well be called alike, as city and state of New York are: what is there joined
// with ", ".
func placeAsGiven(parts ...string) string {
	var given []string
	for _, part := range parts {
		if part = collapse(part); part != "" {
			given = append(given, part)
		}
	}
	return strings.Join(given, ", ")
}

// joinPlaces joins the places of one role with "; ", each of them once, in the order given.
func joinPlaces(places ...string) string {
	distinct := make([]string, 0, len(places))
	for _, place := range places {
		if place = strings.TrimSpace(place); place != "" && !slices.Contains(distinct, place) {
			distinct = append(distinct, place)
		}
	}
	return strings.Join(distinct, "; ")
}

// collapse is s with every run of white space made one blank, and none at its ends.
func collapse(s string) string { return strings.Join(strings.Fields(s), " ") }

// unescape decodes entities as often as the vendor encodes them.
func unescape(s string, times int) string {
	for range times {
		s = html.UnescapeString(s)
	}
	return s
}

// firstText is the first text that is more than white space.
func firstText(texts ...string) string {
	for _, s := range texts {
		if strings.TrimSpace(s) != "" {
			return s
		}
	}
	return ""
}

// An id is a role's id in JSON, where vendors write numbers and texts alike. Absent and null are empty.
type id string

// UnmarshalJSON takes a number as it is written, or a text.
func (i *id) UnmarshalJSON(document []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(document))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return err
	}
	switch value := value.(type) {
	case nil:
		*i = ""
	case string:
		*i = id(value)
	case json.Number:
		*i = id(value)
	default:
		return &json.UnmarshalTypeError{Value: "object", Type: reflect.TypeFor[string]()}
	}
	return nil
}
