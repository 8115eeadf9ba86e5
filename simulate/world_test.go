//go:build simulate

package simulate_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/ats"
	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/pace"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/boardwatch/watch"
	"github.com/boardwatch/boardwatch/chaos/systems"
	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// world is one run: all companies, the watchers, and the records.
type world struct {
	o        options
	internet *internet
	bySource map[string]*company
	accounts []customer

	settled, took time.Duration // real time for creating the world, and for running it
	opened        time.Time     // when the watchers began
	lived         time.Duration

	checks, broken, changes, closings, roles atomic.Int64
	first                                    atomic.Int64 // when a board was read for the first time, after the watchers began
	unread                                   atomic.Int64 // boards that were never read
	lull                                     lull

	late map[account.PlanName]*spread

	mu       sync.Mutex
	findings map[string][]string // errors, by kind
}

// customer is an account. Its boards all have the same cadence.
type customer struct {
	id        string
	plan      account.PlanName
	companies []*company
}

// boardsOfEach is how many boards one account tracks: a thousand, or more if there were more than forty accounts. A claim
// of a new board looks at what each account waits for.
func (o options) boardsOfEach() int { return max(1000, o.boards/40) }

// shares are how many of a hundred boards each vendor has. Half of all boards are at vendors whose companies share a host.
var shares = map[string]int{
	"greenhouse": 20, "lever": 10, "ashby": 6, "workable": 6, "smartrecruiters": 10, "recruitee": 24, "personio": 24,
}

func newWorld(o options) *world {
	w := &world{
		o: o, internet: new(internet), bySource: make(map[string]*company, o.boards), findings: make(map[string][]string),
		late: make(map[account.PlanName]*spread),
	}
	paces := paces()
	var order []*vendor // each repeated by its share
	for i, s := range systems.Hosted() {
		v := &vendor{System: s, place: i, hosts: make(map[string]*host), paced: 1 / outbound.DefaultPause.Seconds()}
		if p, ok := paces[s.Name]; ok {
			v.paced = 1 / p.Every.Seconds()
		}
		w.internet.vendors = append(w.internet.vendors, v)
		order = append(order, slices.Repeat([]*vendor{v}, shares[s.Name])...)
	}
	w.unread.Store(int64(o.boards))
	d := dice{o.seed}
	byPlan := make(map[account.PlanName][]*company)
	for range o.boards {
		v := order[d.n(len(order))]
		c := newCompany(v, len(v.companies)+1, d.next(), o)
		v.companies = append(v.companies, c)
		w.bySource[c.source()] = c
		byPlan[c.plan] = append(byPlan[c.plan], c)
	}
	for _, plan := range account.PlanNames() {
		w.late[plan] = new(spread)
		for some := range slices.Chunk(byPlan[plan], o.boardsOfEach()) {
			w.accounts = append(w.accounts, customer{id: boardwatch.NewID(), plan: plan, companies: some})
		}
	}
	return w
}

func (c *company) source() string { return c.vendor.Name + ":" + c.token }

// plans are those of the product, but with lists of the same length.
func (o options) plans() account.Plans {
	all := account.DefaultPlans()
	for name, p := range all {
		p.Boards = o.boardsOfEach()
		all[name] = p
	}
	return all
}

// subscribe makes the accounts track their boards.
func (w *world) subscribe(t *testing.T, place place) {
	t.Helper()
	store := place.open(t, storage.Options{Plans: w.o.plans()})
	w.each(t, func(a customer) error { return enlist(t.Context(), store, a) })
	require.NoError(t, store.Close())
}

// each does something for every account, for several at once.
func (w *world) each(t *testing.T, do func(customer) error) {
	t.Helper()
	var group sync.WaitGroup
	work := make(chan customer)
	for range 8 {
		group.Go(func() {
			for a := range work {
				if err := do(a); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for _, a := range w.accounts {
		work <- a
	}
	close(work)
	group.Wait()
	require.False(t, t.Failed())
}

func enlist(ctx context.Context, store *storage.Store, a customer) error {
	err := store.CreateAccount(ctx, account.Account{
		ID: a.id, Email: a.id + "@northwind.example", Plan: a.plan, Verified: true, CreatedAt: boardwatch.Milli(time.Now()),
	})
	for _, c := range a.companies {
		if err != nil {
			return err
		}
		var b boardwatch.Board
		b, _, err = store.Subscribe(ctx, boardwatch.Subscription{AccountID: a.id}, boardwatch.Board{
			Source: c.source(), URL: c.vendor.Address(c.token),
		}, c.vendor.Address(c.token))
		c.board = b.ID
	}
	return err
}

// start starts all watching processes, each with its own store, client and reader, until end is called.
func (w *world) start(t *testing.T, place place) (end func()) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	var group sync.WaitGroup
	stores := make([]*storage.Store, w.o.processes)
	for i := range stores {
		stores[i] = place.open(t, storage.Options{Plans: w.o.plans()})
		told := clocked{stores[i], place.tell, w, i}
		client := outbound.New(outbound.Options{Transport: w.internet, Paces: paces(), Turns: told})
		watcher := watch.New(told, scraper.New(client, scraper.Options{Version: "simulated"}), watch.Options{
			Rules: boardwatch.DefaultRules(), Concurrency: 16, Timeout: 10 * time.Minute, Observe: w.observe,
		})
		group.Go(func() {
			if err := watcher.Run(ctx); err != nil {
				t.Error(err)
			}
		})
		group.Go(func() { prune(ctx, told) })
	}
	return func() {
		stop()
		group.Wait()
		for _, s := range stores {
			require.NoError(t, s.Close())
		}
	}
}

// prune deletes old rows, as every process of the service does once an hour.
func prune(ctx context.Context, store clocked) {
	for ctx.Err() == nil {
		store.tell()
		_ = store.Prune(ctx, storage.Retention{Checks: 90 * 24 * time.Hour, Unread: 24 * time.Hour})
		pause(ctx, time.Hour)
	}
}

// paces returns the paces of the adapters, as the service applies them.
func paces() map[string]pace.Pace {
	known := make(map[string]pace.Pace)
	for _, a := range ats.All() {
		if d, ok := a.(ats.Described); ok && d.About().Pace.Every > 0 {
			p := d.About().Pace
			known[a.Name()] = pace.Pace{Every: p.Every, AtOnce: max(1, p.AtOnce)}
		}
	}
	return known
}

// judge compares what the store knows of every board with the ledger.
func (w *world) judge(t *testing.T, place place) storage.Condition {
	t.Helper()
	store := place.open(t, storage.Options{Plans: w.o.plans()})
	w.each(t, func(a customer) error { return w.compareAll(t.Context(), store, a) })
	for _, v := range w.internet.vendors {
		// A minute of sixty pauses has sixty-one ends.
		if most := v.paced*60 + 1; float64(v.highest()) > most {
			w.find("asked too often", "%s: %d requests in a minute, and its pace allows %.0f", v.Name, v.highest(), most)
		}
	}
	condition, err := store.Condition(t.Context())
	require.NoError(t, err)
	for _, fault := range condition.Faults {
		w.find("a fault of the database", "%s", fault)
	}
	require.NoError(t, store.Close())
	return condition
}

// compareAll judges the boards of an account.
func (w *world) compareAll(ctx context.Context, store *storage.Store, a customer) error {
	for _, c := range a.companies {
		page, err := store.Jobs(ctx, a.id, track.JobFilter{BoardID: c.board, Limit: mostDesks * mostHeirs})
		if err != nil {
			return err
		}
		w.compare(c, page.Jobs)
	}
	return nil
}

// find records an error.
func (w *world) find(kind, format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.findings[kind] = append(w.findings[kind], fmt.Sprintf(format, args...))
}
