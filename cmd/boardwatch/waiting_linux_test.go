package main_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	main "github.com/boardwatch/boardwatch/cmd/boardwatch"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command/terminaltest"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/demo"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/sqlite"
)

// showing returns what a piece of work shows on standard error, when that is a terminal of 80 columns.
func showing(t *testing.T, work func(c *command.CLI)) string {
	t.Helper()
	return terminaltest.Show(t, func(tty *os.File) {
		work(&command.CLI{In: strings.NewReader(""), Out: io.Discard, Err: tty, ErrTerm: command.TerminalOf(tty), Now: time.Now})
	})
}

// longBoard is a careers page that shows its 60 roles on six pages, and says how many there are if total is true.
func longBoard(t *testing.T, total bool) (address string) {
	t.Helper()
	const pages, each = 6, 10
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, _ := strconv.Atoi(r.URL.Query().Get("page")) // none is the first page
		n = max(n, 1)
		if r.URL.Path != "/careers" || n > pages {
			http.NotFound(w, r)
			return
		}
		_, _ = io.WriteString(w, "<!doctype html><title>Jobs at Northwind</title><h1>Open positions</h1>")
		if total {
			_, _ = fmt.Fprintf(w, "<p>Showing %d-%d of %d jobs</p>", (n-1)*each+1, n*each, pages*each)
		}
		_, _ = io.WriteString(w, "<ul>")
		for i := range each {
			_, _ = fmt.Fprintf(w, `<li><a href="/jobs/%d">Keeper of Lighthouse %[1]d</a></li>`, (n-1)*each+i)
		}
		_, _ = io.WriteString(w, "</ul>")
		if n < pages {
			_, _ = fmt.Fprintf(w, `<nav class="pagination"><a rel="next" href="/careers?page=%d">Next</a></nav>`, n+1)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL + "/careers"
}

func TestOneLongBoardIsReadUnderABar(t *testing.T) {
	t.Parallel()
	read := func(total bool, args ...string) string {
		address := longBoard(t, total)
		return showing(t, func(c *command.CLI) {
			c.Environ = []string{"HOME=" + t.TempDir(), "BOARDWATCH_DEV=true", "BOARDWATCH_HTTP_PAUSE=0s"}
			c.Now = func() time.Time { return time.Now().Add(-time.Minute) } // it has been going on for a while
			require.Zero(t, main.Execute(t.Context(), c, append([]string{"scrape", address}, args...)))
		})
	}
	bar := read(true)
	require.Contains(t, bar, "Reading the list")
	require.Contains(t, bar, "/60")
	require.Contains(t, bar, "%")
	require.Empty(t, strings.TrimSpace(bar[strings.LastIndexAny(bar, "K\r")+1:]), "the bar is taken away")
	require.Contains(t, read(false), "Reading the list: 10 roles so far", "where nothing says how many there are")
	require.NotContains(t, read(true, "--explain"), "Reading the list", "steps are told instead")
}

func TestACheckIsAwaited(t *testing.T) {
	t.Parallel()
	site := newCareersSite(t, demo.Role{ID: 1, Title: "Lock Keeper", Location: "Delft", Department: "Water"})
	i := install(t, onSQLite(t), "BOARDWATCH_DEV=true", "BOARDWATCH_BROWSER_MODE=never", "BOARDWATCH_LOG_LEVEL=error")
	i.do(&struct{}{}, "account", "create", "--email", e2eEmail, "--plan", "ultra", "--verified")
	i.do(&struct{}{}, "board", "add", "--account", e2eEmail, site.URL+"/careers")
	id := i.board().ID
	await := func(ctx context.Context, now func() time.Time) (code int, out, shown string) {
		var result output
		shown = showing(t, func(c *command.CLI) {
			c.Environ, c.Out, c.Now = i.env, &result, now
			code = main.Execute(ctx, c, []string{"board", "check", id, "--wait"})
		})
		return code, result.String(), shown
	}

	impatient, cancel := context.WithCancel(t.Context())
	defer cancel()
	at, looks := time.Now(), 0
	code, out, shown := await(impatient, func() time.Time {
		if looks++; looks == 4 { // the beginning, and three looks
			cancel()
		}
		at = at.Add(20 * time.Second)
		return at
	})
	require.NotZero(t, code)
	require.Empty(t, out, "nobody reads it")
	require.Contains(t, shown, "Checking: 20s so far")
	require.Equal(t, 1, strings.Count(shown, "no service is running"))

	began, done := make(chan struct{}), make(chan struct{})
	var once sync.Once
	go func() {
		defer close(done)
		code, out, _ = await(t.Context(), func() time.Time { once.Do(func() { close(began) }); return time.Now() })
	}()
	<-began
	i.serve()
	<-done
	require.Zero(t, code)
	var check struct {
		Health boardwatch.Health `json:"health"`
		First  bool              `json:"first"`
		Open   int               `json:"openJobs"`
	}
	require.NoError(t, json.Unmarshal([]byte(out), &check), out)
	require.Equal(t, boardwatch.HealthOK, check.Health)
	require.True(t, check.First)
	require.Equal(t, 1, check.Open)
	code, _, shown = await(t.Context(), time.Now)
	require.Equal(t, 1, code)
	require.Contains(t, shown, "it was checked less than a minute ago")
}

// checkedBefore makes a database with a board whose only check was five minutes ago, and took so long.
func checkedBefore(t *testing.T, file string, took time.Duration) (boardID string) {
	t.Helper()
	ctx := t.Context()
	s, err := sqlite.Open(ctx, file, storage.Options{Now: func() time.Time { return time.Now().Add(-5 * time.Minute) }})
	require.NoError(t, err)
	defer func() { require.NoError(t, s.Close()) }()
	owner := account.Account{
		ID: boardwatch.NewID(), Email: e2eEmail, Plan: account.PlanUltra, Verified: true, CreatedAt: boardwatch.Milli(time.Now()),
	}
	require.NoError(t, s.CreateAccount(ctx, owner))
	_, _, err = s.Subscribe(ctx, boardwatch.Subscription{AccountID: owner.ID}, boardwatch.Board{
		Source: "greenhouse:contoso", URL: "https://boards.greenhouse.io/contoso", Status: boardwatch.BoardScraping,
	}, "")
	require.NoError(t, err)
	claims, err := s.ClaimDue(ctx, 1, time.Minute, boardwatch.ClaimFilter{})
	require.NoError(t, err)
	require.Len(t, claims, 1)
	reading := boardwatch.Reading{
		Claimed: -1, Health: boardwatch.HealthOK, Took: took,
		Postings: []boardwatch.Posting{{Key: "1", Title: "Lock Keeper", URL: "https://jobs.example/1"}},
	}
	require.NoError(t, s.SaveCheck(ctx, claims[0], func(in boardwatch.CheckInput) boardwatch.CheckResult {
		return boardwatch.Decide(in, reading, false, boardwatch.DefaultRules(), boardwatch.NewID)
	}))
	return claims[0].Board.ID
}

func TestACheckIsAwaitedUnderABar(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "await.db")
	i := install(t, "sqlite:"+file, "BOARDWATCH_LOG_LEVEL=error")
	id := checkedBefore(t, file, 2*time.Minute)

	impatient, cancel := context.WithCancel(t.Context())
	defer cancel()
	at, looks := time.Now(), 0
	shown := showing(t, func(c *command.CLI) {
		c.Environ = i.env
		c.Now = func() time.Time {
			if looks++; looks == 8 { // the beginning, and seven looks
				cancel()
			}
			at = at.Add(20 * time.Second)
			return at
		}
		require.NotZero(t, main.Execute(impatient, c, []string{"board", "check", id, "--wait"}))
	})
	require.Contains(t, shown, "Checking, about 20s left")
	require.Contains(t, shown, "83%")
	require.Contains(t, shown, "Checking: 2m0s so far, longer than the last time (2m0s)")
	before, _, told := strings.Cut(shown, "no service is running")
	require.True(t, told)
	require.Contains(t, before, "2m0s so far", "a check of this board takes longer than half a minute")
}
