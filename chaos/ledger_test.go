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
	guard guard
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

// miss takes a role away for some answers, and asks its page.
func (p *played) miss(r *role, n int) time.Time {
	p.site.take(r)
	p.answer(n, whole)
	p.ask(r)
	return p.at
}

// ask asks the own page of a role.
func (p *played) ask(r *role) { r.visits = append(r.visits, visit{p.at, r.listed}) }

// lose takes all roles away but some, for some answers, and asks the page of one.
func (p *played) lose(but, n int, asked *role) time.Time {
	for _, r := range p.site.roles[but:] {
		p.site.take(r)
	}
	p.answer(n, whole)
	p.ask(asked)
	return p.at
}

// How many answers, five seconds each, a hold takes; the first of holds begins it, and long is without that one.
const (
	holds = int(closeHold/(5*time.Second)) + 1
	long  = int(suspectHold / (5 * time.Second))
)

func TestJudgeOfClosings(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		play func(p *played, r *role) (closed time.Time)
		want string
	}{
		{"after the hold", func(p *played, r *role) time.Time { return p.miss(r, holds) }, ""},
		{"just before its end", func(p *played, r *role) time.Time { return p.miss(r, holds).Add(-time.Millisecond) }, "closed too early"},
		{"after three absences", func(p *played, r *role) time.Time { return p.miss(r, 3) }, "closed too early"},
		{"after two in a hold", func(p *played, r *role) time.Time {
			p.at = p.at.Add(time.Minute)
			p.miss(r, 1)
			p.at = p.at.Add(time.Minute)
			return p.answer(1, whole)
		}, "closed too early"},
		{"after three in a hold", func(p *played, r *role) time.Time {
			p.miss(r, 2)
			p.at = p.at.Add(time.Minute)
			return p.answer(1, whole)
		}, ""},
		{"while it was there", func(p *played, _ *role) time.Time { return p.answer(9, whole) }, "closed too early"},
		{"after lies", func(p *played, _ *role) time.Time { return p.answer(9, lie) }, "closed on a sick reading"},
		{"without a question to its page", func(p *played, r *role) time.Time {
			p.site.take(r)
			return p.answer(holds, whole)
		}, "closed without asking its page"},
		{"though its page is there", func(p *played, r *role) time.Time {
			for range holds {
				p.answer(1, lie)
				p.hide(r)
			}
			p.ask(r)
			return p.at
		}, "closed without asking its page"},
		{"on a small lie that nobody could recognise", func(p *played, r *role) time.Time {
			p.miss(r, holds-1)
			p.site.bring(r)
			p.answer(1, lie)
			return p.hide(r)
		}, ""},
		{"by a lie about everything, after it had really gone", func(p *played, r *role) time.Time {
			p.miss(r, holds)
			return p.answer(1, lie)
		}, "closed on a sick reading"},
		{"on a sick reading", func(p *played, r *role) time.Time {
			p.miss(r, holds)
			return p.answer(1, sick)
		}, "closed on a sick reading"},
		{"on a whole list, before the short one fails", func(p *played, r *role) time.Time {
			p.miss(r, holds)
			at := p.answer(1, sick)
			p.site.answers[len(p.site.answers)-1].brief = true
			return at
		}, ""},
		{"after it came back for an answer that no browser asked for", func(p *played, r *role) time.Time {
			p.site.vendor = drawnPages()[1]
			p.miss(r, holds)
			p.site.bring(r)
			p.answer(1, whole)
			p.site.answers[len(p.site.answers)-1].plain = true
			return p.miss(r, 1)
		}, ""},
		{"after it came back for one answer", func(p *played, r *role) time.Time {
			p.miss(r, holds)
			p.site.bring(r)
			p.answer(1, whole)
			return p.miss(r, holds-1)
		}, "closed too early"},
		{"after it came back for an answer that was lost with its process", func(p *played, r *role) time.Time {
			p.miss(r, holds)
			p.site.bring(r)
			p.alive = &incarnation{slot: &slot{}, to: p.at.Add(6 * time.Second)}
			p.answer(1, whole)
			p.alive = &incarnation{slot: &slot{}}
			return p.miss(r, 1)
		}, ""},
		{"with all others, after the hold of one", func(p *played, r *role) time.Time { return p.lose(0, holds, r) }, "closed too early"},
		{"with most others, after the hold of one", func(p *played, r *role) time.Time { return p.lose(2, holds, r) }, "closed too early"},
		{"with all others, after the long hold", func(p *played, r *role) time.Time { return p.lose(0, long+1, r) }, ""},
		{"with half of them, after the hold of one", func(p *played, r *role) time.Time {
			for i := range 4 {
				p.site.take(p.site.roles[2*i])
			}
			p.answer(holds, whole)
			p.ask(r)
			return p.at
		}, ""},
		{"before twice as long as another was away", func(p *played, r *role) time.Time {
			p.site.vendor = systems.Hosted()[1]
			p.site.take(p.site.roles[5])
			p.answer(4, whole)
			p.site.bring(p.site.roles[5])
			p.answer(1, whole)
			return p.miss(r, holds)
		}, "closed too early"},
		{"while its system was sick", func(p *played, r *role) time.Time {
			p.guard.surely = p.at
			return p.miss(r, holds)
		}, "closed while its fleet was sick"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := newPlayed(t)
			p.answer(4, whole)
			r := p.site.roles[2]
			closed := test.play(p, r)
			v := newVerdict()
			p.judgeClosing(v, p.try(p.site, map[string][]time.Time{p.site.url(r): {closed}}), r, closed, p.guard)
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
		{"a role has gone", func(p *played) { p.miss(p.site.roles[0], holds+spare-1) }, 1},
		{"a role has just gone", func(p *played) { p.miss(p.site.roles[0], holds+spare-2) }, 0},
		{"a role has gone behind a wall", func(p *played) {
			p.site.take(p.site.roles[0])
			p.answer(20, sick)
		}, 0},
		{"a role whose page is there", func(p *played) {
			for range 20 {
				p.answer(1, lie)
				p.hide(p.site.roles[0])
				p.ask(p.site.roles[0])
			}
		}, 0},
		{"all have gone, and wait", func(p *played) { p.lose(0, long, p.site.roles[0]) }, 0},
		{"all have gone for long", func(p *played) { p.lose(0, long+1+spare, p.site.roles[0]) }, 8},
		{"a role has gone beside one that came back", func(p *played) {
			p.site.take(p.site.roles[1])
			p.answer(4, whole)
			p.site.bring(p.site.roles[1])
			p.miss(p.site.roles[0], holds+spare-1)
		}, 0},
		{"a role has gone for twice as long as one that came back", func(p *played) {
			p.site.take(p.site.roles[1])
			p.answer(4, whole)
			p.site.bring(p.site.roles[1])
			p.miss(p.site.roles[0], 2*holds+spare)
		}, 1},
		{"a role has gone from a system that may be sick", func(p *played) {
			p.guard.perhaps = p.at
			p.miss(p.site.roles[0], 20)
		}, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := newPlayed(t)
			p.answer(4, whole)
			test.play(p)
			require.Len(t, p.try(p.site, nil).waits(p.guard), test.want)
		})
	}
}

func TestJudgeOfFleets(t *testing.T) {
	t.Parallel()
	trials := make(map[*site]*trial)
	var at time.Time
	for i := range 60 {
		p := newPlayed(t)
		p.at = p.at.Add(time.Duration(i) * time.Second)
		p.answer(4, whole)
		if i < 6 {
			at = p.answer(1, sick)
			p.answer(1, whole)
		}
		trials[p.site] = p.try(p.site, nil)
	}
	got := guards(trials)[newPlayed(t).site.vendor.Name]
	require.Equal(t, at, got.surely, "the sixth of sixty boards")
	require.Equal(t, at.Add(-3*time.Second), got.perhaps)
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
		var kinds []string
		for _, d := range c.differences {
			kinds = append(kinds, d.kind)
		}
		return kinds
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
