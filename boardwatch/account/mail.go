package account

import "context"

// Mail is one message to one person.
type Mail struct {
	// ID identifies the message. A message that is sent twice has the same one. If it is empty, one is made.
	ID      string
	To      string
	Subject string
	Text    string // the plain part; never empty
	// HTML is the content of the HTML part; empty if there is none. The mailer puts it into a page. It consists of headings,
	// paragraphs, lists and links. The page styles small text and the classes muted, button and foot.
	HTML string
	// Link is the address that the message is about. It is empty for messages that only inform. An installation without
	// a mail server writes it to its log.
	Link string
	// Unsubscribe is the one-click address of RFC 8058. It is empty for messages that cannot be unsubscribed from.
	Unsubscribe string
}

// Mailer sends mail. An error means that nobody confirmed that the message was sent. It is sent again, with the same ID,
// by which mailboxes recognise it if it did arrive.
type Mailer interface {
	// Send sends one message. It fails if ctx ends first.
	Send(ctx context.Context, m Mail) error
}
