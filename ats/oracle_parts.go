package ats

import (
	"context"
	"errors"
	"fmt"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
)

// inParts reads a list that is too long to be shown by its categories, or by its organizations where they cover more of it.
func (r oracleReader) inParts(ctx context.Context, first oracleList) (boardwatch.Reading, error) {
	facets, parameter := first.CategoriesFacet, "selectedCategoriesFacet"
	if covered(first.OrganizationsFacet) > covered(facets) {
		facets, parameter = first.OrganizationsFacet, "selectedOrganizationsFacet"
	}
	whole := newParts(r.oracle, first.total())
	for _, facet := range facets {
		if !isDigits(string(facet.ID)) {
			continue
		}
		part, err := r.part(partOf(ctx, len(whole.reading.Postings), first.total()), parameter+"="+string(facet.ID)+",")
		if err != nil && (ctx.Err() != nil || errors.Is(err, ErrUnchanged)) {
			return failed(r.oracle, err)
		}
		if err != nil {
			whole.broken(err)
			break
		}
		if part.Claimed > oracleCap {
			whole.lacks(cause.Truncated, fmt.Sprintf("oracle shows %d roles of a list, and a part of this one is longer", oracleCap))
		}
		if !whole.add(part) {
			break
		}
	}
	if len(whole.reading.Postings) == 0 {
		return failed(r.oracle, didf("has %d roles, of which it shows %d at a time, and offers no way to see the rest", first.total(), oracleCap))
	}
	return finish(r.oracle, whole.reading, nil)
}

func covered(facets []oracleFacet) (sum int) {
	for _, f := range facets {
		sum += int(f.TotalCount)
	}
	return sum
}

// part reads one part.
func (r oracleReader) part(ctx context.Context, filter string) (boardwatch.Reading, error) {
	first, err := r.list(ctx, filter, 0)
	if err != nil {
		return boardwatch.Reading{}, err
	}
	return r.whole(ctx, filter, first)
}
