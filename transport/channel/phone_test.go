package channel_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/scraper/browser/browsertest"
	"github.com/boardwatch/boardwatch/transport/channel"
	"github.com/boardwatch/boardwatch/transport/mail"
	"github.com/boardwatch/boardwatch/transport/mail/mailtest"
)

func TestMailOfAChannelFitsAPhone(t *testing.T) {
	t.Parallel()
	ctx := browsertest.Tab(t)
	server := mailtest.New(t, mailtest.Options{})
	mailer, err := mail.NewSMTP(server.URL(), mail.Options{BaseURL: "https://boards.example.com"})
	require.NoError(t, err)
	role := func(kind boardwatch.ChangeKind, title, changed string) boardwatch.ToldRole {
		return boardwatch.ToldRole{
			ID: "65f0c0ffee00000000000001", Kind: kind, Title: title, Location: "Lindesnes, Norway", Department: "Harbours",
			URL: "https://jobs.example/1", Changed: changed,
		}
	}
	messages := []boardwatch.Message{
		{
			ID: deliveryID, Type: boardwatch.EventJobFound, BoardID: "65f0c0ffee00000000000008", More: 3,
			Company: "Northwind Harbour and Lighthouse Authority of the Southern Coast", Searches: []string{"Lamps", "Near the sea"},
			Roles: []boardwatch.ToldRole{
				role(boardwatch.ChangeFound, "Lighthouse Keeper (Nights)", ""),
				role(boardwatch.ChangeUpdated, "Writer of Notices to Mariners", "location: Kirkenes, Norway → Remote, Norway and Sweden"),
				role(boardwatch.ChangeFound, "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaftsmitarbeiter", ""),
			},
		},
		{ID: deliveryID, Type: boardwatch.EventBoardFailed, Company: "Ropes", BoardID: "65f0c0ffee00000000000009", Reason: "https://careers.ropes.example/open-positions answered 503"},
	}
	lines := make([]string, len(messages))
	for i, m := range messages {
		line, err := json.Marshal(m)
		require.NoError(t, err)
		lines[i] = string(line)
	}
	ping, err := json.Marshal(boardwatch.Message{ID: deliveryID, Type: boardwatch.EventPing})
	require.NoError(t, err)

	s := sender(channel.Options{Mailer: mailer})
	for i, body := range []string{strings.Join(lines, "\n"), string(ping)} {
		d := delivery(news(1))
		d.Body = []byte(body)
		r := s.Deliver(t.Context(), place(boardwatch.ChannelEmail, "ann@lamps.example"), d)
		require.True(t, r.OK(), r.Error)
		m := server.Wait(i + 1)[i]
		require.Contains(t, m.HTML, "https://boards.example.com/settings/channels")
		browsertest.FitsMail(ctx, t, []string{"channel", "channel-test"}[i], m.HTML)
	}
}
