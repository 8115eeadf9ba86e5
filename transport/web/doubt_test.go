package web_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/transport/web"
)

// What is in doubt is neither green nor silent: it says since when, and when it closes at the earliest.
func TestDoubtIsVisible(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	owner := w.account(ownerEmail, account.PlanUltra, false)
	id := w.board(owner, listing([3]string{"1", "Baker", ""}, [3]string{"2", "Miller", ""}, [3]string{"3", "Grocer", ""}))
	b := w.signedIn(ownerEmail)
	for _, path := range []string{"/boards", "/roles", "/boards/" + id} {
		require.NotContains(t, b.get(path).text, `class="chip ok">`, path+": what is normal has no chip")
	}
	w.readNext(id, listing([3]string{"1", "Baker", ""}, [3]string{"2", "Miller", ""}))
	for _, path := range []string{"/roles", "/boards/" + id} {
		page := b.get(path).text
		require.Contains(t, page, `<span class="chip warn">missing</span>`, path)
		require.Regexp(t, `Not on its board since today, 09:00\. It closes \w+, \d\d:\d\d at the earliest\.`, page, path)
	}
}

// What needs a look comes first on the list, whatever was added first.
func TestDoubtfulBoardsFollowFailingOnes(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	owner := w.account(ownerEmail, account.PlanUltra, false)
	rows := make([][3]string, 30)
	for i := range rows {
		rows[i] = [3]string{strconv.Itoa(i), fmt.Sprintf("Baker %d", i), ""}
	}
	sound, doubtful := w.board(owner, listing(rows...)), w.board(owner, listing(rows...))
	failing := w.board(owner, boardwatch.Failed(cause.SiteError, "the page answered 500"))
	w.readNext(doubtful, listing(rows[:2]...))
	require.Regexp(t, `(?s)<tbody.*/boards/`+failing+`".*/boards/`+doubtful+`".*/boards/`+sound+`"`, w.signedIn(ownerEmail).get("/boards").text)
}

func TestOperatorsFindAccounts(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{health: func(context.Context) []web.Finding {
		return []web.Finding{{Check: "disk", Kind: "warn", Detail: "900 MiB free for the database"}, {Check: "mail", Kind: "bad", Detail: "no answer"}}
	}})
	owner := w.account(ownerEmail, account.PlanUltra, true)
	w.acorn(owner, "Baker")
	for i := range 60 {
		w.account(fmt.Sprintf("p%02d@contoso.example", i), account.PlanFree, false)
	}
	b := w.signedIn(ownerEmail)
	require.Contains(t, b.get("/boards").text, `<a href="/admin">Operator</a>`)
	page := b.get("/admin").text
	require.Contains(t, page, "p48@contoso.example")
	require.NotContains(t, page, "p55@contoso.example")
	require.Contains(t, page, `href="/admin?page=2"`)
	require.Contains(t, b.get("/admin?page=2").text, "p55@contoso.example")
	found := b.get("/admin?q=NORTHWIND").text
	require.Contains(t, found, ownerEmail)
	require.NotContains(t, found, "contoso.example")
	require.Regexp(t, `(?s)data-label="boards">1</td>\s*<td role="cell" class="muted nowrap" data-label="last here"><time`, found)
	require.Contains(t, b.get("/admin?q=nobody").text, "No account matches.")

	health := b.get("/admin/health").text
	require.Contains(t, health, "900 MiB free for the database")
	require.Contains(t, health, `<span class="chip bad">broken</span>`)
	eve := w.signedIn("p01@contoso.example")
	require.Equal(t, http.StatusNotFound, eve.get("/admin/health").status)
	require.NotContains(t, eve.get("/boards").text, `href="/admin"`)
}

func TestOperatorsCheckFailingBoards(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	w.account(ownerEmail, account.PlanUltra, true)
	eve := w.account("eve@northwind.example", account.PlanUltra, false)
	id := w.board(eve, boardwatch.Failed(cause.SiteError, "the page answered 500"))
	w.pass(2 * time.Minute)
	b := w.signedIn(ownerEmail)
	require.Contains(t, b.post("/admin/boards/"+id+"/check", nil).text, "Its last check failed, and the next attempt is today, 11:00.")
	healthy := w.board(eve, listing([3]string{"1", "Baker", ""}))
	w.pass(2 * time.Minute)
	require.Contains(t, b.get("/admin").text, `action="/admin/boards/`+id+`/check"`)
	require.Contains(t, b.post("/admin/boards/"+healthy+"/check", nil).text, "is being checked.")
	require.Equal(t, http.StatusNotFound, b.post("/admin/boards/"+boardwatch.NewID()+"/check", nil).status)
	require.Equal(t, http.StatusNotFound, w.signedIn(eve.Email).post("/admin/boards/"+id+"/check", url.Values{}).status)
}

// Roles that were there again soon after they had closed are counted by board, for operators.
func TestOperatorsSeeWhatClosedAndCameBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	owner := w.account(ownerEmail, account.PlanUltra, true)
	cook, baker := [3]string{"1", "Cook", ""}, [3]string{"2", "Baker", ""}
	id := w.board(owner, listing(cook, baker))
	returned := func() string {
		t.Helper()
		_, part, found := strings.Cut(w.signedIn(ownerEmail).get("/admin").text, "Closed, and open again")
		require.True(t, found)
		part, _, _ = strings.Cut(part, "</section>")
		return part
	}
	require.Contains(t, returned(), "None.")
	for range 3 {
		w.readNext(id, listing(cook))
	}
	w.readNext(id, listing(cook, baker))
	require.Regexp(t, `(?s)Northwind.*data-label="roles">1</td>`, returned())
	for range 31 {
		w.readNext(id, listing(cook, baker))
	}
	require.Contains(t, returned(), "None.", "it is a month ago")
}
