package boardwatch

import (
	"encoding/json"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"
)

// ChannelKind is the kind of place that a channel leads to.
type ChannelKind string

// ChannelEmail is the kind that the core knows, because what is due at the same time goes into one mail.
const ChannelEmail ChannelKind = "email"

// GatherTime is how long collected messages wait for others.
const GatherTime = 10 * time.Minute

// Gathers reports whether everything due at the same time goes into one message.
func (k ChannelKind) Gathers() bool { return k == ChannelEmail }

// Masked returns the part of an address that may be shown: the host of a URL, or the first letter and the host of a
// mail address. The rest is as secret as a password.
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

// Channel is a place where a person gets messages. In JSON, it is what the command line shows.
type Channel struct {
	ID        string
	AccountID string
	Name      string // its owner's name for it; may be empty
	Kind      ChannelKind
	To        string // the address, which is a secret; stored encrypted. Empty if it was not requested
	Shown     string // the part of the address that may be shown
	CreatedAt time.Time

	// The changes that are reported: those found by any of these searches, or all changes of roles. Deleted searches
	// are not listed.
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

// Switched returns the channel after its owner has switched it on or off. Switching it on forgets its failures. If it
// is already in that state, nothing changes.
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

// Place returns the channel as a webhook, for sending its deliveries.
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
