package web_test

import (
	"fmt"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

// engineering adds a board with three roles to the account's list.
func (w *world) engineering(a account.Account) (id string) {
	w.t.Helper()
	return w.board(a, boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: -1, Company: "Aster Robotics", Postings: []boardwatch.Posting{
		{Key: "1", Title: "Data Engineer", Location: "Berlin", Department: "Insight"},
		{Key: "2", Title: "Data Engineer", Location: "Lisbon", Department: "Insight"},
		{Key: "3", Title: "Rope Maker", Location: "Berlin", Department: "Flight"},
	}})
}

func TestASearchIsSavedFromTheListOfRoles(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	a := w.account(ownerEmail, account.PlanUltra, false)
	id := w.engineering(a)
	b := w.signedIn(ownerEmail)
	require.NotContains(t, b.get("/roles").text, "Save this search", "there is nothing to save")
	list := b.get("/roles?search=data&location=berlin&department=insight")
	require.Contains(t, list.text, "Save this search")
	require.Contains(t, list.text, `name="department" value="insight"`)

	saved := b.post("/searches", url.Values{
		"search": {"data"}, "location": {"berlin"}, "department": {"insight"}, "board": {id}, "name": {"Data <in> Berlin"}, "kind": {"found", "reopened"},
	})
	require.Equal(t, http.StatusOK, saved.status)
	require.Contains(t, saved.text, "Data &lt;in&gt; Berlin is saved.")
	require.Contains(t, saved.text, "1 open role")
	require.Contains(t, saved.text, "title with “data”")
	require.Contains(t, saved.text, "at Aster Robotics")
	require.NotContains(t, saved.text, "Lisbon")
	require.NotContains(t, saved.text, "Rope Maker")
	searches, err := w.store.Searches(t.Context(), a.ID)
	require.NoError(t, err)
	require.Len(t, searches, 1)
	require.Equal(t, []boardwatch.ChangeKind{boardwatch.ChangeFound, boardwatch.ChangeReopened}, searches[0].Kinds)
	require.Contains(t, b.get("/roles").text, `href="`+saved.path+`"`, "the list leads to it")

	gone := b.post(saved.path+"/delete", nil)
	require.Equal(t, "/roles", gone.path)
	require.Equal(t, http.StatusNotFound, b.get(saved.path).status)
}

func TestASearchThatCannotBeSavedIsShownAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	a := w.account(ownerEmail, account.PlanUltra, false)
	w.engineering(a)
	b := w.signedIn(ownerEmail)
	form := url.Values{"search": {"rope"}, "name": {" "}}
	page := b.post("/searches", form)
	require.Equal(t, http.StatusBadRequest, page.status)
	require.Contains(t, page.text, "The name must not be empty.")
	require.Contains(t, page.text, `value="rope"`, "what was asked for is still there")
	form.Set("name", "Ropes")
	require.Equal(t, http.StatusOK, b.post("/searches", form).status)
	require.Contains(t, b.post("/searches", form).text, "The name is the name of another search.")
	for i := range track.MaxSearches - 1 {
		form.Set("name", fmt.Sprint("Search ", i))
		require.Equal(t, http.StatusOK, b.post("/searches", form).status)
	}
	form.Set("name", "One too many")
	require.Equal(t, http.StatusBadRequest, b.post("/searches", form).status)
}

func TestBoardsAreSortedByTags(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	a := w.account(ownerEmail, account.PlanUltra, false)
	id := w.engineering(a)
	w.board(a, boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: -1, Company: "Quarry & Finch", Postings: []boardwatch.Posting{{Key: "1", Title: "Stone Mason"}}})
	b := w.signedIn(ownerEmail)
	page := b.post("/boards/"+id+"/tags", url.Values{"tags": {"near home, Robotics,, robotics "}})
	require.Contains(t, page.text, "The tags are saved.")
	require.Contains(t, page.text, `value="near home, Robotics"`)
	boards := b.get("/boards?tag=ROBOTICS").text
	require.Contains(t, boards, "Aster Robotics")
	require.NotContains(t, boards, "Finch")
	require.Contains(t, b.get("/boards").text, `href="/boards?tag=near&#43;home"`)
	roles := b.get("/roles?tag=robotics").text
	require.Contains(t, roles, "Rope Maker")
	require.NotContains(t, roles, "Stone Mason")
	saved := b.post("/searches", url.Values{"tag": {"robotics"}, "name": {"Robots"}})
	require.Contains(t, saved.text, "boards tagged robotics")
	require.Contains(t, saved.text, "3 open roles")

	require.Contains(t, b.post("/boards/"+id+"/tags", url.Values{"tags": {"a\x01b"}}).text, "The tags must be at most 20 tags")
	require.Contains(t, b.post("/boards/"+id+"/tags", url.Values{"tags": {"robotics"}}).text, `value="Robotics"`)
	b.post("/boards/"+id+"/tags", nil)
	require.NotContains(t, b.get("/boards/"+id).text, "Robotics\"")
	require.Contains(t, b.get(saved.path).text, "0 open roles")
}

func TestASearchHasAFeed(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	a := w.account(ownerEmail, account.PlanUltra, false)
	eve := w.account("eve@northwind.example", account.PlanUltra, false)
	w.engineering(a)
	b := w.signedIn(ownerEmail)
	saved := b.post("/searches", url.Values{"search": {"data"}, "name": {"Data & more"}})
	w.again(t, a, "Data Janitor", "Baker")
	page := b.get(saved.path)
	require.Contains(t, page.text, "What changed last")
	require.Contains(t, page.text, "Data Janitor")
	require.NotContains(t, page.text, "Baker")

	address := feedAddress.FindString(page.text) + saved.path
	require.Contains(t, page.text, `href="`+address+`"`)
	feed := w.browser().get(address)
	require.Equal(t, http.StatusOK, feed.status)
	require.Contains(t, feed.header.Get("Content-Type"), "application/atom+xml")
	require.Contains(t, feed.text, "<title>Data &amp; more</title>")
	require.Contains(t, feed.text, "<title>new: Data Janitor</title>")
	require.NotContains(t, feed.text, "Baker")
	require.NotContains(t, feed.text, "Data Engineer", "the first reading is no news")

	token, err := account.NewPreferenceManager(w.store, account.Options{}).FeedToken(t.Context(), eve)
	require.NoError(t, err)
	require.Equal(t, http.StatusNotFound, w.browser().get("/feeds/"+token+saved.path).status, "another's token opens nothing")
	b.post(saved.path+"/delete", nil)
	require.Equal(t, http.StatusNotFound, w.browser().get(address).status)
	require.NotContains(t, w.log.String(), token)
}

// again reads the account's boards again, with further roles.
func (w *world) again(t *testing.T, a account.Account, titles ...string) {
	t.Helper()
	w.pass(25 * time.Hour)
	claims, err := w.store.ClaimDue(t.Context(), 1000, time.Minute, boardwatch.ClaimFilter{})
	require.NoError(t, err)
	require.NotEmpty(t, claims)
	for _, claim := range claims {
		jobs, err := w.store.Jobs(t.Context(), a.ID, track.JobFilter{BoardID: claim.Board.ID})
		require.NoError(t, err)
		r := boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: -1}
		for _, j := range jobs.Jobs {
			r.Postings = append(r.Postings, boardwatch.Posting{Key: j.Key, Title: j.Title, Location: j.Location, Department: j.Department})
		}
		for _, title := range titles {
			r.Postings = append(r.Postings, boardwatch.Posting{Key: title, Title: title})
		}
		require.NoError(t, w.store.SaveCheck(t.Context(), claim, func(in boardwatch.CheckInput) boardwatch.CheckResult {
			return boardwatch.Decide(in, r.Normalize(), false, boardwatch.DefaultRules(), boardwatch.NewID)
		}))
	}
}

func TestTheDailyMailCanTellOfSearchesOnly(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	a := w.account(ownerEmail, account.PlanUltra, false)
	b := w.signedIn(ownerEmail)
	form := url.Values{"digest": {"on"}, "hour": {"-1"}, "zone": {"UTC"}, "about": {"searches"}}
	require.Contains(t, b.post("/settings/email", form).text, `value="searches" checked`)
	prefs, err := w.store.Preferences(t.Context(), a.ID)
	require.NoError(t, err)
	require.True(t, prefs.OnlySaved)
	form.Set("about", "all")
	require.Contains(t, b.post("/settings/email", form).text, `value="all" checked`)
}

// A saved search can be renamed and narrowed, and its owner says in the same place how to be told about it.
func TestASavedSearchIsChangedWhereItIsToldHow(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{mail: true})
	a := w.account(ownerEmail, account.PlanUltra, false)
	w.engineering(a)
	team := boardwatch.Channel{ID: boardwatch.NewID(), AccountID: a.ID, Kind: account.ChannelSlack, Name: "Team", To: "https://hooks.example/x", Failures: true, CreatedAt: w.clock()}
	team, err := account.CleanChannel(team)
	require.NoError(t, err)
	require.NoError(t, w.store.CreateChannel(t.Context(), team, account.MaxChannels))
	b := w.signedIn(ownerEmail)
	list := b.get("/roles?search=data").text
	require.Contains(t, list, `<label><input type="checkbox" name="channel" value="`+team.ID+`"><span>Team (Slack)</span></label>`)
	require.Contains(t, list, `name="kind" value="found" checked`)
	require.NotContains(t, list, `name="kind" value="closed" checked`)
	saved := b.post("/searches", url.Values{"search": {"data"}, "name": {"Data"}, "kind": {"found"}, "channel": {team.ID}})
	require.Contains(t, saved.text, "Data is saved. Roles that are new go to Team (Slack) and the daily e-mail at 07:00.")
	again := b.get("/roles?search=DATA").text
	require.NotContains(t, again, "Save this search", "it is saved already")
	require.Contains(t, again, `<a href="`+saved.path+`" aria-current="true">Data</a>`)

	page := b.get(saved.path).text
	require.Contains(t, page, `name="search" maxlength="200" value="data"`)
	require.Contains(t, page, `value="`+team.ID+`" checked`)
	changed := b.post(saved.path, url.Values{"name": {"Ropes"}, "search": {"rope"}, "location": {"berlin"}, "kind": {"found", "closed"}})
	require.Contains(t, changed.text, "<h1>Ropes</h1>")
	require.Contains(t, changed.text, "Ropes is saved. Roles that are new or closed go to the daily e-mail at 07:00.")
	require.Contains(t, changed.text, "Rope Maker")
	require.NotContains(t, changed.text, "Data Engineer")
	channels, err := w.store.Channels(t.Context(), a.ID)
	require.NoError(t, err)
	require.Empty(t, channels[0].Searches)
	require.Equal(t, team.To, channels[0].To, "its address stays")

	wrong := b.post(saved.path, url.Values{"name": {""}, "search": {"typed"}})
	require.Equal(t, http.StatusBadRequest, wrong.status)
	require.Contains(t, wrong.text, "The name must not be empty.")
	require.Contains(t, wrong.text, `value="typed"`)
	require.Equal(t, http.StatusNotFound, w.signedInAs("eve@northwind.example").post(saved.path, url.Values{"name": {"x"}}).status)

	prefs, err := w.store.Preferences(t.Context(), a.ID)
	require.NoError(t, err)
	prefs.Digest = false
	require.NoError(t, w.store.SavePreferences(t.Context(), prefs))
	require.Contains(t, b.get(saved.path).text, "Nobody is told about its roles yet, except by its feed")
	b.post(saved.path, url.Values{"name": {"Ropes"}, "daily": {"on"}})
	prefs, err = w.store.Preferences(t.Context(), a.ID)
	require.NoError(t, err)
	require.True(t, prefs.Digest)
	require.True(t, prefs.OnlySaved, "the mail covers what was asked for, and no more")
}

func TestManyBoardsAreTaggedAtATime(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	a := w.account(ownerEmail, account.PlanUltra, false)
	one, two, three := w.engineering(a), w.acorn(a, "Baker"), w.acorn(a, "Miller")
	b := w.signedIn(ownerEmail)
	require.Contains(t, b.get("/boards").text, `form="bulk" name="board" value="`+one+`"`)
	tags := func() (out []string) {
		for _, id := range []string{one, two, three} {
			s, err := w.store.TrackedBoard(t.Context(), a.ID, id)
			require.NoError(t, err)
			out = append(out, fmt.Sprint(s.Subscription.Tags))
		}
		return out
	}
	change := func(do, tag string, ids ...string) string {
		return b.post("/boards/change", url.Values{"do": {do}, "tag": {tag}, "board": ids, "back": {"/boards?sort=open"}}).text
	}
	require.Contains(t, change("tag", " rival ", one, two, boardwatch.NewID()), "3 boards have the tag “rival” now.")
	require.Equal(t, []string{"[rival]", "[rival]", "[]"}, tags())
	require.Contains(t, b.get("/boards").text, `<option value="rival">`)
	require.Contains(t, change("untag", "Rival", two), "The tag “Rival” is taken from 1 board.")
	require.Equal(t, []string{"[rival]", "[]", "[]"}, tags())
	require.Contains(t, change("tag", "a,b", one), "must be at most 20 tags")
	require.Contains(t, change("tag", "rival"), "No board was selected.")
	require.Contains(t, change("tag", "", one), "No tag was given.")
	w.pass(time.Hour)
	require.Contains(t, change("check", "", one, two), "2 of 2 boards are being checked.")

	eve := w.signedInAs("eve@northwind.example")
	eve.post("/boards/change", url.Values{"do": {"tag"}, "tag": {"hers"}, "board": {one}})
	require.Equal(t, []string{"[rival]", "[]", "[]"}, tags())

	file := b.get("/export?format=csv").text
	require.Contains(t, file, "addedAt,addedOn,tags\n")
	require.Contains(t, file, "2026-10-21,rival\n")
	require.Contains(t, eve.upload("/import", map[string]string{"text": "url,tags\nhttps://boards.greenhouse.io/contoso,\"near home, rival\"\n"}).text, "1 added")
	require.Contains(t, eve.get("/export?format=csv").text, `"near home, rival"`)
}
