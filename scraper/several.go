package scraper

import (
	"context"
	"slices"

	"github.com/PuerkitoBio/goquery"

	"github.com/boardwatch/boardwatch/ats"
	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// maxShown is how many hosted boards an employer's page may show in itself. One that shows more is a directory.
const maxShown = 5

// shownBoards are the hosted boards that a page shows in itself, as the adapters of their systems know them. What stands in
// the footer of every page is not shown on this one.
func (s *Scraper) shownBoards(ctx context.Context, f *fetched) []clue {
	tree, restore := f.doc.WithoutFooters()
	defer restore()
	var boards []clue
	for shown := range ats.Embeds(ctx, goquery.NewDocumentFromNode(tree), f.doc.Base, s.adapters) {
		l := clue{system: shown.System, token: shown.Board, how: "embeds", worth: worthEmbed, embed: true}
		if slices.ContainsFunc(boards, func(o clue) bool { return o.key() == l.key() }) {
			continue
		}
		if boards = append(boards, l); len(boards) > maxShown {
			return nil
		}
	}
	return boards
}

// readSeveral reads the hosted boards that a page shows when there are several: together they are its list. It reports false
// when there are not.
func (s *Scraper) readSeveral(ctx context.Context, client *outbound.Client, f *fetched, b boardwatch.Board) (boardwatch.Reading, bool, error) {
	if f.doc == nil {
		return boardwatch.Reading{}, false, nil
	}
	boards := s.shownBoards(ctx, f)
	if len(boards) < 2 {
		return boardwatch.Reading{}, false, nil
	}
	f.shut(ctx)
	all := boardwatch.Reading{Health: boardwatch.HealthOK, EndSeen: true}
	for i, l := range boards {
		session := client.SessionWith(outbound.SessionOptions{System: l.system})
		r, err := s.readBoard(ctx, session, s.adapter(l.system), l.token, boardwatch.Board{Source: l.key(), State: boardwatch.BoardState{Access: b.State.Access}})
		if err != nil {
			return boardwatch.Reading{}, false, err
		}
		s.step("%s embeds the %s board %s: %s, %d roles%s", f.page.URL, l.system, l.token, r.Health, len(r.Postings), because(r.Reason))
		join(&all, r, l.key(), i == 0)
	}
	return all, true, nil
}

// join adds the reading of one more board to that of all. What keeps one of them from being whole keeps all from it.
func join(all *boardwatch.Reading, r boardwatch.Reading, source string, first bool) {
	for _, p := range r.Postings {
		p.Key = source + "/" + p.Key
		all.Postings = append(all.Postings, p)
	}
	for _, key := range r.Present {
		all.Present = append(all.Present, source+"/"+key)
	}
	all.Skipped = append(all.Skipped, r.Skipped...)
	all.EndSeen = all.EndSeen && r.EndSeen
	all.RetryAfter = max(all.RetryAfter, r.RetryAfter)
	switch {
	case first:
		all.Company, all.Domain, all.Claimed = r.Company, r.Domain, r.Claimed
	case all.Claimed < 0 || r.Claimed < 0:
		all.Claimed = -1
	default:
		all.Claimed += r.Claimed
	}
	if r.Health != boardwatch.HealthOK && all.Health == boardwatch.HealthOK {
		all.Health, all.Cause, all.BlockedBy = boardwatch.HealthPartial, r.Cause, r.BlockedBy
		all.Reason = source + ", which the page shows beside others, could not be read as a whole: " + r.Reason
	}
}
