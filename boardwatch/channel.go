package boardwatch

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// MaxChannels is how many channels an account may have.
const MaxChannels = 10

// ChannelKind is the kind of place that a channel leads to.
type ChannelKind string

// The kinds of channels.
const (
	ChannelEmail      ChannelKind = "email"
	ChannelSlack      ChannelKind = "slack"
	ChannelDiscord    ChannelKind = "discord"
	ChannelTeams      ChannelKind = "teams"
	ChannelMattermost ChannelKind = "mattermost"
	ChannelTelegram   ChannelKind = "telegram"
	ChannelNtfy       ChannelKind = "ntfy"
	ChannelGotify     ChannelKind = "gotify"
	ChannelMatrix     ChannelKind = "matrix"
	ChannelApprise    ChannelKind = "apprise"
)

// ChannelKinds are all kinds of channels.
func ChannelKinds() []ChannelKind {
	return []ChannelKind{
		ChannelEmail, ChannelSlack, ChannelDiscord, ChannelTeams, ChannelMattermost, ChannelTelegram, ChannelNtfy, ChannelGotify,
		ChannelMatrix, ChannelApprise,
	}
}

// GatherTime is how long messages wait for others where they are gathered.
const GatherTime = 10 * time.Minute

// Gathers reports whether everything that is due together goes into one message.
func (k ChannelKind) Gathers() bool { return k == ChannelEmail }

// Masked is an address as it may be shown: of a URL the host, of a mail address the first letter and the host. The rest is as
// good as a password.
func (k ChannelKind) Masked(to string) string {
	if k == ChannelEmail {
		local, host, _ := strings.Cut(to, "@")
		_, size := utf8.DecodeRuneInString(local)
		return local[:size] + "…@" + host
	}
	u, err := url.Parse(to)
	if err != nil || u.Host == "" {
		return "…"
	}
	return u.Scheme + "://" + u.Host + "/…"
}

// ChannelState says whether a channel works.
type ChannelState string

// The states of a channel.
const (
	ChannelOn       ChannelState = "on"
	ChannelFailing  ChannelState = "failing" // the last attempt failed
	ChannelDisabled ChannelState = "off"     // every attempt failed for too long
)

// Channel is a place where a person is told what happened. In JSON, it is what the command line shows.
type Channel struct {
	ID        string
	AccountID string
	Name      string // what its owner calls it; may be empty
	Kind      ChannelKind
	To        string // the address, which is a secret; the store keeps it encrypted. Empty when it was not asked for
	Shown     string // the address as it may be shown
	CreatedAt time.Time

	// What is told: what any of these searches finds, or all changes of roles. A search that was deleted is in no list.
	Searches []string // ids
	All      bool
	Failures bool // boards that can no longer be read

	FailingSince   time.Time // as those of a Webhook
	DisabledAt     time.Time
	DisabledReason string
}

// State says whether the channel works.
func (c Channel) State() ChannelState {
	switch {
	case !c.DisabledAt.IsZero():
		return ChannelDisabled
	case !c.FailingSince.IsZero():
		return ChannelFailing
	default:
		return ChannelOn
	}
}

// Switched is the channel as its owner switches it on or off. One that is switched on begins anew: its failures are forgotten. A
// channel that is on or off already stays as it is.
func (c Channel) Switched(on bool, now time.Time) Channel {
	switch {
	case on == c.DisabledAt.IsZero():
	case on:
		c.FailingSince, c.DisabledAt, c.DisabledReason = time.Time{}, time.Time{}, ""
	default:
		c.DisabledAt, c.DisabledReason = now, "its owner switched it off"
	}
	return c
}

// Place is the channel as its deliveries are sent to it.
func (c Channel) Place() Webhook {
	return Webhook{
		ID: c.ID, AccountID: c.AccountID, Channel: c.Kind, Name: c.Name, URL: c.Shown, Secret: c.To, CreatedAt: c.CreatedAt,
		FailingSince: c.FailingSince, DisabledAt: c.DisabledAt, DisabledReason: c.DisabledReason,
	}
}

type channelJSON struct {
	ID       string       `json:"id"`
	Kind     ChannelKind  `json:"kind"`
	To       string       `json:"to"`
	Searches []string     `json:"searches"`
	All      bool         `json:"all"`
	Failures bool         `json:"failures"`
	State    ChannelState `json:"state"`
	Name     string       `json:"name"`
}

// MarshalJSON writes the channel with its address masked.
func (c Channel) MarshalJSON() ([]byte, error) {
	return json.Marshal(channelJSON{c.ID, c.Kind, c.Shown, append([]string{}, c.Searches...), c.All, c.Failures, c.State(), c.Name})
}

// Clean is the channel as it is kept, or an invalid_request error that names what is wrong besides its address. A channel
// about which nothing is said tells all changes.
func (c Channel) Clean() (Channel, error) {
	var wrong []FieldError
	if !slices.Contains(ChannelKinds(), c.Kind) {
		wrong = append(wrong, FieldError{Field: "kind", Message: "must be one of " + joinKinds(ChannelKinds())})
	}
	c.Searches = distinct(c.Searches)
	if c.All && len(c.Searches) > 0 {
		wrong = append(wrong, FieldError{Field: "searches", Message: "cannot be combined with all changes, which include what it finds"})
	}
	if !c.All && !c.Failures && len(c.Searches) == 0 {
		c.All = true
	}
	c.Shown = c.Kind.Masked(c.To)
	return c, InvalidFields(wrong)
}

func joinKinds(kinds []ChannelKind) string {
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = string(k)
	}
	return strings.Join(names, ", ")
}

// ChannelStore keeps the channels of accounts. What is owed to them is sent like deliveries to webhooks: see DeliveryStore,
// where a channel is a Webhook with a Channel.
type ChannelStore interface {
	// CreateChannel saves a channel unless the account has limit of them already; then it is an invalid_request error, and so it
	// is when a search is not the account's.
	CreateChannel(ctx context.Context, c Channel, limit int) error
	// Channels lists an account's channels with their addresses, oldest first.
	Channels(ctx context.Context, accountID string) ([]Channel, error)
	// ChangeChannel saves the name, the address and what is told of one of the account's channels; otherwise it is a not_found
	// error, and an invalid_request error when a search is not the account's. With another address it no longer counts as
	// failing, and whoever sends to it meanwhile loses the claim, so that what is still owed goes to the new address.
	ChangeChannel(ctx context.Context, c Channel) error
	// SwitchChannel saves whether one of the account's channels is on, and since when it fails; otherwise it is a not_found
	// error. What waits for one that is switched off is marked dead with the reason. Its owner gets a mail when it is switched
	// off by failures, once each time, and never because of this call.
	SwitchChannel(ctx context.Context, c Channel) error
	// DeleteChannel removes one of the account's channels and drops what waits for it; otherwise a not_found error.
	DeleteChannel(ctx context.Context, accountID, id string) error
	// DeliveriesOf lists a channel's last deliveries, newest first, without bodies.
	DeliveriesOf(ctx context.Context, channelID string, limit int) ([]Delivery, error)
}

// CheckChannelURL says what is wrong with the address of a channel that is not mail, as an invalid_request error, or nil: it is
// that of a webhook (CheckWebhookURL), unless its host is one that the operator lets live on a private network. Then it may be
// plain HTTP, too. The address that the name stands for is judged again when it is dialled.
func CheckChannelURL(raw string, dev bool, private []string) error {
	u, err := url.Parse(raw)
	if err != nil || !PrivateChannelHost(u, private) {
		return ofField("to", CheckWebhookURL(raw, dev))
	}
	switch {
	case len(raw) > maxURL || strings.ContainsFunc(raw, func(r rune) bool { return r <= ' ' || r == 0x7f }):
		return Invalid("to", "must be at most 2000 characters without blanks or control characters")
	case u.User != nil || strings.Contains(raw, "#"):
		return Invalid("to", "must not carry a user name, a password or a fragment")
	case u.Scheme != "https" && u.Scheme != "http":
		return Invalid("to", "must begin with https:// or http://")
	}
	return nil
}

// PrivateChannelHost reports whether an address names one of these hosts, each with a port or for all ports.
func PrivateChannelHost(u *url.URL, private []string) bool {
	return u.Host != "" && slices.ContainsFunc(private, func(host string) bool {
		return strings.EqualFold(host, u.Host) || strings.EqualFold(host, u.Hostname())
	})
}

// ofField is an invalid_request error about a field of another name.
func ofField(field string, err error) error {
	e, ok := errors.AsType[*Error](err)
	if !ok {
		return err
	}
	fields, ok := e.Details.([]FieldError)
	if !ok || len(fields) == 0 {
		return err
	}
	return Invalid(field, fields[0].Message)
}
