package fact

import (
	"cmp"
	"encoding/json"
	"html"
	"slices"
	"strconv"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// Linked are the facts that a JobPosting of schema.org states, and its description as it stands there. The object is JSON
// as package json decodes it.
func Linked(posting map[string]any) (f boardwatch.Facts, description string) {
	f.PostedAt = Date(text(posting["datePosted"]))
	f.UpdatedAt = Date(text(posting["dateModified"]))
	f.ValidThrough = Date(text(posting["validThrough"]))
	Employment(&f, linkedType(posting["employmentType"]))
	f.Mode = Mode(text(posting["jobLocationType"]))
	for _, name := range [...]string{"baseSalary", "estimatedSalary"} {
		if f.Pay.IsZero() {
			f.Pay = linkedPay(posting[name], text(posting["salaryCurrency"]))
		}
	}
	var places []boardwatch.Place
	for _, l := range list(posting["jobLocation"]) {
		for _, address := range list(object(l)["address"]) {
			a := object(address)
			if a == nil { // a text, or the place has a name alone
				places = append(places, Place(cmp.Or(text(address), text(l)), "", ""))
				continue
			}
			city, region, country := text(a["addressLocality"]), text(a["addressRegion"]), text(a["addressCountry"])
			places = append(places, Place(joined(city, region, country), city, country))
		}
	}
	if len(places) == 0 || places[0].Text == "" { // of remote work
		for _, place := range list(posting["applicantLocationRequirements"]) {
			places = append(places, Place(text(place), "", text(place)))
		}
	}
	Places(&f, places...)
	if id := object(posting["identifier"]); id != nil {
		f.Requisition = Line(text(id["value"]))
	} else {
		f.Requisition = Line(text(posting["identifier"]))
	}
	if strings.Contains(f.Requisition, "://") {
		f.Requisition = "" // an address
	}
	f.Language = Language(text(posting["inLanguage"]))
	description, ok := posting["description"].(string)
	if !ok {
		description = text(posting["description"])
	}
	return f, description
}

// linkedType are the kinds of employment, of which there may be several.
func linkedType(value any) string {
	var all []string
	for _, v := range list(value) {
		if s := text(v); s != "" {
			all = append(all, s[strings.LastIndexByte(s, '/')+1:]) // some are addresses of words of the vocabulary
		}
	}
	return joined(all...)
}

// linkedPay is a MonetaryAmount, whose value is a number or a range, a PriceSpecification, or pay in words.
func linkedPay(value any, currency string) boardwatch.Pay {
	whole := object(value)
	if whole == nil {
		whole = map[string]any{"value": value}
	}
	in := object(whole["value"])
	if in == nil {
		in = whole
	}
	first := func(names ...string) string {
		for _, name := range names {
			if s := cmp.Or(text(in[name]), text(whole[name])); s != "" {
				return s
			}
		}
		return ""
	}
	least, most, words := first("minValue", "minPrice"), first("maxValue", "maxPrice"), ""
	if ends, _ := whole["value"].([]any); len(ends) == 2 && least == "" && most == "" {
		least, most = text(ends[0]), text(ends[1])
	}
	if single := first("value", "price"); least == "" && most == "" {
		least, most, words = single, single, single
		if n, _ := amount(single, true); n > 0 {
			words = ""
		}
	}
	return Pay(least, most, cmp.Or(first("currency", "priceCurrency"), currency), first("unitText", "unitCode"), words)
}

func joined(parts ...string) string {
	var all []string
	for _, part := range parts {
		if part != "" && !slices.Contains(all, part) {
			all = append(all, part)
		}
	}
	return strings.Join(all, ", ")
}

func list(value any) []any {
	if all, ok := value.([]any); ok {
		return all[:min(len(all), maxPlaces)]
	}
	return []any{value}
}

// object is a value that is one, or the first of a list.
func object(value any) map[string]any {
	if all := list(value); len(all) > 0 {
		o, _ := all[0].(map[string]any)
		return o
	}
	return nil
}

// text is a value as text: itself, the first of a list, or the name of an object.
func text(value any) string {
	switch value := value.(type) {
	case string:
		return strings.TrimSpace(html.UnescapeString(value))
	case json.Number:
		return value.String()
	case float64:
		return strconv.FormatFloat(value, 'f', -1, 64)
	case []any:
		for _, v := range value[:min(1, len(value))] {
			s, _ := v.(string)
			return text(s)
		}
	case map[string]any:
		for _, key := range [...]string{"name", "@value", "value"} {
			if s, ok := value[key].(string); ok {
				return text(s)
			}
		}
	}
	return ""
}
