package track

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// BoardChange is what one check changed on one board, as one account sees it.
type BoardChange struct {
	CheckID    string
	BoardID    string
	Company    string // empty if it is not known
	CareersURL string
	At         time.Time

	Found    JobList
	Reopened JobList
	Closed   JobList
	Updated  JobList // roles whose text has changed

	// Beginning says that the roles in Found are not news: with this change the account began to watch the board, or
	// the board was read for the first time.
	Beginning bool
	Open      int // roles that were open on the board afterwards
	// Fields are the old and new values of changed fields of the roles listed in Updated and Reopened, by the id of the
	// job.
	Fields map[string][]boardwatch.FieldChange
}

// News returns how many roles the change reports as new.
func (c BoardChange) News() int {
	if c.Beginning {
		return 0
	}
	return c.Found.Total
}

// JobList is the beginning of a list of jobs, by title, with the length of the whole list.
type JobList struct {
	Jobs  []boardwatch.Job
	Total int

	others int // roles that Jobs stand for besides themselves; see Once
}

// Only returns the change with only the list of a kind, or with all lists if the kind is empty.
func (c BoardChange) Only(kind boardwatch.ChangeKind) BoardChange {
	if kind == "" {
		return c
	}
	if c.Beginning {
		c.Beginning, c.Found = false, JobList{} // these are not news
	}
	for of, list := range map[boardwatch.ChangeKind]*JobList{
		boardwatch.ChangeFound: &c.Found, boardwatch.ChangeReopened: &c.Reopened, boardwatch.ChangeClosed: &c.Closed, boardwatch.ChangeUpdated: &c.Updated,
	} {
		if kind != of {
			*list = JobList{}
		}
	}
	return c
}

// Empty reports whether all of its lists are empty.
func (c BoardChange) Empty() bool {
	return c.Found.Empty() && c.Reopened.Empty() && c.Closed.Empty() && c.Updated.Empty()
}

// Empty reports whether the list is empty.
func (l JobList) Empty() bool { return l.Total == 0 }

// More returns how many jobs are not shown.
func (l JobList) More() int { return l.Total - len(l.Jobs) - l.others }

// ChangeFilter selects changes of an account's active boards. The zero value asks for the newest ones.
type ChangeFilter struct {
	BoardID string                // empty: every board
	Kind    boardwatch.ChangeKind // empty: every kind; otherwise only changes with such a list, reduced to this list
	After   time.Time             // zero: no bound; otherwise only changes after it
	Before  time.Time             // zero: no bound; otherwise only changes before it
	Limit   int                   // at most this many changes; 0 means 50
	Jobs    int                   // at most this many jobs in each list; 0 means 20
}

// ChangePage is a part of the changes, newest first.
type ChangePage struct {
	Changes []BoardChange
	More    bool // there are older matches: request those before Next
	Next    time.Time
	// PolledAt may be passed as After of the next call: a change may then appear twice, but never zero times.
	PolledAt time.Time
}

// Point is the number of open roles on a board at the end of a day.
type Point struct {
	Day  time.Time // a Date
	Open int
}

// Activity counts the changes on a board since a moment. Roles that were there when the account began to watch the
// board do not count.
type Activity struct {
	Found   int // new and reopened roles
	Closed  int
	Updated int
}

// DayFlow counts the roles that opened and closed on a day. Roles that were there when the account began to watch a
// board do not count.
type DayFlow struct {
	Day    time.Time // a Date
	Found  int       // new and reopened roles
	Closed int
}

// Share is the number of open roles of a department at a place, both as given by their boards; either may be empty.
type Share struct {
	Department string
	Location   string // several places are joined with "; "
	Open       int
}

// Began returns the change with which the owner of a subscription began to watch a board that had been read before;
// false if it had not been read.
func Began(s boardwatch.Subscription, b boardwatch.Board) (BoardChange, bool) {
	if s.OpenThen < 0 || s.Since.IsZero() {
		return BoardChange{}, false
	}
	c := entry(s, b, s.Since)
	c.Beginning, c.Open, c.Found = true, s.OpenThen, JobList{Total: s.OpenThen}
	return c, true
}

// Moved returns the change that a merge which moved the subscription means for its owner: the roles on the board count
// as found then.
func Moved(s boardwatch.Subscription, b boardwatch.Board, found JobList) BoardChange {
	c := entry(s, b, s.AsOf)
	c.Open, c.Found = found.Total, found
	return c
}

// entry returns a change that no check made. It has its own id.
func entry(s boardwatch.Subscription, b boardwatch.Board, at time.Time) BoardChange {
	sum := sha256.Sum256([]byte(b.ID + " " + strconv.FormatInt(at.UnixMilli(), 10)))
	return BoardChange{
		CheckID: hex.EncodeToString(sum[:12]), BoardID: b.ID, Company: s.CompanyOf(b), CareersURL: b.URL, At: at,
	}
}

// Once returns the list as people are told it: at most that many lines. fields are the changed fields of its roles.
func (l JobList) Once(most int, fields map[string][]boardwatch.FieldChange) JobList {
	lines, others := boardwatch.Once(l.Jobs, func(j *boardwatch.Job) *boardwatch.Job { return j }, func(j boardwatch.Job) string { return boardwatch.InWords(fields[j.ID]) })
	l.Jobs, l.others = lines[:min(len(lines), most)], 0
	for _, more := range others[:len(l.Jobs)] {
		l.others += len(more)
	}
	return l
}
