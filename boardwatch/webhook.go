package boardwatch

import (
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// MaxWebhooks is how many webhooks an account may have.
const MaxWebhooks = 5

// MaxInFlight is the most attempts in flight to one webhook, in all processes together.
const MaxInFlight = 4

// Webhook is a place that an account wants events sent to.
type Webhook struct {
	ID        string
	AccountID string
	// Channel is set if this is a channel of that kind: then Secret is its address, URL is the part of it that may be
	// shown, and there are no events.
	Channel   ChannelKind
	Name      string // its owner's name for it; may be empty
	URL       string
	Events    []EventType
	Secret    string // the HMAC key as it was shown; stored encrypted. A Deliverer that signs nothing needs none
	CreatedAt time.Time

	// FailingSince is the first failure since the last success; zero while the last attempt succeeded.
	FailingSince time.Time
	// DisabledAt is when the webhook was switched off; zero while it is on. Nothing is queued for it afterwards.
	DisabledAt     time.Time
	DisabledReason string

	Tested Attempt // the last test ping; zero: none yet
}

// Wants reports whether the webhook gets the event: it is on and chose it.
func (w Webhook) Wants(e EventType) bool {
	return w.DisabledAt.IsZero() && slices.Contains(w.Events, e)
}

// After returns the webhook after one attempt at a real delivery, given that delivery's new state. Pings and replays do
// not count and must not be passed. The webhook is switched off if a delivery has died and nothing has succeeded for
// the time the rules allow.
func (w Webhook) After(d Delivery, rules Rules, now time.Time) Webhook {
	switch d.State {
	case DeliveryDelivered:
		w.FailingSince = time.Time{}
		return w
	case DeliveryPending, DeliveryDead:
		if w.FailingSince.IsZero() {
			w.FailingSince = now
		}
	}
	if d.State == DeliveryDead && w.DisabledAt.IsZero() && now.Sub(w.FailingSince) >= rules.disableAfter() {
		w.DisabledAt = now
		w.DisabledReason = "every delivery has failed since " + w.FailingSince.UTC().Format(time.RFC3339)
	}
	return w
}

// CheckWebhookURL checks a webhook address and returns an invalid_request error if it is wrong. It must be https on a
// public host, without user info or fragment; in development localhost is accepted too, also over http. The IP address
// of the name is checked again when it is dialled.
func CheckWebhookURL(raw string, dev bool) error {
	wrong := func(message string) error { return Invalid("url", message) }
	if len(raw) > maxURL || strings.ContainsFunc(raw, func(r rune) bool { return r <= ' ' || r == 0x7f }) {
		return wrong("must be at most 2000 characters without blanks or control characters")
	}
	u, err := url.Parse(raw)
	if err != nil || u.Opaque != "" || u.Hostname() == "" {
		return wrong("must be a complete address such as https://example.com/hook")
	}
	if u.User != nil {
		return wrong("must not carry a user name or password")
	}
	if strings.Contains(raw, "#") {
		return wrong("must not have a fragment")
	}
	if port := u.Port(); port != "" {
		if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
			return wrong("has an impossible port")
		}
	}
	host := strings.ToLower(u.Hostname())
	if dev && (u.Scheme == "http" || u.Scheme == "https") && IsLocalhost(host) {
		return nil
	}
	if u.Scheme != "https" {
		return wrong("must begin with https://")
	}
	if !PublicHost(host) {
		return wrong("must name a public host")
	}
	return nil
}

// PublicHost reports whether a host name or literal address may be a target, judging by its text: no private or special
// address in any spelling, no local name. A name must be in ASCII, because other characters ("127.0.0.１") could be
// converted to an address later.
func PublicHost(host string) bool {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if a, err := netip.ParseAddr(host); err == nil {
		return a.Zone() == "" && PublicAddr(a)
	}
	labels := strings.Split(host, ".")
	last := labels[len(labels)-1]
	if len(host) > 253 || len(labels) < 2 || numeric(last) {
		return false // a bare name, or a decimal, octal or hex spelling of an address
	}
	for _, label := range labels {
		if !validLabel(label) {
			return false
		}
	}
	switch last {
	case "localhost", "local", "internal", "localdomain", "home", "lan", "corp", "intranet", "onion":
		return false
	}
	return !strings.HasSuffix(host, ".home.arpa") && !spellsPrivate(labels)
}

// validLabel reports whether a part of a host name consists of letters, digits, hyphens and underscores.
func validLabel(label string) bool {
	outside := func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' && r != '_'
	}
	return label != "" && len(label) <= 63 && !strings.ContainsFunc(label, outside)
}

// spellsPrivate reports whether four consecutive labels form an address that is not public. Some public name servers
// resolve such names ("127.0.0.1.nip.io") to that address.
func spellsPrivate(labels []string) bool {
	for i := range len(labels) - 3 {
		a, err := netip.ParseAddr(strings.Join(labels[i:i+4], "."))
		if err == nil && !PublicAddr(a) {
			return true
		}
	}
	return false
}

// IsLocalhost reports whether the host is this machine by name or by loopback address.
func IsLocalhost(host string) bool {
	if a, err := netip.ParseAddr(host); err == nil {
		return a.Unmap().IsLoopback()
	}
	return strings.EqualFold(host, "localhost")
}

func numeric(label string) bool {
	if hex, ok := strings.CutPrefix(label, "0x"); ok {
		_, err := strconv.ParseUint(hex, 16, 64)
		return err == nil || hex == ""
	}
	return label != "" && strings.Trim(label, "0123456789") == ""
}
