package ats

import (
	"context"
	"errors"
	"net/url"
	"slices"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// A declared adapter is described by its parts. They are enough for systems whose lists come in pages, or in one answer.
// An adapter that reads in another way embeds it and has a Read of its own.
type declared struct {
	name  string
	about About
	board func(address) string      // the board that an address may name, or ""
	valid func(board string) bool   // whether a board can have this name
	page  func(board string) string // the board's page for people
	pages paged                     // how the list is cut into pages
	// open begins a reading. It returns a function that requests one page after the other.
	open func(ctx context.Context, client Doer, board string) func(at turn) (page, error)
}

// Name is the system's name in a source.
func (d *declared) Name() string { return d.name }

// About describes what is read.
func (d *declared) About() About { return d.about }

// Match finds the board that an address names.
func (d *declared) Match(u *url.URL) (board string, ok bool) {
	a, ok := parseAddress(u)
	if !ok {
		return "", false
	}
	if board = d.board(a); board == "" || !d.valid(board) {
		return "", false
	}
	return board, true
}

// CareersURL is the board's page for people.
func (d *declared) CareersURL(board string) string { return d.page(board) }

// Read reads the whole list.
func (d *declared) Read(ctx context.Context, client Doer, board string) (boardwatch.Reading, error) {
	if !d.valid(board) {
		return failed(d, noName())
	}
	return d.pages.read(ctx, d, d.open(ctx, client, board))
}

// A detailed adapter is a declared one whose list says no places: the pages of its roles do, in the system's own way.
type detailed struct {
	*declared

	// place is the place on the page of a role.
	place func(ctx context.Context, client Doer, board string, role boardwatch.Posting) (string, error)
}

// Read asks for the whole list, and for the pages of roles that have no place.
func (d detailed) Read(ctx context.Context, client Doer, board string) (boardwatch.Reading, error) {
	reading, err := d.declared.Read(ctx, client, board)
	if err != nil || !reading.Health.Read() {
		return reading, err
	}
	details{
		adapter: d, board: board,
		lacks: func(role boardwatch.Posting) bool { return role.Location == "" && role.URL != "" },
		fetch: func(ctx context.Context, role *boardwatch.Posting) (err error) {
			role.Location, err = d.place(ctx, client, board, *role)
			return err
		},
	}.fill(ctx, client, reading.Postings)
	return reading, nil
}

// inOne is open for lists that come as a whole.
func inOne(ask func(ctx context.Context, client Doer, board string) (page, error)) func(context.Context, Doer, string) func(turn) (page, error) {
	return func(ctx context.Context, client Doer, board string) func(turn) (page, error) {
		return func(turn) (page, error) {
			p, err := ask(ctx, client, board)
			p.last = true
			return p, err
		}
	}
}

// inTurns is open for lists whose pages need nothing but their place in the list.
func inTurns(ask func(ctx context.Context, client Doer, board string, at turn) (page, error)) func(context.Context, Doer, string) func(turn) (page, error) {
	return func(ctx context.Context, client Doer, board string) func(turn) (page, error) {
		return func(at turn) (page, error) { return ask(ctx, client, board, at) }
	}
}

// isTenant reports whether a label before a vendor's domain may be a customer's, in an address and in a source alike.
func isTenant(label string) bool { return isLabel(label) && !isVendorLabel(label) }

// isTenantBut is isTenant, but for words that this vendor keeps for itself.
func isTenantBut(words ...string) func(string) bool {
	return func(label string) bool { return isTenant(label) && !slices.Contains(words, label) }
}

// isTokenBut is isToken, but for words that this vendor keeps for itself.
func isTokenBut(words ...string) func(string) bool {
	return func(token string) bool { return isToken(token) && !slices.Contains(words, token) }
}

// someone is what has a name in JSON.
type someone struct {
	Name string `json:"name"`
}

// isNumber reports whether s is a number as systems write ids: digits without a zero before them.
func isNumber(s string) bool { return isDigits(s) && s[0] != '0' }

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
