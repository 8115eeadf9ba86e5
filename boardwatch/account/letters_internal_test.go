package account

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/scraper/browser/browsertest"
	"github.com/boardwatch/boardwatch/transport/mail"
	"github.com/boardwatch/boardwatch/transport/mail/mailtest"
)

// allLetters are all messages about accounts, to and from people with long addresses.
func allLetters(base string) map[string]boardwatch.Mail {
	const (
		ann  = "ann.van-der-lighthouse-keepers+boards@harbour-masters.northwind.example"
		bob  = "bob@contoso.example"
		bell = "The Company's Own Sign-In"
	)
	link := base + VerifyPath + "?token=" + strings.Repeat("0123456789abcdef", 4)
	return map[string]boardwatch.Mail{
		"sign-up": signUpLetter(ann, link), "known": knownLetter(ann, base), "verify": verifyLetter(ann, link),
		"invitation": invitationLetter(bob, ann, link), "reset": resetLetter(ann, link), "password": passwordLetter(ann, base),
		"reclaimed": reclaimedLetter(ann, base), "move": moveLetter(bob, ann, link), "taken": takenLetter(bob, ann),
		"moved": movedLetter(ann, bob), "gone": goneLetter(ann), "connected": connectedLetter(ann, bell, bob, base),
		"disconnected": disconnectedLetter(ann, bell, base), "passkey": passkeyLetter(ann, base), "passkey-gone": passkeyGoneLetter(ann, base),
	}
}

func TestLettersFitAPhone(t *testing.T) {
	t.Parallel()
	ctx := browsertest.Tab(t)
	server := mailtest.New(t, mailtest.Options{})
	const base = "https://boards.northwind.example"
	mailer, err := mail.NewSMTP(server.URL(), mail.Options{BaseURL: base})
	require.NoError(t, err)
	sent := 0
	for name, m := range allLetters(base) {
		require.NoError(t, mailer.Send(t.Context(), m))
		sent++
		browsertest.FitsMail(ctx, t, name, server.Wait(sent)[sent-1].HTML)
	}
}

func TestLettersHaveTheSameWordsInBothParts(t *testing.T) {
	t.Parallel()
	for name, m := range allLetters("https://boards.northwind.example") {
		require.NotContains(t, m.HTML, "<script")
		if m.Link != "" {
			require.Contains(t, m.HTML, `<a class="button" href="`+m.Link+`">`, name)
		}
		for paragraph := range strings.SplitSeq(strings.TrimSpace(m.Text), "\n\n") {
			require.Contains(t, strings.ReplaceAll(m.HTML, "&#39;", "'"), paragraph, name)
		}
	}
	hostile := letter("ann@northwind.example", `<b>"`, "", "<script>alert(1)</script>", `https://boards.example/"><script>`)
	require.NotContains(t, hostile.HTML, "<script")
	require.NotContains(t, hostile.HTML, "<b>")
}
