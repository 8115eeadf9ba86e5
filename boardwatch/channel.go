package boardwatch

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

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

// ChannelKinds returns all kinds of channels.
func ChannelKinds() []ChannelKind {
	return []ChannelKind{
		ChannelEmail, ChannelSlack, ChannelDiscord, ChannelTeams, ChannelMattermost, ChannelTelegram, ChannelNtfy, ChannelGotify,
		ChannelMatrix, ChannelApprise,
	}
}

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

// Clean returns the channel in the form it is stored, or an invalid_request error that names what is wrong, except with
// its address. A channel without any choice reports all changes.
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

// CheckChannelURL checks the address of a channel other than mail and returns an invalid_request error if it is wrong.
// The rules are those of a webhook (CheckWebhookURL), unless the operator allows its host to be on a private network.
// Then plain HTTP is allowed, too. The IP address of the name is checked again when it is dialled.
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

// PrivateChannelHost reports whether an address names one of these hosts at its port. A host without a port has that of
// the address's scheme.
func PrivateChannelHost(u *url.URL, private []string) bool {
	usual := map[string]string{"http": "80", "https": "443"}[u.Scheme]
	port := cmp.Or(u.Port(), usual)
	return u.Host != "" && slices.ContainsFunc(private, func(entry string) bool {
		host, allowed, err := privateHost(entry)
		return err == nil && host == plainHost(u.Hostname()) && cmp.Or(allowed, usual) == port
	})
}

// CheckPrivateHost says why an entry is not a host, with or without a port, for PrivateChannelHost.
func CheckPrivateHost(entry string) error {
	_, _, err := privateHost(entry)
	return err
}

func privateHost(entry string) (host, port string, err error) {
	const such = "such as ntfy.lan, 10.0.0.5:8080 or [fd00::5]:8080"
	if a, err := netip.ParseAddr(entry); err == nil {
		return a.String(), "", nil // IPv6 without brackets
	}
	u, err := url.Parse("//" + entry)
	switch {
	case strings.Contains(entry, "://"):
		return "", "", fmt.Errorf("%q is an address; give only its host and port, %s", entry, such)
	case strings.Contains(entry, "/"):
		return "", "", fmt.Errorf("%q is a network or has a path; list each host, %s", entry, such)
	case err != nil || u.Host != entry || u.Hostname() == "" || strings.ContainsAny(entry, "*, ") || strings.HasSuffix(entry, ":"):
		return "", "", fmt.Errorf("%q is not a host with or without a port, %s", entry, such)
	}
	if port = u.Port(); port != "" {
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return "", "", fmt.Errorf("%q has a port that is not between 1 and 65535", entry)
		}
	}
	return plainHost(u.Hostname()), port, nil
}

// plainHost returns a host in the form in which it can be compared.
func plainHost(host string) string {
	if a, err := netip.ParseAddr(host); err == nil {
		return a.String()
	}
	return strings.ToLower(host)
}

// ofField returns the invalid_request error for a field of another name.
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
