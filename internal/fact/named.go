package fact

import (
	"cmp"
	"encoding/json"
	"html"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// Letters are the letters of a key in lower case, from a to z: "jobTitle", "JobTitle" and "job_title" are one.
func Letters(key string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		case r >= 'a' && r <= 'z':
			return r
		}
		return -1
	}, key)
}

// wrappers are the names of objects in which systems put what a role has.
const wrappers = `job vacancy advert jobopening source matchedobjectdescriptor requisition details opening options recruitment location atslocation`

// Members are those of an object of JSON by the letters of their keys, with those of the objects that only wrap some.
func Members(object map[string]any) map[string]any {
	m := make(map[string]any, len(object))
	for key, value := range object {
		if name := Letters(key); m[name] == nil {
			m[name] = value
		}
	}
	for name := range strings.FieldsSeq(wrappers) {
		inner, _ := m[name].(map[string]any)
		for key, value := range inner {
			if name := Letters(key); m[name] == nil {
				m[name] = value
			}
		}
	}
	return m
}

// Named are the facts that members state under names that leave no doubt, and the parts of the description. location is
// where the role is, as the source shows it.
func Named(m map[string]any, location string) (f boardwatch.Facts, description []string) {
	f.PostedAt = Date(said(m, `dateposted postedat posteddate postdate publishedat publisheddate publishedon publishdate datepublished postedon postingdate firstpublished opendate publicationstartdate postingstarttimestamputc`))
	f.UpdatedAt = Date(said(m, `updatedat updateddate lastupdated datemodified modifiedat`))
	f.ValidThrough = Date(said(m, `validthrough closingdate closedate deadline applicationdeadline expirydate expirationdate closesat expiresat expireson postingexpirytimestamputc`))
	f.Mode = Mode(said(m, `workplacetype workspacetype workmode worktype remotestatus remotepolicy remotetype joblocationtype locationtype workarrangement remotenesspretty workplace`))
	if yes := said(m, `isremote remote fullyremote isremotejob allowsremote isvirtuallocation`); f.Mode == "" && (yes == "true" || yes == "1") {
		f.Mode = boardwatch.ModeRemote
	}
	Employment(&f, said(m, `employmenttype employmenttypename jobtype contracttype commitment employmentstatus employmentstatuslabel timetype jobemploymenttype typecontrat stellenart kindpretty contract`))
	if text := said(m, `type kind positiontype classification employeetype`); f.Type == "" {
		if _, ok := JobType(text); ok {
			Employment(&f, text)
		}
	}
	f.Requisition = Line(said(m, `requisitionid requisitionnumber reqid jobreqid clientrequisitionid nrref jobnumber`))
	f.Language = Language(said(m, `language lang culturecode`))
	f.Pay = payIn(m)
	Places(&f, Place(location, said(m, `city cityname addresslocality`), said(m, `countrycode country countryname addresscountry`)))
	for name := range strings.FieldsSeq(`descriptionhtml richtextdescription content externaldescriptionstr jobdescription description jobad
		responsibilities externalresponsibilitiesstr requirements qualifications externalqualificationsstr benefits`) {
		whole := strings.HasPrefix(name, "desc") || strings.HasSuffix(name, "description") || name == "content" || name == "externaldescriptionstr"
		if part := prose(m[name], 0); part != "" && (!whole || len(description) == 0) {
			description = append(description, part)
		}
	}
	return f, description
}

// payIn is what an object itself, or its salary, states in fields.
func payIn(m map[string]any) boardwatch.Pay {
	for name := range strings.FieldsSeq(`basesalary salaryrange salary compensation payrange pay payinputranges`) {
		switch v := m[name].(type) {
		case []any:
			if p := PayRanges(v); strings.Contains(name, "range") && !p.IsZero() {
				return p
			}
		case map[string]any:
			if p := amounts(Members(v), " from", " to"); !p.IsZero() {
				return p
			}
		case string:
			if p, ok := PayLabel(v); ok {
				return p
			}
		}
	}
	return amounts(m, "", "")
}

// PayRanges is what a list of ranges of pay states, such as one for each place: from the least to the most, with the titles
// that they have. Ranges in several currencies or for several periods have nothing in common.
func PayRanges(list any) (p boardwatch.Pay) {
	var titles []string
	ranges, _ := list.([]any)
	for i, of := range ranges {
		object, _ := of.(map[string]any)
		m := Members(object)
		one := amounts(m, "", "")
		if one.IsZero() || i > 0 && (one.Currency != p.Currency || one.Period != p.Period) {
			return boardwatch.Pay{}
		}
		if title := Line(said(m, `title`)); title != "" {
			titles = append(titles, title)
		}
		if i == 0 {
			p = one
			continue
		}
		if one.Min < p.Min {
			p.Min = one.Min
		}
		if p.Max = max(p.Max, one.Max); one.Max == 0 { // it has no upper end
			p.Max = 0
		}
	}
	p.Text = Line(strings.Join(titles, "; "))
	return p
}

// amounts are those of an object, under their usual names and two more.
func amounts(m map[string]any, least, most string) boardwatch.Pay {
	least = said(m, `salarymin minsalary salaryminimum minimumsalary salaryfrom min minvalue minimum`+least)
	most = said(m, `salarymax maxsalary salarymaximum maximumsalary salaryto max maxvalue maximum`+most)
	p := Pay(cmp.Or(least, hundredth(said(m, `mincents`))), cmp.Or(most, hundredth(said(m, `maxcents`))),
		said(m, `salarycurrency currency currencycode currencytype`), said(m, `salaryperiod salaryinterval period interval unittext frequency`), "")
	if p.Currency == "" || p.Min == 0 && p.Max == 0 {
		return boardwatch.Pay{}
	}
	return p
}

// hundredth is an amount that is given in cents.
func hundredth(cents string) string {
	n, err := strconv.ParseFloat(cents, 64)
	if err != nil {
		return ""
	}
	return strconv.FormatFloat(n/100, 'f', -1, 64)
}

// said is the first text, number or truth value under one of the names, as text; that of an object is its name.
func said(m map[string]any, names string) string {
	for name := range strings.FieldsSeq(names) {
		switch v := m[name].(type) {
		case string:
			if v = strings.TrimSpace(v); v != "" {
				return v
			}
		case json.Number:
			return v.String()
		case float64:
			return strconv.FormatFloat(v, 'f', -1, 64)
		case bool:
			return strconv.FormatBool(v)
		case []any:
			if len(v) == 1 {
				if text, ok := v[0].(string); ok {
					return text
				}
			}
		case map[string]any:
			for _, key := range [...]string{"code", "name", "label", "value", "type", "shortName", "alpha2Code", "descriptor"} {
				if text, ok := v[key].(string); ok && text != "" {
					return text
				}
			}
		}
	}
	return ""
}

// prose is a text, or the texts of an object that holds the parts of one.
func prose(value any, depth int) string {
	v, isObject := value.(map[string]any)
	if !isObject {
		text, _ := value.(string)
		return text
	}
	for _, key := range [...]string{"html", "text", "value"} {
		if text, ok := v[key].(string); ok && text != "" {
			if title, ok := v["title"].(string); ok {
				text = "<h3>" + html.EscapeString(title) + "</h3>" + text
			}
			return text
		}
	}
	var parts []string
	for _, key := range slices.Backward(slices.Sorted(maps.Keys(v))) { // "role" before "company", "jobDescription" before "companyDescription"
		_, isText := v[key].(string)
		if part := prose(v[key], depth+1); part != "" && depth < 3 && (!isText || key == "role" || key == "company") {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, "\n\n")
}
