package account_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/scraper/browser/browsertest"
	"github.com/boardwatch/boardwatch/transport/mail"
	"github.com/boardwatch/boardwatch/transport/mail/mailtest"
)

func TestLettersFitAPhone(t *testing.T) {
	t.Parallel()
	ctx := browsertest.Tab(t)
	server := mailtest.New(t, mailtest.Options{})
	const base = "https://boards.northwind.example"
	mailer, err := mail.NewSMTP(server.URL(), mail.Options{BaseURL: base})
	require.NoError(t, err)
	sent := 0
	for name, m := range account.AllLetters(base) {
		require.NoError(t, mailer.Send(t.Context(), m))
		sent++
		browsertest.FitsMail(ctx, t, name, server.Wait(sent)[sent-1].HTML)
	}
}

func TestLettersHaveTheSameWordsInBothParts(t *testing.T) {
	t.Parallel()
	for name, m := range account.AllLetters("https://boards.northwind.example") {
		require.NotContains(t, m.HTML, "<script")
		if m.Link != "" {
			require.Contains(t, m.HTML, `<a class="button" href="`+m.Link+`">`, name)
		}
		for paragraph := range strings.SplitSeq(strings.TrimSpace(m.Text), "\n\n") {
			require.Contains(t, strings.ReplaceAll(m.HTML, "&#39;", "'"), paragraph, name)
		}
	}
	hostile := account.Letter("ann@northwind.example", `<b>"`, "", "<script>alert(1)</script>", `https://boards.example/"><script>`)
	require.NotContains(t, hostile.HTML, "<script")
	require.NotContains(t, hostile.HTML, "<b>")
}
