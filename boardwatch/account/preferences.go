package account

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// PreferenceStore is what Preferences needs from a store.
type PreferenceStore interface {
	boardwatch.PreferenceStore
	// Link finds a valid link; otherwise a not_found error.
	Link(ctx context.Context, kind boardwatch.LinkKind, hash string, now time.Time) (boardwatch.Link, error)
	// Account finds an account by id; otherwise a not_found error.
	Account(ctx context.Context, id string) (boardwatch.Account, error)
}

// Preferences manages what people choose for themselves, and the token of their feeds. It may be used concurrently.
type Preferences struct {
	store PreferenceStore
	now   func() time.Time
}

// NewPreferences returns Preferences.
func NewPreferences(store PreferenceStore, o Options) *Preferences {
	return &Preferences{store: store, now: o.withDefaults().Now}
}

// Of returns the account's preferences.
func (p *Preferences) Of(ctx context.Context, a boardwatch.Account) (boardwatch.Preferences, error) {
	prefs, err := p.store.Preferences(ctx, a.ID)
	if err != nil {
		return boardwatch.Preferences{}, fmt.Errorf("read preferences: %w", err)
	}
	return prefs, nil
}

// Save replaces the account's preferences. Every wrong field is named in one invalid_request error.
func (p *Preferences) Save(ctx context.Context, a boardwatch.Account, prefs boardwatch.Preferences) error {
	prefs.AccountID = a.ID
	if err := checkPreferences(prefs); err != nil {
		return err
	}
	if err := p.store.SavePreferences(ctx, prefs); err != nil {
		return fmt.Errorf("save preferences: %w", err)
	}
	return nil
}

// SaveVisits replaces what the account has seen.
func (p *Preferences) SaveVisits(ctx context.Context, a boardwatch.Account, v boardwatch.Visits) error {
	if err := p.store.SaveVisits(ctx, a.ID, v); err != nil {
		return fmt.Errorf("save visits: %w", err)
	}
	return nil
}

func checkPreferences(p boardwatch.Preferences) error {
	var wrong []boardwatch.FieldError
	if p.DigestHour < boardwatch.DefaultHour || p.DigestHour > 23 {
		wrong = append(wrong, boardwatch.FieldError{Field: "digestHour", Message: "must be between 0 and 23"})
	}
	if !KnownZone(p.TimeZone) {
		wrong = append(wrong, boardwatch.FieldError{Field: "timeZone", Message: "is not a known time zone: use a name such as Europe/Berlin"})
	}
	if !slices.Contains(boardwatch.Themes(), p.Theme) {
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
func (p *Preferences) FeedToken(ctx context.Context, a boardwatch.Account) (string, error) {
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
func (p *Preferences) ResetFeed(ctx context.Context, a boardwatch.Account) (string, error) {
	token := boardwatch.NewToken()
	if err := p.store.SetFeedToken(ctx, a.ID, token); err != nil {
		return "", fmt.Errorf("reset feed token: %w", err)
	}
	return token, nil
}

// ByFeed finds the account that a feed's token belongs to. Otherwise it is a not_found error.
func (p *Preferences) ByFeed(ctx context.Context, token string) (boardwatch.Account, error) {
	if !boardwatch.ValidToken(token) {
		return boardwatch.Account{}, boardwatch.NotFound("feed")
	}
	a, err := p.store.AccountByFeed(ctx, boardwatch.HashSecret(token))
	if boardwatch.CodeOf(err) == boardwatch.CodeNotFound {
		return boardwatch.Account{}, boardwatch.NotFound("feed")
	}
	if err != nil {
		return boardwatch.Account{}, fmt.Errorf("find feed: %w", err)
	}
	return a, nil
}

// UnsubscribePath is the path below the base URL at which the daily mail is ended. The token follows as ?token=.
const UnsubscribePath = "/unsubscribe"

// CheckUnsubscribe says whose daily mail an unsubscribe link ends, without ending it; an invalid link is a not_found
// error.
func (p *Preferences) CheckUnsubscribe(ctx context.Context, token string) (email string, err error) {
	a, err := p.unsubscriber(ctx, token)
	return a.Email, err
}

// Unsubscribe ends the daily mail of the link's account, as RFC 8058 requires: without a sign-in, and any number of
// times. An invalid link is a not_found error.
func (p *Preferences) Unsubscribe(ctx context.Context, token string) (email string, err error) {
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

func (p *Preferences) unsubscriber(ctx context.Context, token string) (boardwatch.Account, error) {
	if !boardwatch.ValidToken(token) {
		return boardwatch.Account{}, errLink()
	}
	l, err := p.store.Link(ctx, boardwatch.LinkUnsubscribe, boardwatch.HashSecret(token), p.now())
	if err != nil {
		return boardwatch.Account{}, linkFault(err)
	}
	a, err := p.store.Account(ctx, l.AccountID)
	return a, linkFault(err)
}
