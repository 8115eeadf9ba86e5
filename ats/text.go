package ats

import (
	"encoding/json"
	"html"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

// place joins the parts of a place with ", " in the usual order: city, region, country. Empty and repeated parts are left out.
func place(parts ...string) string {
	each := make([]string, len(parts))
	for i, part := range parts {
		each[i] = collapse(part)
	}
	return strings.Join(distinct(each), ", ")
}

// distinct returns the texts that are not empty, each once, in the given order.
func distinct(texts []string) []string {
	told := make([]string, 0, len(texts))
	seen := make(map[string]bool, len(texts))
	for _, text := range texts {
		if text != "" && !seen[text] {
			seen[text] = true
			told = append(told, text)
		}
	}
	return told
}

// placeAsGiven is place, but keeps repeated parts, such as the city and the state of New York.
func placeAsGiven(parts ...string) string {
	var given []string
	for _, part := range parts {
		if part = collapse(part); part != "" {
			given = append(given, part)
		}
	}
	return strings.Join(given, ", ")
}

// joinPlaces joins the places of one role with "; ", each once, in the given order.
func joinPlaces(places ...string) string {
	each := make([]string, len(places))
	for i, place := range places {
		each[i] = strings.TrimSpace(place)
	}
	return strings.Join(distinct(each), "; ")
}

// orRemote gives a remote role that names no place "Remote" for one.
func orRemote(p *boardwatch.Posting, remote bool) {
	if p.Location == "" && remote {
		p.Location = "Remote"
	}
}

// captured returns the part of a text that the first group of an expression matches, or "".
func captured(form *lazyregexp.Regexp, text string) string {
	if m := form.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}

// collapse replaces every run of white space with one blank, and removes it at the ends.
func collapse(s string) string { return strings.Join(strings.Fields(s), " ") }

// unescape decodes entities as many times as the vendor has encoded them.
func unescape(s string, times int) string {
	for range times {
		s = html.UnescapeString(s)
	}
	return s
}

// firstText returns the first text that is more than white space, or "".
func firstText(texts ...string) string {
	for _, s := range texts {
		if strings.TrimSpace(s) != "" {
			return s
		}
	}
	return ""
}

// isYes and isNo report whether a value of JSON says so, as a truth value, a text or a number. One that is absent says neither.
func isYes(value any) bool {
	text, _ := value.(string)
	return value == true || value == 1.0 || strings.EqualFold(text, "true") || strings.EqualFold(text, "yes") || text == "1"
}

func isNo(value any) bool {
	text, _ := value.(string)
	return value == false || value == 0.0 || strings.EqualFold(text, "false") || strings.EqualFold(text, "no") || text == "0"
}

// An id is a role's id in JSON, where vendors write numbers and texts alike. Absent and null are empty.
type id string

// UnmarshalJSON takes a number as it is written, or a text.
func (i *id) UnmarshalJSON(document []byte) error {
	switch c := document[0]; {
	case string(document) == "null":
		*i = ""
	case c == '"':
		return json.Unmarshal(document, (*string)(i))
	case isNumeral(c):
		*i = id(document)
	default:
		return &json.UnmarshalTypeError{Value: jsonKind(c), Type: reflect.TypeFor[string]()}
	}
	return nil
}

// A count is how many there are of something in JSON, where vendors write numbers and texts alike. Absent and null are zero.
type count int

// UnmarshalJSON takes a whole number, or a text that is one.
func (c *count) UnmarshalJSON(document []byte) error {
	if string(document) == "null" {
		return nil
	}
	number, err := strconv.ParseFloat(strings.Trim(string(document), `"`), 64)
	if err != nil || number != math.Trunc(number) || math.Abs(number) > 1e9 {
		return &json.UnmarshalTypeError{Value: jsonKind(document[0]), Type: reflect.TypeFor[int]()}
	}
	*c = count(number)
	return nil
}

// jsonKind is what begins with a character, as package json calls it.
func jsonKind(first byte) string {
	switch {
	case first == '"':
		return "string"
	case first == '[':
		return "array"
	case first == '{':
		return "object"
	case isNumeral(first):
		return "number"
	}
	return "bool"
}

func isNumeral(c byte) bool { return c == '-' || c >= '0' && c <= '9' }
