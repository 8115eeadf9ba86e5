package ats

import (
	"context"
	"errors"
	"fmt"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// oracleParts gathers what the parts of a list show that is too long to be shown as a whole.
type oracleParts struct {
	oracleReader

	reading boardwatch.Reading
	seen    map[boardwatch.Posting]bool
}

// inParts reads a list by its categories, or by its organizations where they cover more of it.
func (r oracleReader) inParts(ctx context.Context, first oracleList) (boardwatch.Reading, error) {
	facets, parameter := first.CategoriesFacet, "selectedCategoriesFacet"
	if covered(first.OrganizationsFacet) > covered(facets) {
		facets, parameter = first.OrganizationsFacet, "selectedOrganizationsFacet"
	}
	p := oracleParts{
		oracleReader: r,
		reading:      boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: first.total()},
		seen:         make(map[boardwatch.Posting]bool),
	}
	for _, facet := range facets {
		if !isDigits(string(facet.ID)) {
			continue
		}
		more, err := p.take(ctx, parameter+"="+string(facet.ID)+",")
		if err != nil {
			return failed(r.oracle, err)
		}
		if !more {
			break
		}
	}
	if len(p.reading.Postings) == 0 {
		return failed(r.oracle, didf("has %d roles, of which it shows %d at a time, and offers no way to see the rest", first.total(), oracleCap))
	}
	return finish(r.oracle, p.reading, nil)
}

func covered(facets []oracleFacet) (sum int) {
	for _, f := range facets {
		sum += f.TotalCount
	}
	return sum
}

// take reads one part, and reports whether it makes sense to ask for another one. An error means that the whole reading is
// none.
func (p *oracleParts) take(ctx context.Context, filter string) (more bool, err error) {
	first, err := p.list(ctx, filter, 0)
	switch {
	case err != nil && (ctx.Err() != nil || errors.Is(err, ErrUnchanged)):
		return false, err
	case err != nil:
		p.lacks("oracle, asked for a part of its list, gave none: " + err.Error())
		if e, ok := errors.AsType[*systemError](err); ok {
			p.reading.RetryAfter = e.retryAfter
		}
		return false, nil
	case first.total() > oracleCap:
		p.lacks(fmt.Sprintf("oracle shows %d roles of a list, and a part of this one is longer", oracleCap))
	}
	part, err := p.whole(ctx, filter, first)
	if err != nil {
		return false, err
	}
	p.add(part)
	return part.Health == boardwatch.HealthOK, nil
}

// add takes in what was not seen before: parts may overlap.
func (p *oracleParts) add(part boardwatch.Reading) {
	for _, posting := range part.Postings {
		if !p.seen[posting] {
			p.seen[posting] = true
			p.reading.Postings = append(p.reading.Postings, posting)
		}
	}
	p.reading.Skipped = append(p.reading.Skipped, part.Skipped...)
	p.reading.RetryAfter = max(p.reading.RetryAfter, part.RetryAfter)
	part.Skipped = nil
	if part = part.Normalize(); part.Health != boardwatch.HealthOK {
		p.lacks(part.Reason)
	}
}

// lacks makes the reading partial, for the first reason that is given.
func (p *oracleParts) lacks(reason string) {
	if p.reading.Health == boardwatch.HealthOK {
		p.reading.Health, p.reading.Reason = boardwatch.HealthPartial, reason
	}
}
