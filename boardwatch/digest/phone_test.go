package digest_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/scraper/browser/browsertest"
)

// company adds a company's board without news.
func (w *world) company(a account.Account, name string, postings ...boardwatch.Posting) string {
	w.t.Helper()
	b, _, err := w.Subscribe(w.t.Context(), boardwatch.Subscription{AccountID: a.ID},
		boardwatch.Board{Source: "greenhouse:" + name, URL: "https://boards.hosted.example/" + name}, "")
	require.NoError(w.t, err)
	w.shows(b.ID, name, postings...)
	return b.ID
}

// shows makes a board show these roles.
func (w *world) shows(boardID, company string, postings ...boardwatch.Posting) {
	w.t.Helper()
	w.read(boardID, boardwatch.Reading{Company: company, Claimed: -1, Health: boardwatch.HealthOK, Postings: postings})
}

func posting(title, location, department string) boardwatch.Posting {
	return boardwatch.Posting{Key: title, Title: title, Location: location, Department: department, URL: "https://jobs.example/"}
}

// TestMailsOfAnOrdinaryDayFitAPhone uses a day on which everything possible happened, with long names.
func TestMailsOfAnOrdinaryDayFitAPhone(t *testing.T) {
	t.Parallel()
	ctx := browsertest.Tab(t)
	w := setup(t, at(2026, 11, 20, 12, 0))
	a := w.account("ann", 7, "Asia/Tokyo")
	w.work()
	keeper := posting("Lighthouse Keeper", "Lindesnes, Norway", "Harbours")
	writer := posting("Writer of Notices to Mariners", "Remote, Norway, Sweden, Denmark, Finland, Iceland, Estonia, Latvia and Lithuania", "Communications")
	endless := posting("Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaftsmitarbeiter", "Wien", "")
	gone := posting("Bell Ringer", "Bergen, Norway", "")
	northwind := w.company(a, "Northwind Harbour and Lighthouse Authority of the Southern Coast", keeper, writer, gone)
	contoso := w.company(a, "Contoso", posting("Engineer", "Oslo", "Platform"))
	w.search(a, "Lighthouses near the sea, and everything else that has a lamp", "keeper")
	w.turn(at(2026, 11, 20, 22, 0)) // seven in Tokyo
	w.work()
	first := w.server.Wait(1)[0]
	browsertest.FitsMail(ctx, t, "first-day", first.HTML)

	w.turn(at(2026, 11, 21, 12, 0))
	name := "Northwind Harbour and Lighthouse Authority of the Southern Coast"
	w.shows(northwind, name, keeper, gone)
	w.shows(northwind, name, keeper, gone) // closes the writer
	keeper.Location = "Kjøpsvik, Norway"
	night := posting("Lighthouse Keeper (Nights)", "Lindesnes, Norway", "Harbours")
	w.turn(at(2026, 11, 21, 13, 0))
	w.shows(northwind, name, keeper, writer, night, endless)
	w.turn(at(2026, 11, 21, 16, 0))
	w.shows(northwind, name, keeper, writer, night, endless) // closes the bell ringer
	var many []boardwatch.Posting
	for i := range 25 {
		many = append(many, posting(fmt.Sprintf("Engineer %d", i), "Oslo", "Platform"))
	}
	w.shows(contoso, "Contoso", append(many, posting("Engineer", "Oslo", "Platform"))...)
	w.turn(at(2026, 11, 21, 22, 0))
	w.work()
	daily := w.server.Wait(2)[1]
	for _, text := range []string{"new role", "reopened", "closed", "changed", "Kjøpsvik", "and 5 more", "Lighthouses near the sea"} {
		require.Contains(t, daily.HTML, text)
	}
	browsertest.FitsMail(ctx, t, "daily", daily.HTML)
}

func TestNoticesFitAPhone(t *testing.T) {
	t.Parallel()
	ctx := browsertest.Tab(t)
	w := setup(t, at(2026, 11, 1, 8, 0))
	a := w.account("ann", 7, "Asia/Tokyo")
	w.work()
	b := w.company(a, "Northwind Harbour and Lighthouse Authority", posting("Lighthouse Keeper", "Lindesnes", ""))
	c, err := account.CleanChannel(boardwatch.Channel{
		ID: boardwatch.NewID(), AccountID: a.ID, Kind: account.ChannelMattermost,
		To:         "https://receivers-of-everything.lighthouses.northwind.example/hooks/sesame",
		DisabledAt: at(2026, 11, 1, 7, 0), DisabledReason: "every delivery has failed since 2026-10-29T07:00:00Z",
	})
	require.NoError(t, err)
	for _, day := range []int{2, 5} {
		w.turn(at(2026, 11, day, 9, 0))
		w.read(b, boardwatch.Failed(cause.SiteError, "https://careers.northwind.example/open-positions/of-the-lighthouse-authority answered 503"))
	}
	require.NoError(t, w.CreateChannel(t.Context(), c, account.MaxChannels))
	w.work()
	m := w.server.Wait(2)[1] // after the daily mail
	require.Contains(t, m.Text, "since 2 November 2026, 18:00 JST", "times are those of the reader")
	require.Contains(t, m.HTML, "Since 2 November 2026, 18:00 JST")
	browsertest.FitsMail(ctx, t, "notice", m.HTML)
}
