package boardwatch

import (
	"slices"
	"strings"
	"time"
)

// Change is the result of comparing a reading with the known jobs. Every job appears in at most one of its first five
// lists.
type Change struct {
	BoardID  string
	Found    []Job // never seen before
	Reopened []Job // closed, and seen again: same id, same FirstSeenAt
	Closed   []Job
	Updated  []Job // what is shown of it has changed
	Touched  []Job // only its bookkeeping changed: missed, seen again after a miss, or something was learned about it

	Missing int // open jobs that the reading did not show
	Counted int // absences that count towards closing a job, those that closed one among them
	// Missed are the jobs in Touched that are absent for the first time.
	Missed []Job
	// Fields are the old and new values of changed fields of Updated and Reopened jobs, by the id of the job.
	Fields map[string][]FieldChange

	stated int // how much facts and texts add to the store
}

// Empty reports whether nothing visible to a person has changed.
func (c Change) Empty() bool {
	return len(c.Found) == 0 && len(c.Reopened) == 0 && len(c.Closed) == 0 && len(c.Updated) == 0
}

// Announced returns the jobs of the check's job.found: new ones first, then reopened ones.
func (c Change) Announced() []Job { return slices.Concat(c.Found, c.Reopened) }

// diff compares a reading with the jobs that identify has matched with it by key.
func diff(in CheckInput, who identity, r Reading, v verdict, newID func() string) Change {
	var c Change
	unseen := make(map[string]int, len(r.Postings)) // indexes of postings
	there := make(map[string]bool, len(r.Present)+len(who.covered))
	if v.Health.Read() {
		for i, p := range r.Postings {
			unseen[p.Key] = i
		}
		for _, key := range slices.Concat(r.Present, who.covered) {
			there[key] = true
		}
	}
	for n, j := range who.known {
		own := in.Known[n].Key
		i, seen := unseen[j.Key]
		switch {
		case seen:
			delete(unseen, j.Key)
			if who.held[j.Key] {
				j.Key = own
			}
			c.seen(j, r.Postings[i], who.changes(j, r.Postings[i]), v, in, j.Key != own)
		case there[j.Key]:
			j.Key = own
			c.seen(j, j.posting(), nil, v, in, false)
		case j.Status == JobOpen:
			if j.Key = own; who.renamed && !strings.HasPrefix(own, MergedKey) {
				j.Key = MergedKey + own
			}
			c.missed(j, in, v, j.Key != own)
		}
	}
	for _, p := range r.Postings {
		if _, fresh := unseen[p.Key]; !fresh {
			continue
		}
		delete(unseen, p.Key)
		id, key := newID(), p.Key
		if who.held[key] {
			key = textKey + id
		}
		c.stated += in.stated(Job{}, p)
		c.Found = append(c.Found, Job{
			ID: id, Key: key, Title: p.Title, Location: p.Location, Department: p.Department, URL: p.URL,
			Status: JobOpen, FirstSeenAt: in.Now, LastSeenAt: in.Now,
		}.state(p))
	}
	return c
}

// seen records a job that the reading shows, with the changes of its fields. moved says that it has another key there.
func (c *Change) seen(j Job, p Posting, shown []FieldChange, v verdict, in CheckInput, moved bool) {
	kept := j.LastSeenAt.Equal(v.Since) // so it follows the board's last healthy check
	before := j
	j = j.state(p)
	learned := j.Text != "" || !j.Facts.Equal(before.Facts)
	if learned {
		c.stated += in.stated(before, p)
	}
	j.Title, j.Location, j.Department, j.URL = p.Title, p.Location, p.Department, p.URL
	reopened, missed := j.Status == JobClosed, !j.MissedSince.IsZero() || j.LastSeenAt.Before(v.Since)
	j.Status, j.ClosedAt = JobOpen, time.Time{}
	j.Misses, j.MissedSince, j.MassLoss, j.Testimony = 0, time.Time{}, false, ""
	if v.Health == HealthOK || reopened || missed {
		j.LastSeenAt = in.Now
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
	case missed, moved, learned, v.Health == HealthOK && !kept:
		c.Touched = append(c.Touched, j)
	}
}
