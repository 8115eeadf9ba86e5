package watch_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/boardwatch/watch"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/storagetest"
)

func TestRolesOfABoardThatMergesContinueOnlyWhereTheSurvivorHasThem(t *testing.T) {
	t.Parallel()
	w := setup(t)
	lists := map[string][]boardwatch.Posting{
		"lever:northwind":      {{Key: "l-1", Title: "Baker", Location: "Berlin"}, {Key: "l-2", Title: "Cook", Location: "Rome"}},
		"greenhouse:northwind": {{Key: "1", Title: "Cook", Location: "Rome, Italy"}},
	}
	unknown := false
	s := source{
		read: func(_ context.Context, b boardwatch.Board) (boardwatch.Reading, error) {
			if unknown && b.System() == "lever" {
				return boardwatch.Reading{Health: boardwatch.HealthFailed, Reason: "there is no such board", Unknown: true, Claimed: -1}, nil
			}
			return boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: -1, Postings: lists[b.Source]}, nil
		},
		discover: func(context.Context, string) (boardwatch.Board, error) {
			return boardwatch.Board{Source: "greenhouse:northwind", URL: "https://boards.greenhouse.io/northwind"}, nil
		},
	}
	w.track(t, "lever:northwind", "https://jobs.lever.co/northwind")
	w.check(t, s, watch.Options{})
	w.track(t, "greenhouse:northwind", "https://boards.greenhouse.io/northwind")
	unknown = true
	for merged := false; !merged; {
		merged = w.check(t, s, watch.Options{}).Merged
	}
	require.Equal(t, boardwatch.JobClosed, w.jobs(t)["Baker"].Status)
	require.Equal(t, boardwatch.JobOpen, w.jobs(t)["Cook"].Status)
	require.Len(t, w.jobs(t), 2)
}

func TestSourceThatAnswersAgainIsNoOther(t *testing.T) {
	t.Parallel()
	w := setup(t)
	key, unknown := "1", false
	s := source{
		read: func(context.Context, boardwatch.Board) (boardwatch.Reading, error) {
			if unknown {
				return boardwatch.Reading{Health: boardwatch.HealthFailed, Reason: "there is no such board", Unknown: true, Claimed: -1}, nil
			}
			return boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: -1, Postings: []boardwatch.Posting{
				{Key: key, Title: "Engineer", Location: "Berlin"}, {Key: "9", Title: "Cook", Location: "Rome"},
			}}, nil
		},
		discover: func(context.Context, string) (boardwatch.Board, error) {
			return boardwatch.Board{Source: "greenhouse:northwind"}, nil
		},
	}
	w.track(t, "greenhouse:northwind", "https://boards.greenhouse.io/northwind")
	require.Len(t, w.check(t, s, watch.Options{}).Change.Found, 2)
	unknown = true
	for range 4 {
		w.check(t, s, watch.Options{})
	}
	unknown, key = false, "2"
	report := w.check(t, s, watch.Options{})
	require.Len(t, report.Change.Found, 1, "another id on the same system is another role")
	require.Equal(t, "2", report.Change.Found[0].Key)
}

// TestMergesLeaveNoRoleUntold lets employers change their systems, and pages turn out to be known boards, while roles
// come and go and accounts poll, read the feed and receive webhooks. Every role that is open at the end on a board that
// an account tracks was reported to it in every way.
func TestMergesLeaveNoRoleUntold(t *testing.T) {
	t.Parallel()
	worlds := uint64(marketWorlds)
	if testing.Short() {
		worlds = 1
	}
	for kind, database := range map[string]func(testing.TB) storagetest.Database{"SQLite": storagetest.SQLite, "PostgreSQL": storagetest.Postgres} {
		for seed := range worlds {
			t.Run(fmt.Sprintf("%s, world %d", kind, seed), func(t *testing.T) {
				t.Parallel()
				s := database(t)(t, storage.Options{
					Plans:   account.Plans{account.PlanUltra: {Boards: 100, Cadence: time.Millisecond, Webhooks: true}},
					SealKey: make([]byte, 32),
				})
				market := newMarket(t, s, rand.New(rand.NewPCG(seed, 16)))
				merges := market.live(30)
				t.Logf("%d merges", merges)
				require.GreaterOrEqual(t, merges, marketEmployers)
				market.judge()
			})
		}
	}
}

const (
	marketEmployers = 4
	marketAccounts  = 5
)

// market is a set of employers and their watchers.
type market struct {
	t         *testing.T
	store     *storage.Store
	rand      *rand.Rand
	employers []*employer
	watchers  []*marketWatcher
	roles     int
}

// employer has a new system, perhaps an old one, and its own page, which leads to the new one.
type employer struct {
	name     string
	old, now []boardwatch.Posting
	left     bool // the old system no longer knows it
	linked   bool // the page shows where the roles are
	broken   bool // the new system answers with errors
}

// marketWatcher is an account, with everything that was reported to it in each way.
type marketWatcher struct {
	account                account.Account
	hook                   boardwatch.Webhook
	store                  *storage.Store
	polledAt, fedAt        time.Time
	polled, fed, delivered map[string]bool
}

func newMarket(t *testing.T, s *storage.Store, r *rand.Rand) *market {
	t.Helper()
	m := &market{t: t, store: s, rand: r}
	for i := range marketEmployers {
		e := &employer{name: fmt.Sprintf("northwind-%d", i)}
		for range 3 + r.IntN(5) {
			m.hire(e)
		}
		m.employers = append(m.employers, e)
	}
	for i := range marketAccounts {
		w := &marketWatcher{store: s, polled: map[string]bool{}, fed: map[string]bool{}, delivered: map[string]bool{}}
		w.account = account.Account{
			ID: boardwatch.NewID(), Email: fmt.Sprintf("robin%d@northwind.example", i), Plan: account.PlanUltra, CreatedAt: time.Now(),
		}
		require.NoError(t, s.CreateAccount(t.Context(), w.account))
		w.hook = boardwatch.Webhook{
			ID: boardwatch.NewID(), AccountID: w.account.ID, URL: "https://receiver.example/", Events: boardwatch.EventTypes(),
			Secret: account.NewWebhookSecret(), CreatedAt: time.Now(),
		}
		require.NoError(t, s.CreateWebhook(t.Context(), w.hook, boardwatch.MaxWebhooks))
		m.watchers = append(m.watchers, w)
		for j, e := range m.employers {
			for k, b := range []boardwatch.Board{
				{Source: "greenhouse:" + e.name, URL: "https://boards.greenhouse.io/" + e.name},
				{Source: "lever:" + e.name, URL: "https://jobs.lever.co/" + e.name},
				{URL: "https://" + e.name + ".example/careers"},
			} {
				if (i+j)%3 == k || r.IntN(3) == 0 {
					_, _, err := s.Subscribe(t.Context(), boardwatch.Subscription{AccountID: w.account.ID}, b, b.URL)
					require.NoError(t, err)
				}
			}
		}
	}
	return m
}

// hire adds a role to one system or both, each with its own spelling of the place.
func (m *market) hire(e *employer) {
	m.roles++
	city := []string{"Berlin", "Rome", "Oslo"}[m.rand.IntN(3)]
	title := fmt.Sprintf("Keeper of lamp %d", m.roles)
	where := m.rand.IntN(4)
	if where != 0 {
		e.now = append(e.now, boardwatch.Posting{Key: fmt.Sprint("g", m.roles), Title: title, Location: city})
	}
	if where != 1 && !e.left {
		e.old = append(e.old, boardwatch.Posting{Key: fmt.Sprint("l", m.roles), Title: title, Location: city + ", Europe"})
	}
}

// turn changes something about an employer.
func (m *market) turn(e *employer) {
	switch m.rand.IntN(8) {
	case 0:
		e.linked = true
	case 1:
		e.left = true
	case 2:
		e.broken = !e.broken
	case 3:
		if n := len(e.now); n > 1 {
			e.now = slices.Delete(slices.Clone(e.now), n-1, n)
		}
	default:
		m.hire(e)
	}
}

func (m *market) employer(name string) *employer {
	return m.employers[slices.IndexFunc(m.employers, func(e *employer) bool { return e.name == name })]
}

func (m *market) source() source {
	return source{
		read: func(_ context.Context, b boardwatch.Board) (boardwatch.Reading, error) {
			system, name, _ := cutSource(b.Source)
			e := m.employer(name)
			switch {
			case system == "lever" && e.left:
				return boardwatch.Reading{Health: boardwatch.HealthFailed, Reason: "there is no such board", Unknown: true, Claimed: -1}, nil
			case system == "lever":
				return boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: -1, Postings: e.old}, nil
			case e.broken:
				return boardwatch.Failed(cause.SiteError, "the system is down"), nil
			}
			return boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: -1, Postings: e.now}, nil
		},
		discover: func(_ context.Context, url string) (boardwatch.Board, error) {
			for _, e := range m.employers {
				if url == "https://"+e.name+".example/careers" && e.linked || url == "https://jobs.lever.co/"+e.name {
					return boardwatch.Board{Source: "greenhouse:" + e.name, URL: "https://boards.greenhouse.io/" + e.name}, nil
				}
			}
			return boardwatch.Board{}, fmt.Errorf("no roles were found at %s", url)
		},
	}
}

// live runs that many rounds while everybody polls, then repairs everything, and returns how many boards have merged.
func (m *market) live(rounds int) (merges int) {
	m.t.Helper()
	var done atomic.Bool
	var polling sync.WaitGroup
	for _, w := range m.watchers {
		polling.Go(func() {
			for !done.Load() {
				if err := w.poll(m.t.Context()); err != nil {
					m.t.Error(err)
					return
				}
			}
		})
	}
	checker := watch.New(m.store, m.source(), watch.Options{Observe: func(r watch.CheckReport) {
		if r.Merged {
			merges++
		}
	}})
	for range rounds {
		for range 3 {
			m.turn(m.employers[m.rand.IntN(len(m.employers))])
		}
		m.round(checker)
	}
	for _, e := range m.employers {
		e.left, e.linked, e.broken = true, true, false
	}
	require.Eventually(m.t, func() bool {
		m.round(checker)
		stats, err := m.store.BoardStats(m.t.Context())
		return err == nil && stats.Total == len(m.employers)
	}, time.Minute, time.Millisecond)
	m.round(checker)
	done.Store(true)
	polling.Wait()
	for _, w := range m.watchers {
		for range 3 {
			require.NoError(m.t, w.poll(m.t.Context()))
		}
	}
	return merges
}

func cutSource(source string) (system, name string, ok bool) {
	system = boardwatch.Board{Source: source}.System()
	return system, source[len(system)+1:], true
}

// round checks every board that is due.
func (m *market) round(checker *watch.Watcher) {
	m.t.Helper()
	claims, err := m.store.ClaimDue(m.t.Context(), 100, time.Minute, boardwatch.ClaimFilter{})
	require.NoError(m.t, err)
	m.rand.Shuffle(len(claims), func(i, j int) { claims[i], claims[j] = claims[j], claims[i] })
	for _, c := range claims {
		require.NoError(m.t, checker.Check(m.t.Context(), c))
	}
}

// poll asks for new roles since the last time, as programs, the feed and the mail do.
func (w *marketWatcher) poll(ctx context.Context) error {
	page, err := w.store.Jobs(ctx, w.account.ID, track.JobFilter{AddedAfter: w.polledAt, Limit: 10_000})
	if err != nil {
		return err
	}
	w.polledAt = page.PolledAt
	for _, j := range page.Jobs {
		w.polled[j.Title] = true
	}
	changes, err := w.store.Changes(ctx, w.account.ID, track.ChangeFilter{After: w.fedAt, Limit: 10_000, Jobs: 10_000})
	if err != nil {
		return err
	}
	w.fedAt = changes.PolledAt
	for _, c := range changes.Changes {
		told := slices.Concat(c.Found.Jobs, c.Reopened.Jobs)
		if c.Beginning { // one line tells how many roles there were
			if told, err = w.openAt(ctx, c); err != nil {
				return err
			}
		}
		for _, j := range told {
			w.fed[j.Title] = true
		}
	}
	return nil
}

// openAt returns the roles of a board that were open when the watcher began to watch it.
func (w *marketWatcher) openAt(ctx context.Context, c track.BoardChange) ([]boardwatch.Job, error) {
	page, err := w.store.Jobs(ctx, w.account.ID, track.JobFilter{BoardID: c.BoardID, Limit: 10_000})
	return slices.DeleteFunc(page.Jobs, func(j boardwatch.Job) bool { return j.FirstSeenAt.After(c.At) }), err
}

// judge requires that every open role was reported in every way.
func (m *market) judge() {
	m.t.Helper()
	total := 0
	for _, w := range m.watchers {
		due, _, err := m.store.DueDeliveries(m.t.Context(), w.hook.ID, time.Now().Add(time.Hour), nil, 100_000, 1<<30)
		require.NoError(m.t, err)
		for _, d := range due {
			var body struct {
				Type boardwatch.EventType
				Jobs []boardwatch.Job
			}
			require.NoError(m.t, json.Unmarshal(d.Body, &body))
			for _, j := range body.Jobs {
				if body.Type == boardwatch.EventJobFound {
					w.delivered[j.Title] = true
				}
			}
		}
		page, err := m.store.Jobs(m.t.Context(), w.account.ID, track.JobFilter{Status: boardwatch.JobOpen, Limit: 10_000})
		require.NoError(m.t, err)
		require.NotEmpty(m.t, page.Jobs)
		for _, j := range page.Jobs {
			total++
			require.True(m.t, w.polled[j.Title], "by polling: %s", j.Title)
			require.True(m.t, w.fed[j.Title], "by the feed: %s", j.Title)
			require.True(m.t, w.delivered[j.Title], "by webhook: %s", j.Title)
		}
	}
	m.t.Logf("%d roles, each told on three channels", total)
}
