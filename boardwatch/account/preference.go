package account

import "time"

// Theme is the appearance of the app.
type Theme string

// The themes.
const (
	ThemeAuto  Theme = "auto" // as in the person's system
	ThemeLight Theme = "light"
	ThemeDark  Theme = "dark"
)

// Themes are all themes.
func Themes() []Theme { return []Theme{ThemeAuto, ThemeLight, ThemeDark} }

// DefaultHour is the digest hour of those who follow the installation's own.
const DefaultHour = -1

// Preferences are a person's choices.
type Preferences struct {
	AccountID  string
	Digest     bool   // the daily mail
	DigestHour int    // the hour of the day it goes out, in TimeZone; DefaultHour: the installation's
	TimeZone   string // an IANA name such as Europe/Berlin; empty: UTC
	OnlySaved  bool   // the daily mail covers only saved searches
	Notices    bool   // mail about webhooks that were switched off and boards that keep failing
	Theme      Theme
	Shortcuts  bool // keys that act on their own, such as "/" for search
	Steps      bool // the list of first steps

	Visits Visits // what they have seen; SavePreferences leaves it alone
}

// DefaultPreferences returns the preferences of an account that chose nothing.
func DefaultPreferences(accountID string) Preferences {
	return Preferences{AccountID: accountID, Digest: true, DigestHour: DefaultHour, Notices: true, Theme: ThemeAuto, Shortcuts: true, Steps: true}
}

// Location returns the time zone; UTC if this machine does not know the name.
func (p Preferences) Location() *time.Location {
	if p.TimeZone == "" {
		return time.UTC
	}
	loc, err := time.LoadLocation(p.TimeZone)
	if err != nil {
		return time.UTC
	}
	return loc
}

// VisitGap is how long a person must not have looked at changes or roles for their next look to begin a new visit.
const VisitGap = time.Hour

// NewsReach is how far back what is new is counted.
const NewsReach = 30 * 24 * time.Hour

// Visits say what a person has seen of the changes on their boards.
type Visits struct {
	SeenAt time.Time // what happened until then was seen before the present visit
	LastAt time.Time // the last look; zero: there was none yet
}

// Mark returns the moment until which everything counts as seen. It stays the same during a visit, so that new things
// are marked as new until the visit ends. Zero means that the person has never looked.
func (v Visits) Mark(now time.Time) time.Time {
	if now.Sub(v.LastAt) >= VisitGap {
		return v.LastAt
	}
	return v.SeenAt
}

// Look returns the visits after a look at what is new. After the first look ever, nothing is new.
func (v Visits) Look(now time.Time) Visits {
	if v.LastAt.IsZero() {
		return Visits{now, now}
	}
	return Visits{v.Mark(now), now}
}
