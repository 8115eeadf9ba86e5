package account

import (
	"time"
)

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
