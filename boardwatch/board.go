package boardwatch

import (
	"encoding/json"
	"hash/fnv"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch/cause"
)

// BoardStatus is the lifecycle of a board. After the first reading it is the outcome of the last completed check.
type BoardStatus string

// The four statuses a board can have.
const (
	BoardPending  BoardStatus = "pending"  // the source of its roles is not known yet
	BoardScraping BoardStatus = "scraping" // the source is known, the first reading is under way
	BoardReady    BoardStatus = "ready"    // the last check read it
	BoardFailed   BoardStatus = "failed"   // the last check did not
)

// Board is one careers page. It is global: every account that tracks the same source shares it.
type Board struct {
	ID      string
	Source  string // "system:token" or "page:URL"; empty until discovery has found it
	URL     string // the careers page a person can open
	Company string // empty until the source has named it
	Domain  string // the company's domain, empty until known
	Status  BoardStatus

	OpenJobs   int
	ClosedJobs int

	// Cadence is the fastest interval among the active subscribers; zero when nobody actively tracks the board,
	// which is then not read.
	Cadence     time.Duration
	NextCheckAt time.Time // zero: not scheduled
	AddedAt     time.Time // when the service first heard of the board

	// Recipe says where on its page the roles of the board are; empty if the reader finds them by itself. Only the
	// reader understands it.
	Recipe string

	State BoardState
}

// System is the part of the source before the colon: the name of a hosted system, or "page".
func (b Board) System() string { return sourceSystem(b.Source) }

// BoardState is what the rules remember about a board from one check to the next. The zero value is a board that was
// never checked.
type BoardState struct {
	Health        Health      `json:"health,omitempty"` // of the last completed check
	Cause         cause.Cause `json:"cause,omitempty"`  // why it is not ok
	Reason        string      `json:"reason,omitempty"` // the same as a sentence
	LastCheckedAt time.Time   `json:"-"`                // last completed check, whatever its outcome
	LastSuccessAt time.Time   `json:"-"`                // last healthy check
	SickSince     time.Time   `json:"-"`                // until the board has been healthy for a day
	WellSince     time.Time   `json:"-"`                // the first healthy check after that; zero while it is sick

	BadRuns     int `json:"failures,omitempty"`    // partial checks in a row if Health is partial, otherwise blocked or failed ones
	UnknownRuns int `json:"unknownRuns,omitempty"` // "unknown board" answers in a row

	// RetryAfter is when the source allows the next request; zero when it asked for nothing.
	RetryAfter time.Time `json:"retryAfter,omitzero"`

	Gain      *Gain    `json:"gain,omitempty"`      // what is kept back until it is seen again
	Returns   []Return `json:"returns,omitempty"`   // absences from which roles came back, the longest first
	Reposts   []Repost `json:"reposts,omitempty"`   // of a hosted system, in the last days, the latest last
	Overcount int      `json:"overcount,omitempty"` // how many roles too many the source claims, with its end seen

	Access Access `json:"access,omitzero"` // how the operator wants it to be read

	Missing int `json:"missing,omitempty"` // open roles that the last reading did not show
	// Absences are the last checks whose absences count, oldest first: as many as a role can miss before it closes.
	Absences []Absence `json:"absences,omitempty"`

	Fingerprint string `json:"-"` // of the source's last healthy answer
	SetHash     string `json:"-"` // of the last healthy set of postings

	// Took is how long the last full reading took that showed something new.
	Took time.Duration `json:"took,omitempty"`

	// Taught is the form of the page that a teacher was last asked about; empty if none was. Only the reader
	// understands it.
	Taught string `json:"taught,omitempty"`
	// Shortcut is what the reader stored for its next reading: how it got to the roles. Only the reader understands it.
	Shortcut string `json:"shortcut,omitempty"`
}

// WasRead reports whether the board was ever read successfully.
func (b Board) WasRead() bool { return !b.State.LastSuccessAt.IsZero() || b.OpenJobs+b.ClosedJobs > 0 }

// Settled reports whether an unchanged answer changes nothing but the time of the last check: the board is healthy,
// and no role is about to be closed.
func (s BoardState) Settled() bool {
	return s.Health == HealthOK && s.Missing == 0
}

// PartialTooLong reports whether the board was partial so often in a row that a person should know.
func (s BoardState) PartialTooLong() bool { return s.Health == HealthPartial && s.BadRuns >= 10 }

// Failures returns how many checks in a row were blocked or failed.
func (s BoardState) Failures() int {
	if s.Health == HealthPartial {
		return 0
	}
	return s.BadRuns
}

// unknownLimit is the number of consecutive answers that there is no such board after which the board is discovered
// again.
const unknownLimit = 3

// Lost reports whether the board may have moved: its source has answered often enough that it does not know the board, or
// is a hosted system that shows none of the open roles any more.
func (b Board) Lost() bool { return b.State.UnknownRuns >= unknownLimit || b.deserted() }

func (b Board) deserted() bool {
	return b.System() != PageSystem && b.State.Health == HealthSuspect && b.OpenJobs > 0 && b.State.Missing == b.OpenJobs
}

// LooksAgain reports whether a check at that time is the first in the board's week and the board is a hosted one without open
// roles: its company may have moved to another system long ago.
func (b Board) LooksAgain(at time.Time) bool {
	if b.System() == PageSystem || b.OpenJobs > 0 || b.State.Health != HealthOK || b.State.LastCheckedAt.IsZero() {
		return false
	}
	return b.week(at) > b.week(b.State.LastCheckedAt)
}

// MovesTo reports whether a lost board moves to a source that was found. A hosted board that is merely empty only moves to
// another one: that its company's page shows no roles either says nothing new.
func (b Board) MovesTo(source string) bool {
	return source != "" && source != b.Source && (b.State.UnknownRuns >= unknownLimit || sourceSystem(source) != PageSystem)
}

// elsewhere reports whether the board is lost and has a new source that has not had a healthy reading yet. The state
// from the old source is then forgotten.
func (b Board) elsewhere() bool { return b.Lost() && b.State.SetHash == "" }

// Offered returns the board as it is passed to its source. The fingerprint allows the answer "unchanged", which is only
// useful after a healthy check, so it is left out otherwise. It is also left out once a week, at a moment of the board's own: a
// newer version of the program may read more in the same answer.
func (b Board) Offered(now time.Time) Board {
	if b.State.Health != HealthOK || b.week(now) != b.week(b.State.LastSuccessAt) {
		b.State.Fingerprint = ""
	}
	return b
}

// week numbers weeks that begin at a moment of the board's own.
func (b Board) week(at time.Time) int64 {
	const week = 7 * 24 * 60 * 60
	h := fnv.New32a()
	_, _ = h.Write([]byte(b.ID)) // never fails
	return (at.Unix() + int64(h.Sum32()%week)) / week
}

// BoardView is a board as one account sees it, in the published shape.
type BoardView struct {
	ID            string
	Company       string // empty is null
	Domain        string // empty is null
	CareersURL    string
	Status        BoardStatus
	Tracking      Tracking
	OpenJobs      int
	ClosedJobs    int
	LastCheckedAt time.Time // zero is null
	LastSuccessAt time.Time // zero is null
	AddedAt       time.Time // zero is null

	// Cause and Reason say why the last check was not ok. They are not part of the published object; a locked board,
	// which is not read, has none.
	Cause  cause.Cause
	Reason string
}

// View returns the board as the owner of the subscription sees it: the subscription's own name for the company is used
// until the source has named the real one.
func (b Board) View(s Subscription) BoardView {
	v := BoardView{
		ID: b.ID, Company: s.CompanyOf(b), Domain: b.Domain, CareersURL: b.URL,
		Status: b.Status, Tracking: s.Tracking(),
		OpenJobs: b.OpenJobs, ClosedJobs: b.ClosedJobs,
		LastCheckedAt: b.State.LastCheckedAt, LastSuccessAt: b.State.LastSuccessAt, AddedAt: s.AddedAt,
	}
	if !s.Locked {
		v.Cause, v.Reason = b.State.Cause, b.State.Reason
	}
	return v
}

// BoardObject is the published Board object: every field is present, and unknown values are null.
type BoardObject struct {
	ID            string      `json:"id"`
	Company       *string     `json:"company"`
	Domain        *string     `json:"domain"`
	CareersURL    string      `json:"careersUrl"`
	Status        BoardStatus `json:"status"`
	Tracking      Tracking    `json:"tracking"`
	OpenJobs      int         `json:"openJobs"`
	ClosedJobs    int         `json:"closedJobs"`
	LastCheckedAt *timestamp  `json:"lastCheckedAt"`
	LastSuccessAt *timestamp  `json:"lastSuccessAt"`
	AddedAt       *timestamp  `json:"addedAt"`
}

// MarshalJSON writes the published Board object.
func (v BoardView) MarshalJSON() ([]byte, error) { return json.Marshal(v.Object()) }

// Object returns the board as it is published.
func (v BoardView) Object() BoardObject {
	return BoardObject{
		v.ID, orNull(v.Company), orNull(v.Domain), v.CareersURL, v.Status, v.Tracking, v.OpenJobs, v.ClosedJobs,
		timeOrNull(v.LastCheckedAt), timeOrNull(v.LastSuccessAt), timeOrNull(v.AddedAt),
	}
}

// UnmarshalJSON reads the published Board object.
func (v *BoardView) UnmarshalJSON(data []byte) error {
	var j BoardObject
	if err := json.Unmarshal(data, &j); err != nil {
		return err
	}
	*v = BoardView{
		j.ID, orEmpty(j.Company), orEmpty(j.Domain), j.CareersURL, j.Status, j.Tracking, j.OpenJobs, j.ClosedJobs,
		orZero(j.LastCheckedAt), orZero(j.LastSuccessAt), orZero(j.AddedAt), "", "",
	}
	return nil
}
