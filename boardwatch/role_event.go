package boardwatch

import (
	"encoding/json"
	"slices"
	"strings"
	"time"
)

// ChangeKind is the kind of change that a check recorded for a role.
type ChangeKind string

// The kinds of changes.
const (
	ChangeFound    ChangeKind = "found"
	ChangeUpdated  ChangeKind = "updated"
	ChangeMissing  ChangeKind = "missing" // the first absence that counts; consecutive ones are not recorded
	ChangeClosed   ChangeKind = "closed"
	ChangeReopened ChangeKind = "reopened"
)

// RoleEvent is an entry in the history of a role: what one check changed about it.
type RoleEvent struct {
	JobID   string
	CheckID string
	At      time.Time
	Kind    ChangeKind

	// Changes are the old and new values of a role that was updated or reopened. Entries from before this was recorded
	// have none.
	Changes []FieldChange
	// Absences are the checks that missed a role until it closed, oldest first. Older entries have none.
	Absences []Absence
	// Testimony is what the own page of a closed role said; empty if it was not asked.
	Testimony Testimony
	// Origin says how a role came to be found or closed, if not in the ordinary way.
	Origin RoleOrigin
}

// RoleOrigin says how a role came to be found or closed.
type RoleOrigin string

// The origins of roles.
const (
	OriginCheck  RoleOrigin = ""       // it appeared on its board
	OriginFirst  RoleOrigin = "first"  // the first reading of its board showed it
	OriginMerged RoleOrigin = "merged" // its board became another one
)

// JobField is a field of a job that employers change.
type JobField string

// The fields whose changes are recorded.
const (
	FieldTitle      JobField = "title"
	FieldLocation   JobField = "location"
	FieldDepartment JobField = "department"
	FieldURL        JobField = "url"

	FieldMode         JobField = "mode"
	FieldType         JobField = "type"
	FieldPay          JobField = "pay"
	FieldPlaces       JobField = "places"
	FieldValidThrough JobField = "validThrough"
	FieldRequisition  JobField = "requisition"
	FieldText         JobField = "text" // its values are hashes (TextHash)
)

// JobFields are the fields whose changes are recorded, in the order in which they are shown.
func JobFields() []JobField {
	return []JobField{
		FieldTitle, FieldLocation, FieldDepartment, FieldURL, FieldMode, FieldType, FieldPay, FieldPlaces, FieldValidThrough,
		FieldRequisition, FieldText,
	}
}

// Stated reports whether the field is the text or one of the Facts.
func (f JobField) Stated() bool {
	return slices.Index(JobFields(), f) > slices.Index(JobFields(), FieldURL)
}

// FieldChange is the old and the new value of a field. Empty means that there was none.
type FieldChange struct {
	Field    JobField
	From, To string
}

type fieldChangeJSON struct {
	Field JobField `json:"field"`
	From  *string  `json:"from"`
	To    *string  `json:"to"`
}

// MarshalJSON writes null for an empty value.
func (c FieldChange) MarshalJSON() ([]byte, error) {
	return json.Marshal(fieldChangeJSON{c.Field, orNull(c.From), orNull(c.To)})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (c *FieldChange) UnmarshalJSON(data []byte) error {
	var w fieldChangeJSON
	if err := json.Unmarshal(data, &w); err != nil {
		return err
	}
	*c = FieldChange{w.Field, orEmpty(w.From), orEmpty(w.To)}
	return nil
}

// Absence is a healthy check that did not show a role.
type Absence struct {
	CheckID string    `json:"checkId"`
	At      time.Time `json:"at"`
}

type roleEventJSON struct {
	At      timestamp     `json:"at"`
	Kind    ChangeKind    `json:"kind"`
	Changes []FieldChange `json:"changes"`
	CheckID string        `json:"checkId"`
	Reason  *string       `json:"reason"`
}

// MarshalJSON writes every field; an event without recorded changes has an empty list of them.
func (e RoleEvent) MarshalJSON() ([]byte, error) {
	changes := e.Changes
	if changes == nil {
		changes = []FieldChange{}
	}
	return json.Marshal(roleEventJSON{timestamp(e.At), e.Kind, changes, e.CheckID, orNull(e.Reason())})
}

// Reason says why the event happened, in words for people; empty if the kind says everything.
func (e RoleEvent) Reason() string {
	switch e.Kind {
	case ChangeFound:
		switch e.Origin {
		case OriginFirst:
			return "the first reading of the board showed it"
		case OriginMerged:
			return "it came with a board that merged into this one"
		case OriginCheck:
		}
	case ChangeUpdated:
		if len(e.Changes) == 0 {
			return "what changed was not recorded at that time"
		}
	case ChangeMissing:
		return "a healthy check did not show it"
	case ChangeClosed:
		if e.Origin == OriginMerged {
			return "the board became another one"
		}
		if says := e.Testimony.Says(); says != "" {
			return e.missedBy() + "; " + says
		}
		return e.missedBy()
	case ChangeReopened:
	}
	return ""
}

func (e RoleEvent) missedBy() string {
	if len(e.Absences) == 0 {
		return "the checks that missed it were not recorded at that time"
	}
	checks := make([]string, len(e.Absences))
	for i, a := range e.Absences {
		checks[i] = a.CheckID + " at " + a.At.UTC().Format(TimeFormat)
	}
	if len(checks) == 1 {
		return "a healthy check did not show it: " + checks[0]
	}
	return itoa(len(checks)) + " healthy checks in a row did not show it: " + strings.Join(checks, ", ")
}

// Says returns what the page said as a part of a sentence; empty if it was not asked.
func (t Testimony) Says() string {
	switch t {
	case TestimonyGone:
		return "its own page is gone"
	case TestimonyClosed:
		return "its own page says that it is no longer open"
	case TestimonyThere:
		return "its own page was still there"
	case TestimonySilent:
		return "its own page said nothing about it"
	}
	return ""
}

// fieldChanges returns the differences between a job and the posting that replaces it.
func fieldChanges(before Job, after Posting) (changes []FieldChange) {
	for _, f := range []FieldChange{
		{FieldTitle, before.Title, after.Title},
		{FieldLocation, before.Location, after.Location},
		{FieldDepartment, before.Department, after.Department},
		{FieldURL, before.URL, after.URL},
	} {
		if f.From != f.To && (f.Field != FieldURL || !sameAddress(f.From, f.To)) {
			changes = append(changes, f)
		}
	}
	return append(changes, statedChanges(before, after)...)
}

// statedChanges returns the differences between what is known of a job and what a posting states. Only what is replaced is a
// change, or what is added to a role of which facts and the text are known: the first facts and the first text are those that
// it had before somebody read them.
func statedChanges(before Job, after Posting) (changes []FieldChange) {
	was, now := before.Facts, before.Facts.with(after.Facts)
	first := before.TextHash == "" && (after.Text != "" || was.lasting().IsZero())
	for _, f := range []FieldChange{
		{FieldMode, string(was.Mode), string(now.Mode)},
		{FieldType, was.TypeWords(), now.TypeWords()},
		{FieldPay, was.Pay.String(), now.Pay.String()},
		{FieldPlaces, was.PlacesText(), now.PlacesText()},
		{FieldValidThrough, string(was.ValidThrough), string(now.ValidThrough)},
		{FieldRequisition, was.Requisition, now.Requisition},
	} {
		switch {
		case f.From == f.To || f.From == "" && first:
		case f.Field == FieldType && was.Type == now.Type && was.Type != "" && was.Type != TypeOther: // in other words
		case f.Field == FieldPlaces && (before.Location != after.Location || f.From == "" && f.To == after.Location): // says it already
		case f.Field == FieldValidThrough && rolled(was.ValidThrough, now.ValidThrough):
		default:
			changes = append(changes, f)
		}
	}
	if j := before.state(after); j.Text != "" && before.TextHash != "" {
		changes = append(changes, FieldChange{FieldText, before.TextHash, j.TextHash})
	}
	return changes
}

// rolled reports whether the end of a posting was put off by less than a week. Many sites put it off with every visit.
func rolled(from, to Stated) bool {
	a, known := from.Time()
	b, ok := to.Time()
	return known && ok && b.After(a) && b.Sub(a) < 7*24*time.Hour
}

// RoleEvents returns the entries that the check adds to the histories of the board's roles.
func (r CheckResult) RoleEvents() []RoleEvent {
	c := r.Change
	events := make([]RoleEvent, 0, len(c.Found)+len(c.Reopened)+len(c.Missed)+len(c.Closed)+len(c.Updated))
	add := func(kind ChangeKind, jobs []Job, fill func(j Job, e *RoleEvent)) {
		for _, j := range jobs {
			e := RoleEvent{JobID: j.ID, CheckID: r.Check.ID, At: r.Check.At, Kind: kind}
			fill(j, &e)
			events = append(events, e)
		}
	}
	shown := func(j Job, e *RoleEvent) { e.Changes = c.Fields[j.ID] }
	add(ChangeFound, c.Found, func(_ Job, e *RoleEvent) {
		if r.Check.First {
			e.Origin = OriginFirst
		}
	})
	add(ChangeReopened, c.Reopened, shown)
	add(ChangeMissing, c.Missed, func(Job, *RoleEvent) {})
	add(ChangeClosed, c.Closed, func(j Job, e *RoleEvent) {
		absences := r.Board.State.Absences
		e.Absences, e.Testimony = absences[max(0, len(absences)-j.Misses):], j.Testimony
	})
	add(ChangeUpdated, c.Updated, shown)
	return events
}

// RoleEvents returns the entries that the merge adds to the histories of the roles that stayed behind.
func (r MergeResult) RoleEvents() []RoleEvent {
	events := make([]RoleEvent, len(r.Closed))
	for i, j := range r.Closed {
		events[i] = RoleEvent{JobID: j.ID, CheckID: r.Check.ID, At: r.Check.At, Kind: ChangeClosed, Origin: OriginMerged}
	}
	return events
}
