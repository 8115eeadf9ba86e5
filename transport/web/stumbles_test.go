package web_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
)

// acorn adds a page with one role to the account's list and to no other.
func (w *world) acorn(a account.Account, titles ...string) (id string) {
	w.t.Helper()
	reading := boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: -1, Company: "Acorn Foods", Domain: "acorn.example"}
	for _, title := range titles {
		reading.Postings = append(reading.Postings, boardwatch.Posting{Key: title, Title: title, URL: "https://acorn.example/jobs/" + url.PathEscape(title)})
	}
	return w.board(a, reading)
}

func TestACompanysNameIsAnsweredWithWhatToPaste(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	w.acorn(w.account("eve@northwind.example", account.PlanUltra, false), "Baker")
	w.account(ownerEmail, account.PlanUltra, false)
	b := w.signedIn(ownerEmail)
	known := b.post("/boards", url.Values{"url": {"acorn"}})
	require.Equal(t, http.StatusBadRequest, known.status)
	require.Contains(t, known.text, "The address must be the address of a careers page, or the company&#39;s domain such as acorn.example; a name is not enough.")
	require.Contains(t, known.text, "Acorn Foods")
	suggested := regexp.MustCompile(`name="url" value="(https://[a-f0-9]{24}\.example/careers)"`).FindStringSubmatch(known.text)
	require.NotNil(t, suggested, known.text)
	require.Contains(t, b.post("/boards", url.Values{"url": {suggested[1]}}).text, "is on your list")

	unknown := b.post("/boards", url.Values{"url": {"Nobody & Sons"}})
	require.Contains(t, unknown.text, "a name is not enough")
	require.NotContains(t, unknown.text, "Did you mean")
}

func TestABoardThatIsOnTheListAlreadyIsLinkedTo(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	owner := w.account(ownerEmail, account.PlanUltra, false)
	b := w.signedIn(ownerEmail)
	b.post("/boards", url.Values{"url": {"acorn.example"}})
	boards, err := w.store.Tracked(t.Context(), owner.ID, "")
	require.NoError(t, err)
	at := `<a href="/boards/` + boards[0].Board.ID + `">`
	require.Contains(t, b.post("/boards", url.Values{"url": {"acorn.example"}}).text, "That board is already on your list. "+at+"Show it</a>")
	imported := b.upload("/import", map[string]string{"text": "acorn.example\n", "do": "import"})
	require.Contains(t, imported.text, at+"acorn.example</a>")
}

// A flash is a cookie, but whatever a browser sends as one, its link leads only to this site.
func TestAFlashLeadsToThisSiteAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	w.account(ownerEmail, account.PlanUltra, false)
	b := w.signedIn(ownerEmail)
	for _, value := range []string{"good.SGk.U2hvdw.aHR0cHM6Ly9ldmlsLmV4YW1wbGU", "good.SGk", "good.SGk.*.*", "evil.SGk.U2hvdw.L2JvYXJkcw"} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, w.site.URL+"/boards", nil)
		require.NoError(t, err)
		r.AddCookie(&http.Cookie{Name: "boardwatch-flash", Value: value})
		page := b.do(r)
		require.Equal(t, http.StatusOK, page.status)
		require.NotContains(t, page.text, "evil.example", value)
		require.NotContains(t, page.text, ">Show</a>", value)
	}
}

func TestTheImportTakesItsOwnPlaceholder(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	w.account(ownerEmail, account.PlanUltra, false)
	b := w.signedIn(ownerEmail)
	placeholder := regexp.MustCompile(`(?s)<textarea[^>]*placeholder="([^"]*)"`).FindStringSubmatch(b.get("/import").text)
	require.NotNil(t, placeholder)
	text := strings.ReplaceAll(placeholder[1], "&#10;", "\n")
	require.Contains(t, b.upload("/import", map[string]string{"text": text, "do": "try"}).text, "3 would be added, 0 already on your list, 0 refused")

	kept := b.upload("/import", map[string]string{"text": "ftp://nowhere.example, Acme", "do": "import"})
	require.Contains(t, kept.text, ">ftp://nowhere.example, Acme</textarea>", "what was refused stays with its name")
	require.Contains(t, b.upload("/import", map[string]string{"text": "acorn", "do": "import"}).text, "The address must be the address of a careers page")
}

// The board's page tells the person who asked for a check that it is under way, and then its result.
func TestACheckIsFollowedToItsEnd(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	owner := w.account(ownerEmail, account.PlanUltra, false)
	id := w.acorn(owner, "Baker")
	w.pass(2 * time.Minute)
	b := w.signedIn(ownerEmail)
	asked := b.post("/boards/"+id+"/check", nil)
	require.Contains(t, asked.text, "This board is being checked.")
	require.Contains(t, asked.text, ">now</time></dd>")
	require.Contains(t, asked.text, "data-busy")
	require.Contains(t, asked.text, `<noscript><meta http-equiv="refresh"`)
	require.NotContains(t, asked.text, "days ago")

	w.pass(time.Second)
	at := "/boards/" + id + "?" + asked.query
	w.read(id, boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: -1, Postings: []boardwatch.Posting{{Key: "Baker", Title: "Baker"}, {Key: "Miller", Title: "Miller"}}})
	done := b.get(at)
	require.Contains(t, done.text, "The check is done: 1 new, 1 updated.")
	require.NotContains(t, done.text, "data-busy")
	require.Contains(t, b.get("/boards/"+id+"?checked=nonsense").text, "Acorn Foods")

	w.pass(2 * time.Minute)
	again := b.post("/boards/"+id+"/check", nil)
	w.read(id, boardwatch.Failed(cause.SiteError, "the page answered 500"))
	require.Contains(t, b.get("/boards/"+id+"?"+again.query).text, "The check is done: the board could not be read.")
}

func TestClosedRolesAreFoundBehindManyOtherChanges(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	owner := w.account(ownerEmail, account.PlanUltra, false)
	id := w.acorn(owner, "Baker", "Miller", "Grocer", "Beekeeper")
	reading := func(place string) boardwatch.Reading {
		r := boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: -1}
		for _, title := range []string{"Miller", "Grocer", "Beekeeper"} {
			r.Postings = append(r.Postings, boardwatch.Posting{Key: title, Title: title, Location: place})
		}
		return r
	}
	for n := range 50 {
		w.pass(time.Hour)
		w.read(id, reading("Hall "+strings.Repeat("I", 1+n)))
	}
	page := w.signedIn(ownerEmail).get("/changes?kind=closed")
	require.Contains(t, page.text, "Baker")
	require.NotContains(t, page.text, "Nothing yet")
	require.NotContains(t, page.text, ">updated<")
}

func TestNothingIsDeletedWithoutAsking(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	owner := w.account(ownerEmail, account.PlanUltra, true)
	w.webhooks(owner)
	id := w.acorn(owner, "Baker")
	_, _, err := w.keys.Create(t.Context(), owner, "CI pipeline")
	require.NoError(t, err)
	w.connectApps(owner)
	b := w.signedIn(ownerEmail)
	asks := regexp.MustCompile(`<a class="[^"]*delete[^"]*" href="([^"]+)"`)
	for _, path := range []string{"/boards", "/boards/" + id, "/settings/keys", "/settings/webhooks", "/settings/apps"} {
		page := b.get(path)
		require.NotContains(t, page.text, "data-confirm", path)
		links := asks.FindAllStringSubmatch(page.text, -1)
		require.NotEmpty(t, links, path)
		for _, link := range links {
			question := b.get(link[1])
			require.Equal(t, http.StatusOK, question.status, link[1])
			require.Contains(t, question.text, `<form method="post" action="`+link[1]+`">`)
			require.Contains(t, question.text, ">Cancel</a>")
		}
	}
	require.Contains(t, b.get("/boards").text, "Acorn Foods", "asking does nothing")
	require.Equal(t, http.StatusNotFound, b.get("/settings/keys/"+boardwatch.NewID()+"/delete").status)
	require.Equal(t, http.StatusNotFound, w.signedInAs("eve@northwind.example").get("/boards/"+id+"/remove").status, "of somebody else's board")
}

// Buttons that need the script are hidden until it runs.
func TestButtonsThatNeedTheScriptAreHiddenWithoutIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	w.account(ownerEmail, account.PlanUltra, true)
	b := w.signedIn(ownerEmail)
	buttons := regexp.MustCompile(`<button type="button"[^>]*>`)
	for _, path := range []string{"/boards", "/settings/email", "/settings/keys", "/admin"} {
		for _, button := range buttons.FindAllString(b.get(path).text, -1) {
			require.Contains(t, button, "data-scripted hidden", path)
		}
	}
	made := b.post("/settings/keys", url.Values{"name": {"CI pipeline"}})
	require.Contains(t, made.text, `data-copy="secret" data-scripted hidden`)
}

// Reloading the page of a new secret does not create another one.
func TestLoadingThePageOfASecretAgainMakesNoOther(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	owner := w.account(ownerEmail, account.PlanUltra, false)
	b := w.signedIn(ownerEmail)
	for path, form := range map[string]url.Values{
		"/settings/keys":     {"name": {"CI pipeline"}},
		"/settings/webhooks": {"url": {"https://hooks.example/boardwatch"}, "events": {"job.found"}},
	} {
		made := b.post(path, form)
		require.Equal(t, http.MethodGet, made.method, "the page that shows the secret is one that can be loaded again")
		require.Equal(t, path, made.path)
		require.Contains(t, made.text, " now</h2>")
		require.NotContains(t, b.get(path).text, "shown this once", "it is shown once")
	}
	keys, err := w.store.Keys(t.Context(), owner.ID)
	require.NoError(t, err)
	require.Len(t, keys, 1)
}

func TestAWebhookHasANameAndCanBeChanged(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	owner := w.account(ownerEmail, account.PlanUltra, false)
	b := w.signedIn(ownerEmail)
	b.post("/settings/webhooks", url.Values{"name": {"Team chat"}, "url": {"https://hooks.example/a"}, "events": {"job.found"}})
	require.Contains(t, b.get("/settings/webhooks").text, ">Team chat</a></h2>")
	twice := b.post("/settings/webhooks", url.Values{"url": {"https://hooks.example/a"}, "events": {"job.found"}})
	require.Equal(t, http.StatusBadRequest, twice.status)
	require.Contains(t, twice.text, "The address is that of another webhook of yours: change that one, or delete it first.")

	hooks, err := w.store.Webhooks(t.Context(), owner.ID)
	require.NoError(t, err)
	require.Len(t, hooks, 1)
	at := "/settings/webhooks/" + hooks[0].ID
	require.Contains(t, b.get(at).text, `value="Team chat"`)
	same := b.post(at, url.Values{"name": {"Chat"}, "url": {"https://hooks.example/b"}, "events": {"board.failed"}})
	require.Contains(t, same.text, "Its signing secret is the same as before.")
	moved := b.post(at, url.Values{"name": {"Chat"}, "url": {"https://elsewhere.example/b"}, "events": {"board.failed"}})
	secret := regexp.MustCompile(`value="(whsec_[A-Za-z0-9_-]{43})"`).FindStringSubmatch(moved.text)
	require.NotNil(t, secret, "another host gets another secret")
	require.NotEqual(t, hooks[0].Secret, secret[1])
	hooks, err = w.store.Webhooks(t.Context(), owner.ID)
	require.NoError(t, err)
	require.Equal(t, secret[1], hooks[0].Secret)
	require.Equal(t, []boardwatch.EventType{boardwatch.EventBoardFailed}, hooks[0].Events)

	refused := b.post(at, url.Values{"name": {"Chat"}, "url": {"http://elsewhere.example/b"}})
	require.Equal(t, http.StatusBadRequest, refused.status)
	require.Contains(t, refused.text, `aria-invalid="true" autofocus aria-describedby="url-hint wrong-settings-webhooks-`)
	require.Equal(t, http.StatusNotFound, w.signedInAs("eve@northwind.example").get(at).status)
}

func TestTheLogOfAWebhookNamesBoardBodyAndAnswer(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	owner := w.account(ownerEmail, account.PlanUltra, false)
	w.webhooks(owner)
	id := w.acorn(owner, "Baker")
	w.deliverAll(func(string) boardwatch.Receipt {
		return boardwatch.Receipt{Code: 503, Error: "answered 503 Service Unavailable: we are asleep", Duration: time.Second}
	})
	b := w.signedIn(ownerEmail)
	log := b.get("/settings/webhooks")
	require.Contains(t, log.text, `<a href="/boards/`+id+`">Acorn Foods</a>`)
	at := regexp.MustCompile(`/settings/webhooks/[a-f0-9]{24}/deliveries/[^/"]+`).FindString(log.text)
	require.NotEmpty(t, at)
	shown := b.get(at)
	require.Contains(t, shown.text, "Acorn Foods")
	require.Contains(t, shown.text, "&#34;title&#34;: &#34;Baker&#34;")
	require.Contains(t, shown.text, `<p class="small bad">we are asleep</p>`, "the chip says the rest")
	require.Equal(t, http.StatusNotFound, w.signedInAs("eve@northwind.example").get(at).status)
}

// Errors of a form are shown beside the field, as sentences, and the field refers to them for people who cannot see.
func TestErrorsStandBesideTheirField(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	w.account(ownerEmail, account.PlanUltra, false)
	b := w.signedIn(ownerEmail)
	for _, tt := range []struct {
		path, input, sentence string
		form                  url.Values
	}{
		{"/settings/account/email", "email-password", "The password is wrong.", url.Values{"email": {"new@northwind.example"}, "password": {"wrong"}}},
		{"/settings/account/password", "new", "The new password must be at least 12 characters.", url.Values{"password": {password}, "new": {"short"}}},
		{"/settings/account/delete", "delete-password", "The password is wrong.", url.Values{"password": {"wrong"}}},
		{"/settings/keys", "name", "The name must not be empty.", url.Values{"name": {" "}}},
		{"/settings/webhooks", "url", "The address must begin with https://.", url.Values{"url": {"http://hooks.example"}, "events": {"job.found"}}},
		{"/settings/email", "zone", "The time zone is not a known time zone: use a name such as Europe/Berlin.", url.Values{"hour": {"7"}, "zone": {"Mars/Olympus"}}},
	} {
		page := b.post(tt.path, tt.form)
		require.Equal(t, http.StatusBadRequest, page.status, tt.path)
		require.Regexp(t, `<input id="`+tt.input+`"[^>]*aria-invalid="true"`, page.text, tt.path)
		beside := regexp.MustCompile(`<div class="wrong" id="(wrong[^"]*)"><p>` + regexp.QuoteMeta(tt.sentence)).FindStringSubmatch(page.text)
		require.NotNil(t, beside, "%s: %s", tt.path, tt.sentence)
		require.Regexp(t, `<input id="`+tt.input+`"[^>]*aria-describedby="[^"]*`+beside[1]+`"`, page.text, tt.path)
		require.Equal(t, 1, strings.Count(page.text, `aria-invalid="true"`), tt.path)
	}
	require.Contains(t, b.post("/settings/account/email", url.Values{"email": {"new@northwind.example"}, "password": {"wrong"}}).text, `value="new@northwind.example"`)
}

// Users read what happened; advice about settings goes to operators only.
func TestAdviceAboutSettingsIsForOperators(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	wall := boardwatch.Reading{Health: boardwatch.HealthBlocked, Cause: cause.Wall, Reason: "blocked by Cloudflare, which shows a captcha", Claimed: -1}
	for email, told := range map[string]bool{ownerEmail: true, "eve@northwind.example": false} {
		a := w.account(email, account.PlanUltra, told)
		page := w.signedIn(email).get("/boards/" + w.board(a, wall))
		require.Contains(t, page.text, "shows a captcha")
		require.Equal(t, told, strings.Contains(page.text, "http.proxy"), email)
	}
}

// What was never read is not known to have no roles.
func TestABoardThatWasNeverReadCountsNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	owner := w.account(ownerEmail, account.PlanUltra, false)
	id := w.board(owner, boardwatch.Failed(cause.Unreachable, "no roles can be read at acorn.example: the host does not exist"))
	b := w.signedIn(ownerEmail)
	page := b.get("/boards/" + id).text
	require.Contains(t, page, "<b>—</b><span>open roles</span>")
	require.NotRegexp(t, `open <span>0|closed <span>0|<b>0</b>`, page)
	require.NotContains(t, page, "From tomorrow on", "nothing is watched yet")
	require.Regexp(t, `data-label="open now">—<.*\n.*data-label="30 days">—<`, b.get("/compare").text)
	require.Contains(t, b.get("/boards").text, ": the host does not exist.</p>", "said once")
}

// Boards are chosen by name, whatever was added first, and a place says "remote" once.
func TestChoicesOfBoardsAreByName(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	owner := w.account(ownerEmail, account.PlanUltra, false)
	for _, company := range []string{"zinc", "Acorn", "mill"} {
		reading := listing([3]string{company, "Baker", "Remote"})
		reading.Company, reading.Postings[0].Facts.Mode = company, boardwatch.ModeRemote
		w.board(owner, reading)
	}
	b := w.signedIn(ownerEmail)
	for _, path := range []string{"/roles", "/changes"} {
		require.Regexp(t, `(?s)<option[^>]*>Acorn<.*<option[^>]*>mill<.*<option[^>]*>zinc<`, b.get(path).text, path)
	}
	require.NotContains(t, b.get("/roles").text, ">remote</div>")
}

// Who has saved no search yet is told how, where searches begin.
func TestHowToSaveASearchIsSaid(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	w.acorn(w.account(ownerEmail, account.PlanUltra, false), "Baker")
	b := w.signedIn(ownerEmail)
	const hint = "then you can save the search under a name"
	require.Contains(t, b.get("/roles").text, hint)
	require.NotContains(t, b.get("/roles?search=baker").text, hint, "the form is there instead")
	b.post("/searches", url.Values{"name": {"Bakers"}, "search": {"baker"}, "kind": {"found"}})
	require.NotContains(t, b.get("/roles").text, hint)
}

// A role whose text is not kept says so, and where it can be read while it is open.
func TestARoleWithoutATextSaysSo(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	owner := w.account(ownerEmail, account.PlanUltra, false)
	w.acorn(owner, "Baker")
	page := w.signedIn(ownerEmail).get("/roles/" + w.roleOf(owner, "Baker")).text
	require.Contains(t, page, `The text of this posting is not kept here. <a href="https://acorn.example/jobs/Baker"`)
	require.NotContains(t, page, "What the employer says")
}

func TestAPageOfTheCompanysOwnIsNamedOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	owner := w.account(ownerEmail, account.PlanUltra, false)
	page := w.signedIn(ownerEmail).get("/boards/" + w.acorn(owner, "Baker"))
	require.Equal(t, 1, strings.Count(page.text, "careers page<"))
	require.NotContains(t, page.text, "careers page · ")
}

func TestBoardsArePagedForwardAndBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	w.account(ownerEmail, account.PlanPro, false)
	b := w.signedIn(ownerEmail)
	var list strings.Builder
	for n := range 101 {
		list.WriteString("company" + strings.Repeat("x", n) + ".example\n")
	}
	b.upload("/import", map[string]string{"text": list.String(), "do": "import"})
	first := b.get("/boards?sort=company")
	require.NotContains(t, first.text, "Older")
	require.Regexp(t, `rel="next"[^>]*>Next<`, first.text)
	require.Regexp(t, `rel="prev"[^>]*>Previous<`, b.get("/boards?sort=company&page=2").text)
}

func TestTheCountOfTabsFollowsTheSearch(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	owner := w.account(ownerEmail, account.PlanUltra, false)
	w.acorn(owner, "Baker")
	b := w.signedIn(ownerEmail)
	b.post("/boards", url.Values{"url": {"northwind.example"}})
	require.Contains(t, b.get("/boards").text, ">all <span>2</span>")
	found := b.get("/boards?q=northwind")
	require.Contains(t, found.text, ">all <span>1</span>")
	require.NotContains(t, found.text, ">ready <span>")
}

// A list of changes that is empty says what to do next: add a board, or drop the filters.
func TestAnEmptyListOfChangesLeadsOn(t *testing.T) {
	t.Parallel()
	w, _ := furnished(t)
	filtered := w.signedIn(ownerEmail).get("/changes?before=1")
	require.Contains(t, filtered.text, `<a class="button" href="/changes">Show all changes</a>`)
	require.NotContains(t, filtered.text, "Nothing yet")

	stranger := w.account("eve@northwind.example", account.PlanFree, true)
	empty := w.signedIn(stranger.Email).get("/changes")
	require.Contains(t, empty.text, "Nothing yet")
	require.Contains(t, empty.text, `<a class="button main" href="/boards">Add a board</a>`)
}
