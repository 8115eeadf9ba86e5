package web_test

import (
	"encoding/xml"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

// past creates a board with an updated role and a closed one, and returns their ids by title.
func (w *world) past(a account.Account) (board string, roles map[string]string) {
	w.t.Helper()
	cook, baker, smith := [3]string{"1", "Cook", "Berlin"}, [3]string{"2", "Baker", "Berlin"}, [3]string{"3", "Smith", "Remote"}
	board = w.board(a, listing(cook, baker, smith))
	cook[1], cook[2] = "Head Cook", "Oslo"
	w.readNext(board, listing(cook, baker, smith))
	for range 3 {
		w.readNext(board, listing(cook, smith))
	}
	page, err := w.store.Jobs(w.t.Context(), a.ID, track.JobFilter{})
	require.NoError(w.t, err)
	roles = map[string]string{}
	for _, j := range page.Jobs {
		roles[j.Title] = j.ID
	}
	return board, roles
}

func TestRolePage(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	owner := w.account(ownerEmail, account.PlanUltra, false)
	stranger := w.account("bob@northwind.example", account.PlanUltra, true)
	board, roles := w.past(owner)
	b := w.signedIn(ownerEmail)

	t.Run("says what changed, from what to what", func(t *testing.T) {
		t.Parallel()
		page := b.get("/roles/" + roles["Head Cook"])
		require.Equal(t, http.StatusOK, page.status, w.log)
		for _, text := range []string{
			"<h1>Head Cook</h1>", "<del>Cook</del>", "<ins>Head Cook</ins>", "<del>Berlin</del>", "<ins>Oslo</ins>",
			`href="https://northwind.example/jobs/1"`, `href="/boards/` + board + `"`, "The first reading of the board showed it.",
		} {
			require.Contains(t, page.text, text)
		}
		require.NotContains(t, page.text, "Why it is closed")
	})

	t.Run("says which checks missed a role that is closed", func(t *testing.T) {
		t.Parallel()
		page := b.get("/roles/" + roles["Baker"])
		require.Contains(t, page.text, "Why it is closed")
		require.Contains(t, page.text, "3 healthy checks in a row did not show it")
		history, err := w.store.History(t.Context(), board, 10)
		require.NoError(t, err)
		_, missed, found := strings.Cut(page.text, `<ol class="missed">`)
		require.True(t, found)
		missed, _, _ = strings.Cut(missed, "</ol>")
		for _, check := range history {
			require.Equal(t, check.Missed > 0, strings.Contains(missed, check.At.UTC().Format(time.RFC3339)), check.ID)
			require.NotContains(t, page.text, check.ID)
		}
	})

	t.Run("is led to by every list of roles", func(t *testing.T) {
		t.Parallel()
		for _, path := range []string{"/roles", "/boards/" + board, "/changes"} {
			require.Contains(t, b.get(path).text, `href="/roles/`+roles["Head Cook"]+`"`, path)
		}
		require.Contains(t, b.get("/roles?status=closed").text, `href="/roles/`+roles["Baker"]+`"`)
	})

	t.Run("is nothing to somebody who does not track the board", func(t *testing.T) {
		t.Parallel()
		other := w.signedIn(stranger.Email)
		for _, path := range []string{"/roles/" + roles["Baker"], "/roles/" + boardwatch.NewID(), "/roles/x"} {
			page := other.get(path)
			require.Equal(t, http.StatusNotFound, page.status, path)
			require.NotContains(t, page.text, "Baker")
		}
		page := w.browser().get("/roles/" + roles["Baker"])
		require.NotContains(t, page.text, "Baker")
		require.Contains(t, page.text, "Sign in")
	})
}

func TestChangesSayWhatChanged(t *testing.T) {
	t.Parallel()
	w := newWorld(t, worldOptions{})
	owner := w.account(ownerEmail, account.PlanUltra, false)
	board, _ := w.past(owner)
	cook, baker, smith := [3]string{"1", "Head Cook", "Oslo"}, [3]string{"2", "Baker", "Bergen"}, [3]string{"3", "Smith", "Remote"}
	w.readNext(board, listing(cook, baker, smith))
	b := w.signedIn(ownerEmail)

	t.Run("in the app", func(t *testing.T) {
		t.Parallel()
		page := b.get("/changes")
		for _, text := range []string{"Watching 3 open roles", "<del>Cook</del>", "<ins>Head Cook</ins>", ">reopened</span>", "<ins>Bergen</ins>"} {
			require.Contains(t, page.text, text)
		}
		require.NotContains(t, page.text, ">new</span>", "the first reading is no news")
		reopened := b.get("/changes?kind=reopened").text
		require.Contains(t, reopened, "Baker")
		require.NotContains(t, reopened, "Watching")
	})

	t.Run("in the feed", func(t *testing.T) {
		t.Parallel()
		var feed struct {
			Entries []struct {
				Title   string `xml:"title"`
				Content string `xml:"content"`
			} `xml:"entry"`
		}
		require.NoError(t, xml.Unmarshal([]byte(b.get("/feeds/"+feedToken(t, b)).text), &feed))
		var entryTitles []string
		for _, e := range feed.Entries {
			entryTitles = append(entryTitles, e.Title)
		}
		require.Equal(t, []string{"Northwind: 1 reopened", "Northwind: 1 closed", "Northwind: 1 updated", "Northwind: watching 3 open roles"}, entryTitles)
		require.Contains(t, feed.Entries[2].Content, "<br>Title: Cook → Head Cook")
		require.Contains(t, feed.Entries[0].Content, "<br>Location: Berlin → Bergen")
	})

	t.Run("and the home page counts no first reading", func(t *testing.T) {
		t.Parallel()
		fresh := w.account("cy@northwind.example", account.PlanUltra, false)
		w.board(fresh, listing([3]string{"1", "Cook", ""}, [3]string{"2", "Baker", ""}))
		page := w.signedIn(fresh.Email).get("/boards").text
		require.Contains(t, page, `<b>0</b><span>new in 24 hours</span>`)
		require.NotContains(t, page, `class="up"`)
	})
}
