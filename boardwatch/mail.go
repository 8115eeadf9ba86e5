package boardwatch

import "context"

// Mail is one message to one person.
type Mail struct {
	To      string
	Subject string
	Text    string // the plain part; never empty
	HTML    string // the other part; empty when there is none
	// Unsubscribe is the one-click address of RFC 8058; empty for messages that cannot be refused.
	Unsubscribe string
}

// Mailer sends mail. An error means that the message was not handed over and may be tried again.
type Mailer interface {
	Send(ctx context.Context, m Mail) error
}
