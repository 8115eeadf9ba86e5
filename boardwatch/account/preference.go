package account

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
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

// PreferenceStore is what PreferenceManager needs from a store.
type PreferenceStore interface {
	// Preferences returns the account's preferences, or the defaults if it chose nothing.
	Preferences(ctx context.Context, accountID string) (Preferences, error)
	// SavePreferences replaces the account's preferences. When the daily mail is switched on, it covers changes from
	// then on. The time of the next mail is planned again.
	SavePreferences(ctx context.Context, p Preferences) error
	// SaveVisits replaces what the account has seen.
	SaveVisits(ctx context.Context, accountID string, v Visits) error
	// FeedToken returns the token in the addresses of the account's feeds; empty if there is none, or if it can no
	// longer be decrypted.
	FeedToken(ctx context.Context, accountID string) (string, error)
	// SetFeedToken replaces the token. The old one is invalid from then on.
	SetFeedToken(ctx context.Context, accountID, token string) error
	// AccountByFeed finds the account that a feed's token belongs to, by the token's hash; otherwise a not_found error.
	AccountByFeed(ctx context.Context, hash string) (Account, error)
	// Link finds a valid link; otherwise a not_found error.
	Link(ctx context.Context, kind LinkKind, hash string, now time.Time) (Link, error)
	// Account finds an account by id; otherwise a not_found error.
	Account(ctx context.Context, id string) (Account, error)
}

// PreferenceManager manages what people choose for themselves, and the token of their feeds. It may be used concurrently.
type PreferenceManager struct {
	store PreferenceStore
	now   func() time.Time
}

// NewPreferenceManager returns a PreferenceManager.
func NewPreferenceManager(store PreferenceStore, o Options) *PreferenceManager {
	return &PreferenceManager{store: store, now: o.withDefaults().Now}
}

// Of returns the account's preferences.
func (p *PreferenceManager) Of(ctx context.Context, a Account) (Preferences, error) {
	prefs, err := p.store.Preferences(ctx, a.ID)
	return prefs, boardwatch.Wrap("read preferences", err)
}

// Save replaces the account's preferences. Every wrong field is named in one invalid_request error.
func (p *PreferenceManager) Save(ctx context.Context, a Account, prefs Preferences) error {
	prefs.AccountID = a.ID
	if err := checkPreferences(prefs); err != nil {
		return err
	}
	return boardwatch.Wrap("save preferences", p.store.SavePreferences(ctx, prefs))
}

// SaveVisits replaces what the account has seen.
func (p *PreferenceManager) SaveVisits(ctx context.Context, a Account, v Visits) error {
	return boardwatch.Wrap("save visits", p.store.SaveVisits(ctx, a.ID, v))
}

func checkPreferences(p Preferences) error {
	var wrong []boardwatch.FieldError
	if p.DigestHour < DefaultHour || p.DigestHour > 23 {
		wrong = append(wrong, boardwatch.FieldError{Field: "digestHour", Message: "must be between 0 and 23"})
	}
	if !KnownZone(p.TimeZone) {
		wrong = append(wrong, boardwatch.FieldError{Field: "timeZone", Message: "is not a known time zone: use a name such as Europe/Berlin"})
	}
	if !slices.Contains(Themes(), p.Theme) {
		wrong = append(wrong, boardwatch.FieldError{Field: "theme", Message: "must be auto, light or dark"})
	}
	return boardwatch.InvalidFields(wrong)
}

// KnownZone reports whether the name is that of a time zone. The empty name is UTC.
func KnownZone(name string) bool {
	if name == "Local" { // this machine's own zone, which no person has chosen
		return false
	}
	_, err := time.LoadLocation(name)
	return err == nil
}

// FeedToken returns the token in the addresses of the account's feeds. It is created when first needed.
func (p *PreferenceManager) FeedToken(ctx context.Context, a Account) (string, error) {
	token, err := p.store.FeedToken(ctx, a.ID)
	if err != nil {
		return "", fmt.Errorf("read feed token: %w", err)
	}
	if token != "" {
		return token, nil
	}
	return p.ResetFeed(ctx, a)
}

// ResetFeed creates a new token. The addresses with the old one stop working at once.
func (p *PreferenceManager) ResetFeed(ctx context.Context, a Account) (string, error) {
	token := NewToken()
	if err := p.store.SetFeedToken(ctx, a.ID, token); err != nil {
		return "", fmt.Errorf("reset feed token: %w", err)
	}
	return token, nil
}

// ByFeed finds the account that a feed's token belongs to. Otherwise it is a not_found error.
func (p *PreferenceManager) ByFeed(ctx context.Context, token string) (Account, error) {
	if !ValidToken(token) {
		return Account{}, boardwatch.NotFound("feed")
	}
	a, err := p.store.AccountByFeed(ctx, HashSecret(token))
	if boardwatch.CodeOf(err) == boardwatch.CodeNotFound {
		return Account{}, boardwatch.NotFound("feed")
	}
	if err != nil {
		return Account{}, fmt.Errorf("find feed: %w", err)
	}
	return a, nil
}

// UnsubscribePath is the path below the base URL at which the daily mail is ended. The token follows as ?token=.
const UnsubscribePath = "/unsubscribe"

// CheckUnsubscribe says whose daily mail an unsubscribe link ends, without ending it; an invalid link is a not_found
// error.
func (p *PreferenceManager) CheckUnsubscribe(ctx context.Context, token string) (email string, err error) {
	a, err := p.unsubscriber(ctx, token)
	return a.Email, err
}

// Unsubscribe ends the daily mail of the link's account, as RFC 8058 requires: without a sign-in, and any number of
// times. An invalid link is a not_found error.
func (p *PreferenceManager) Unsubscribe(ctx context.Context, token string) (email string, err error) {
	a, err := p.unsubscriber(ctx, token)
	if err != nil {
		return "", err
	}
	prefs, err := p.Of(ctx, a)
	if err != nil {
		return "", err
	}
	if !prefs.Digest {
		return a.Email, nil
	}
	prefs.Digest = false
	return a.Email, p.Save(ctx, a, prefs)
}

func (p *PreferenceManager) unsubscriber(ctx context.Context, token string) (Account, error) {
	if !ValidToken(token) {
		return Account{}, errLink()
	}
	l, err := p.store.Link(ctx, LinkUnsubscribe, HashSecret(token), p.now())
	if err != nil {
		return Account{}, linkFault(err)
	}
	a, err := p.store.Account(ctx, l.AccountID)
	return a, linkFault(err)
}
