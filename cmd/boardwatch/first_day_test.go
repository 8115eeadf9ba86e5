package main_test

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	main "github.com/boardwatch/boardwatch/cmd/boardwatch"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/demo"
)

// firstDay is an installation in which somebody begins, and five companies with forty roles each.
type firstDay struct {
	*installation

	service *running
	sites   []*careersSite
	roles   []demo.Role // of the first company, which changes
}

const (
	firstDayBoards = 5
	firstDayRoles  = 40
)

// newFirstDay has an operator's account only, beside what the door itself makes.
func newFirstDay(t *testing.T) *firstDay {
	t.Helper()
	d := &firstDay{installation: install(t, onSQLite(t), "BOARDWATCH_DEV=true", "BOARDWATCH_SIGNUP_MODE=open",
		"BOARDWATCH_SIGNUP_PLAN=ultra", "BOARDWATCH_PLANS_ULTRA_CADENCE=200ms", "BOARDWATCH_CHECKS_CLOSE_AFTER=3", "BOARDWATCH_CHECKS_CLOSE_HOLD=0s",
		"BOARDWATCH_CHECKS_SUSPECT_HOLD=0s", "BOARDWATCH_BROWSER_MODE=never", "BOARDWATCH_HTTP_PAUSE=0s")}
	d.do(&struct{}{}, "account", "create", "--email", "root@northwind.example", "--admin", "--verified")
	for n := range firstDayBoards {
		var roles []demo.Role
		for i := range firstDayRoles {
			roles = append(roles, demo.Role{ID: i, Title: fmt.Sprintf("Fitter of Rig %d-%d", n, i), Location: "Bergen", Department: "Workshop"})
		}
		d.sites = append(d.sites, newCareersSite(t, roles...))
		if n == 0 {
			d.roles = roles
		}
	}
	d.service = d.serve()
	return d
}

// addresses are those of the companies' careers pages.
func (d *firstDay) addresses() []string {
	addresses := make([]string, len(d.sites))
	for i, s := range d.sites {
		addresses[i] = s.URL + "/careers"
	}
	return addresses
}

// The role that changes, and the one that closes.
const (
	changedBefore = "Fitter of Rig 0-0"
	changedAfter  = "Senior Fitter of Rig 0-0"
	closedRole    = "Fitter of Rig 0-1"
)

// change gives a role of the first company another title and place.
func (d *firstDay) change() {
	d.roles[0].Title, d.roles[0].Location = changedAfter, "Oslo"
	d.sites[0].show(d.roles...)
}

// close takes another role of the first company away.
func (d *firstDay) close() {
	d.sites[0].show(slices.Delete(slices.Clone(d.roles), 1, 2)...)
}

// TestAFirstDayInTheApp is that of somebody in Tokyo: from the sign-up to the file of a search.
func TestAFirstDayInTheApp(t *testing.T) {
	t.Parallel()
	d := newFirstDay(t)
	p := newPerson(t, d.service.url, true)
	_, err := chromedp.Call(p.ctx, emulation.SetTimezoneOverride, emulation.SetTimezoneOverrideParams{TimezoneID: "Asia/Tokyo"})
	require.NoError(t, err)
	p.sits(1280, "light")

	p.open(d.service.url + "/signup")
	p.fill("#email", e2eEmail)
	p.fill("#password", "a sentence that only ann would say")
	p.submit("#password")
	p.sees("Ask the operator")
	link := regexp.MustCompile(`http://\S+/verify\?token=[A-Za-z0-9_-]+`).FindString(d.service.errs.String())
	require.NotEmpty(t, link, "%s", d.service.errs)
	p.open(link)
	p.fill("#password", "a sentence that only ann would say")
	p.submit("#password")
	p.sees("Your account has been created")
	p.sees("Which company do you want to watch?")

	for _, address := range d.addresses() {
		p.open(d.service.url + "/boards")
		p.fill("#add", address)
		p.submit("#add")
		p.sees("is on your list")
	}
	p.eventually("/roles", fmt.Sprintf("%d open roles", firstDayBoards*firstDayRoles))
	home := p.reads("/boards")
	require.Regexp(t, `(?m)^0\nnew in 24 hours$`, home, "what was there before is no news")
	changes := p.reads("/changes")
	require.Equal(t, firstDayBoards, strings.Count(changes, fmt.Sprintf("Watching %d open roles", firstDayRoles)))
	require.NotContains(t, changes, "Fitter")

	d.change()
	p.eventually("/changes", changedAfter)
	fields, err := chromedp.Run(p.ctx, chromedp.Evaluate[[]string](`[...document.querySelectorAll(".fields")].map((e) => e.innerText)`))
	require.NoError(t, err)
	require.Len(t, fields, 1, "one change")
	for _, text := range []string{changedBefore, changedAfter, "Bergen", "Oslo"} {
		require.Contains(t, fields[0], text, "what was before and after")
	}
	d.close()
	p.eventually("/changes?kind=closed", closedRole)
	require.NoError(t, chromedp.Do(p.ctx, chromedp.Click(chromedp.Search(`//main//a[text()="`+closedRole+`"]`))))
	p.sees("Why it is closed")
	role := p.text()
	require.Contains(t, role, "3 healthy checks in a row did not show it")
	require.Contains(t, role, "JST", "in the person's own time")
	require.NotContains(t, role, "UTC")

	p.open(d.service.url + "/roles")
	p.fill("#q", "rig 0-")
	p.submit("#q")
	p.sees(fmt.Sprintf("%d open roles", firstDayRoles-1))
	file, err := chromedp.Run(p.ctx, chromedp.Evaluate[string](`fetch(document.querySelector("[data-live=export] a").href).then((a) => a.text())`,
		func(e *runtime.EvaluateParams) { e.AwaitPromise = new(true) }))
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(file), "\n")
	require.Len(t, lines, firstDayRoles, "a head and the roles that the search finds")
	require.Contains(t, file, changedAfter+",")
	require.NotContains(t, file, closedRole+",")
	require.NotContains(t, file, "Rig 1-")
	p.quiet()
}

// text is what the page shows.
func (p *visitor) text() string {
	p.t.Helper()
	text, err := chromedp.Run(p.ctx, chromedp.Evaluate[string]("document.body.innerText"))
	require.NoError(p.t, err)
	return text
}

// reads opens a page and returns what it shows.
func (p *visitor) reads(path string) string {
	p.t.Helper()
	p.open(p.site + path)
	return p.text()
}

// TestAFirstDayOnTheCommandLine is that of an operator who uses no browser.
func TestAFirstDayOnTheCommandLine(t *testing.T) {
	t.Parallel()
	d := newFirstDay(t)
	d.do(&struct{}{}, "account", "create", "--email", e2eEmail, "--plan", "ultra", "--verified")
	var added []struct{ Board boardwatch.BoardView }
	d.do(&added, append([]string{"board", "add", "--account", e2eEmail}, d.addresses()...)...)
	require.Len(t, added, firstDayBoards)
	d.eventually("all boards are read", func() bool { return len(d.roleList()) == firstDayBoards*firstDayRoles })
	var checks []struct {
		First bool `json:"first"`
		Found int  `json:"found"`
	}
	d.do(&checks, "board", "history", added[0].Board.ID)
	require.True(t, checks[len(checks)-1].First, "the roles that it found were there before")

	d.change()
	d.eventually("the change is seen", func() bool { return d.roleList()[changedAfter].ID != "" })
	changed := d.historyOf(d.roleList()[changedAfter].ID)
	require.Equal(t, boardwatch.ChangeUpdated, changed[len(changed)-1].Kind)
	fields := changed[len(changed)-1].Changes
	require.Equal(t, []string{"title", changedBefore, changedAfter}, []string{fields[0].Field, *fields[0].From, *fields[0].To})
	require.Equal(t, []string{"location", "Bergen", "Oslo"}, []string{fields[1].Field, *fields[1].From, *fields[1].To})

	d.close()
	d.eventually("the role closes", func() bool { return d.roleList()[closedRole].Status == boardwatch.JobClosed })
	closed := d.historyOf(d.roleList()[closedRole].ID)
	require.Equal(t, boardwatch.ChangeClosed, closed[len(closed)-1].Kind)
	require.Len(t, regexp.MustCompile(`[0-9a-f]{24} at 2`).FindAllString(*closed[len(closed)-1].Reason, -1), 3, "the checks that missed it")

	var out, errs output
	require.Zero(t, main.Execute(t.Context(), d.cli(&out, &errs), []string{"role", "list", "--account", e2eEmail, "--search", "rig 0-", "-o", "csv"}), "%s", &errs)
	require.Equal(t, firstDayRoles, strings.Count(out.String(), "\n"), "a head and the roles that the search finds")
	require.NotContains(t, out.String(), closedRole+",")
}

func (d *firstDay) roleList() map[string]boardwatch.Job { return d.installation.roles() }

func (d *firstDay) historyOf(roleID string) []roleEvent {
	d.t.Helper()
	var history []roleEvent
	d.do(&history, "role", "history", roleID)
	require.NotEmpty(d.t, history)
	return history
}

// agentRole is a role as the tools of MCP tell it.
type agentRole struct {
	Title   string      `json:"title"`
	History []roleEvent `json:"history"`
}

// TestAFirstDayOfAnAgent is that of somebody who asks an agent, which uses the tools of MCP on their machine.
func TestAFirstDayOfAnAgent(t *testing.T) {
	t.Parallel()
	d := newFirstDay(t)
	d.do(&struct{}{}, "account", "create", "--email", e2eEmail, "--plan", "ultra", "--verified")
	agent := localAgent(t, d.installation, "2026-07-28", buildBinary(t), "mcp", "--account", e2eEmail)
	for _, address := range d.addresses() {
		use(t, agent, &struct{}{}, "add_board", map[string]any{"url": address})
	}
	var found struct {
		Total    int       `json:"total"`
		PolledAt time.Time `json:"polledAt"`
	}
	var since string
	var updates struct {
		Jobs, Closed, Updated []agentRole
	}
	ask := func() { use(t, agent, &updates, "list_updates", map[string]any{"since": since}) }
	// While a check is still being saved, the time of the poll lies before it, and its roles are told once more.
	d.eventually("all boards are read", func() bool {
		use(t, agent, &found, "search_jobs", map[string]any{"limit": 1})
		since = found.PolledAt.Format(boardwatch.TimeFormat)
		ask()
		return found.Total == firstDayBoards*firstDayRoles && len(updates.Jobs) == 0
	})

	d.change()
	d.eventually("the change is told", func() bool { ask(); return len(updates.Updated) == 1 })
	require.Empty(t, updates.Jobs, "what was there before is no news")
	told := updates.Updated[0]
	require.Equal(t, changedAfter, told.Title)
	fields := told.History[len(told.History)-1].Changes
	require.Equal(t, []string{"title", changedBefore, changedAfter}, []string{fields[0].Field, *fields[0].From, *fields[0].To})

	d.close()
	d.eventually("the closing is told", func() bool { ask(); return len(updates.Closed) == 1 })
	end := updates.Closed[0].History[len(updates.Closed[0].History)-1]
	require.Equal(t, closedRole, updates.Closed[0].Title)
	require.Len(t, regexp.MustCompile(`[0-9a-f]{24} at 2`).FindAllString(*end.Reason, -1), 3, "the checks that missed it")

	var list struct {
		Jobs     []agentRole
		Total    int
		NextSkip *int
	}
	use(t, agent, &list, "search_jobs", map[string]any{"search": "rig 0-", "limit": 100})
	require.Len(t, list.Jobs, firstDayRoles-1, "the search, whole")
	require.Nil(t, list.NextSkip)
}

// TestAFirstDayOverREST is that of a program: the interface keeps its shapes, so it compares for itself what a role was before.
func TestAFirstDayOverREST(t *testing.T) {
	t.Parallel()
	d := newFirstDay(t)
	d.do(&struct{}{}, "account", "create", "--email", e2eEmail, "--plan", "ultra", "--verified")
	var made struct{ Secret string }
	d.do(&made, "key", "create", "--account", e2eEmail, "--name", "first day")
	require.NotEmpty(t, made.Secret)
	for _, address := range d.addresses() {
		exchange(t, http.MethodPost, d.service.url+"/v1/boards", "application/json", fmt.Sprintf(`{"url":%q}`, address), made.Secret, http.StatusAccepted, &struct{}{})
	}
	var page struct {
		Jobs     []boardwatch.Job
		Total    int
		PolledAt string
	}
	ask := func(query string) {
		page.Jobs = nil
		exchange(t, http.MethodGet, d.service.url+"/v1/jobs?"+query, "", "", made.Secret, http.StatusOK, &page)
	}
	d.eventually("all boards are read", func() bool { ask("limit=1"); return page.Total == firstDayBoards*firstDayRoles })
	// A role that was found in the millisecond of a poll is told again.
	d.eventually("what was there before is no news", func() bool {
		ask("limit=1")
		ask("addedAfter=" + page.PolledAt)
		return len(page.Jobs) == 0
	})
	ask("search=rig+0-0&limit=100")
	before := page.Jobs

	d.change()
	d.eventually("the change is listed", func() bool { ask("search=senior+fitter"); return len(page.Jobs) == 1 })
	i := slices.IndexFunc(before, func(j boardwatch.Job) bool { return j.ID == page.Jobs[0].ID })
	require.GreaterOrEqual(t, i, 0, "it is the same role")
	require.Equal(t, changedBefore, before[i].Title)
	d.close()
	d.eventually("the role is listed as closed", func() bool { ask("status=closed"); return len(page.Jobs) == 1 })
	require.Equal(t, closedRole, page.Jobs[0].Title)
	require.False(t, page.Jobs[0].ClosedAt.IsZero())
}
