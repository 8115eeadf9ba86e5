package boardwatch

import (
	"context"
	"time"
)

// Theme is how the app looks.
type Theme string

// The themes.
const (
	ThemeAuto  Theme = "auto" // as the person's system is set
	ThemeLight Theme = "light"
	ThemeDark  Theme = "dark"
)

// Themes are all themes.
func Themes() []Theme { return []Theme{ThemeAuto, ThemeLight, ThemeDark} }

// DefaultHour is the digest hour of those who follow the installation's own.
const DefaultHour = -1

// Preferences are what a person chose for themselves.
type Preferences struct {
	AccountID  string
	Digest     bool   // the daily mail
	DigestHour int    // the hour of the day it goes out, in TimeZone; DefaultHour: the installation's
	TimeZone   string // an IANA name such as Europe/Berlin; empty: UTC
	OnlySaved  bool   // the daily mail tells of saved searches only
	Notices    bool   // mail about webhooks that were switched off and boards that keep failing
	Theme      Theme
	Shortcuts  bool // keys that act on their own, such as "/" for search
}

// DefaultPreferences are those of an account that chose nothing.
func DefaultPreferences(accountID string) Preferences {
	return Preferences{AccountID: accountID, Digest: true, DigestHour: DefaultHour, Notices: true, Theme: ThemeAuto, Shortcuts: true}
}

// Location is the time zone, UTC where the name is not known to this machine.
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

// PreferenceStore is what preferences need from a store.
type PreferenceStore interface {
	// Preferences are the account's, or the default ones when it chose nothing.
	Preferences(ctx context.Context, accountID string) (Preferences, error)
	// SavePreferences replaces the account's preferences. When the daily mail is switched on, it begins with what
	// changes from then on. When it goes out is planned anew.
	SavePreferences(ctx context.Context, p Preferences) error

	// FeedToken is the token in the addresses of the account's feeds; empty while there is none, or when it can no
	// longer be read.
	FeedToken(ctx context.Context, accountID string) (string, error)
	// SetFeedToken replaces the token. The old one is worth nothing from then on.
	SetFeedToken(ctx context.Context, accountID, token string) error
	// AccountByFeed finds the account that a feed's token belongs to, by the token's hash; otherwise a not_found error.
	AccountByFeed(ctx context.Context, hash string) (Account, error)
}
