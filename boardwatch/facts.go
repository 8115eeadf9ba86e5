package boardwatch

import (
	"slices"
	"time"
)

// Facts are what a source states about a role besides its title, location and department. What it does not state is zero:
// nothing is guessed. Their JSON holds only what is stated.
type Facts struct {
	// The moments are RFC 3339, a date alone where the source gives no more.
	PostedAt     Stated `json:"postedAt,omitzero"`
	UpdatedAt    Stated `json:"updatedAt,omitzero"`
	ValidThrough Stated `json:"validThrough,omitzero"`

	Mode        WorkMode `json:"mode,omitzero"`
	Type        JobType  `json:"type,omitzero"`
	TypeText    string   `json:"typeText,omitzero"` // the kind of employment in the source's own words
	Pay         Pay      `json:"pay,omitzero"`
	Places      []Place  `json:"places,omitempty"`
	Requisition string   `json:"requisition,omitzero"` // the employer's own number for it
	Language    string   `json:"language,omitzero"`    // of the text: a BCP 47 tag
}

// IsZero reports whether nothing is stated.
func (f Facts) IsZero() bool { return f.Equal(Facts{}) }

// Equal reports whether two sources state the same.
func (f Facts) Equal(other Facts) bool {
	return f.PostedAt == other.PostedAt && f.UpdatedAt == other.UpdatedAt && f.ValidThrough == other.ValidThrough &&
		f.Mode == other.Mode && f.Type == other.Type && f.TypeText == other.TypeText && f.Pay == other.Pay &&
		slices.Equal(f.Places, other.Places) && f.Requisition == other.Requisition && f.Language == other.Language
}

// Stated is a date ("2026-11-29") or a date and time in RFC 3339, as a source states it; empty if it does not.
type Stated string

// Time is when that was; a date alone is its first moment in UTC.
func (s Stated) Time() (time.Time, bool) {
	for _, form := range [...]string{time.RFC3339, time.DateOnly} {
		if t, err := time.Parse(form, string(s)); err == nil {
			return t.UTC(), true
		}
	}
	return time.Time{}, false
}

// WorkMode is where the work is done, as a field of the source says it. It never comes from a title.
type WorkMode string

// The modes of work.
const (
	ModeRemote WorkMode = "remote"
	ModeHybrid WorkMode = "hybrid"
	ModeOnsite WorkMode = "onsite"
)

// JobType is the kind of employment.
type JobType string

// The kinds of employment. TypeOther is one that has no word here; Facts.TypeText has the source's own.
const (
	TypeFullTime       JobType = "full_time"
	TypePartTime       JobType = "part_time"
	TypeContract       JobType = "contract"
	TypeTemporary      JobType = "temporary"
	TypeInternship     JobType = "internship"
	TypeApprenticeship JobType = "apprenticeship"
	TypeVolunteer      JobType = "volunteer"
	TypeOther          JobType = "other"
)

// Pay is what a role pays, from fields of the source; never from free text.
type Pay struct {
	Min      float64   `json:"min,omitzero"`
	Max      float64   `json:"max,omitzero"`
	Currency string    `json:"currency,omitzero"` // ISO 4217
	Period   PayPeriod `json:"period,omitzero"`
	Text     string    `json:"text,omitzero"` // the source's own words
}

// IsZero reports whether nothing is stated.
func (p Pay) IsZero() bool { return p == Pay{} }

// PayPeriod is the time for which it is paid.
type PayPeriod string

// The periods of pay.
const (
	PerYear  PayPeriod = "year"
	PerMonth PayPeriod = "month"
	PerWeek  PayPeriod = "week"
	PerDay   PayPeriod = "day"
	PerHour  PayPeriod = "hour"
)

// Place is one place of a role. Country and City are there when the source has fields for them or the gazetteer knows the
// whole text.
type Place struct {
	Text    string `json:"text"`
	Country string `json:"country,omitzero"` // ISO 3166-1 alpha-2
	City    string `json:"city,omitzero"`
}

// MaxText is how many bytes of a role's text are kept.
const MaxText = 64 << 10
