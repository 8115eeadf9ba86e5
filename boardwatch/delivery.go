package boardwatch

import (
	"context"
	"time"
)

// DeliveryState is the state of a delivery.
type DeliveryState string

// The states of a delivery.
const (
	DeliveryPending   DeliveryState = "pending" // the first or a further attempt is due at NextAttemptAt
	DeliveryDelivered DeliveryState = "delivered"
	DeliveryDead      DeliveryState = "dead"
)

// Delivery is one body that is to be sent to one webhook.
type Delivery struct {
	ID            string
	WebhookID     string
	BoardID       string // a merge may have made it an alias
	PayloadID     string
	Type          EventType
	State         DeliveryState
	Attempts      int // attempts whose outcome was recorded
	ResponseCode  int // of the last attempt; 0 if there was no answer
	Error         string
	Duration      time.Duration // of the last attempt
	CreatedAt     time.Time
	LastAttemptAt time.Time // zero: none yet
	NextAttemptAt time.Time // zero unless pending

	Log  []Attempt // every attempt and resend, oldest first; very old ones are not recorded
	Body []byte    // the bytes to send; filled in by a claim
}

// Receipt is the result of one attempt.
type Receipt struct {
	Code     int    // status code; 0 if there was no answer. A Deliverer that does not use HTTP returns 200 for success
	Error    string // why it is not a success, without any secret; empty on success
	Duration time.Duration
	// Signature is the header with which it was signed, without the signature itself: "t=1795970020,v1=…"; empty if it was
	// not signed.
	Signature string
	// RetryAfter is how long the receiver asked to be left alone; zero if it did not ask. Webhooks follow the schedule,
	// so their Deliverer does not set it.
	RetryAfter time.Duration
}

// OK reports whether the receiver accepted the delivery: it answered with a 2xx, and nothing went wrong.
func (r Receipt) OK() bool { return r.Code >= 200 && r.Code <= 299 && r.Error == "" }

// Deliverer makes attempts at deliveries. It may be called concurrently, even for one webhook.
type Deliverer interface {
	// Deliver makes one attempt without retries and returns its result. d.Body contains the bytes to send, w the
	// address and the secret to sign with. If messages are collected (ChannelKind.Gathers), d is the first of them, and
	// its body contains the bodies of all, one per line. The attempt ends when the context does.
	Deliver(ctx context.Context, w Webhook, d Delivery) Receipt
}

// WebhookClaim is the right to send due deliveries to one webhook until the lease expires. Nobody else sends to it
// meanwhile.
type WebhookClaim struct {
	Webhook Webhook
	At      time.Time // by the store's clock, when the lease was given or last extended
	Token   string
}

// Attempts are the results of attempts at deliveries to a claimed webhook, and the new states of the webhook and its
// deliveries.
type Attempts struct {
	Claim      WebhookClaim
	Deliveries []Delivery // as they are afterwards
	Webhook    Webhook    // as it is afterwards
	// Quiet is until when the receiver asked to be left alone: none of its deliveries is due earlier. Zero if it did
	// not ask.
	Quiet time.Time
}

// DeliveryFilter selects deliveries of the log. All conditions that are not empty must be met.
type DeliveryFilter struct {
	WebhookID string
	State     DeliveryState
	Since     time.Time // created then or later
}

// DeliveryStore is what sending webhooks needs from a store.
type DeliveryStore interface {
	// CreateWebhook saves a webhook. If the account already has limit of them, it is an invalid_request error.
	CreateWebhook(ctx context.Context, w Webhook, limit int) error
	// ChangeWebhook saves the name, the address, the events and the secret of one of the account's webhooks; otherwise
	// it is a not_found error. A sender under way loses its claim, so that pending deliveries go to the new address.
	ChangeWebhook(ctx context.Context, w Webhook) error
	// Webhooks lists an account's webhooks with their secrets, oldest first, without its channels.
	Webhooks(ctx context.Context, accountID string) ([]Webhook, error)
	// DeleteWebhook removes one of the account's webhooks and its pending deliveries; otherwise a not_found error.
	DeleteWebhook(ctx context.Context, accountID, id string) error

	// ClaimWebhooks leases up to n webhooks that have something due and that nobody sends to, those claimed longest ago
	// first. Secrets are filled in. Deliveries pending for a webhook that is switched off are marked dead instead.
	ClaimWebhooks(ctx context.Context, n int, lease time.Duration) ([]WebhookClaim, error)
	// RenewWebhooks extends leases, and returns the claims that still hold.
	RenewWebhooks(ctx context.Context, claims []WebhookClaim, lease time.Duration) ([]WebhookClaim, error)
	// ReleaseWebhooks gives claims back, so that others can take them at once.
	ReleaseWebhooks(ctx context.Context, claims []WebhookClaim) error
	// DueDeliveries returns up to n deliveries of a webhook that are due now, with their bodies, the longest due first,
	// leaving out those in skip. It returns at least one, and no more than fit into size bytes. more reports whether
	// others are due.
	DueDeliveries(ctx context.Context, webhookID string, now time.Time, skip map[string]bool, n, size int) (
		due []Delivery, more bool, err error)
	// SaveResend adds an attempt that somebody asked for to the log of a delivery, unless the log is full.
	SaveResend(ctx context.Context, deliveryID string, a Attempt) error
	// SaveTest replaces the result of the last test of a webhook.
	SaveTest(ctx context.Context, webhookID string, a Attempt) error
	// EnableWebhook switches one of the account's webhooks on again and forgets its failures; otherwise it is a not_found
	// error. If failures switch it off once more, its owner is told again.
	EnableWebhook(ctx context.Context, accountID, id string) error
	// SaveAttempts records outcomes, all of them or none. When they switch a webhook off, everything that still waits
	// for it is marked dead with the reason. Outcomes under claims that no longer hold are not saved; those claims are
	// returned. An outcome counts even if its delivery was marked dead during the attempt.
	SaveAttempts(ctx context.Context, outcomes []Attempts) (lost []WebhookClaim, err error)
	// FindDeliveries returns the ids of the stored deliveries to webhooks that a filter selects, oldest first. Messages
	// to channels are not included.
	FindDeliveries(ctx context.Context, f DeliveryFilter) ([]string, error)
	// StoredDelivery returns a delivery with its body, and its webhook with the secret; otherwise a not_found error.
	StoredDelivery(ctx context.Context, id string) (Delivery, Webhook, error)
	// DeliveriesOf lists a webhook's last deliveries, newest first, without bodies.
	DeliveriesOf(ctx context.Context, webhookID string, limit int) ([]Delivery, error)
}
