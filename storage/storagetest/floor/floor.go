// Package floor is a lower bound for the cost of checks: hand-written statements against the real schema, for roles
// that come and go. What one of our checks costs beyond that is the overhead of our code. It has no subscribers and no
// roles that change or come back, so it is only good for measuring.
//
// It does what cannot be left out, in the cheapest way. Several processes share a PostgreSQL database, so a claim writes a
// lease to the rows it takes and skips those that others are taking, and what is saved only counts while the board has the
// version that it was claimed with. A single process watches a SQLite file and can keep leases in its memory, so there the
// floor writes none.
package floor

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Database is a database of boards that nobody but the caller uses.
type Database interface {
	// Due claims up to n boards that fall due within a second.
	Due(ctx context.Context, n int) ([]Board, error)
	// Stamp records that nothing has changed on boards, all at once.
	Stamp(ctx context.Context, boards []Board) error
	// Change reads a board's open roles, or only those missing from the last answer, and saves the decision about them
	// in the same transaction. It returns when the change is durable.
	Change(ctx context.Context, b Board, missing bool, decide func(known []Job) Change) error
	// Close ends all connections.
	Close(ctx context.Context) error
}

// Board is what has to be known about a board before it is read.
type Board struct {
	ID, Source, Print string
	Absences          []string // the JSON of each check that missed roles
	Open, Closed      int
	Streak            int // checks without changes since the last one on record
	Missing           int
	CheckedAt         int64
	SuccessAt         int64
	Version           int64 // 0 in SQLite, where nothing depends on it
}

func idsOf(boards []Board) []string {
	ids := make([]string, len(boards))
	for i, b := range boards {
		ids[i] = b.ID
	}
	return ids
}

// Job is an open role.
type Job struct {
	ID, Key, Title, Location, Department, URL string

	Misses int
}

// Change is what an answer changes.
type Change struct {
	CheckID string
	Print   string
	Found   []Job
	Missed  []string // roles that are missing for the first time
	Again   []string // roles that are still missing
	Closed  []string // roles that are missing for the last time
}

// event is an entry of a role's history.
type event struct{ job, kind, details string }

const (
	fieldMark = "\x1f"
	rowMark   = "\x1e"
	// closeAfter is the default of checks.close_after.
	closeAfter = 3
)

// events returns the entries of the histories of roles.
func (c Change) events(absences []string) []event {
	details := absencesText(absences)
	events := make([]event, 0, len(c.Found)+len(c.Missed)+len(c.Closed))
	for _, j := range c.Found {
		events = append(events, event{j.ID, "found", ""})
	}
	for _, id := range c.Missed {
		events = append(events, event{id, "missing", ""})
	}
	for _, id := range c.Closed {
		events = append(events, event{id, "closed", details})
	}
	return events
}

// counted returns how many absences count.
func (c Change) counted() int { return len(c.Missed) + len(c.Again) + len(c.Closed) }

// noted reports whether the change gets an entry in the board's history.
func (c Change) noted() bool { return len(c.Found)+c.counted() > 0 }

// absencesAfter returns the board's absences after a check, which may have missed roles.
func (b Board) absencesAfter(c Change, at string) []string {
	if c.counted() == 0 {
		return b.Absences
	}
	absences := append(slices.Clone(b.Absences), `"checkId":"`+c.CheckID+`","at":"`+at+`"`)
	return absences[max(0, len(absences)-closeAfter):]
}

// How absences are written in JSON, both in the state of a board and in the history of a role.
const (
	absencesBegin = `{"absences":[{`
	absencesNext  = `},{`
	absencesEnd   = `}]}`
)

func absencesText(absences []string) string {
	if len(absences) == 0 {
		return ""
	}
	return absencesBegin + strings.Join(absences, absencesNext) + absencesEnd
}

// parseAbsences is the reverse of absencesText. It finds none in a state of another form.
func parseAbsences(state string) []string {
	inner, ok := strings.CutPrefix(state, absencesBegin)
	if !ok {
		return nil
	}
	return strings.Split(strings.TrimSuffix(inner, absencesEnd), absencesNext)
}

// boardFields are the columns that parseBoards reads. The version may follow.
const boardFields = `id, source, fingerprint, state, open_jobs, closed_jobs, streak, missing, last_checked_at, last_success_at`

func parseBoards(text string) ([]Board, error) {
	var boards []Board
	for row := range strings.SplitSeq(text, rowMark) {
		if row == "" {
			continue
		}
		var b Board
		var state string
		for _, field := range []*string{&b.ID, &b.Source, &b.Print, &state} {
			*field, row, _ = strings.Cut(row, fieldMark)
		}
		b.Absences = parseAbsences(state)
		var n [7]int64
		for i := range n {
			if row == "" {
				break
			}
			var number string
			var err error
			number, row, _ = strings.Cut(row, fieldMark)
			if n[i], err = strconv.ParseInt(number, 10, 64); err != nil {
				return nil, fmt.Errorf("board %s: %w", b.ID, err)
			}
		}
		b.Open, b.Closed, b.Streak, b.Missing, b.CheckedAt, b.SuccessAt, b.Version = int(n[0]), int(n[1]), int(n[2]), int(n[3]), n[4], n[5], n[6]
		boards = append(boards, b)
	}
	return boards, nil
}

// jobFields are the columns that parseJobs reads.
const jobFields = `id, job_key, title, location, department, url, misses`

func parseJobs(text string, most int) ([]Job, error) {
	jobs := make([]Job, 0, most)
	for row := range strings.SplitSeq(text, rowMark) {
		if row == "" {
			continue
		}
		var j Job
		for _, field := range []*string{&j.ID, &j.Key, &j.Title, &j.Location, &j.Department, &j.URL} {
			*field, row, _ = strings.Cut(row, fieldMark)
		}
		var err error
		if j.Misses, err = strconv.Atoi(row); err != nil {
			return nil, fmt.Errorf("job %s: %w", j.ID, err)
		}
		jobs = append(jobs, j)
	}
	return jobs, nil
}
