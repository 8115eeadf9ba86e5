package account

import "strings"

// NewQuickHasher returns a Hasher with cheap hashes, for tests that are not about hashing.
func NewQuickHasher() *Hasher { return NewHasherOf(64) }

// FillQueue takes every place in the queue, until free returns them.
func (h *Hasher) FillQueue() (free func()) {
	for range cap(h.queue) {
		h.queue <- struct{}{}
	}
	return func() {
		for range cap(h.queue) {
			<-h.queue
		}
	}
}

// AtATime is how many passwords are hashed at a time.
func (h *Hasher) AtATime() int { return cap(h.slots) }

// AllLetters are all messages about accounts, to and from people with long addresses.
func AllLetters(base string) map[string]Mail {
	const (
		ann  = "ann.van-der-lighthouse-keepers+boards@harbour-masters.northwind.example"
		bob  = "bob@contoso.example"
		bell = "The Company's Own Sign-In"
	)
	link := base + VerifyPath + "?token=" + strings.Repeat("0123456789abcdef", 4)
	return map[string]Mail{
		"sign-up": signUpLetter(ann, link), "known": knownLetter(ann, base), "verify": verifyLetter(ann, link),
		"invitation": invitationLetter(bob, ann, link), "reset": resetLetter(ann, link), "password": passwordLetter(ann, base),
		"reclaimed": reclaimedLetter(ann, base), "move": moveLetter(bob, ann, link), "taken": takenLetter(bob, ann),
		"moved": movedLetter(ann, bob), "gone": goneLetter(ann), "connected": connectedLetter(ann, bell, bob, base),
		"disconnected": disconnectedLetter(ann, bell, base), "passkey": passkeyLetter(ann, base), "passkey-gone": passkeyGoneLetter(ann, base),
	}
}

// Letter is letter.
func Letter(to, subject, link string, paragraphs ...string) Mail {
	return letter(to, subject, link, paragraphs...)
}
