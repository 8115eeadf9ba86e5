package scraper_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// A role that its page calls filled or closed is no open role.
func TestReadLeavesClosedRolesOut(t *testing.T) {
	t.Parallel()
	const careers = "https://www.northwind.example/careers"
	titles := []string{"Welder", "Software Engineer", "Account Manager"}
	open := `<li class="card"><h3><a href="/jobs/%[2]d">%[1]s</a></h3><p>Oslo</p></li>`
	forms := map[string]string{
		"struck through":        `<li class="card"><h3><s><a href="/jobs/%[2]d">%[1]s</a></s></h3><p>Oslo</p></li>`,
		"deleted in the link":   `<li class="card"><h3><a href="/jobs/%[2]d"><del>%[1]s</del></a></h3><p>Oslo</p></li>`,
		"struck by style":       `<li class="card"><h3 style="text-decoration: line-through"><a href="/jobs/%[2]d">%[1]s</a></h3><p>Oslo</p></li>`,
		"struck by class":       `<li class="card"><h3 class="line-through"><a href="/jobs/%[2]d">%[1]s</a></h3><p>Oslo</p></li>`,
		"card of a closed job":  `<li class="card job-closed"><h3><a href="/jobs/%[2]d">%[1]s</a></h3><p>Oslo</p></li>`,
		"card of a filled role": `<li class="card is-filled"><h3><a href="/jobs/%[2]d">%[1]s</a></h3><p>Oslo</p></li>`,
		"card that expired":     `<li class="card expired"><h3><a href="/jobs/%[2]d">%[1]s</a></h3><p>Oslo</p></li>`,
		"in the title":          `<li class="card"><h3><a href="/jobs/%[2]d">%[1]s (filled)</a></h3><p>Oslo</p></li>`,
		"before the title":      `<li class="card"><h3><a href="/jobs/%[2]d">[Closed] %[1]s</a></h3><p>Oslo</p></li>`,
		"behind the title":      `<li class="card"><h3><a href="/jobs/%[2]d">%[1]s – besetzt</a></h3><p>Oslo</p></li>`,
	}
	for _, mark := range []string{
		"Closed", "Position filled", "This position has been filled", "Applications closed", "No longer accepting applications", "Besetzt", "Stelle bereits besetzt", "Pourvu", "Poste pourvu", "Offre clôturée", "Cerrada",
		"Vacante cubierta", "Encerrada", "Vaga preenchida", "Posizione chiusa", "Gesloten", "Vacature vervuld", "Tillsatt", "Stillingen er besat", "Suljettu", "Rekrutacja zakończona", "Obsazeno",
		"Betöltve", "Ocupat", "Kapalı", "Вакансия закрыта", "募集終了", "已截止", "채용 마감", "انتهى التقديم", "Popunjeno", "Ditutup",
	} {
		forms[mark] = `<li class="card"><h3><a href="/jobs/%[2]d">%[1]s</a></h3><p>Oslo</p><span>` + mark + `</span></li>`
	}
	for name, form := range forms {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var body strings.Builder
			for i, title := range titles {
				how := open
				if i == 1 {
					how = form
				}
				fmt.Fprintf(&body, how, title, i+1)
			}
			s := hosted(t, site{careers: html("<title>Careers</title>", "<h1>Open positions</h1><ul>"+body.String()+"</ul>")}, system{})
			r, err := s.Read(t.Context(), boardwatch.Board{Source: "page:" + careers, URL: careers})
			require.NoError(t, err)
			var got []string
			for _, p := range r.Postings {
				got = append(got, p.Title)
			}
			require.Equal(t, []string{"Welder", "Account Manager"}, got)
			require.Equal(t, boardwatch.HealthOK, r.Health, r.Reason)
		})
	}
}

// Panels that are closed, work on what is closed, and words that only look like it, are open roles.
func TestReadKeepsRolesThatOnlySoundClosed(t *testing.T) {
	t.Parallel()
	const careers = "https://www.northwind.example/careers"
	for name, body := range map[string]string{
		"closed panels":      `<div class="panel closed"><h3>Welder</h3><p>Oslo</p></div><div class="panel closed"><h3>Software Engineer</h3><p>Oslo</p></div>`,
		"all but one closed": `<div class="job job--open"><h3>Welder</h3><p>Oslo</p></div><div class="job job--closed"><h3>Software Engineer</h3><p>Oslo</p></div>`,
		"closed captions":    `<div><h3>Welder</h3><p>Oslo</p></div><div><h3>Software Engineer</h3><p>Oslo</p><p>You work on closed captions.</p></div>`,
		"an old price":       `<div><h3>Welder</h3><p>Oslo</p></div><div><h3>Software Engineer</h3><p>Oslo <s>Bergen</s></p></div>`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := hosted(t, site{careers: html("<title>Careers</title>", "<h1>Open positions</h1>"+body)}, system{})
			r, err := s.Read(t.Context(), boardwatch.Board{Source: "page:" + careers, URL: careers})
			require.NoError(t, err)
			require.Len(t, r.Postings, 2)
		})
	}
}

// A mark may say since when a role is closed, and an archive under the sentence that nothing is open holds no open roles.
func TestReadLeavesOutRolesClosedSince(t *testing.T) {
	t.Parallel()
	row := func(title, mark string) string {
		return `<div class="notice"><h3>` + title + `</h3><p>` + mark + `</p><a href="/notices/` + strings.ToLower(title) + `">Read the notice</a></div>`
	}
	for _, mark := range []string{"Filled 14 June 2025", "Closed on June 14, 2025", "Closed: 2025-06-14", "Expired (14.06.2025)", "Besetzt seit 01.05.2025", "Pourvu le 3 mai 2025", "Vacante cubierta 3/5/2025"} {
		t.Run(mark, func(t *testing.T) {
			t.Parallel()
			r := read(t, anywhere(careersPage(`<h2>Open positions</h2>`+row("Rigger", "Leith")+row("Welder", mark)+row("Caulker", "Oban"))), followedPage)
			require.Equal(t, []string{"Rigger", "Caulker"}, names(r))
			r = read(t, anywhere(careersPage(`<h2>Open positions</h2><p>There are no open positions right now.</p><h2>Archive</h2>`+row("Rigger", mark)+row("Welder", mark))), followedPage)
			require.Empty(t, r.Postings)
			require.Equal(t, boardwatch.HealthOK, r.Health, r.Reason)
		})
	}
	t.Run("under a heading that says so", func(t *testing.T) {
		t.Parallel()
		r := read(t, anywhere(careersPage(`<h2>Open positions</h2><p>There are no open positions right now.</p><h2>Recently filled</h2>`+row("Rigger", "Leith")+row("Welder", "Oban"))), followedPage)
		require.Empty(t, r.Postings)
		require.Equal(t, boardwatch.HealthOK, r.Health, r.Reason)
	})
	for _, text := range []string{"Closes 14 June 2025", "Closing date: 14 June 2025", "Filled 3 of 5 places", "Expired air, since 1902", "Posted 2025-06-14"} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			r := read(t, anywhere(careersPage(`<h2>Open positions</h2>`+row("Rigger", "Leith")+row("Welder", text))), followedPage)
			require.Equal(t, []string{"Rigger", "Welder"}, names(r))
		})
	}
}
