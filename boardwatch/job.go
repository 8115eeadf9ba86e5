package boardwatch

import (
	"encoding/json"
	"time"
)

// JobStatus says whether a role is still on its board.
type JobStatus string

// The two statuses of a job.
const (
	JobOpen   JobStatus = "open"
	JobClosed JobStatus = "closed"
)

// Job is a role with its history. In JSON it is the published Job object; Key and what is known of its absence are never shown.
type Job struct {
	ID         string
	BoardID    string
	Key        string // the role's identity on its board
	Company    string // copied from the board; empty is null
	Title      string
	Location   string // empty is null
	Department string // empty is null
	URL        string // empty is null
	Status     JobStatus

	Misses      int       // counted absences in a row, up to the number that may close it
	MissedSince time.Time // the first of them; it stays when the role closes
	MassLoss    bool      // the reading that missed it first had lost too many roles at once
	Testimony   Testimony // what its own page said before it was to close

	Facts    Facts  // what else its source has stated
	TextHash string // of the text that the source shows about it; empty if none is kept
	Text     string // only in a Change, where it is new; a store returns it by its hash

	FirstSeenAt time.Time // when the service first saw it; it survives a reopening
	LastSeenAt  time.Time // the last healthy check that saw it, or its first sight
	ClosedAt    time.Time // zero while open
}

// JobObject is the published Job object: every field is present, and unknown values are null.
type JobObject struct {
	ID          string     `json:"id"`
	BoardID     string     `json:"boardId"`
	Company     *string    `json:"company"`
	Title       string     `json:"title"`
	Location    *string    `json:"location"`
	Department  *string    `json:"department"`
	URL         *string    `json:"url"`
	Status      JobStatus  `json:"status"`
	FirstSeenAt *timestamp `json:"firstSeenAt"`
	LastSeenAt  *timestamp `json:"lastSeenAt"`
	ClosedAt    *timestamp `json:"closedAt"`
}

// MarshalJSON writes the published Job object.
func (j Job) MarshalJSON() ([]byte, error) { return json.Marshal(j.Object()) }

// Object returns the role as it is published.
func (j Job) Object() JobObject {
	return JobObject{
		j.ID, j.BoardID, orNull(j.Company), j.Title, orNull(j.Location), orNull(j.Department), orNull(j.URL), j.Status,
		timeOrNull(j.FirstSeenAt), timeOrNull(j.LastSeenAt), timeOrNull(j.ClosedAt),
	}
}

// StatedJob is the Job object with what the role's source states: facts, which holds only what is stated, and text.
type StatedJob struct {
	JobObject

	Facts Facts   `json:"facts"`
	Text  *string `json:"text"`
}

// Stated returns the role with what its source states.
func (j Job) Stated() StatedJob { return StatedJob{j.Object(), j.Facts, orNull(j.Text)} }

// UnmarshalJSON reads the published Job object.
func (j *Job) UnmarshalJSON(data []byte) error {
	var w JobObject
	if err := json.Unmarshal(data, &w); err != nil {
		return err
	}
	*j = Job{
		ID: w.ID, BoardID: w.BoardID, Company: orEmpty(w.Company), Title: w.Title, Location: orEmpty(w.Location),
		Department: orEmpty(w.Department), URL: orEmpty(w.URL), Status: w.Status,
		FirstSeenAt: orZero(w.FirstSeenAt), LastSeenAt: orZero(w.LastSeenAt), ClosedAt: orZero(w.ClosedAt),
	}
	return nil
}

// posting returns the job as a posting, for comparing it with a reading.
func (j Job) posting() Posting {
	return Posting{Key: j.Key, Title: j.Title, Location: j.Location, Department: j.Department, URL: j.URL, Facts: j.Facts, Text: j.Text}
}

// state returns the job with what a posting states besides its other fields. Text is only set if it is new.
func (j Job) state(p Posting) Job {
	j.Facts, j.Text = j.Facts.with(p.Facts), ""
	if p.Text != "" {
		if hash := TextHash(p.Text); hash != j.TextHash {
			j.TextHash, j.Text = hash, p.Text
		}
	}
	return j
}
