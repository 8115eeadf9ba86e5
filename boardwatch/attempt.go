package boardwatch

import (
	"slices"
	"time"
)

// Attempt is one try to send a delivery, as its log keeps it.
type Attempt struct {
	At        time.Time
	Resent    bool // somebody asked for it; it does not count
	Code      int  // 0 if there was no answer
	Error     string
	Duration  time.Duration
	Signature string // the header with which it was signed; empty if it was not
}

// OK reports whether the receiver accepted it.
func (a Attempt) OK() bool { return a.Receipt().OK() }

// Receipt returns its result.
func (a Attempt) Receipt() Receipt {
	return Receipt{Code: a.Code, Error: a.Error, Duration: a.Duration, Signature: a.Signature}
}

// Attempt returns what a log keeps of a receipt.
func (r Receipt) Attempt(at time.Time, resent bool) Attempt {
	return Attempt{At: at, Resent: resent, Code: r.Code, Error: r.Error, Duration: r.Duration, Signature: r.Signature}
}

// Rescued reports whether a delivery that was given up has been accepted when somebody sent it again.
func (d Delivery) Rescued() bool {
	return d.State == DeliveryDead && slices.ContainsFunc(d.Log, func(a Attempt) bool { return a.Resent && a.OK() })
}
