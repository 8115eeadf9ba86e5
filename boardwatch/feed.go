package boardwatch

import (
	"context"
	"time"
)

// BoardChange is what one check changed on one board, as one account sees it.
type BoardChange struct {
	CheckID    string
	BoardID    string
	Company    string // empty while it is not known
	CareersURL string
	At         time.Time

	Found    JobList
	Reopened JobList
	Closed   JobList
	Updated  JobList // roles that show something else than before

	// Beginning says that the roles in Found are no news: with this change the account began to watch the board, or the board
	// was read for the first time.
	Beginning bool
	Open      int // roles that were open on the board afterwards
	// Fields are what the listed roles in Updated and Reopened showed before and after, by the id of the job.
	Fields map[string][]FieldChange
}

// News is how many roles the change tells of as new.
func (c BoardChange) News() int {
	if c.Beginning {
		return 0
	}
	return c.Found.Total
}

// JobList is the beginning of a list of jobs, by title, and how long the whole is.
type JobList struct {
	Jobs  []Job
	Total int
}

// Only is the change with nothing but the list of a kind; with every list when the kind is empty.
func (c BoardChange) Only(kind ChangeKind) BoardChange {
	if kind == "" {
		return c
	}
	if c.Beginning {
		c.Beginning, c.Found = false, JobList{} // which are no news
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

// Empty reports whether nothing is on any of its lists.
func (c BoardChange) Empty() bool {
	return c.Found.Empty() && c.Reopened.Empty() && c.Closed.Empty() && c.Updated.Empty()
}

// Empty reports whether there is nothing on it.
func (l JobList) Empty() bool { return l.Total == 0 }

// More is how many jobs are not shown.
func (l JobList) More() int { return l.Total - len(l.Jobs) }

// ChangeFilter chooses changes of an account's active boards. The zero value asks for the newest ones.
type ChangeFilter struct {
	BoardID string     // empty: every board
	Kind    ChangeKind // empty: every kind; otherwise only changes with such a list, and of each only this list
	After   time.Time  // zero: no bound; otherwise only what was changed after it
	Before  time.Time  // zero: no bound; otherwise only what was changed before it
	Limit   int        // at most this many changes; 0 means 50
	Jobs    int        // at most this many jobs in each list; 0 means 20
}

// ChangePage is a part of the changes, newest first.
type ChangePage struct {
	Changes []BoardChange
	More    bool // older ones match too; ask for those before Next
	Next    time.Time
	// PolledAt may be passed as After of the next call: a change may then appear twice, never zero times.
	PolledAt time.Time
}

// Point is how many roles were open on a board at the end of a day.
type Point struct {
	Day  time.Time // a Date
	Open int
}

// Activity is what has happened on a board since a moment. What was there when the account began to watch the board does not
// count.
type Activity struct {
	Found  int // new and reopened roles
	Closed int
}

// DayFlow is how many roles opened and closed on a day. What was there when the account began to watch a board does not count.
type DayFlow struct {
	Day    time.Time // a Date
	Found  int       // new and reopened roles
	Closed int
}

// Share is how many open roles a department has at a place, both as their boards say them; either may be empty.
type Share struct {
	Department string
	Location   string // several places are joined with "; "
	Open       int
}

// FeedStore is what showing changes needs from a store.
type FeedStore interface {
	ClosedStore
	HitStore
	// Changes lists what has changed on the account's active boards since it began to watch them (Subscription.Since). That it
	// began to watch a board that was read before is a change of its own (Subscription.Began).
	Changes(ctx context.Context, accountID string, f ChangeFilter) (ChangePage, error)
	// Series is how many roles were open on each of the account's boards, or on the one that is asked for, on each day
	// since then on which a check changed something, and on the last one before, in order. Locked boards are among them. Days
	// are those of the time zone of since.
	Series(ctx context.Context, accountID, boardID string, since time.Time) (map[string][]Point, error)
	// Activity is what has happened on each of the account's active boards since then. Boards without any are left out.
	Activity(ctx context.Context, accountID string, since time.Time) (map[string]Activity, error)
	// FlowPerDay is how many roles were found and closed on the account's active boards, or on the one that is asked for, on
	// each day since then, in order, as Activity counts them. Days are those of the time zone of since; those without any are
	// left out.
	FlowPerDay(ctx context.Context, accountID, boardID string, since time.Time) ([]DayFlow, error)
	// Shares are the open roles of the account's active boards, or of the one that is asked for, in no order.
	Shares(ctx context.Context, accountID, boardID string) ([]Share, error)
	// MedianStay is how long the closed roles of one of the account's active boards were open in the median, and how many they
	// are. Those that the board's first reading showed are left out: when they opened is not known.
	MedianStay(ctx context.Context, accountID, boardID string) (stay time.Duration, closed int, err error)
}
