package boardwatch_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
)

func health(res boardwatch.CheckResult) boardwatch.Health { return res.Check.Health }

func seq(from, to int) []int {
	var out []int
	for k := from; k <= to; k++ {
		out = append(out, k)
	}
	return out
}

func TestARoleClosesAfterThreeHealthyMisses(t *testing.T) {
	t.Parallel()

	w := newWorld(t, boardwatch.Rules{})
	w.check(ok(1, 2, 3), false)
	require.Empty(t, w.check(ok(1, 2), false).Change.Closed)
	require.Empty(t, w.check(ok(1, 2), false).Change.Closed)
	require.Empty(t, w.check(boardwatch.Failed(cause.SiteError, "timeout"), false).Change.Closed, "a failure neither counts nor starts anew")
	closed := w.check(ok(1, 2), false).Change.Closed
	require.Len(t, closed, 1)
	require.Equal(t, w.now, closed[0].ClosedAt)
	require.Equal(t, noon.Add(time.Hour), closed[0].LastSeenAt, "the last healthy check that saw it")
}

func TestNoSettingLetsASingleMissCloseARole(t *testing.T) {
	t.Parallel()

	for _, setting := range []int{1, -3} {
		w := newWorld(t, boardwatch.Rules{CloseAfter: setting})
		w.check(ok(1, 2, 3), false)
		require.Empty(t, w.check(ok(1, 2), false).Change.Closed)
		require.Len(t, w.check(ok(1, 2), false).Change.Closed, 1)
	}
}

func TestARoleSeenAgainStartsAnew(t *testing.T) {
	t.Parallel()

	w := newWorld(t, boardwatch.Rules{})
	w.check(ok(1, 2, 3), false)
	w.check(ok(1, 2), false)
	w.check(ok(1, 2), false)
	w.check(ok(1, 2, 3), false)
	for range 4 { // twice the two hours for which it was away before
		require.Empty(t, w.check(ok(1, 2), false).Change.Closed)
	}
	require.Len(t, w.check(ok(1, 2), false).Change.Closed, 1)
}

func TestAClosedRoleOpensAgainUnderItsID(t *testing.T) {
	t.Parallel()

	w := newWorld(t, boardwatch.Rules{})
	first := w.check(ok(1, 2, 3), false).Change.Found[2]
	for range 3 {
		w.check(ok(1, 2), false)
	}
	res := w.check(ok(1, 2, 3), false)
	require.Len(t, res.Change.Reopened, 1)
	again := res.Change.Reopened[0]
	require.Equal(t, first.ID, again.ID)
	require.Equal(t, first.FirstSeenAt, again.FirstSeenAt)
	require.True(t, again.ClosedAt.IsZero())
	require.Equal(t, boardwatch.EventJobFound, res.Deliveries[0].Type)
}

func TestAnotherTitleUnderTheSameKeyIsTheSameJob(t *testing.T) {
	t.Parallel()

	w := newWorld(t, boardwatch.DefaultRules())
	w.check(ok(1, 2), false)
	r := ok(1, 2)
	r.Postings[0].Title = "Principal role"
	res := w.check(r, false)
	require.Len(t, res.Change.Updated, 1)
	require.Empty(t, res.Change.Found)
	require.Equal(t, "Principal role", w.jobs[res.Change.Updated[0].ID].Title)
}

func TestARowWithoutATitleKeepsItsRoleOpen(t *testing.T) {
	t.Parallel()

	w := newWorld(t, boardwatch.Rules{})
	w.check(ok(1, 2, 3), false)
	r := ok(1, 2)
	r.Present = []string{"3", "4"}
	for range 5 {
		res := w.check(r, false)
		require.True(t, res.Change.Empty(), "role 3 is there, and role 4 was never seen")
	}
	require.True(t, w.board.State.Settled())
	for range 2 {
		w.check(ok(1, 2), false)
	}
	require.Len(t, w.check(ok(1, 2), false).Change.Closed, 1)
}

func TestStateAfterAReading(t *testing.T) {
	t.Parallel()

	w := newWorld(t, boardwatch.Rules{})
	w.check(ok(1, 2), false)
	require.True(t, w.board.State.Settled())

	w.check(boardwatch.Reading{Health: boardwatch.HealthFailed, Reason: "no such board", Unknown: true, RetryAfter: 2 * time.Hour}, false)
	s := w.board.State
	require.Equal(t, 1, s.UnknownRuns)
	require.Equal(t, 1, s.Failures())
	require.Equal(t, w.now, s.SickSince)
	require.Equal(t, w.now.Add(2*time.Hour), s.RetryAfter)
	require.Equal(t, boardwatch.BoardFailed, w.board.Status)
	require.Equal(t, "no such board", s.Reason)

	for range 10 {
		w.check(boardwatch.Reading{Health: boardwatch.HealthPartial, Reason: "page 2 failed", Claimed: -1, Postings: postings(1)}, false)
	}
	require.True(t, w.board.State.PartialTooLong())
	require.Equal(t, boardwatch.BoardReady, w.board.Status)
	require.Equal(t, "page 2 failed", w.board.State.Reason)
	require.Zero(t, w.board.State.UnknownRuns)

	w.check(ok(1, 2), false)
	require.Empty(t, w.board.State.Reason)
	require.Equal(t, w.now, w.board.State.WellSince)
	require.Zero(t, w.board.State.BadRuns)
	for range 24 {
		require.False(t, w.board.State.SickSince.IsZero())
		w.check(ok(1, 2), false)
	}
	require.True(t, w.board.State.SickSince.IsZero(), "it has been healthy for a day")
}

func TestASickBoardRemembersWhenItLeftHealth(t *testing.T) {
	t.Parallel()

	sick := []boardwatch.Reading{
		boardwatch.Failed(cause.SiteError, "timeout"), {Health: boardwatch.HealthPartial, Claimed: -1}, {Health: boardwatch.HealthBlocked, Claimed: -1}, ok(),
	}
	w := newWorld(t, boardwatch.DefaultRules())
	for _, r := range sick[:3] {
		w.check(r, false)
		require.Zero(t, w.board.State.SickSince, "it never was healthy")
	}
	w.check(ok(1, 2, 3), false)
	since := w.now.Add(time.Hour)
	for _, r := range sick {
		w.check(r, false)
		require.Equal(t, since, w.board.State.SickSince)
	}
}

func TestASourceIsLeftAloneForADayAtMost(t *testing.T) {
	t.Parallel()

	w := newWorld(t, boardwatch.Rules{})
	for asked, want := range map[time.Duration]time.Duration{
		23 * time.Hour: 23 * time.Hour, 24 * time.Hour: 24 * time.Hour, 365 * 24 * time.Hour: 24 * time.Hour,
	} {
		r := ok(1)
		r.RetryAfter = asked
		w.check(r, false)
		require.Equal(t, w.now.Add(want), w.board.State.RetryAfter, asked)
	}
}

func TestAnIncompleteReadingEndsTheBackoff(t *testing.T) {
	t.Parallel()

	w := newWorld(t, boardwatch.Rules{})
	w.check(ok(1, 2), false)
	for range 4 {
		w.check(boardwatch.Failed(cause.SiteError, "timeout"), false)
	}
	require.Equal(t, w.now.Add(16*time.Hour), w.board.NextCheckAt)
	w.check(boardwatch.Reading{Health: boardwatch.HealthPartial, Claimed: -1, Postings: postings(1)}, false)
	require.False(t, w.board.NextCheckAt.After(w.now.Add(time.Hour)))
}

func TestARoleOfAnIncompleteReadingIsTakenAlongByTheHealthyOne(t *testing.T) {
	t.Parallel()

	w := newWorld(t, boardwatch.Rules{})
	w.check(ok(1), false)
	found := w.check(boardwatch.Reading{Health: boardwatch.HealthPartial, Claimed: -1, Postings: postings(1, 2)}, false).Change.Found
	for range 3 {
		w.check(ok(1, 2), false)
		require.Equal(t, w.now, w.jobs[found[0].ID].LastSeenAt, "the last healthy check saw it")
	}
}

func TestIdentityComesFromTheSourceAndStays(t *testing.T) {
	t.Parallel()

	w := newWorld(t, boardwatch.Rules{})
	r := ok(1)
	r.Company, r.Domain = "Northwind Labs", "northwind.example"
	w.check(r, false)
	w.check(ok(1), false)
	require.Equal(t, "Northwind Labs", w.board.Company)
	require.Equal(t, "northwind.example", w.board.Domain)
}

func TestAnAccountsOwnNameGoesToItsOwnWebhooksOnly(t *testing.T) {
	t.Parallel()

	b := boardwatch.Board{ID: board.ID, URL: "https://acme.example/careers"}
	hooks := []boardwatch.Webhook{
		{ID: "h1", AccountID: "a1", Events: boardwatch.EventTypes()},
		{ID: "h2", AccountID: "a2", Events: boardwatch.EventTypes()},
		{ID: "h3", AccountID: "a3", Events: boardwatch.EventTypes()},
		{ID: "h4", AccountID: "nobody", Events: boardwatch.EventTypes()},
		{ID: "h5", AccountID: "a2", Events: []boardwatch.EventType{boardwatch.EventBoardFailed}},
		{ID: "h6", AccountID: "a2", Events: boardwatch.EventTypes(), DisabledAt: noon},
	}
	subs := []boardwatch.Subscription{{AccountID: "a1", CompanyName: "Secret project"}, {AccountID: "a2"}, {AccountID: "a3"}}
	change := boardwatch.Change{Found: []boardwatch.Job{openJob}}
	payloads, deliveries := boardwatch.Deliveries(b, boardwatch.Check{At: noon, Health: boardwatch.HealthOK}, change, subs, hooks, ids())
	require.Len(t, payloads, 2)
	require.Len(t, deliveries, 3)
	require.Equal(t, deliveries[1].PayloadID, deliveries[2].PayloadID, "equal content is kept once")
	require.Contains(t, string(payloads[0].Tail), "Secret project")
	require.NotContains(t, string(payloads[1].Tail), "Secret project")
	require.NotContains(t, string(payloads[1].Tail), "Northwind", "the name stands for the whole payload")
}
