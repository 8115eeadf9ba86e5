package boardwatch

import (
	"context"
	"slices"
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

// Attempt is one try to send a delivery, as its log keeps it.
type Attempt struct {
	Receipt

	At     time.Time
	Resent bool // somebody asked for it; it does not count
}

// Attempt returns what a log keeps of a receipt.
func (r Receipt) Attempt(at time.Time, resent bool) Attempt {
	r.RetryAfter = 0
	return Attempt{r, at, resent}
}

// Rescued reports whether a delivery that was given up has been accepted when somebody sent it again.
func (d Delivery) Rescued() bool {
	return d.State == DeliveryDead && slices.ContainsFunc(d.Log, func(a Attempt) bool { return a.Resent && a.OK() })
}
