package account

import (
	"context"
	"fmt"
	"html"
	"strings"
	"time"
)

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

// address returns the full address of a link.
func (i *Identities) address(path, token string) string {
	return i.o.BaseURL + path + "?token=" + token
}

// mayWrite takes a turn for a mail of that kind to an address, or says how long until there is one. Mails of one kind, which
// anybody can ask for, do not take the turns of another, for which its owner may be waiting.
func (i *Identities) mayWrite(kind, to string) (wait time.Duration) {
	return i.letters.take(kind+" "+to, i.o.Now())
}

// letter makes a message. Apart from checked addresses, its paragraphs contain nothing written by strangers.
func letter(to, subject, link string, paragraphs ...string) Mail {
	return Mail{
		To: to, Subject: subject, Link: link, Text: strings.Join(paragraphs, "\n\n") + "\n", HTML: rich(subject, link, paragraphs),
	}
}

// rich is a message in HTML. A paragraph that is an address becomes a link, and the link that the message is about a button.
func rich(subject, link string, paragraphs []string) string {
	var text strings.Builder
	fmt.Fprintf(&text, "<h1>%s</h1>\n", html.EscapeString(subject))
	for _, p := range paragraphs {
		escaped := html.EscapeString(p)
		switch {
		case p == link:
			fmt.Fprintf(&text, "<p><a class=\"button\" href=\"%s\">Open the page</a></p>\n<p class=\"muted\">Its address is %[1]s</p>\n", escaped)
		case strings.HasPrefix(p, "https://"), strings.HasPrefix(p, "http://"):
			fmt.Fprintf(&text, "<p><a href=\"%s\">%[1]s</a></p>\n", escaped)
		default:
			fmt.Fprintf(&text, "<p>%s</p>\n", escaped)
		}
	}
	return text.String()
}

func signUpLetter(to, link string) Mail {
	return letter(to, "Confirm your address", link,
		"Somebody, probably you, asked for a Boardwatch account with this address. To create it, open this page and press the button:",
		link,
		"The link is valid for a day and works once. If this was not you, do nothing: no account will be created.",
	)
}

func knownLetter(to, base string) Mail {
	return letter(to, "You already have an account", "",
		"Somebody, probably you, asked for a Boardwatch account with this address. It already has one, and nothing was changed. You can sign in here:",
		base+"/signin",
		"If you do not remember your password, you can set a new one here:",
		base+ResetPath,
	)
}

func verifyLetter(to, link string) Mail {
	return letter(to, "Confirm your address", link,
		"To confirm that this is the address of your Boardwatch account, open this page and press the button:",
		link,
		"The link is valid for a day and works once. If you have no account, do nothing.",
	)
}

func invitationLetter(to, from, link string) Mail {
	return letter(to, "You are invited to Boardwatch", link,
		from+" invites you to Boardwatch, which watches careers pages for you. You can create your account here:",
		link,
		"The invitation is valid for a week, and only for this address.",
	)
}

func resetLetter(to, link string) Mail {
	return letter(to, "Set a new password", link,
		"Somebody, probably you, asked to set a new password for your Boardwatch account. You can do it here:",
		link,
		"The link is valid for an hour and works once. If this was not you, do nothing: your password stays as it is.",
	)
}

func passwordLetter(to, base string) Mail {
	return letter(to, "Your password was changed", "",
		"The password of your Boardwatch account was changed, and everybody who was signed in to it was signed out.",
		"If this was not you, set a new one now:",
		base+ResetPath,
	)
}

func reclaimedLetter(to, base string) Mail {
	return letter(to, "Your password was changed", "",
		"The password of your Boardwatch account was changed with a link that was sent to this address. Everybody who was signed in to it was signed out, connected apps were disconnected, feeds have new addresses, and shared lists are no longer shared.",
		"Passkeys and connections to a sign-in provider were removed. API keys, webhooks and channels still work. Delete those that are not yours:",
		base+ReviewPath,
		"If this was not you, set a new password now:",
		base+ResetPath,
	)
}

func moveLetter(to, from, link string) Mail {
	return letter(to, "Confirm your new address", link,
		"The owner of the Boardwatch account "+from+" wants to change its address to this one. To confirm the change, open this page and press the button:",
		link,
		"The link is valid for a day and works once. Until it is used, the old address stays. If that account is not yours, do nothing.",
	)
}

func takenLetter(to, from string) Mail {
	return letter(to, "Somebody wanted to use your address", "",
		"The owner of the Boardwatch account "+from+" asked to change its address to this one. This address has an account already, so nothing was changed.",
		"If this was you, delete one of the two accounts first. If not, there is nothing to do.",
	)
}

func movedLetter(to, now string) Mail {
	return letter(to, "The address of your account was changed", "",
		"The address of your Boardwatch account was changed from this one to "+now+". Mail about it goes there from now on.",
		"If this was not you, please tell the operator of the service.",
	)
}

func goneLetter(to string) Mail {
	return letter(to, "Your account was removed", "",
		"Your Boardwatch account was removed, with its keys, webhooks and list of boards.",
		"If this was not you, please tell the operator of the service.",
	)
}

func connectedLetter(to, provider, as, base string) Mail {
	who := "somebody there"
	if as != "" {
		who = as
	}
	return letter(to, "There is a new way to sign in to your account", "",
		"Your Boardwatch account was connected to "+provider+". From now on, "+who+" can sign in to it there.",
		"If this was not you, disconnect it and end the sign-ins that are not yours:",
		base+"/settings/signin",
	)
}

func disconnectedLetter(to, provider, base string) Mail {
	return letter(to, "A way to sign in to your account was removed", "",
		"Your Boardwatch account was disconnected from "+provider+". Nobody can sign in to it there any more.",
		"If this was not you, look through your account:",
		base+"/settings/signin",
	)
}

func passkeyLetter(to, base string) Mail {
	return letter(to, "A passkey was added to your account", "",
		"A passkey was added to your Boardwatch account. Whoever has the device can sign in with it.",
		"If this was not you, delete it and end the sign-ins that are not yours:",
		base+"/settings/signin",
	)
}

func passkeyGoneLetter(to, base string) Mail {
	return letter(to, "A passkey was removed from your account", "",
		"A passkey of your Boardwatch account was removed. Nobody can sign in with it any more.",
		"If this was not you, look through your account:",
		base+"/settings/signin",
	)
}
