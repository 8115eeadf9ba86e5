//go:build chaos

package chaos_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/chaos/systems"
)

// These tests are about the judge: its zeros only mean something if it detects errors.

// played is a hand-made world of one site with answers at every second.
type played struct {
	*world

	site  *site
	at    time.Time
	alive *incarnation
}

func newPlayed(t *testing.T) *played {
	t.Helper()
	p := &played{
		world: &world{t: t, said: map[string]bool{}}, at: time.Unix(1_800_000_000, 0), alive: &incarnation{slot: &slot{}},
		site: newSite(systems.Hosted()[0], 1, steady, 8, rand.New(rand.NewPCG(1, 1))),
	}
	p.sites = []*site{p.site}
	return p
}

// answer gives some answers of a kind, and returns the time of the last.
func (p *played) answer(n int, kind answerKind) time.Time {
	for range n {
		p.at = p.at.Add(5 * time.Second)
		p.site.answers = append(p.site.answers, answer{at: p.at, version: p.site.version, kind: kind, process: p.alive})
	}
	return p.at
}

// hide makes the last answer hide a single role, and returns its time.
func (p *played) hide(r *role) time.Time {
	a := &p.site.answers[len(p.site.answers)-1]
	a.shown = p.site.shown(answer{version: a.version}).without(setOf([]int{r.n}))
	return a.at
}

func TestJudgeOfClosings(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		play func(p *played, r *role) (closed time.Time)
		want string
	}{
		{"after three absences", func(p *played, r *role) time.Time {
			p.site.take(r)
			return p.answer(3, whole)
		}, ""},
		{"after two", func(p *played, r *role) time.Time {
			p.site.take(r)
			return p.answer(2, whole)
		}, "closed too early"},
		{"while it was there", func(p *played, _ *role) time.Time { return p.answer(9, whole) }, "closed too early"},
		{"after lies", func(p *played, _ *role) time.Time { return p.answer(9, lie) }, "closed on a sick reading"},
		{"on a small lie that nobody could recognise", func(p *played, r *role) time.Time {
			p.site.take(r)
			p.answer(2, whole)
			p.site.bring(r)
			p.answer(1, lie)
			return p.hide(r)
		}, ""},
		{"by lies too, after it had really gone", func(p *played, r *role) time.Time {
			p.site.take(r)
			p.answer(1, whole)
			p.answer(1, lie)
			p.hide(r)
			p.answer(1, sick)
			p.answer(1, lie)
			return p.hide(r)
		}, ""},
		{"by a lie about everything, after it had really gone", func(p *played, r *role) time.Time {
			p.site.take(r)
			p.answer(2, whole)
			return p.answer(1, lie)
		}, "closed on a sick reading"},
		{"on a sick reading", func(p *played, r *role) time.Time {
			p.site.take(r)
			p.answer(5, whole)
			return p.answer(1, sick)
		}, "closed on a sick reading"},
		{"on a whole list, before the short one fails", func(p *played, r *role) time.Time {
			p.site.take(r)
			p.answer(5, whole)
			at := p.answer(1, sick)
			p.site.answers[len(p.site.answers)-1].brief = true
			return at
		}, ""},
		{"after it came back for an answer that no browser asked for", func(p *played, r *role) time.Time {
			p.site.vendor = drawnPages()[1]
			p.site.take(r)
			p.answer(4, whole)
			p.site.bring(r)
			p.answer(1, whole)
			p.site.answers[len(p.site.answers)-1].plain = true
			p.site.take(r)
			return p.answer(1, whole)
		}, ""},
		{"after it came back for one answer", func(p *played, r *role) time.Time {
			p.site.take(r)
			p.answer(2, whole)
			p.site.bring(r)
			p.answer(1, whole)
			p.site.take(r)
			return p.answer(2, whole)
		}, "closed too early"},
		{"after it came back for an answer that was lost with its process", func(p *played, r *role) time.Time {
			p.site.take(r)
			p.answer(2, whole)
			p.site.bring(r)
			p.alive = &incarnation{slot: &slot{}, to: p.at.Add(6 * time.Second)}
			p.answer(1, whole)
			p.alive = &incarnation{slot: &slot{}}
			p.site.take(r)
			return p.answer(1, whole)
		}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := newPlayed(t)
			p.answer(4, whole)
			r := p.site.roles[2]
			closed := test.play(p, r)
			v := newVerdict()
			p.judgeClosing(v, p.try(p.site, nil), r, closed, nil)
			if test.want == "" {
				require.Empty(t, v.findings)
				return
			}
			require.Contains(t, v.findings, test.want)
		})
	}
}

func TestJudgeOfWhatStaysOpen(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		play func(p *played)
		want int // roles that had to be closed
	}{
		{"nothing has gone", func(p *played) { p.answer(20, whole) }, 0},
		{"a role has gone", func(p *played) {
			p.site.take(p.site.roles[0])
			p.answer(6, whole)
		}, 1},
		{"a role has just gone", func(p *played) {
			p.site.take(p.site.roles[0])
			p.answer(4, whole)
		}, 0},
		{"a role has gone behind a wall", func(p *played) {
			p.site.take(p.site.roles[0])
			p.answer(20, sick)
		}, 0},
		{"all have gone, and are under suspicion", func(p *played) {
			for _, r := range p.site.roles {
				p.site.take(r)
			}
			p.answer(int(suspectHold/(5*time.Second)), whole)
		}, 0},
		{"all have gone for long", func(p *played) {
			for _, r := range p.site.roles {
				p.site.take(r)
			}
			p.answer(int(suspectHold/(5*time.Second))+12, whole)
		}, 8},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := newPlayed(t)
			p.answer(4, whole)
			test.play(p)
			require.Len(t, p.waits(p.try(p.site, nil), nil), test.want)
		})
	}
}

func TestJudgeKnowsWhatItCannotKnow(t *testing.T) {
	t.Parallel()
	at := func(second int) time.Time { return time.Unix(1_800_000_000+int64(second), 0) }
	all, few, fewer := setOf([]int{1, 2, 3, 4, 5, 6, 7, 8}), setOf([]int{1, 2, 3, 4}), setOf([]int{1, 2, 3})
	type step struct {
		second int
		kind   answerKind
		shown  roleSet
		sure   bool
	}
	tests := []struct {
		name      string
		steps     []step
		some, all bool // whether the last answer is trusted: by any belief, by all
	}{
		{"half of them may go", []step{{0, whole, all, true}, {5, whole, few, true}}, true, true},
		{"more than half may not", []step{{0, whole, all, true}, {5, whole, fewer, true}}, false, false},
		{"earlier losses are not counted again", []step{{0, whole, all, true}, {5, whole, few, true}, {10, whole, fewer, true}}, true, true},
		{"unless the answer in between was lost with its process", []step{
			{0, whole, all, true}, {5, whole, few, false}, {10, whole, fewer, true},
		}, true, false},
		{"a small lie is believed", []step{{0, whole, all, true}, {5, lie, few, true}, {10, whole, all, true}, {15, whole, fewer, true}}, false, false},
		{"a lie begins the suspicion of missing roles", []step{
			{0, whole, all, true}, {5, lie, "", true}, {30, whole, fewer, true}, {50, whole, fewer, true}, {70, whole, fewer, true},
		}, true, true},
		{"an incomplete answer that shows them ends it", []step{
			{0, whole, all, true}, {5, lie, "", true}, {20, sick, all, true}, {30, whole, fewer, true}, {50, whole, fewer, true}, {70, whole, fewer, true},
		}, false, false},
		{"roles shown only by an incomplete answer count as lost too", []step{
			{0, whole, few, true}, {5, sick, all, true}, {10, whole, few, true}, {15, whole, "", true}, {90, whole, "", true}, {95, whole, "", true},
		}, false, false},
		{"a later loss of the rest is a new suspicion", []step{
			{0, whole, all, true}, {5, whole, fewer, true}, {30, whole, fewer, true}, {50, whole, "", true}, {70, whole, "", true}, {75, whole, "", true},
		}, false, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			held := beliefs{{}: true}
			var some, all bool
			for _, s := range test.steps {
				held, some, all = held.after(answer{at: at(s.second), kind: s.kind, shown: s.shown}, s.shown, s.sure, false, suspectHold)
			}
			require.Equal(t, [2]bool{test.some, test.all}, [2]bool{some, all})
		})
	}
}

func TestJudgeOfFleets(t *testing.T) {
	t.Parallel()
	at := func(second int) time.Time { return time.Unix(1_800_000_000+int64(second), 0) }
	sites := make([]*site, 10)
	var states []state
	for i := range sites {
		sites[i] = &site{}
		states = append(states, state{at(i), sites[i], false, true}, state{at(20 + i), sites[i], i < 8, true}, state{at(60 + i), sites[i], false, true})
	}
	got := spans(states, len(sites), 0.5, 8, true)
	require.Len(t, got, 1)
	require.True(t, within(got, at(40), 0, 0))
	require.False(t, within(got, at(26), 0, 0), "seven are not eight")
	require.False(t, within(got, at(62), 0, 0), "it is over with the first good answer")
}

func TestJudgeComparesTheStore(t *testing.T) {
	t.Parallel()
	p := newPlayed(t)
	p.site.take(p.site.roles[7])
	p.site.take(p.site.roles[6])
	p.answer(4, whole)
	jobs := make(map[string]storedJob)
	put := func(r *role, status, title string) {
		jobs[p.site.url(r)] = storedJob{toldJob{ID: systems.UUID("id", r.n), URL: p.site.url(r), Title: title, Status: status}, r.place}
	}
	for _, r := range p.site.roles[:6] {
		put(r, "open", r.title())
	}
	put(p.site.roles[6], "closed", p.site.roles[6].title())
	compare := func(i int) []string {
		c := &comparison{}
		p.compareRole(c, p.site, p.site.roles[i], jobs)
		return c.kinds
	}
	for i := range 7 {
		require.Empty(t, compare(i))
	}
	require.Equal(t, []string(nil), compare(7), "it had gone before anybody looked")
	put(p.site.roles[0], "closed", p.site.roles[0].title())
	put(p.site.roles[1], "open", "Another")
	delete(jobs, p.site.url(p.site.roles[2]))
	put(p.site.roles[6], "open", p.site.roles[6].title())
	require.Equal(t, []string{"closed though there"}, compare(0))
	require.Equal(t, []string{"stale"}, compare(1))
	require.Equal(t, []string{"never found"}, compare(2))
	require.Equal(t, []string{"open though gone"}, compare(6))
}
