package ats

import (
	"errors"
	"fmt"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
)

// parts gathers what the parts of one list show: a list that is too long to be shown as a whole, or one that is another in
// each language. A role that is in several parts counts once, as the first of them shows it.
type parts struct {
	adapter Adapter
	reading boardwatch.Reading
	taken   map[string]bool
}

// newParts begins a list of which the system claims so many roles, or -1.
func newParts(a Adapter, claimed int) *parts {
	return &parts{
		adapter: a,
		reading: boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: claimed, EndSeen: true, Postings: []boardwatch.Posting{}},
		taken:   make(map[string]bool),
	}
}

// add takes a part in, and reports whether it makes sense to ask for another one: not of a system that has had enough.
func (p *parts) add(part boardwatch.Reading) (more bool) {
	fresh := make(map[string]bool)
	for _, posting := range part.Postings {
		if !p.taken[posting.Key] {
			fresh[posting.Key] = true
			p.reading.Postings = append(p.reading.Postings, posting)
		}
	}
	for key := range fresh {
		p.taken[key] = true
	}
	p.reading.Skipped = append(p.reading.Skipped, part.Skipped...)
	p.reading.RetryAfter = max(p.reading.RetryAfter, part.RetryAfter)
	p.reading.EndSeen = p.reading.EndSeen && part.EndSeen
	if p.reading.Company == "" {
		p.reading.Company = part.Company
	}
	switch {
	case part.Health != boardwatch.HealthOK:
		p.lacks(part.Cause, part.Reason)
	case part.Claimed > len(part.Postings)+len(part.Skipped):
		p.lacks(cause.FewerThanClaimed, fmt.Sprintf("%s says that a part of its list has %d roles, but lists only %d", p.adapter.Name(), part.Claimed, len(part.Postings)))
	}
	return part.Health.Read() && part.RetryAfter == 0
}

// broken says that a part could not be read.
func (p *parts) broken(err error) {
	p.reading.EndSeen = false
	e, ok := errors.AsType[*systemError](err)
	if !ok {
		p.lacks(cause.PageMissing, fmt.Sprintf("%s could not be asked for a part of its list: %v", p.adapter.Name(), err))
		return
	}
	p.reading.RetryAfter = max(p.reading.RetryAfter, e.retryAfter)
	p.lacks(cause.PageMissing, fmt.Sprintf("%s, asked for a part of its list, %s", p.adapter.Name(), e.did))
}

// lacks makes the whole reading partial, for the first reason that is given.
func (p *parts) lacks(cause cause.Cause, reason string) {
	if p.reading.Health == boardwatch.HealthOK {
		p.reading.Health, p.reading.Cause, p.reading.Reason = boardwatch.HealthPartial, cause, reason
	}
}
