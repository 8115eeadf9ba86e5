package web_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

// roleOf returns the id of a role of the account.
func (w *world) roleOf(a account.Account, title string) string {
	w.t.Helper()
	page, err := w.store.Jobs(w.t.Context(), a.ID, track.JobFilter{Search: title})
	require.NoError(w.t, err)
	require.Len(w.t, page.Jobs, 1)
	return page.Jobs[0].ID
}

func TestRolesAreStarredAndHidden(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	a := w.account(ownerEmail, account.PlanUltra, false)
	board := w.engineering(a)
	b := w.signedIn(ownerEmail)
	rope := "/roles/" + w.roleOf(a, "Rope Maker") + "/mark"
	require.Contains(t, b.get("/roles").text, `action="`+rope+`"`)

	page := b.post(rope, url.Values{"do": {"star"}, "back": {"/roles?search=rope"}})
	require.Equal(t, "/roles", page.path)
	require.Contains(t, page.text, "The role is starred.")
	require.Contains(t, page.text, "Take the star from Rope Maker")
	starred := b.get("/roles?marked=starred").text
	require.Contains(t, starred, "Rope Maker")
	require.NotContains(t, starred, "Data Engineer")

	require.Contains(t, b.post(rope, url.Values{"do": {"hide"}}).text, "The role is hidden.")
	for _, path := range []string{"/roles", "/roles?search=rope", "/roles?marked=nonsense"} {
		require.NotContains(t, b.get(path).text, "Star Rope Maker", path)
		require.NotContains(t, b.get(path).text, ">Rope Maker<", path)
	}
	require.Contains(t, b.get("/roles?marked=hidden").text, "Show Rope Maker again")
	require.Contains(t, b.get("/boards/"+board).text, "Show Rope Maker again", "the board shows all that it has")
	b.post(rope, url.Values{"do": {"show"}})
	b.post(rope, url.Values{"do": {"unstar"}})
	require.Contains(t, b.get("/roles").text, "Star Rope Maker")
	marks, err := w.store.Marks(t.Context(), a.ID)
	require.NoError(t, err)
	require.Empty(t, marks)
	require.Equal(t, "/roles", b.post(rope, url.Values{"do": {"star"}, "back": {"https://elsewhere.example/"}}).path)
}

// An application goes through five words, and each is taken back by pressing it again.
func TestAnApplicationHasAStage(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	a := w.account(ownerEmail, account.PlanUltra, false)
	w.engineering(a)
	b := w.signedIn(ownerEmail)
	id := w.roleOf(a, "Rope Maker")
	press := func(stage string) string {
		t.Helper()
		page := b.post("/roles/"+id+"/mark", url.Values{"do": {"stage"}, "stage": {stage}, "back": {"/roles/" + id}})
		require.Equal(t, "/roles/"+id, page.path)
		return page.text
	}
	require.Contains(t, b.get("/roles/"+id).text, `value="applied" aria-pressed="false">I applied today</button>`)
	page := press("applied")
	require.Contains(t, page, "Your status: applied.")
	require.Contains(t, page, `value="applied" aria-pressed="true">Applied</button>`)
	require.Contains(t, page, `name="applied" value="2026-10-21"`)
	require.Contains(t, press("interview"), `value="interview" aria-pressed="true">Interview</button>`)
	require.Contains(t, b.get("/roles?marked=applied").text, `<span class="small muted">interview</span>`)
	require.Contains(t, press("ended"), "Your status: closed by me.")
	require.Contains(t, press("ended"), "Taken back.")
	require.Contains(t, press("applied"), "Taken back.", "the day alone says that somebody has applied")
	require.Contains(t, press("promoted"), "must be applied, interview, offer or ended")
	marks, err := w.store.Marks(t.Context(), a.ID)
	require.NoError(t, err)
	require.Empty(t, marks)
}

func TestWhatIsNotedAboutRolesIsExported(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	a := w.account(ownerEmail, account.PlanUltra, false)
	eve := w.account("eve@northwind.example", account.PlanUltra, false)
	w.engineering(a)
	b := w.signedIn(ownerEmail)
	rope := "/roles/" + w.roleOf(a, "Rope Maker") + "/mark"
	role := strings.TrimSuffix(rope, "/mark")
	b.post(rope, url.Values{"do": {"star"}})
	page := b.post(rope, url.Values{"applied": {"2026-10-20"}, "note": {"=cmd; ask Zoë"}, "back": {role}})
	require.Equal(t, role, page.path)
	require.Contains(t, page.text, "Saved.")
	require.Contains(t, page.text, `name="applied" value="2026-10-20"`)
	require.Contains(t, page.text, ">=cmd; ask Zoë</textarea>")
	require.Contains(t, page.text, "★ Saved")
	require.Contains(t, b.get("/roles").text, "applied 20 Oct 2026")
	require.Contains(t, b.post(rope, url.Values{"applied": {"tomorrow"}}).text, "The day on which you applied must be a day such as 2026-11-20.")

	rows, err := csv.NewReader(strings.NewReader(b.get("/export?what=roles&format=csv").text)).ReadAll()
	require.NoError(t, err)
	require.Equal(t, []string{"starred", "hidden", "appliedOn", "note", "firstSeenOn", "closedOn", "daysOpen", "tags"}, rows[0][8:16])
	noted := map[string][]string{}
	for _, row := range rows[1:] {
		noted[row[0]] = row[8:12]
		require.Equal(t, []string{"2026-10-21", "", "0", ""}, row[12:16])
	}
	require.Equal(t, []string{"true", "false", "2026-10-20", "'=cmd; ask Zoë"}, noted["Rope Maker"])
	require.Equal(t, []string{"false", "false", "", ""}, noted["Data Engineer"])
	var objects []map[string]any
	require.NoError(t, json.Unmarshal([]byte(b.get("/export?what=roles&format=json").text), &objects))
	require.Len(t, objects, 3)
	for _, o := range objects {
		if o["title"] == "Rope Maker" {
			require.Equal(t, []any{true, false, "2026-10-20", "=cmd; ask Zoë"}, []any{o["starred"], o["hidden"], o["appliedOn"], o["note"]})
			require.Equal(t, "open", o["status"])
		} else {
			require.Nil(t, o["note"])
		}
	}

	other := w.signedIn("eve@northwind.example")
	require.Equal(t, http.StatusNotFound, other.post(rope, url.Values{"do": {"star"}}).status, "it is on no board of theirs")
	boards, err := w.store.Tracked(t.Context(), a.ID, "")
	require.NoError(t, err)
	_, _, err = w.store.Subscribe(t.Context(), boardwatch.Subscription{AccountID: eve.ID}, boards[0].Board, "")
	require.NoError(t, err)
	require.Contains(t, other.get("/roles").text, "Star Rope Maker")
	require.NotContains(t, other.get("/roles").text, "applied 20 Oct")
	require.NotContains(t, other.get("/export?what=roles&format=csv").text, "Zoë")
	require.NotContains(t, other.get("/roles?marked=starred").text, ">Rope Maker<")
}

// The file of a search contains exactly what the page of roles shows on all of its pages.
func TestASearchIsExported(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	owner := w.account(ownerEmail, account.PlanUltra, false)
	var rows [][3]string
	for i := range 130 { // more than one page of the list
		rows = append(rows, [3]string{strconv.Itoa(i), fmt.Sprintf("Engineer %d", i), "Oslo"})
	}
	id := w.board(owner, listing(append(rows, [3]string{"cook", "Cook", "Oslo"}, [3]string{"hidden", "Engineer of Hidden Things", "Oslo"})...))
	b := w.signedIn(ownerEmail)
	b.post("/roles/"+w.roleOf(owner, "Engineer of Hidden Things")+"/mark", url.Values{"do": {"hide"}})
	link := regexp.MustCompile(`<a href="(/export[^"]*)">CSV</a>`)
	exported := func(path string) [][]string {
		found := link.FindStringSubmatch(b.get(path).text)
		require.NotNil(t, found, path)
		file := b.get(html.UnescapeString(found[1]))
		require.Equal(t, http.StatusOK, file.status)
		require.Contains(t, file.header.Get("Content-Disposition"), `filename="boardwatch-roles.csv"`)
		lines, err := csv.NewReader(strings.NewReader(file.text)).ReadAll()
		require.NoError(t, err)
		return lines[1:]
	}
	require.Len(t, exported("/roles"), 131)
	require.Len(t, exported("/roles?search=engineer&page=2&board="+id), 130)
	require.Len(t, exported("/roles?search=engineer&marked=hidden"), 1)
	require.Len(t, exported("/roles?search=cook&location=oslo&status=all"), 1)
	require.NotRegexp(t, link, b.get("/roles?search=astronaut").text, "nothing to export")

	wrong := b.get("/export?what=search&format=csv&search=" + strings.Repeat("x", 201))
	require.Equal(t, "/roles", wrong.path, "the page says what is wrong")
	require.Equal(t, http.StatusBadRequest, wrong.status)
	eve := w.signedInAs("eve@northwind.example")
	require.NotContains(t, eve.get("/export?what=search&format=csv&search=engineer").text, "Engineer")
}
