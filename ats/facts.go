package ats

import (
	"encoding/json"
	"html"
	"slices"
	"strconv"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/internal/fact"
	"github.com/boardwatch/boardwatch/internal/markdown"
)

// A said is what a row says in a field that only facts are made of: a text, a number or a truth value, as text. Anything
// else in its place is nothing: no list is partial for the sake of a fact.
type said string

// UnmarshalJSON never fails.
func (s *said) UnmarshalJSON(document []byte) error {
	*s = ""
	switch c := document[0]; {
	case c == '"':
		_ = json.Unmarshal(document, (*string)(s)) // it is a text
	case isNumeral(c), c == 't', c == 'f':
		*s = said(document)
	}
	return nil
}

// A loose is a part of a row that only facts are made of, as far as it has the form expected.
type loose[T any] struct{ is T }

// UnmarshalJSON never fails.
func (l *loose[T]) UnmarshalJSON(document []byte) error {
	_ = json.Unmarshal(document, &l.is) // what fits is there all the same
	return nil
}

// remoteIf is the mode of a field that says no more than whether a role is remote.
func remoteIf(flag said) boardwatch.WorkMode {
	if isYes(string(flag)) {
		return boardwatch.ModeRemote
	}
	return ""
}

// modeOr is the mode that a field states in words, or else what a mere flag says.
func modeOr(flag said, words ...said) boardwatch.WorkMode {
	for _, w := range words {
		if mode := fact.Mode(string(w)); mode != "" {
			return mode
		}
	}
	return remoteIf(flag)
}

// describe gives a role its text, made of the parts of a description in their order. An address in it is complete.
func describe(p *boardwatch.Posting, parts ...said) {
	given := slices.DeleteFunc(slices.Clone(parts), func(part said) bool { return part == "" })
	if len(given) == 1 { // no copy of what may be long
		p.Text = markdown.Of(string(given[0]), p.URL, boardwatch.MaxText)
		return
	}
	var whole strings.Builder
	for _, part := range given {
		whole.WriteString(string(part))
		whole.WriteByte('\n')
	}
	p.Text = markdown.Of(whole.String(), p.URL, boardwatch.MaxText)
}

// section is a part of a description below a heading; nothing without content.
func section(heading, content said) said {
	if strings.TrimSpace(string(content)) == "" {
		return ""
	}
	if strings.TrimSpace(string(heading)) == "" {
		return content
	}
	return "<h3>" + said(html.EscapeString(string(heading))) + "</h3>" + content
}

// statedPlace is a place that a row has fields for.
func statedPlace(text string, city, country said) boardwatch.Place {
	return fact.Place(text, string(city), string(country))
}

// date is a moment or a day that a field states.
func date(field said) boardwatch.Stated { return fact.Date(string(field)) }

// employment notes the kind of employment that the first of the fields states.
func employment(f *boardwatch.Facts, fields ...said) {
	for _, field := range fields {
		fact.Employment(f, string(field))
	}
}

// statedPay is the pay that fields state: amounts, currency, period, and the source's own words.
func statedPay(least, most, currency, period, text said) boardwatch.Pay {
	return fact.Pay(string(least), string(most), string(currency), string(period), string(text))
}

// flag is a truth value as a field has it.
func flag(yes bool) said { return said(strconv.FormatBool(yes)) }

// firstSaid is the first field that says anything.
func firstSaid(fields ...said) said {
	for _, field := range fields {
		if strings.TrimSpace(string(field)) != "" {
			return field
		}
	}
	return ""
}

// addNamed adds to a posting of which no facts are known those that its row states under names that leave no doubt.
func addNamed(p *boardwatch.Posting, row json.RawMessage) {
	if !p.Facts.IsZero() || p.Text != "" {
		return
	}
	var object map[string]any
	if json.Unmarshal(row, &object) != nil {
		return
	}
	facts, description := fact.Named(fact.Members(object), p.Location)
	p.Facts = facts
	describe(p, said(strings.Join(description, "\n\n")))
}
