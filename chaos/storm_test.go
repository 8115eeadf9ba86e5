//go:build chaos

package chaos_test

import (
	"context"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/boardwatch/boardwatch/chaos/systems"
)

// storm is everything that happens at the same time.
type storm struct {
	*world

	ctx  context.Context //nolint:containedctx // the storm is its life
	work sync.WaitGroup
}

// rage makes everything happen until the time is over, and returns when it has stopped.
func (w *world) rage(ctx context.Context, length time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, length)
	defer cancel()
	s := &storm{world: w, ctx: ctx}
	for i, part := range []func(rng *rand.Rand, length time.Duration){
		s.drifting, s.flickering, s.failing, s.layingOff, s.fleets, s.killing, s.killingBrowsers, s.striking, s.adding,
	} {
		rng := rand.New(rand.NewPCG(w.o.seed, uint64(10+i)))
		s.work.Go(func() { part(rng, length) })
	}
	s.work.Wait()
}

// wait lets time pass, and returns false when the storm is over.
func (s *storm) wait(d time.Duration) bool {
	select {
	case <-s.ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

// anywhere returns a random duration between two.
func anywhere(rng *rand.Rand, low, high time.Duration) time.Duration {
	return low + time.Duration(rng.Int64N(int64(high-low)))
}

// drifting changes roles: each board about once in forty seconds, quick ones every five.
func (s *storm) drifting(rng *rand.Rand, _ time.Duration) {
	var fast []*site
	for _, site := range s.sites {
		if site.pace == quick {
			fast = append(fast, site)
		}
	}
	every := 40 * time.Second / time.Duration(len(s.sites))
	for s.wait(every) {
		s.sites[rng.IntN(len(s.sites))].drift()
		if len(fast) > 0 {
			fast[rng.IntN(len(fast))].drift()
		}
	}
}

func (s *storm) flickering(rng *rand.Rand, _ time.Duration) {
	for s.wait(60 * time.Second / time.Duration(len(s.sites))) {
		site := s.sites[rng.IntN(len(s.sites))]
		length := anywhere(rng, time.Second, closeHold*4/5)
		s.work.Go(func() { site.flicker(s.wait, length) })
	}
}

// failing gives single sites faults.
func (s *storm) failing(rng *rand.Rand, _ time.Duration) {
	faults := ownFaults()
	for s.wait(40 * time.Second / time.Duration(len(s.sites))) {
		site, f := s.sites[rng.IntN(len(s.sites))], faults[rng.IntN(len(faults))]
		if f.holds && site.vendor.Shared || f.claims && !site.vendor.Counts {
			continue
		}
		site.ail(f, anywhere(rng, time.Second, 9*time.Second))
	}
}

// layingOff removes most roles of some companies, early enough for the loss to be confirmed before the end.
func (s *storm) layingOff(rng *rand.Rand, length time.Duration) {
	n := max(2, len(s.sites)/50)
	for range n {
		if !s.wait(length / 4 / time.Duration(n)) {
			return
		}
		s.sites[rng.IntN(len(s.sites))].layOff()
	}
}

// fleets makes whole systems fail, one after the other.
func (s *storm) fleets(rng *rand.Rand, length time.Duration) {
	hosted := slices.DeleteFunc(systems.Hosted(), func(v systems.System) bool { return calmSystems[v.Name] })
	all := func(f *fault) func(*site) *fault { return func(*site) *fault { return f } }
	half := func(other *fault) func(*site) *fault {
		return func(site *site) *fault {
			if systems.Hash(site.token)%2 == 0 {
				return nothing
			}
			return other
		}
	}
	plans := []func(name string){
		func(name string) { s.sicken(name, all(unavailable), 9*time.Second) },
		func(name string) { s.sicken(name, all(nothing), 14*time.Second) },
		func(name string) { s.sicken(name, all(maintenance), 7*time.Second) },
		func(name string) { // first half of the boards show nothing, then the others lack roles as well, for many checks
			s.internet.suffer(name, half(nil))
			if s.wait(13 * time.Second) {
				s.sicken(name, half(thirdGone), 22*time.Second)
			}
			s.internet.suffer(name, nil)
		},
		func(name string) { s.sicken(name, all(leaveAlone), time.Second) },
	}
	first := rng.IntN(len(hosted))
	for i := 0; s.wait(length / 25); i++ {
		plan, name := plans[i%len(plans)], hosted[(first+i)%len(hosted)].Name
		plan(name)
	}
}

func (s *storm) sicken(name string, of func(*site) *fault, d time.Duration) {
	s.internet.suffer(name, of)
	s.wait(d)
	s.internet.suffer(name, nil)
}

// killing stops processes, most of them with SIGKILL.
func (s *storm) killing(rng *rand.Rand, _ time.Duration) {
	for s.wait(anywhere(rng, 2*time.Second, 9*time.Second)) {
		slot := s.slots[rng.IntN(len(s.slots))]
		life := slot.now.Load()
		if !life.ended().IsZero() {
			continue
		}
		if rng.IntN(4) == 0 {
			s.stops.Add(1)
			if err := slot.end(syscall.SIGTERM); err != nil && !s.inOutage(time.Now()) {
				s.problem("%v", err)
			}
			continue
		}
		s.kills.Add(1)
		if err := slot.end(syscall.SIGKILL); err != nil {
			s.problem("%v", err)
		}
	}
}

func (s *storm) killingBrowsers(rng *rand.Rand, _ time.Duration) {
	for s.wait(anywhere(rng, 3*time.Second, 12*time.Second)) {
		found := s.slots[rng.IntN(len(s.slots))].browsers()
		if len(found) == 0 {
			continue
		}
		if syscall.Kill(found[rng.IntN(len(found))], syscall.SIGKILL) == nil {
			s.browserKills.Add(1)
		}
	}
}

// striking hits the database, three times in a storm.
func (s *storm) striking(rng *rand.Rand, length time.Duration) {
	for range 3 {
		if !s.wait(length/4 + anywhere(rng, 0, length/20)) {
			return
		}
		over := s.outage()
		what, err := s.database.strike(s.ctx)
		over()
		if err != nil && s.ctx.Err() == nil {
			s.problem("striking the database: %v", err)
		}
		if what != "" {
			s.crashes.Add(1)
		}
	}
}

func (w *world) inOutage(at time.Time) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, o := range w.outages {
		if at.After(o.from.Add(-time.Second)) && at.Before(o.to.Add(5*time.Second)) {
			return true
		}
	}
	return false
}

// adding makes programs add boards, over REST and over MCP, until each is confirmed.
func (s *storm) adding(_ *rand.Rand, length time.Duration) {
	for i, site := range s.late {
		if !s.wait(length * 2 / 3 / time.Duration(len(s.late))) {
			return
		}
		s.add(s.readers[i%6], site, i%2 == 0)
	}
}

// add adds one board. A lost answer may have been a success; the next one then says that the board is already there.
func (s *storm) add(r *reader, site *site, tool bool) {
	for {
		var err error
		if tool && r.agent != nil {
			adder := newAgent(r.agent.base, r.email, password, func(int) int { return 0 }, func() []string { return []string{r.agent.base} })
			var answer systems.Object
			if err = adder.tool(s.ctx, "add_board", systems.Object{"url": site.address}, &answer); err != nil {
				tool = false // then the other interface
			}
		} else {
			var code int
			_, body := systems.JSON(systems.Object{"url": site.address})
			if code, err = r.client.call(s.ctx, http.MethodPost, "/v1/boards", body, nil); code == http.StatusConflict {
				err = nil
			} else if err != nil && code >= 400 && code < 500 && code != http.StatusTooManyRequests {
				s.problem("adding a board: %v", err)
				return
			}
		}
		if err == nil {
			r.mu.Lock()
			r.added = append(r.added, site)
			r.mu.Unlock()
			s.adds.Add(1)
			return
		}
		if !s.wait(1500 * time.Millisecond) {
			return
		}
	}
}

// supervise keeps a process running in the slot, as a service manager does.
func (w *world) supervise(ctx context.Context, slot *slot, rng *rand.Rand) {
	for ctx.Err() == nil {
		life := slot.now.Load()
		if life != nil {
			select {
			case <-ctx.Done():
				return
			case <-life.done:
			}
			if !life.wanted && !w.inOutage(life.ended()) {
				w.problem("%s ended by itself: %v: %s", slot.name, life.err, slot.lastLine())
			}
			select {
			case <-ctx.Done():
				return
			case <-time.After(anywhere(rng, 10*time.Millisecond, 1500*time.Millisecond)):
			}
		}
		if err := slot.start(w.program, w.base()); err != nil {
			w.problem("%s does not start: %v", slot.name, err)
			return
		}
	}
}
