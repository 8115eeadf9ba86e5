package ats

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
)

// workdayFacet is one way to filter a site: by category, by place, by time. Groups hold further ones among their values.
type workdayFacet struct {
	FacetParameter string         `json:"facetParameter"`
	ID             string         `json:"id"`
	Count          count          `json:"count"`
	Values         []workdayFacet `json:"values"`
}

// all is how many roles the facet's values count together, and most how many the largest does.
func (f workdayFacet) all() (sum int) {
	for _, v := range f.Values {
		sum += int(v.Count)
	}
	return sum
}

func (f workdayFacet) most() (largest int) {
	for _, v := range f.Values {
		largest = max(largest, int(v.Count))
	}
	return largest
}

// single reports whether a role has one value of the facet at most, so that its counts add up to a number of roles.
func (f workdayFacet) single() bool {
	return slices.Contains([]string{"jobFamilyGroup", "timeType", "workerSubType"}, f.FacetParameter)
}

// facets are the list's usable filters, groups resolved. That a list offers none that can be read is no fault of it.
func (l workdayList) facets() []workdayFacet {
	var raw []workdayFacet
	if json.Unmarshal(l.Facets, &raw) != nil {
		return nil
	}
	var out []workdayFacet
	var walk func([]workdayFacet, int)
	walk = func(facets []workdayFacet, depth int) {
		for _, f := range facets {
			if f.FacetParameter == "" || f.FacetParameter == "distance" || depth > 3 {
				continue
			}
			walk(f.Values, depth+1)
			f.Values = slices.DeleteFunc(f.Values, func(v workdayFacet) bool { return v.ID == "" || v.Count <= 0 })
			if len(f.Values) > 0 {
				out = append(out, f)
			}
		}
	}
	walk(raw, 0)
	return out
}

// atLeast is how many roles a list that shows the cap is known to have.
func (l workdayList) atLeast() int {
	n := workdayCap
	for _, f := range l.facets() {
		if f.single() {
			n = max(n, f.all())
		}
	}
	return n
}

// bestCut is the filter that parts a list best, of those not used yet: it must count every role that is known of, its largest part
// should stay below the cap, and the fewer parts the better.
func (l workdayList) bestCut(used map[string][]string) (workdayFacet, bool) {
	atLeast := l.atLeast()
	facets := slices.DeleteFunc(l.facets(), func(f workdayFacet) bool {
		_, is := used[f.FacetParameter]
		return is || len(f.Values) < 2
	})
	if len(facets) == 0 {
		return workdayFacet{}, false
	}
	return slices.MinFunc(facets, func(a, b workdayFacet) int {
		return cmp.Or(
			-cmp.Compare(min(a.all(), atLeast), min(b.all(), atLeast)),
			cmp.Compare(max(a.most(), workdayCap-1), max(b.most(), workdayCap-1)),
			cmp.Compare(len(a.Values), len(b.Values)),
		)
	}), true
}

// inParts reads a site that shows as many roles as some tenants show at most. Behind that number pages begin anew, so the
// list is cut by a filter, and parts that are too large still by another one.
func (r workdayReader) inParts(ctx context.Context, first workdayList) (boardwatch.Reading, error) {
	p := workdayParts{
		workdayReader: r,
		reading:       boardwatch.Reading{Health: boardwatch.HealthOK},
		seen:          make(map[row]bool),
		skipped:       make(map[string]bool),
	}
	p.reading.Claimed = first.atLeast()
	page, err := pageOf(first.JobPostings, first.Total, r.posting)
	if err != nil {
		return failed(r.workday, err)
	}
	p.add(page.Reading)
	if err := p.cut(ctx, first, nil); err != nil {
		return failed(r.workday, err)
	}
	return finish(r.workday, p.reading, nil)
}

// workdayParts gathers what the parts of a list show.
type workdayParts struct {
	workdayReader

	reading boardwatch.Reading
	seen    map[row]bool
	skipped map[string]bool
	refused bool // a part could not be read; no further one is asked for
}

// cut reads a list part by part. An error means that the whole reading is none; what a part lacks makes it partial.
func (p *workdayParts) cut(ctx context.Context, list workdayList, facets map[string][]string) error {
	by, ok := list.bestCut(facets)
	if !ok || len(facets) == 3 {
		p.lacks(cause.Truncated, fmt.Sprintf("workday shows %d roles at a time and offers no filter that makes it show the rest", workdayCap))
		return p.take(ctx, list, facets)
	}
	for _, value := range by.Values {
		part := maps.Clone(facets)
		if part == nil {
			part = make(map[string][]string)
		}
		part[by.FacetParameter] = []string{value.ID}
		first, err := p.site.list(ctx, p.client, part, 0)
		switch {
		case ctx.Err() != nil || errors.Is(err, ErrUnchanged):
			return err
		case err != nil:
			p.broken(err)
			return nil
		case first.Total == workdayCap:
			err = p.cut(ctx, first, part)
		default:
			err = p.take(ctx, first, part)
		}
		if err != nil || p.refused {
			return err
		}
	}
	return nil
}

// take reads one part to its end.
func (p *workdayParts) take(ctx context.Context, first workdayList, facets map[string][]string) error {
	part, err := p.whole(partOf(ctx, len(p.reading.Postings), p.reading.Claimed), facets, first)
	if err != nil {
		return err
	}
	switch {
	case part.Health != boardwatch.HealthOK:
		p.lacks(part.Cause, part.Reason)
	case part.Claimed > len(part.Postings)+len(part.Skipped):
		p.lacks(cause.FewerThanClaimed, fmt.Sprintf("workday says that a part of its list has %d roles, but lists only %d", part.Claimed, len(part.Postings)))
	}
	p.reading.RetryAfter = max(p.reading.RetryAfter, part.RetryAfter)
	p.refused = p.refused || part.RetryAfter > 0 || !part.Health.Read()
	p.add(part)
	return nil
}

// add takes in what was not seen before: parts overlap.
func (p *workdayParts) add(part boardwatch.Reading) {
	for _, skipped := range part.Skipped {
		if !p.skipped[skipped] {
			p.skipped[skipped] = true
			p.reading.Skipped = append(p.reading.Skipped, skipped)
		}
	}
	for _, posting := range part.Postings {
		if !p.seen[rowOf(posting)] {
			p.seen[rowOf(posting)] = true
			p.reading.Postings = append(p.reading.Postings, posting)
		}
	}
}

func (p *workdayParts) broken(err error) {
	p.refused = true
	reason := err.Error()
	if e, ok := errors.AsType[*systemError](err); ok {
		reason = e.did
		p.reading.RetryAfter = max(p.reading.RetryAfter, e.retryAfter)
	}
	p.lacks(cause.PageMissing, "workday, asked for a part of its list, "+reason)
}

// lacks makes the reading partial, for the first reason that is given.
func (p *workdayParts) lacks(cause cause.Cause, reason string) {
	if p.reading.Health == boardwatch.HealthOK {
		p.reading.Health, p.reading.Cause, p.reading.Reason = boardwatch.HealthPartial, cause, reason
	}
}
