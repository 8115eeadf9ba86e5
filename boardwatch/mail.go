package boardwatch

import (
	"context"
	"errors"
)

// Mail is one message to one person.
type Mail struct {
	// ID tells this message from all others: a message that is sent twice has the same. Empty: one is made.
	ID      string
	To      string
	Subject string
	Text    string // the plain part; never empty
	HTML    string // the other part; empty when there is none
	// Link is the address that the message is about; empty for messages that only tell something. An installation
	// without a mail server writes it into its log.
	Link string
	// Unsubscribe is the one-click address of RFC 8058; empty for messages that cannot be refused.
	Unsubscribe string
}

// ErrMailUncertain says that a message was sent whole, but the mail server did not say that it took it.
var ErrMailUncertain = errors.New("the mail server did not say whether it took the message")

// Mailer sends mail. An error means that the message was not handed over and may be tried again, unless it is
// ErrMailUncertain.
type Mailer interface {
	// Send hands one message over, or fails when ctx ends before.
	Send(ctx context.Context, m Mail) error
}
