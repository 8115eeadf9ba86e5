package boardwatch

import (
	"context"
	"time"
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
	Fields map[string][]FieldChange
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
	Jobs  []Job
	Total int

	others int // roles that Jobs stand for besides themselves; see Once
}

// Only returns the change with only the list of a kind, or with all lists if the kind is empty.
func (c BoardChange) Only(kind ChangeKind) BoardChange {
	if kind == "" {
		return c
	}
	if c.Beginning {
		c.Beginning, c.Found = false, JobList{} // these are not news
	}
	for of, list := range map[ChangeKind]*JobList{
		ChangeFound: &c.Found, ChangeReopened: &c.Reopened, ChangeClosed: &c.Closed, ChangeUpdated: &c.Updated,
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
	BoardID string     // empty: every board
	Kind    ChangeKind // empty: every kind; otherwise only changes with such a list, reduced to this list
	After   time.Time  // zero: no bound; otherwise only changes after it
	Before  time.Time  // zero: no bound; otherwise only changes before it
	Limit   int        // at most this many changes; 0 means 50
	Jobs    int        // at most this many jobs in each list; 0 means 20
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

// FeedStore is what showing changes needs from a store.
type FeedStore interface {
	ClosedStore
	HitStore
	// Changes lists what has changed on the account's active boards since it began to watch them (Subscription.Since).
	// Beginning to watch a board that was read before is a change of its own (Subscription.Began).
	Changes(ctx context.Context, accountID string, f ChangeFilter) (ChangePage, error)
	// Series returns how many roles were open on each of the account's boards, or on the requested one, in order: on
	// each day since then on which a check changed something, and on the last such day before. Locked boards are
	// included. Days are those of the time zone of since.
	Series(ctx context.Context, accountID, boardID string, since time.Time) (map[string][]Point, error)
	// Activity returns the activity on each of the account's active boards since then. Boards without any are left out.
	Activity(ctx context.Context, accountID string, since time.Time) (map[string]Activity, error)
	// News returns those of the account's roles on active boards that were found or reopened after a moment and since the
	// account began to watch their boards, except by a board's first reading.
	News(ctx context.Context, accountID string, after time.Time, jobIDs []string) (map[string]bool, error)
	// FlowPerDay returns how many roles were found and closed on the account's active boards, or on the requested ones,
	// on each day since then, in order, counted as in Activity. A single requested board must be on its list. Days are those of the time zone of since; those without
	// any are left out.
	FlowPerDay(ctx context.Context, accountID string, boardIDs []string, since time.Time) ([]DayFlow, error)
	// Shares counts the open roles of the account's active boards, or of the requested ones among them, in no particular
	// order.
	Shares(ctx context.Context, accountID string, boardIDs []string) ([]Share, error)
	// MedianStay returns the median time that the closed roles of one of the account's active boards were open, and the
	// number of these roles. Roles in the board's first reading are left out, because it is not known when they opened.
	MedianStay(ctx context.Context, accountID, boardID string) (stay time.Duration, closed int, err error)
}
