package scraper

import (
	"context"
	"errors"
	"slices"

	"github.com/boardwatch/boardwatch/ats"
	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// outline is the short list of a hosted board whose usual list holds descriptions. Where the server does not say itself
// whether the long list has changed, the short one tells: as long as it is the one known, the long one is not asked for.
// What only the long list has, the departments, is then read anew when longestWord is over. A nil outline is none.
type outline struct {
	adapter ats.Outliner
	token   string
	memory  *memory
	last    memento // of the short list, by which the board was recognised last; its whole is 0 where it was not

	asked bool    // in this reading
	now   memento // of the short list as it is
	shows string  // hash of the roles in it
}

// outlineOf is the board's outline. A board that is not followed needs none: nothing is asked a second time.
func (s *Scraper) outlineOf(a ats.Adapter, token string, b boardwatch.Board) *outline {
	adapter, ok := a.(ats.Outliner)
	if !ok || b.ID == "" {
		return nil
	}
	return &outline{adapter: adapter, token: token, memory: &s.memory, last: s.last(b, a.Name()+"\x00"+token+"\x00outline")}
}

// unchanged reports whether the short list is the one known.
func (o *outline) unchanged(ctx context.Context, client *outbound.Client) bool {
	return o != nil && o.last.whole != 0 && errors.Is(o.read(ctx, client, o.last), ats.ErrUnchanged)
}

// read reads the short list, unless it is the one known. Without one, because of an error or a doubt, the long list is as
// good as ever.
func (o *outline) read(ctx context.Context, client *outbound.Client, known memento) error {
	o.asked = true
	doer := &fingerprinter{client: client, known: known, memory: o.memory}
	r, err := o.adapter.Outline(ctx, doer, o.token)
	if r = r.Normalize(); err == nil && r.Health == boardwatch.HealthOK && doer.answers == 1 && !doer.failed {
		o.now, o.shows = doer.first, withoutDepartments(r).SetHash()
		o.now.whole = hour()
	}
	return err
}

// fingerprint is that of a reading of the long list: of the short list, if the server cannot be asked whether the long one
// has changed, and both show the same roles. They are two answers, and one may be older than the other.
func (o *outline) fingerprint(ctx context.Context, client *outbound.Client, long *fingerprinter, r boardwatch.Reading) string {
	text := long.sum()
	if o == nil || text != "" && long.first.whole != 0 {
		return text
	}
	if !o.asked && o.read(ctx, client, memento{seed: o.last.seed}) != nil {
		return text
	}
	if r = r.Normalize(); r.Health != boardwatch.HealthOK || o.now.print == "" || withoutDepartments(r).SetHash() != o.shows {
		return text
	}
	return o.now.String()
}

// withoutDepartments is the reading with what an outline may lack left out.
func withoutDepartments(r boardwatch.Reading) boardwatch.Reading {
	r.Postings = slices.Clone(r.Postings)
	for i := range r.Postings {
		p := &r.Postings[i]
		p.Department, p.Facts, p.Text = "", boardwatch.Facts{}, ""
	}
	return r
}
