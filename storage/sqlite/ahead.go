package sqlite

import (
	"slices"
	"time"
)

const (
	// aheadFor is how long boards that were read ahead are good. It is all that another process's changes can come late:
	// those of this process end it at once.
	aheadFor = 100 * time.Millisecond
	// mostAhead is the most boards that a query reads ahead.
	mostAhead = 512
)

// dueBoard is a board that is due, and the text that was read of it.
type dueBoard struct{ id, text string }

// ahead are boards that are due and not leased, and that a query read for the next claims: under load a claim asks for some
// thirty boards, and a query for hundreds costs little more. How many are worth reading depends on how many were claimed of
// the last ones.
type ahead struct {
	boards []dueBoard
	read   time.Time // when the query began
	writes uint64    // the writes until then
	more   int       // how many boards more than asked for the next query reads
}

// take removes and returns n boards, or none if there are not as many. Then it decides how many the next query reads.
func (a *ahead) take(n int, writes uint64) []dueBoard {
	young, left := time.Since(a.read) <= aheadFor, len(a.boards)
	if young && writes == a.writes && left >= n {
		taken := a.boards[:n:n]
		a.boards = a.boards[n:]
		return taken
	}
	switch {
	case young && (writes == a.writes || left < n): // used up
		a.more = min(mostAhead, max(2*a.more, 4*n))
	default:
		a.more /= 4
	}
	a.boards, a.read = nil, time.Now()
	return nil
}

// drop removes boards that are leased now.
func (a *ahead) drop(leased []dueBoard) {
	if len(a.boards) == 0 || len(leased) == 0 {
		return
	}
	a.boards = slices.DeleteFunc(a.boards, func(b dueBoard) bool {
		return slices.ContainsFunc(leased, func(l dueBoard) bool { return l.id == b.id })
	})
}
