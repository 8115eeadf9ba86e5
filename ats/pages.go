package ats

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/PuerkitoBio/goquery"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
)

// paged says how a system cuts its lists into pages. The zero value is for systems that say how many roles a list has, or
// which page is the last.
type paged struct {
	// size is how many rows a full page has. If a list has no total, a shorter page is its last; if the size is zero, only
	// a page without rows is. It is for answers that also say which page they are or how many roles there are. In
	// others, a last page that is returned in place of the first would pass for the whole list.
	size int
	// most is the largest number of pages that are requested; 0 means 250. A longer list is partial.
	most int
	// repeats means that the system returns its last page again if one more is requested.
	repeats bool
}

// turn is where in a list its next page begins.
type turn struct {
	page   int    // pages read so far: 0 for the first
	rows   int    // rows read so far, those included that people do not see
	cursor string // what the last page gave to ask for the next; "" for the first
}

// page is what one answer shows of a list.
type page struct {
	boardwatch.Reading

	rows   int    // rows in the answer, those included that people do not see
	total  int    // how many rows the system says the whole list has; 0 when it says nothing
	cursor string // asks for the next page, in systems that work so
	last   bool   // the system says that no page follows
}

// pageOf is a page of JSON rows, each decoded on its own as listing does.
func pageOf[Row any](rows []json.RawMessage, total count, posting func(Row) (p boardwatch.Posting, listed bool)) (page, error) {
	reading, err := listing(rows, posting)
	return page{Reading: reading, rows: len(rows), total: int(total)}, err
}

// pageOfTotal is a page of JSON rows of a list that always has a total: one without it is not understood.
func pageOfTotal[Row any](rows []json.RawMessage, total *count, posting func(Row) (p boardwatch.Posting, listed bool)) (page, error) {
	if total == nil {
		return page{}, didf("answered without a total")
	}
	return pageOf(rows, *total, posting)
}

// pageOfCards is a page of elements that show one role each.
func pageOfCards(elements *goquery.Selection, total int, posting func(*goquery.Selection) (p boardwatch.Posting, listed bool)) (page, error) {
	reading, err := cards(elements, posting)
	return page{Reading: reading, rows: elements.Length(), total: total}, err
}

// read asks for page after page until the list is complete: as many rows as the largest total that was named, a page that is
// marked as the last, one without rows, or, without a total, a short one. What stops it earlier makes the reading partial,
// with the reason: a page that fails, a page that only repeats what others showed, too many pages. The first page must not
// fail. So does what speaks against a list whose end was seen: a total that is smaller than what it shows, or rows that stand
// on two pages where no total says whether others stand on none. Where one says so, the list is read once more for those.
func (s paged) read(ctx context.Context, a Adapter, ask func(at turn) (page, error)) (boardwatch.Reading, error) {
	whole := newPages()
	most := cmp.Or(s.most, 250)
	for whole.page < most {
		p, err := ask(whole.turn)
		switch {
		case err != nil && (whole.page == 0 || ctx.Err() != nil || errors.Is(err, ErrUnchanged)):
			return failed(a, err)
		case err != nil:
			return finish(a, whole.brokenBy(a, err), nil)
		}
		fresh := whole.add(p)
		tellProgress(ctx, Progress{Done: whole.rows, Total: whole.total})
		switch {
		case p.rows > 0 && !fresh && !s.repeats:
			return finish(a, whole.partial(cause.PageMissing, "%s shows nothing new on page %d", a.Name(), whole.page), nil)
		case p.rows == 0, p.last, !fresh, whole.rows == whole.total, whole.rows > whole.total && p.rows < s.size:
			whole.lookAgain(ask)
			whole.reading.EndSeen = true
			if whole.double > 0 && whole.total == 0 {
				return finish(a, whole.partial(cause.PageMissing, "%s lists %d roles on two pages, so that others may stand on none", a.Name(), whole.double), nil)
			}
			return finish(a, whole.complete(), nil)
		}
	}
	return finish(a, whole.partial(cause.PageLimit, "%s has more than the %d pages that are read", a.Name(), most), nil)
}

// pages is the part of a list that was read so far.
type pages struct {
	turn

	reading boardwatch.Reading
	seen    map[row]bool
	total   int                // the largest that was named
	hidden  int                // rows that people do not see, though a total counts them
	double  int                // rows that stood on an earlier page already, beside others that did not
	texts   int                // bytes of the texts of all roles
	odd     boardwatch.Reading // partial for the sake of rows are not read in full, though they are there
}

// row is what a list shows of a role: two that are equal are one role.
type row struct{ Key, Title, Location, Department, URL string }

func rowOf(p boardwatch.Posting) row { return row{p.Key, p.Title, p.Location, p.Department, p.URL} }

// maxTexts bounds what the texts of a list in pages take; roles behind it have none.
const maxTexts = 128 << 20

func newPages() *pages {
	return &pages{
		reading: boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: -1},
		seen:    make(map[row]bool),
	}
}

// add takes a page in and reports whether it showed anything new. A row that an earlier page showed just so counts once:
// that a list moved between two answers must not hide that another row was lost.
func (w *pages) add(p page) (fresh bool) {
	w.page++
	w.rows += p.rows
	w.cursor = p.cursor
	w.hidden += p.rows - len(p.Postings) - len(p.Skipped)
	w.total = max(w.total, p.total)
	added := w.merge(p.Postings)
	if added > 0 {
		w.double += len(p.Postings) - added
	}
	for _, skipped := range p.Skipped {
		if w.page > 1 {
			skipped = fmt.Sprintf("page %d, %s", w.page, skipped)
		}
		w.reading.Skipped = append(w.reading.Skipped, skipped)
	}
	if w.reading.Company == "" {
		w.reading.Company = p.Company
	}
	if p.Health == boardwatch.HealthPartial && w.odd.Health == "" {
		w.odd = boardwatch.Reading{Health: p.Health, Cause: p.Cause, Reason: p.Reason}
	}
	return added > 0 || len(p.Postings) == 0
}

// merge adds the postings that no earlier page showed just so, and returns how many they are.
func (w *pages) merge(postings []boardwatch.Posting) int {
	before := len(w.reading.Postings)
	for _, posting := range postings {
		if !w.seen[rowOf(posting)] {
			if w.texts += len(posting.Text); w.texts > maxTexts {
				posting.Text = ""
			}
			w.reading.Postings = append(w.reading.Postings, posting)
		}
	}
	fresh := w.reading.Postings[before:]
	for _, posting := range fresh {
		w.seen[rowOf(posting)] = true
	}
	return len(fresh)
}

// lookAgain asks for the pages of a list once more, when rows that stood on two of them may hide that others stood on none.
// A long list with few such rows that shows the very same ones again does count some roles twice. What fails now costs nothing.
func (w *pages) lookAgain(ask func(at turn) (page, error)) {
	const most, few = 100, 20
	missing := func() bool {
		return len(w.reading.Postings)+len(w.reading.Skipped)+w.hidden < w.total
	}
	pages := w.page
	if w.double == 0 || pages > most {
		return
	}
	rows, known := w.rows, len(w.reading.Postings)
	shown := make(map[row]bool, known)
	w.turn = turn{}
	for w.page < pages && missing() {
		p, err := ask(w.turn)
		if err != nil {
			return
		}
		w.page, w.rows, w.cursor = w.page+1, w.rows+p.rows, p.cursor
		w.merge(p.Postings)
		for _, posting := range p.Postings {
			shown[rowOf(posting)] = true
		}
	}
	same := len(shown) == known && len(w.reading.Postings) == known
	if same && w.rows == rows && rows >= w.total && w.double*few <= rows {
		w.total -= w.double
	}
}

// complete is the reading of a list that was read to its end. A total that was not reached makes it partial when it is
// normalized.
func (w *pages) complete() boardwatch.Reading {
	if w.total > 0 {
		w.reading.Claimed = max(w.total-w.hidden, 0)
	}
	if w.odd.Health != "" && len(w.reading.Skipped) == 0 {
		w.reading.Health, w.reading.Cause, w.reading.Reason = w.odd.Health, w.odd.Cause, w.odd.Reason
	}
	return w.reading
}

func (w *pages) partial(cause cause.Cause, format string, args ...any) boardwatch.Reading {
	reading := w.complete()
	reading.Health, reading.Cause, reading.Reason = boardwatch.HealthPartial, cause, fmt.Sprintf(format, args...)
	return reading
}

// brokenBy is the reading of a list whose next page failed.
func (w *pages) brokenBy(a Adapter, err error) boardwatch.Reading {
	e, ok := errors.AsType[*systemError](err)
	if !ok {
		return w.partial(cause.PageMissing, "%s could not be asked for page %d: %v", a.Name(), w.page+1, err)
	}
	reading := w.partial(cause.PageMissing, "%s, asked for page %d, %s", a.Name(), w.page+1, e.did)
	reading.RetryAfter = e.retryAfter
	return reading
}
