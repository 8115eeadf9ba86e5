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

// A detailed adapter is a declared one whose list has no places. The pages of its roles have them.
type detailed struct {
	*declared

	// look adds the place on the page of a role.
	look func(ctx context.Context, client Doer, board string, role *boardwatch.Posting) error
}

// Read reads the whole list, and the pages of roles that have no place.
func (d detailed) Read(ctx context.Context, client Doer, board string) (boardwatch.Reading, error) {
	reading, err := d.declared.Read(ctx, client, board)
	if err != nil || !reading.Health.Read() {
		return reading, err
	}
	details{
		adapter: d, board: board,
		lacks: func(role boardwatch.Posting) bool { return role.Location == "" && role.URL != "" },
		fetch: func(ctx context.Context, role *boardwatch.Posting) error { return d.look(ctx, client, board, role) },
	}.fill(ctx, client, reading.Postings)
	return reading, nil
}

// lookInLinked is look for pages that have the place in JSON-LD. The department may be there too.
func lookInLinked(ctx context.Context, client Doer, _ string, role *boardwatch.Posting) error {
	page, err := getDocument(ctx, client, role.URL)
	if err != nil {
		return err
	}
	linked := linkedPostings(page)
	if len(linked) != 1 {
		return didf("answered with a page without the role's data")
	}
	said := linked[0].posting()
	role.Location, role.Department = said.Location, firstText(role.Department, said.Department)
	return nil
}

// inOne is open for a list that comes in one answer.
func inOne(ask func(ctx context.Context, client Doer, board string) (page, error)) func(context.Context, Doer, string) func(turn) (page, error) {
	return func(ctx context.Context, client Doer, board string) func(turn) (page, error) {
		return func(turn) (page, error) {
			p, err := ask(ctx, client, board)
			p.last = true
			return p, err
		}
	}
}

// inTurns is open for a list in pages, if a page can be requested by its place in the list alone.
func inTurns(ask func(ctx context.Context, client Doer, board string, at turn) (page, error)) func(context.Context, Doer, string) func(turn) (page, error) {
	return func(ctx context.Context, client Doer, board string) func(turn) (page, error) {
		return func(at turn) (page, error) { return ask(ctx, client, board, at) }
	}
}

// isTenant reports whether a label before a vendor's domain may be a customer's.
func isTenant(label string) bool { return isLabel(label) && !isVendorLabel(label) }

// isTenantBut is isTenant without the words that this vendor reserves.
func isTenantBut(words ...string) func(string) bool {
	return func(label string) bool { return isTenant(label) && !slices.Contains(words, label) }
}

// isTokenBut is isToken without the words that this vendor reserves.
func isTokenBut(words ...string) func(string) bool {
	return func(token string) bool { return isToken(token) && !slices.Contains(words, token) }
}

// someone is a JSON object of which only the name matters.
type someone struct {
	Name string `json:"name"`
}

// isNumber reports whether s is a number as systems write ids: digits without a leading zero.
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

// pageOfRows is a page of rows that are already decoded, such as those of XML.
func pageOfRows[Row any](rows []Row, total int, posting func(Row) (p boardwatch.Posting, listed bool)) (page, error) {
	reading, err := listed(rows, posting)
	return page{Reading: reading, rows: len(rows), total: total}, err
}

// whoseBoardIs keeps an error from meaning that there is no such board, because the system has already shown the board.
func whoseBoardIs(err error) error {
	if e, ok := errors.AsType[*systemError](err); ok && e.unknown {
		e.unknown = false
	}
	return err
}

// isMissing reports whether err says that there is nothing at an address, in the system's own words or with a web page.
func isMissing(err error) bool {
	e, ok := errors.AsType[*systemError](err)
	return ok && (e.unknown || e.noPage)
}
