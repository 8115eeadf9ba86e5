package boardwatch

import (
	"slices"
	"time"
)

// Change is the result of comparing a reading with the known jobs. Every job appears in at most one of its first five
// lists.
type Change struct {
	BoardID  string
	Found    []Job // never seen before
	Reopened []Job // closed, and seen again: same id, same FirstSeenAt
	Closed   []Job
	Updated  []Job // its text has changed
	Touched  []Job // only its bookkeeping changed: missed, or seen again after a miss

	Missing int // open jobs that the reading did not show
	Counted int // absences that count towards closing a job, those that closed one among them
	// Missed are the jobs in Touched that are absent for the first time.
	Missed []Job
	// Fields are the old and new values of changed fields of Updated and Reopened jobs, by the id of the job.
	Fields map[string][]FieldChange
}

// Empty reports whether nothing visible to a person has changed.
func (c Change) Empty() bool {
	return len(c.Found) == 0 && len(c.Reopened) == 0 && len(c.Closed) == 0 && len(c.Updated) == 0
}

// Announced returns the jobs of the check's job.found: new ones first, then reopened ones.
func (c Change) Announced() []Job { return slices.Concat(c.Found, c.Reopened) }

// diff compares a reading with the known jobs of a board. Roles are matched by key. A role that is missing is
// closed only when the verdict counts, and only at the required number of counted absences in a row.
func diff(known []Job, r Reading, v verdict, rules Rules, now time.Time, newID func() string) Change {
	var c Change
	unseen := make(map[string]int, len(r.Postings)) // indexes of postings
	there := make(map[string]bool, len(r.Present))
	if v.Health.Read() {
		for i, p := range r.Postings {
			unseen[p.Key] = i
		}
		for _, key := range r.Present {
			there[key] = true
		}
	}
	for _, j := range known {
		i, seen := unseen[j.Key]
		switch {
		case seen:
			delete(unseen, j.Key)
			c.seen(j, r.Postings[i], v, now)
		case there[j.Key]:
			c.seen(j, j.posting(), v, now)
		case j.Status == JobOpen:
			c.missed(j, v, rules, now)
		}
	}
	for _, p := range r.Postings {
		if _, fresh := unseen[p.Key]; !fresh {
			continue
		}
		delete(unseen, p.Key)
		c.Found = append(c.Found, Job{
			ID: newID(), Key: p.Key, Title: p.Title, Location: p.Location, Department: p.Department, URL: p.URL,
			Status: JobOpen, FirstSeenAt: now, LastSeenAt: now,
		})
	}
	return c
}

func (c *Change) seen(j Job, p Posting, v verdict, now time.Time) {
	shown := fieldChanges(j, p)
	kept := j.LastSeenAt.Equal(v.Since) // so it follows the board's last healthy check
	j.Title, j.Location, j.Department, j.URL = p.Title, p.Location, p.Department, p.URL
	reopened, missed := j.Status == JobClosed, j.Misses > 0 || j.LastSeenAt.Before(v.Since)
	j.Status, j.ClosedAt, j.Misses = JobOpen, time.Time{}, 0
	if v.Health == HealthOK || reopened || missed {
		j.LastSeenAt = now
	}
	if len(shown) > 0 {
		if c.Fields == nil {
			c.Fields = make(map[string][]FieldChange)
		}
		c.Fields[j.ID] = shown
	}
	switch {
	case reopened:
		c.Reopened = append(c.Reopened, j)
	case len(shown) > 0:
		c.Updated = append(c.Updated, j)
	case missed, v.Health == HealthOK && !kept:
		c.Touched = append(c.Touched, j)
	}
}
