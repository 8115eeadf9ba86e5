package boardwatch

import (
	"encoding/json"
	"math"
	"slices"

	"github.com/boardwatch/boardwatch/boardwatch/cause"
)

// roleGrowth is the least that a new role counts, so that the documented limit of an hour is 10,000 roles.
const roleGrowth = 2_000

// What the entries of a role's history and of a board's take, with their places in the indexes.
const (
	entryGrowth = 400
	checkGrowth = 1_000
)

// found returns how much a new role adds: its texts, with their folded copies and places in indexes, and its history
// until it closes. Databases keep long texts in pages of their own, which are half empty.
func (in CheckInput) found(p Posting) int {
	title, place := len(p.Title), len(p.Location)
	if in.Fold != nil {
		title, place = max(title, len(in.Fold(p.Title))), max(place, len(in.Fold(p.Location)))
	}
	texts := 2*len(p.Key) + 3*title + 3*place + len(p.Department) + len(p.URL)
	return max(roleGrowth, 2*texts+2*entryGrowth)
}

// changed returns how much other texts of a role add: to the role itself, and to its history in the form of JSON.
func changed(fields []FieldChange) (bytes int) {
	if len(fields) == 0 {
		return 0
	}
	bytes = entryGrowth
	for _, f := range fields {
		text, _ := json.Marshal(f) // three texts
		bytes += len(text) + 4*len(f.To)
	}
	return bytes
}

// stated returns how much the facts and the text of a posting add, with the version that they replace.
func (in CheckInput) stated(j Job, p Posting) (bytes int) {
	if in.Room == nil {
		return 0
	}
	after := j.state(p)
	if facts := after.Facts.lasting(); !facts.Equal(j.Facts.lasting()) {
		bytes += entryGrowth + 2*len(facts.JSON())
	}
	if after.Text != "" {
		bytes += entryGrowth + in.Weigh(after.Text)
	}
	return bytes
}

// grown returns how much the check adds to the store. Roles that close have paid for it when they were found.
func (in CheckInput) grown(r CheckResult) int {
	bytes := 0
	if !r.Check.Repeating(in.Board.State) {
		bytes = checkGrowth + len(r.Check.Reason)
	}
	for _, j := range r.Change.Found {
		bytes += in.found(j.posting())
	}
	for _, j := range r.Change.Reopened {
		bytes += 2*entryGrowth + changed(r.Change.Fields[j.ID])
	}
	for _, j := range r.Change.Updated {
		bytes += changed(r.Change.Fields[j.ID])
	}
	bytes += r.Change.stated + entryGrowth*len(r.Change.Missed)
	for _, p := range r.Payloads {
		bytes += entryGrowth + len(p.Tail)
	}
	return bytes + entryGrowth*len(r.Deliveries)
}

// maxRoles is the default of Rules.MaxRoles.
const maxRoles = 20_000

// withinRoom returns the reading without the roles for which the board has no place, and without what the store has no
// room for: new roles are left out, other fields of known ones remain unknown, and absences do not count. Before that, facts and
// texts are left out: they are no reason to leave out a role, and another check reads them again.
func (in CheckInput) withinRoom(who identity, r Reading) Reading {
	places, room := orDefault(in.rules.MaxRoles, maxRoles)-in.Board.OpenJobs, math.MaxInt
	if in.Room != nil {
		room = max(0, *in.Room)
	}
	if !r.Health.Read() || in.Room == nil && places >= len(r.Postings) {
		return r
	}
	known := make(map[string]Job, len(who.known))
	for _, j := range who.known {
		known[j.Key] = j
	}
	left := 0
	r.Present = slices.Clone(r.Present)
	kept := make([]Posting, 0, len(r.Postings))
	for _, p := range r.Postings {
		j, met := known[p.Key]
		open := met && j.Status == JobOpen
		bare := p
		bare.Facts, bare.Text = Facts{}, ""
		var adds int
		switch {
		case open:
			adds = changed(who.changes(j, bare))
		case met:
			adds = 2*entryGrowth + changed(who.changes(j, bare))
		case places > 0 && room >= roleGrowth: // otherwise, nothing is folded in vain
			adds = in.found(p)
		default:
			adds = math.MaxInt
		}
		if adds <= room && (open || places > 0) {
			room -= adds
			if !open {
				places--
			}
			if learned := j.state(p); learned.Text != "" || !learned.Facts.lasting().Equal(j.Facts.lasting()) {
				more := math.MaxInt
				if room > in.Reserve { // otherwise, nothing is weighed in vain
					more = in.stated(j, p) + changed(statedChanges(j, p))
				}
				if more <= room-in.Reserve {
					room -= more
				} else {
					p, r.Fingerprint = bare, "" // so that the next reading is a full one
				}
			}
			kept = append(kept, p)
			continue
		}
		left++
		if open {
			r.Present = append(r.Present, p.Key)
		}
	}
	r.Postings = kept
	if lost := in.loss(who, r).lost; lost*entryGrowth > room {
		left += lost
	}
	if left > 0 && r.Health == HealthOK {
		r.Health, r.Cause = HealthPartial, cause.PageLimit
		r.Reason = itoa(left) + " more roles or changes than can be kept at present: they are left for later checks"
	}
	return r
}
