package ats

import (
	"context"
	"errors"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// hostUnder finds boards whose name is the whole host, one label below one of the domains.
func hostUnder(domains ...string) func(address) string {
	return func(a address) string {
		if a.tenant(domains...) == "" {
			return ""
		}
		return a.host
	}
}

// isHostUnder reports whether a board is a host as hostUnder finds them.
func isHostUnder(domains ...string) func(string) bool {
	return func(board string) bool { return address{host: board}.tenant(domains...) != "" }
}

// pageOfRows is a page of rows that are decoded already, as those of XML are.
func pageOfRows[Row any](rows []Row, total int, posting func(Row) (p boardwatch.Posting, listed bool)) (page, error) {
	reading, err := listed(rows, posting)
	return page{Reading: reading, rows: len(rows), total: total}, err
}

// A placed adapter is a declared one whose list says no places: the pages of its roles do, in JSON-LD.
type placed struct{ *declared }

// Read asks for the whole list, and for the pages of roles that have no place.
func (p placed) Read(ctx context.Context, client Doer, board string) (boardwatch.Reading, error) {
	reading, err := p.declared.Read(ctx, client, board)
	if err != nil || !reading.Health.Read() {
		return reading, err
	}
	details{
		adapter: p, board: board,
		lacks: func(p boardwatch.Posting) bool { return p.Location == "" && p.URL != "" },
		fetch: func(ctx context.Context, p *boardwatch.Posting) error {
			page, err := getDocument(ctx, client, p.URL)
			if err != nil {
				return err
			}
			linked := linkedPostings(page)
			if len(linked) != 1 {
				return didf("answered with a page without the role's data")
			}
			said := linked[0].posting()
			p.Location, p.Department = said.Location, firstText(p.Department, said.Department)
			return nil
		},
	}.fill(ctx, client, reading.Postings)
	return reading, nil
}

// whoseBoardIs is err as it must be understood once the system has shown the board: not as one that it does not have.
func whoseBoardIs(err error) error {
	if e, ok := errors.AsType[*systemError](err); ok && e.unknown {
		e.unknown = false
	}
	return err
}

// isMissing reports whether err says that there is nothing at an address, be it in the system's words or with a page.
func isMissing(err error) bool {
	e, ok := errors.AsType[*systemError](err)
	return ok && (e.unknown || e.noPage)
}
