package boardwatch

import (
	"slices"
	"time"
)

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
