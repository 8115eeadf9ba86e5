package web_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

// The size of the account whose pages are measured.
const (
	measuredBoards = 50
	measuredRoles  = 400 // on each board
)

// large returns a world whose owner tracks 50 boards with 20,000 roles and has been away since before the last changes.
func large(b *testing.B) (*world, *browser) {
	b.Helper()
	w := newWorld(b, worldOptions{})
	owner := w.account(ownerEmail, account.PlanPro, false)
	person := w.signedIn(ownerEmail)
	person.get("/changes")
	w.pass(2 * time.Hour)
	reading := func(board, from int) boardwatch.Reading {
		r := boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: -1, Company: "Company " + strconv.Itoa(board)}
		for i := from; i < from+measuredRoles; i++ {
			n := strconv.Itoa(i)
			r.Postings = append(r.Postings, boardwatch.Posting{
				Key: n, Title: []string{"Engineer ", "Designer ", "Baker "}[i%3] + n, Location: fmt.Sprint("Place ", i%40), Department: fmt.Sprint("Team ", i%17),
				URL: fmt.Sprintf("https://company-%d.example/jobs/%s", board, n),
			})
		}
		return r
	}
	var ids []string
	for i := range measuredBoards {
		ids = append(ids, w.board(owner, reading(i, 0)))
	}
	for day := range 8 {
		for i, id := range ids {
			if i == 0 {
				w.pass(24 * time.Hour)
			}
			w.read(id, reading(i, 4*(day+1)))
		}
	}
	require.NoError(b, w.store.CreateSearch(b.Context(), boardwatch.Search{
		ID: keptSearch, AccountID: owner.ID, Name: "Engineers", CreatedAt: w.clock(), Criteria: boardwatch.Criteria{Text: "engineer"},
	}, track.MaxSearches))
	return w, person
}

// BenchmarkPages opens every page that shows roles of an account with 50 boards and 20,000 roles, and changes something in
// place. It reports how long 95 of 100 take at most.
func BenchmarkPages(b *testing.B) {
	w, person := large(b)
	owner, err := w.store.AccountByEmail(b.Context(), ownerEmail)
	require.NoError(b, err)
	boards, err := w.store.Tracked(b.Context(), owner.ID, "")
	require.NoError(b, err)
	jobs, err := w.store.Jobs(b.Context(), owner.ID, track.JobFilter{Limit: 1})
	require.NoError(b, err)
	board, role := "/boards/"+boards[0].Board.ID, "/roles/"+jobs.Jobs[0].ID
	tag := "/boards/" + boards[1].Board.ID + "/tags"
	compared := url.Values{}
	for _, t := range boards[:5] {
		compared.Add("board", t.Board.ID)
	}
	for _, path := range []string{
		"/boards", board, "/roles", "/roles?search=engineer&page=20", "/roles?sort=-title&page=20", "/roles?location=place+7&department=team", "/changes", "/compare?" + compared.Encode(), role,
		"/searches/" + keptSearch, w.publish(owner, keptSearch), "/settings/account", "/import",
	} {
		b.Run("GET "+nameOfPath(path), func(b *testing.B) {
			measured(b, func() {
				w.pass(2 * time.Second) // a reader of shared lists has one turn a second
				require.Equal(b, http.StatusOK, person.get(path).status)
			})
		})
	}
	star := false
	for name, post := range map[string]func() (string, url.Values){
		"star": func() (string, url.Values) {
			star = !star
			return role + "/mark", url.Values{"do": {map[bool]string{true: "star", false: "unstar"}[star]}, "back": {role}}
		},
		"tag":  func() (string, url.Values) { return tag, url.Values{"tags": {"near home"}} },
		"seen": func() (string, url.Values) { return "/changes/seen", url.Values{"until": {"1"}, "do": {"seen"}} },
	} {
		b.Run("POST "+name, func(b *testing.B) {
			person := *person
			person.http = &http.Client{Jar: person.http.Jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
			measured(b, func() {
				path, form := post()
				require.Equal(b, http.StatusSeeOther, person.post(path, form).status)
			})
		})
	}
}

// nameOfPath is the path without ids.
func nameOfPath(path string) string {
	u, err := url.Parse(path)
	if err != nil {
		return path
	}
	if first, _, found := strings.Cut(u.Path[1:], "/"); found && first != "settings" {
		return "/" + first + "/…"
	}
	if u.RawQuery != "" && len(u.RawQuery) < 60 {
		return u.Path + "?" + u.RawQuery
	}
	return u.Path
}

// measured reports the 95th percentile of how long something takes.
func measured(b *testing.B, do func()) {
	b.Helper()
	took := make([]time.Duration, 0, b.N)
	for b.Loop() {
		began := time.Now()
		do()
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
}
