package boardwatch

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
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

// with returns the facts after a source has stated others. What it does not state stays as it was, because lists often leave
// out what they or the role's own page have stated before.
func (f Facts) with(now Facts) Facts {
	f.PostedAt, f.UpdatedAt = cmp.Or(now.PostedAt, f.PostedAt), cmp.Or(now.UpdatedAt, f.UpdatedAt)
	f.ValidThrough, f.Mode = cmp.Or(now.ValidThrough, f.ValidThrough), cmp.Or(now.Mode, f.Mode)
	f.Requisition, f.Language = cmp.Or(now.Requisition, f.Requisition), cmp.Or(now.Language, f.Language)
	if now.Type != "" || now.TypeText != "" {
		f.Type, f.TypeText = now.Type, now.TypeText
	}
	if !now.Pay.IsZero() {
		f.Pay = now.Pay
	}
	if len(now.Places) > 0 {
		f.Places = now.Places
	}
	return f
}

// lasting returns the facts without those that change by themselves, or that we find out.
func (f Facts) lasting() Facts {
	f.PostedAt, f.UpdatedAt, f.Language = "", "", ""
	return f
}

// JSON returns the facts as a JSON object that holds only what is stated.
func (f Facts) JSON() []byte {
	raw, err := json.Marshal(f)
	if err != nil { // an amount is no number
		raw, err = json.Marshal(f.clean())
	}
	if err != nil {
		panic("boardwatch: facts that cannot be written: " + err.Error()) // plain structs whose numbers are finite
	}
	return raw
}

// The longest stored facts.
const (
	maxFact   = 200
	maxPlaces = 30
	maxPay    = 1e12
)

// clean returns the facts in the form that the rules and the store require. What is not in a known form is left out.
func (f Facts) clean() Facts {
	for _, moment := range []*Stated{&f.PostedAt, &f.UpdatedAt, &f.ValidThrough} {
		if _, ok := moment.Time(); !ok || len(*moment) > 40 {
			*moment = ""
		}
	}
	if !slices.Contains(WorkModes(), f.Mode) {
		f.Mode = ""
	}
	if f.Type != "" && !slices.Contains(JobTypes(), f.Type) {
		f.Type = TypeOther
	}
	f.TypeText, f.Requisition = OneLine(f.TypeText, maxFact), OneLine(f.Requisition, maxFact)
	f.Language = OneLine(f.Language, 35)
	f.Pay = f.Pay.clean()
	var places []Place
	for _, p := range f.Places {
		p = Place{OneLine(p.Text, maxFact), OneLine(p.Country, 2), OneLine(p.City, maxFact)}
		if p.Text != "" && len(places) < maxPlaces && !slices.Contains(places, p) {
			places = append(places, p)
		}
	}
	f.Places = places
	return f
}

// TypeWords returns the kind of employment in words: the source's own, or those for its constant.
func (f Facts) TypeWords() string {
	return cmp.Or(f.TypeText, strings.ReplaceAll(string(f.Type), "_", "-"))
}

// Line returns what people look at first, on one line: mode, type and pay. It is empty if none of them is stated.
func (f Facts) Line() string {
	parts := []string{string(f.Mode), f.TypeWords(), f.Pay.String()}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " · ")
}

// FactsLine returns the facts that people look at first and that the role's place does not say already: "Remote" says its mode.
func (j Job) FactsLine() string {
	if j.Facts.Mode != "" && strings.Contains(strings.ToLower(j.Location), string(j.Facts.Mode)) {
		j.Facts.Mode = ""
	}
	return j.Facts.Line()
}

// PlacesText returns the places on one line.
func (f Facts) PlacesText() string {
	texts := make([]string, len(f.Places))
	for i, p := range f.Places {
		texts[i] = p.Text
	}
	return strings.Join(texts, placeMark)
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

// WorkModes are the modes of work.
func WorkModes() []WorkMode { return []WorkMode{ModeRemote, ModeHybrid, ModeOnsite} }

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

// JobTypes are the kinds of employment.
func JobTypes() []JobType {
	return []JobType{
		TypeFullTime, TypePartTime, TypeContract, TypeTemporary, TypeInternship, TypeApprenticeship, TypeVolunteer, TypeOther,
	}
}

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

// String returns the pay in words: "60,000–80,000 EUR per year", or else the source's own.
func (p Pay) String() string {
	var amount string
	switch {
	case p.Min > 0 && p.Max > p.Min:
		amount = thousands(p.Min) + "–" + thousands(p.Max)
	case p.Min > 0 && p.Max == p.Min:
		amount = thousands(p.Min)
	case p.Min > 0:
		amount = "from " + thousands(p.Min)
	case p.Max > 0:
		amount = "up to " + thousands(p.Max)
	default:
		return p.Text
	}
	if p.Currency != "" {
		amount += " " + p.Currency
	}
	if p.Period != "" {
		amount += " per " + string(p.Period)
	}
	return amount
}

// thousands writes a number with a comma between every three digits.
func thousands(n float64) string {
	whole, rest, fraction := strings.Cut(strconv.FormatFloat(math.Round(n*100)/100, 'f', -1, 64), ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if fraction {
		return whole + "." + rest
	}
	return whole
}

// clean leaves out what cannot be an amount, a currency or a period.
func (p Pay) clean() Pay {
	possible := func(n float64) bool { return n >= 0 && n <= maxPay } // false for NaN
	if !possible(p.Min) || !possible(p.Max) || p.Max > 0 && p.Max < p.Min {
		p.Min, p.Max = 0, 0
	}
	if !isCurrency(p.Currency) {
		p.Currency = ""
	}
	if !slices.Contains(PayPeriods(), p.Period) {
		p.Period = ""
	}
	if p.Text = OneLine(p.Text, maxFact); p.Min == 0 && p.Max == 0 && p.Text == "" {
		return Pay{}
	}
	return p
}

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

// PayPeriods are the periods of pay.
func PayPeriods() []PayPeriod { return []PayPeriod{PerYear, PerMonth, PerWeek, PerDay, PerHour} }

// InYear is how often the period is paid in a year of full-time work. Pay without a period is taken for a year's.
func (p PayPeriod) InYear() int {
	switch p {
	case PerMonth:
		return 12
	case PerWeek:
		return 52
	case PerDay:
		return 5 * 52
	case PerHour:
		return 8 * 5 * 52
	default:
		return 1
	}
}

// PerYear is the most that the pay may be in a year of full-time work; 0 if it is not known.
func (p Pay) PerYear() float64 { return cmp.Or(p.Max, p.Min) * float64(p.Period.InYear()) }

func isCurrency(code string) bool {
	return len(code) == 3 && !strings.ContainsFunc(code, func(r rune) bool { return r < 'A' || r > 'Z' })
}

// Place is one place of a role. Country and City are there when the source has fields for them or the gazetteer knows the
// whole text.
type Place struct {
	Text    string `json:"text"`
	Country string `json:"country,omitzero"` // ISO 3166-1 alpha-2
	City    string `json:"city,omitzero"`
}

// MaxText is how many bytes of a role's text are kept.
const MaxText = 64 << 10

// TextHash identifies a text by its content.
func TextHash(text string) string {
	h := sha256.Sum256([]byte(text))
	return base64.RawURLEncoding.EncodeToString(h[:18])
}

// Invisible reports whether nobody sees a character that programs read: control characters, marks of direction, fillers, and the
// letters and variants in which texts can be hidden. The joiners that some scripts need and the two variants of emoji are none.
func Invisible(r rune) bool {
	switch {
	case r < unicode.MaxASCII:
		return r < ' '
	case r == '\u200c', r == '\u200d', r == '\ufe0e', r == '\ufe0f':
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

var plainSpaces = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\t", " ") //nolint:gochecknoglobals // a constant

// cleanText makes a foreign text safe to store: valid UTF-8 without control characters, marks of direction and other invisible
// characters, at most MaxText bytes.
func cleanText(text string) string {
	hidden := func(r rune) bool { return r == utf8.RuneError || r != '\n' && Invisible(r) }
	text = plainSpaces.Replace(text)
	if strings.ContainsFunc(text, hidden) {
		text = strings.Map(func(r rune) rune {
			if hidden(r) {
				return -1
			}
			return r
		}, text)
	}
	if len(text) > MaxText {
		end := MaxText
		for !utf8.RuneStart(text[end]) {
			end--
		}
		text = text[:end]
	}
	return strings.TrimSpace(text)
}
