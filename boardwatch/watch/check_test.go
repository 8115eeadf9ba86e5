package watch_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/boardwatch/watch"
	"github.com/boardwatch/boardwatch/storage"
)

// world is a real store with one account, whose boards are due all the time.
type world struct {
	store   *storage.Store
	account account.Account
}

func setup(t *testing.T) world {
	t.Helper()
	w := world{store: openStore(t), account: account.Account{
		ID: boardwatch.NewID(), Email: "robin@northwind.example", Plan: account.PlanUltra, Verified: true,
		CreatedAt: boardwatch.Milli(time.Now()),
	}}
	require.NoError(t, w.store.CreateAccount(t.Context(), w.account))
	return w
}

// track adds a board to the account's list; an empty source has to be discovered.
func (w world) track(t *testing.T, source, url string) boardwatch.Board {
	t.Helper()
	status := boardwatch.BoardScraping
	if source == "" {
		status = boardwatch.BoardPending
	}
	b, _, err := w.store.Subscribe(t.Context(), boardwatch.Subscription{AccountID: w.account.ID},
		boardwatch.Board{Source: source, URL: url, Status: status}, url)
	require.NoError(t, err)
	return b
}

// claim waits for the next due board.
func (w world) claim(t *testing.T) boardwatch.Claim {
	t.Helper()
	var claims []boardwatch.Claim
	require.Eventually(t, func() bool {
		var err error
		claims, err = w.store.ClaimDue(t.Context(), 1, time.Minute, boardwatch.ClaimFilter{})
		return err != nil || len(claims) > 0
	}, 10*time.Second, time.Millisecond)
	require.Len(t, claims, 1)
	return claims[0]
}

// check claims the next due board and checks it.
func (w world) check(t *testing.T, s source, o watch.Options) watch.CheckReport {
	t.Helper()
	var report watch.CheckReport
	o.Observe = func(r watch.CheckReport) { report = r }
	require.NoError(t, watch.New(w.store, s, o).Check(t.Context(), w.claim(t)))
	return report
}

// jobs returns the account's jobs by title.
func (w world) jobs(t *testing.T) map[string]boardwatch.Job {
	t.Helper()
	page, err := w.store.Jobs(t.Context(), w.account.ID, track.JobFilter{Limit: 1000})
	require.NoError(t, err)
	byTitle := make(map[string]boardwatch.Job)
	for _, j := range page.Jobs {
		byTitle[j.Title] = j
	}
	return byTitle
}

func (w world) board(t *testing.T, id string) boardwatch.Board {
	t.Helper()
	b, err := w.store.Board(t.Context(), id)
	require.NoError(t, err)
	return b
}

// shows is a source that reads these roles everywhere.
func shows(titles ...string) source { return source{read: answer(roles(titles...))} }

func roles(titles ...string) boardwatch.Reading {
	r := boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: -1, Fingerprint: strings.Join(titles, ","), Requests: 1}
	for _, title := range titles {
		r.Postings = append(r.Postings, boardwatch.Posting{Key: "key of " + title, Title: title, URL: "https://jobs.example/" + title})
	}
	return r
}

func answer(r boardwatch.Reading) func(context.Context, boardwatch.Board) (boardwatch.Reading, error) {
	return func(context.Context, boardwatch.Board) (boardwatch.Reading, error) { return r, nil }
}

type begunKey struct{}

func TestACheckRunsInTheContextThatBeginReturns(t *testing.T) {
	t.Parallel()
	w := setup(t)
	board := w.track(t, "greenhouse:northwind", "https://boards.greenhouse.io/northwind")
	var ended []watch.CheckReport
	o := watch.Options{Begin: func(ctx context.Context, b boardwatch.Board) (context.Context, func(watch.CheckReport)) {
		return context.WithValue(ctx, begunKey{}, b.ID), func(r watch.CheckReport) { ended = append(ended, r) }
	}}
	var within any
	report := w.check(t, source{read: func(ctx context.Context, _ boardwatch.Board) (boardwatch.Reading, error) {
		within = ctx.Value(begunKey{})
		return roles("Baker"), nil
	}}, o)
	require.Equal(t, board.ID, within)
	require.Equal(t, []watch.CheckReport{report}, ended)
}

func TestACheckEndsWithTheContextThatBeginReturns(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.track(t, "greenhouse:northwind", "https://boards.greenhouse.io/northwind")
	var end context.CancelFunc
	patient := source{read: func(ctx context.Context, _ boardwatch.Board) (boardwatch.Reading, error) {
		end()
		<-ctx.Done()
		return boardwatch.Reading{}, ctx.Err()
	}}
	o := watch.Options{Begin: func(ctx context.Context, _ boardwatch.Board) (context.Context, func(watch.CheckReport)) {
		ctx, end = context.WithCancel(ctx)
		return ctx, func(watch.CheckReport) {}
	}}
	require.ErrorIs(t, watch.New(w.store, patient, o).Check(t.Context(), w.claim(t)), context.Canceled)
	require.Len(t, w.check(t, shows("Baker"), watch.Options{}).Change.Found, 1, "the board was given back")
}

func TestAWatcherEndsAReadingThatTakesTooLong(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.track(t, "greenhouse:northwind", "https://boards.greenhouse.io/northwind")
	reports := make(chan watch.CheckReport, 10)
	patient := source{read: func(ctx context.Context, _ boardwatch.Board) (boardwatch.Reading, error) {
		<-ctx.Done()
		return boardwatch.Reading{}, ctx.Err()
	}}
	stop := run(t, watch.New(w.store, patient, watch.Options{
		Timeout: 100 * time.Millisecond, Observe: func(r watch.CheckReport) { reports <- r },
	}))
	report := <-reports
	stop()
	require.NoError(t, report.Err)
	require.Equal(t, cause.Timeout, report.Check.Cause)
	require.Equal(t, "the board could not be read within 100ms", report.Check.Reason)
}

func TestCheckFindsClosesAndReopensRoles(t *testing.T) {
	t.Parallel()
	w := setup(t)
	board := w.track(t, "greenhouse:northwind", "https://boards.greenhouse.io/northwind")

	first := w.check(t, shows("Baker", "Miller", "Brewer"), watch.Options{})
	require.Equal(t, board.ID, first.Board.ID)
	require.Len(t, first.Change.Found, 3)
	require.Equal(t, boardwatch.BoardReady, w.board(t, board.ID).Status)

	for range 2 {
		missed := w.check(t, shows("Baker", "Miller"), watch.Options{})
		require.False(t, missed.Unchanged, "an absence has to be counted")
		require.Empty(t, missed.Change.Closed)
	}
	require.Len(t, w.check(t, shows("Baker", "Miller"), watch.Options{}).Change.Closed, 1)
	require.Equal(t, boardwatch.JobClosed, w.jobs(t)["Brewer"].Status)

	again := w.check(t, shows("Baker", "Miller", "Brewer"), watch.Options{})
	require.Len(t, again.Change.Reopened, 1)
	require.Equal(t, first.Check.At, w.jobs(t)["Brewer"].FirstSeenAt)
	require.Equal(t, 3, w.board(t, board.ID).OpenJobs)
}

func TestABoardKnowsHowLongItsLastFullReadingTook(t *testing.T) {
	t.Parallel()
	w := setup(t)
	board := w.track(t, "greenhouse:northwind", "https://boards.greenhouse.io/northwind")
	const long = 20 * time.Millisecond
	w.check(t, source{read: func(context.Context, boardwatch.Board) (boardwatch.Reading, error) {
		<-time.After(long)
		return roles("Baker", "Miller"), nil
	}}, watch.Options{})
	took := w.board(t, board.ID).State.Took
	require.GreaterOrEqual(t, took, long)

	w.check(t, source{read: answer(boardwatch.Failed(cause.SiteError, "status 500"))}, watch.Options{})
	require.Equal(t, took, w.board(t, board.ID).State.Took, "a reading that failed says nothing about the next one")
	w.check(t, shows("Baker"), watch.Options{})
	require.Less(t, w.board(t, board.ID).State.Took, took)
}

// TestCheckOfAnUnchangedBoardThatMissesRoles counts absences in answers that the reader did not even decode.
func TestCheckOfAnUnchangedBoardThatMissesRoles(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.track(t, "greenhouse:northwind", "https://boards.greenhouse.io/northwind")
	decoded := 0
	lists := func(titles ...string) source {
		return source{read: func(_ context.Context, b boardwatch.Board) (boardwatch.Reading, error) {
			r := roles(titles...)
			if b.State.Fingerprint == r.Fingerprint {
				return boardwatch.Reading{Health: boardwatch.HealthOK, Unchanged: true, Fingerprint: r.Fingerprint}, nil
			}
			decoded++
			return r, nil
		}}
	}
	all, fewer := lists("Baker", "Miller", "Brewer"), lists("Baker", "Miller")
	w.check(t, all, watch.Options{})
	require.Equal(t, 1, w.check(t, fewer, watch.Options{}).Board.State.Missing)
	second := w.check(t, fewer, watch.Options{})
	require.False(t, second.Unchanged)
	require.Equal(t, 2, w.jobs(t)["Brewer"].Misses)
	require.Equal(t, boardwatch.JobOpen, w.jobs(t)["Baker"].Status)

	third := w.check(t, fewer, watch.Options{})
	require.Len(t, third.Change.Closed, 1)
	require.Equal(t, boardwatch.JobClosed, w.jobs(t)["Brewer"].Status)
	require.Equal(t, third.Check.At, w.jobs(t)["Baker"].LastSeenAt)
	require.Equal(t, 2, w.board(t, third.Board.ID).OpenJobs)
	require.Equal(t, 2, decoded)

	require.True(t, w.check(t, fewer, watch.Options{}).Unchanged)
	require.Len(t, w.check(t, all, watch.Options{}).Change.Reopened, 1)
}

func TestCheckOfAnUnchangedBoard(t *testing.T) {
	t.Parallel()
	settle := func(t *testing.T) world {
		t.Helper()
		w := setup(t)
		w.track(t, "greenhouse:northwind", "https://boards.greenhouse.io/northwind")
		require.Len(t, w.check(t, shows("Baker"), watch.Options{}).Change.Found, 1)
		return w
	}
	t.Run("is told by the fingerprint, which is offered once the board is settled", func(t *testing.T) {
		t.Parallel()
		w := setup(t)
		w.track(t, "greenhouse:northwind", "https://boards.greenhouse.io/northwind")
		var offered []string
		s := source{read: func(_ context.Context, b boardwatch.Board) (boardwatch.Reading, error) {
			offered = append(offered, b.State.Fingerprint)
			r := roles("Baker")
			if b.State.Fingerprint == r.Fingerprint {
				return boardwatch.Reading{Health: boardwatch.HealthOK, Unchanged: true, Fingerprint: r.Fingerprint}, nil
			}
			return r, nil
		}}
		require.False(t, w.check(t, s, watch.Options{}).Unchanged)
		second := w.check(t, s, watch.Options{})
		require.True(t, second.Unchanged)
		require.Equal(t, []string{"", "Baker"}, offered)
		b := w.board(t, second.Board.ID)
		require.True(t, b.State.LastSuccessAt.After(second.Board.AddedAt))
		require.Equal(t, b.State.LastSuccessAt, w.jobs(t)["Baker"].LastSeenAt, "every role of a healthy check was seen by it")
	})
	t.Run("is told by the set of its roles when the answer has other bytes", func(t *testing.T) {
		t.Parallel()
		w := settle(t)
		r := roles("Baker")
		r.Fingerprint = "other bytes"
		report := w.check(t, source{read: answer(r)}, watch.Options{})
		require.True(t, report.Unchanged)
		require.Equal(t, "other bytes", w.board(t, report.Board.ID).State.Fingerprint)
	})
	t.Run("is changed when the source says another company name", func(t *testing.T) {
		t.Parallel()
		w := settle(t)
		r := roles("Baker")
		r.Company = "Northwind Labs"
		report := w.check(t, source{read: answer(r)}, watch.Options{})
		require.False(t, report.Unchanged)
		require.Equal(t, "Northwind Labs", w.board(t, report.Board.ID).Company)
	})
	for _, ask := range []struct{ asked, granted time.Duration }{{time.Hour, time.Hour}, {30 * 24 * time.Hour, 24 * time.Hour}} {
		t.Run(fmt.Sprintf("keeps away for %v when the source asks for %v, whoever asks for a check", ask.granted, ask.asked), func(t *testing.T) {
			t.Parallel()
			w := settle(t)
			s := source{read: answer(boardwatch.Reading{
				Health: boardwatch.HealthOK, Unchanged: true, Fingerprint: "Baker", RetryAfter: ask.asked,
			})}
			id := w.check(t, s, watch.Options{}).Board.ID
			b := w.board(t, id)
			require.WithinDuration(t, time.Now().Add(ask.granted), b.NextCheckAt, time.Minute)
			require.Equal(t, b.NextCheckAt, b.State.RetryAfter)
			require.False(t, boardwatch.CheckOnDemand(b, time.Now().Add(ask.granted-time.Minute)))
			require.NoError(t, w.store.SetAccess(t.Context(), id, boardwatch.Access{}))
			require.Equal(t, b.NextCheckAt, w.board(t, id).NextCheckAt)
			history, err := w.store.History(t.Context(), id, 10)
			require.NoError(t, err)
			require.Len(t, history, 1, "nothing has changed")
		})
	}
	t.Run("is a failure when nobody asked whether it was unchanged", func(t *testing.T) {
		t.Parallel()
		w := setup(t)
		w.track(t, "greenhouse:northwind", "https://boards.greenhouse.io/northwind")
		s := source{read: sameAsBefore}
		report := w.check(t, s, watch.Options{})
		require.False(t, report.Unchanged)
		require.Equal(t, boardwatch.HealthFailed, report.Check.Health)
	})
}

func TestCheckThatFailsClosesNothing(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		read   func(context.Context, boardwatch.Board) (boardwatch.Reading, error)
		reason string
	}{
		{
			name:   "because the source says why",
			read:   answer(boardwatch.Failed(cause.SiteError, "the site answered 500 (internal error)")),
			reason: "the site answered 500 (internal error)",
		},
		{
			name: "because the reader panics",
			read: func(context.Context, boardwatch.Board) (boardwatch.Reading, error) {
				var none []boardwatch.Posting
				return boardwatch.Reading{Reason: none[1].Title}, nil
			},
			reason: "reading this board crashed, which is a bug in boardwatch",
		},
		{
			name: "because it takes too long",
			read: func(ctx context.Context, _ boardwatch.Board) (boardwatch.Reading, error) {
				<-ctx.Done()
				return boardwatch.Reading{}, ctx.Err()
			},
			reason: "the board could not be read within 100ms",
		},
		{
			name: "because the reader could not look",
			read: func(context.Context, boardwatch.Board) (boardwatch.Reading, error) {
				return boardwatch.Reading{}, errors.New("no browser\x00 answers")
			},
			reason: "no browser answers",
		},
		{
			name:   "because the reader contradicts itself",
			read:   answer(boardwatch.Reading{Health: "splendid", Claimed: -1, Reason: "never seen before"}),
			reason: "never seen before",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := setup(t)
			w.track(t, "greenhouse:northwind", "https://boards.greenhouse.io/northwind")
			w.check(t, shows("Baker", "Miller"), watch.Options{})
			for i := range 4 {
				report := w.check(t, source{read: tt.read}, watch.Options{Timeout: 100 * time.Millisecond})
				require.Equal(t, boardwatch.HealthFailed, report.Check.Health)
				require.Equal(t, tt.reason, report.Check.Reason)
				require.Equal(t, i+1, report.Board.State.Failures())
			}
			require.Equal(t, boardwatch.JobOpen, w.jobs(t)["Baker"].Status)
			require.Equal(t, boardwatch.JobOpen, w.jobs(t)["Miller"].Status)
		})
	}
}

func TestCheckThatCannotSaveSaysSo(t *testing.T) {
	t.Parallel()
	t.Run("when its lease was lost", func(t *testing.T) {
		t.Parallel()
		w := setup(t)
		w.track(t, "greenhouse:northwind", "https://boards.greenhouse.io/northwind")
		claim := w.claim(t)
		watcher := watch.New(w.store, shows("Baker"), watch.Options{})
		require.NoError(t, watcher.Check(t.Context(), claim))
		require.ErrorIs(t, watcher.Check(t.Context(), claim), boardwatch.ErrLeaseLost)
		require.Len(t, w.jobs(t), 1)
	})
	t.Run("when it was broken off, and the board is due again at once", func(t *testing.T) {
		t.Parallel()
		w := setup(t)
		board := w.track(t, "greenhouse:northwind", "https://boards.greenhouse.io/northwind")
		ctx, cancel := context.WithCancel(t.Context())
		hanging := source{read: func(ctx context.Context, _ boardwatch.Board) (boardwatch.Reading, error) {
			cancel()
			<-ctx.Done()
			return boardwatch.Failed(cause.SiteError, "the connection was closed"), nil
		}}
		err := watch.New(w.store, hanging, watch.Options{}).Check(ctx, w.claim(t))
		require.ErrorIs(t, err, context.Canceled)
		require.Equal(t, boardwatch.BoardScraping, w.board(t, board.ID).Status)
		require.Equal(t, board.ID, w.claim(t).Board.ID)
	})
	t.Run("but a reading that is whole is saved although the watcher stops", func(t *testing.T) {
		t.Parallel()
		w := setup(t)
		w.track(t, "greenhouse:northwind", "https://boards.greenhouse.io/northwind")
		ctx, cancel := context.WithCancel(t.Context())
		last := source{read: func(context.Context, boardwatch.Board) (boardwatch.Reading, error) {
			cancel()
			return roles("Baker"), nil
		}}
		require.NoError(t, watch.New(w.store, last, watch.Options{}).Check(ctx, w.claim(t)))
		require.Len(t, w.jobs(t), 1)
	})
}

func TestCheckOfAPendingBoard(t *testing.T) {
	t.Parallel()
	const address = "https://northwind.example/careers"
	leadsTo := func(found string) func(context.Context, string) (boardwatch.Board, error) {
		return func(_ context.Context, input string) (boardwatch.Board, error) {
			if input != address {
				return boardwatch.Board{}, fmt.Errorf("asked about %s", input)
			}
			return boardwatch.Board{Source: found, URL: address, Company: "Northwind Labs"}, nil
		}
	}
	t.Run("finds its source and reads it", func(t *testing.T) {
		t.Parallel()
		w := setup(t)
		board := w.track(t, "", address)
		s := shows("Baker")
		s.discover = leadsTo("ashby:northwind")
		report := w.check(t, s, watch.Options{})
		require.Equal(t, board.ID, report.Board.ID)
		got := w.board(t, board.ID)
		require.Equal(t, "ashby:northwind", got.Source)
		require.Equal(t, boardwatch.BoardReady, got.Status)
		require.Equal(t, 1, got.OpenJobs)
	})
	t.Run("has failed when there is nothing to be found, and tries again", func(t *testing.T) {
		t.Parallel()
		w := setup(t)
		board := w.track(t, "", address)
		lost := source{discover: func(context.Context, string) (boardwatch.Board, error) {
			return boardwatch.Board{}, errors.New("no roles were found on northwind.example")
		}}
		for range 2 {
			report := w.check(t, lost, watch.Options{})
			require.Equal(t, "no roles were found on northwind.example", report.Check.Reason)
			require.Equal(t, boardwatch.BoardFailed, w.board(t, board.ID).Status)
		}
	})
	t.Run("has failed when discovery answers with nothing", func(t *testing.T) {
		t.Parallel()
		w := setup(t)
		w.track(t, "", address)
		empty := source{discover: leadsTo("")}
		require.Equal(t, boardwatch.HealthFailed, w.check(t, empty, watch.Options{}).Check.Health)
	})
	t.Run("becomes one with the board that its source has already", func(t *testing.T) {
		t.Parallel()
		w := setup(t)
		known := w.track(t, "ashby:northwind", "https://jobs.ashbyhq.com/northwind")
		w.check(t, shows("Baker"), watch.Options{})
		other := account.Account{
			ID: boardwatch.NewID(), Email: "kim@northwind.example", Plan: account.PlanUltra, CreatedAt: w.account.CreatedAt,
		}
		require.NoError(t, w.store.CreateAccount(t.Context(), other))
		pending := world{w.store, other}.track(t, "", address)
		require.NotEqual(t, known.ID, pending.ID)

		s := shows("Baker")
		s.discover = leadsTo("ashby:northwind")
		merged := false
		for range 20 { // the known board falls due as well
			merged = w.check(t, s, watch.Options{}).Merged || merged
			if merged {
				break
			}
		}
		require.True(t, merged)
		require.Equal(t, known.ID, w.board(t, pending.ID).ID)
		require.Equal(t, w.jobs(t)["Baker"].ID, world{w.store, other}.jobs(t)["Baker"].ID)
	})
}

func TestCheckOfABoardThatMoved(t *testing.T) {
	t.Parallel()
	const address = "https://northwind.example/careers"
	gone := boardwatch.Failed(cause.SiteError, "greenhouse knows no board northwind")
	gone.Unknown = true
	moved := func(t *testing.T) (world, boardwatch.Board) {
		t.Helper()
		w := setup(t)
		board := w.track(t, "", address)
		s := shows("Baker", "Miller", "Brewer")
		s.discover = func(context.Context, string) (boardwatch.Board, error) {
			return boardwatch.Board{Source: "greenhouse:northwind", URL: address}, nil
		}
		w.check(t, s, watch.Options{})
		return w, board
	}
	newPlace := func(discoveries *int, r boardwatch.Reading) source {
		return source{
			discover: func(context.Context, string) (boardwatch.Board, error) {
				*discoveries++
				return boardwatch.Board{Source: "lever:northwind", URL: address}, nil
			},
			read: func(_ context.Context, b boardwatch.Board) (boardwatch.Reading, error) {
				if b.Source == "lever:northwind" {
					return r, nil
				}
				return gone, nil
			},
		}
	}
	elsewhere := func() boardwatch.Reading {
		r := roles("Baker", "Miller", "Cooper")
		for i := range r.Postings {
			r.Postings[i].Key = fmt.Sprint("lever-", i)
		}
		return r
	}
	t.Run("is discovered anew after three denials, and roles keep their ids", func(t *testing.T) {
		t.Parallel()
		w, board := moved(t)
		before := w.jobs(t)
		var discoveries int
		s := newPlace(&discoveries, elsewhere())
		for range 3 {
			require.Equal(t, boardwatch.HealthFailed, w.check(t, s, watch.Options{}).Check.Health)
		}
		require.Zero(t, discoveries)

		report := w.check(t, s, watch.Options{})
		require.Equal(t, 1, discoveries)
		require.Equal(t, board.ID, report.Board.ID)
		require.Equal(t, "lever:northwind", w.board(t, board.ID).Source)
		after := w.jobs(t)
		require.Equal(t, before["Baker"].ID, after["Baker"].ID)
		require.Equal(t, before["Miller"].ID, after["Miller"].ID)
		require.Len(t, report.Change.Found, 1, "only Cooper is new")

		for range 2 {
			w.check(t, s, watch.Options{})
		}
		after = w.jobs(t)
		require.Equal(t, 1, discoveries, "the new source is healthy")
		require.Equal(t, boardwatch.JobOpen, after["Baker"].Status)
		require.Equal(t, before["Baker"].ID, after["Baker"].ID)
		require.Equal(t, boardwatch.JobClosed, after["Brewer"].Status)
	})
	t.Run("is discovered anew while its old place is empty, and moves to a hosted system only", func(t *testing.T) {
		t.Parallel()
		w, board := moved(t)
		before := w.jobs(t)
		empty := roles()
		to := ""
		s := source{
			discover: func(context.Context, string) (boardwatch.Board, error) {
				return boardwatch.Board{Source: to, URL: address}, nil
			},
			read: func(_ context.Context, b boardwatch.Board) (boardwatch.Reading, error) {
				if b.Source == "lever:northwind" {
					return elsewhere(), nil
				}
				return empty, nil
			},
		}
		for _, to = range []string{"greenhouse:northwind", "page:" + address, ""} {
			require.Equal(t, boardwatch.HealthSuspect, w.check(t, s, watch.Options{Rules: boardwatch.DefaultRules()}).Check.Health)
			require.Equal(t, "greenhouse:northwind", w.board(t, board.ID).Source)
		}
		to = "lever:northwind"
		report := w.check(t, s, watch.Options{Rules: boardwatch.DefaultRules()})
		require.Equal(t, "lever:northwind", w.board(t, board.ID).Source)
		require.Len(t, report.Change.Found, 1, "only Cooper is new")
		after := w.jobs(t)
		require.Equal(t, before["Baker"].ID, after["Baker"].ID)
		require.Zero(t, after["Baker"].Misses)
	})
	t.Run("keeps the ids of roles that were missing in between", func(t *testing.T) {
		t.Parallel()
		w, _ := moved(t)
		before := w.jobs(t)
		fewer := roles("Baker", "Brewer")
		w.check(t, source{read: answer(fewer)}, watch.Options{})
		require.Equal(t, 1, w.jobs(t)["Miller"].Misses)
		var discoveries int
		for range 5 {
			w.check(t, newPlace(&discoveries, elsewhere()), watch.Options{})
		}
		after := w.jobs(t)
		require.Equal(t, before["Miller"].ID, after["Miller"].ID)
		require.Equal(t, "lever-1", after["Miller"].Key)
		require.Len(t, after, 4)
	})
	t.Run("keeps its roles' ids when the first look at the new place fails", func(t *testing.T) {
		t.Parallel()
		w, _ := moved(t)
		before := w.jobs(t)
		var discoveries int
		for range 3 {
			w.check(t, newPlace(&discoveries, elsewhere()), watch.Options{})
		}
		w.check(t, newPlace(&discoveries, boardwatch.Failed(cause.SiteError, "the site answered 503")), watch.Options{})
		w.check(t, newPlace(&discoveries, elsewhere()), watch.Options{})
		require.Equal(t, before["Baker"].ID, w.jobs(t)["Baker"].ID)
	})
	t.Run("stays where it is when it is nowhere else", func(t *testing.T) {
		t.Parallel()
		w, board := moved(t)
		nowhere := source{read: answer(gone), discover: func(context.Context, string) (boardwatch.Board, error) {
			return boardwatch.Board{}, errors.New("nothing here")
		}}
		for range 5 {
			require.Equal(t, "greenhouse knows no board northwind", w.check(t, nowhere, watch.Options{}).Check.Reason)
		}
		got := w.board(t, board.ID)
		require.Equal(t, "greenhouse:northwind", got.Source)
		require.Equal(t, 5, got.State.UnknownRuns)
	})
}
