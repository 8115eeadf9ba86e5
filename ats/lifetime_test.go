package ats_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/ats"
	"github.com/boardwatch/boardwatch/boardwatch"
)

// The tests of this file follow boards of hosted systems for a long time. An invented company's roles come and go, a vendor
// writes its answers, sick or not, the adapter reads them, and the rules of the core decide. The ledger of the truth says what
// went wrong.

const day = 24 * time.Hour

// firstNoon is when everything begins.
var firstNoon = time.Date(2026, 10, 5, 12, 0, 0, 0, time.UTC)

// opening is a role, and how it is shown now.
type opening struct {
	n                int // in truth
	id, title, place string
	opens, closes    time.Time
}

func (o opening) live(at time.Time) bool { return !at.Before(o.opens) && at.Before(o.closes) }

// foreign is the first number of roles that are another company's.
const foreign = 1_000_000

// firm is a company, in truth.
type firm struct {
	roles []opening
	size  int
	end   time.Time
}

// newFirm is a company that has about as many roles all the time. About one in fifty goes each day, and another one comes.
func newFirm(size int, end time.Time, rng *rand.Rand) *firm {
	f := &firm{size: size, end: end}
	for range size {
		f.open(firstNoon.Add(-day))
	}
	every := 50 * day / time.Duration(size)
	for at := firstNoon.Add(time.Duration(rng.Int64N(int64(every)))); at.Before(end); at = at.Add(every) {
		live := f.at(at)
		f.roles[live[rng.IntN(len(live))].n].closes = at
		f.open(at.Add(time.Duration(rng.Int64N(int64(5 * time.Hour)))))
	}
	return f
}

func (f *firm) open(at time.Time) {
	n := len(f.roles)
	f.roles = append(f.roles, opening{n: n, title: fmt.Sprint(pick(n, "Welder", "Rigger", "Pilot"), " ", n), place: pick(n, "Oslo", "Leith"), opens: at, closes: firstNoon.Add(1000 * day)})
}

func (f *firm) at(t time.Time) (live []opening) {
	return slices.DeleteFunc(slices.Clone(f.roles), func(o opening) bool { return !o.live(t) })
}

func pick(n int, of ...string) string { return of[n%len(of)] }

// idForms are the forms in which systems name roles that are not bound to one of their own.
var idForms = []func(n int) string{
	func(n int) string { return strconv.Itoa(4_000_000 + n) },
	func(n int) string { return fmt.Sprintf("%08x-6f0e-4b53-9a51-2f6f0c1d8e90", n) },
	func(n int) string { return fmt.Sprintf("role-%d-of-ours", n) },
}

// glance is one answer of a system.
type glance struct {
	*firm

	vendor vendor
	form   int // of ids
	base   int // of the numbers in ids
	now    time.Time
	since  time.Duration // since the sickness began
	n      int           // looks since then
	rng    *rand.Rand
	live   []opening
}

func (l *glance) id(n int) string {
	if l.vendor.id != nil {
		return l.vendor.id(n + l.base)
	}
	return idForms[l.form](n + l.base)
}

// list is the shelf with these roles.
func (l *glance) list(rows []opening) shelf {
	s := shelf{rows: slices.Clone(rows), total: -1}
	if l.vendor.counts {
		s.total = len(rows)
	}
	for i, o := range s.rows {
		if o.id == "" {
			s.rows[i].id = l.id(o.n)
		}
	}
	return s
}

// first is the shelf with that share of the roles.
func (l *glance) first(share float64) shelf { return l.list(l.live[:int(share*float64(len(l.live)))]) }

// course is the life of one board.
type course struct {
	sickness lifeSickness
	vendors  [2]vendor // the second is where the company moves to
	form     int
	silent   bool // nobody says anything about single roles
	firm     *firm
	from     time.Time // when the sickness begins
	rng      *rand.Rand
	looks    int
	newID    func() string

	board boardwatch.Board
	jobs  []boardwatch.Job
	whose map[string]int    // the role of a key
	owner map[string]int    // the role of a job
	told  map[int]bool      // roles
	shown map[int]time.Time // when a role was in a reading last
	read  time.Time         // when the whole list was read last

	closedLive, toldAgain, missed, closed int
}

func (c *course) String() string {
	return fmt.Sprintf("%d live roles closed, %d told again, %d closings missed", c.closedLive, c.toldAgain, c.missed)
}

func (c *course) faults() int { return c.closedLive + c.toldAgain + c.missed }

func newCourse(s lifeSickness, v, other vendor, size int, cadence time.Duration, form int) *course {
	next := 0
	c := &course{
		sickness: s, vendors: [2]vendor{v, other}, form: form, from: firstNoon.Add(3 * cadence), rng: rand.New(rand.NewPCG(uint64(size), uint64(cadence))),
		newID: func() string { next++; return fmt.Sprintf("%s-%d", s.name, next) },
		whose: make(map[string]int), owner: make(map[string]int), told: make(map[int]bool), shown: make(map[int]time.Time),
	}
	if cadence < 6*time.Hour {
		c.from = firstNoon.Add(day)
	}
	c.firm = newFirm(size, firstNoon.Add(lifeChecks*cadence), c.rng)
	if s.truth != nil {
		s.truth(c.firm)
	}
	c.board = boardwatch.Board{ID: c.newID(), Source: v.system + ":" + v.board, URL: "https://www.northwind.example/careers", Cadence: cadence, Status: boardwatch.BoardScraping}
	c.board.NextCheckAt = boardwatch.NextCheck(c.board, firstNoon)
	return c
}

// lifeChecks is how often a board is read.
const lifeChecks = 150

func (c *course) play(t *testing.T) {
	t.Helper()
	for c.board.NextCheckAt.Before(c.firm.end) {
		c.check(t, c.board.NextCheckAt.Add(time.Second), false)
	}
	for _, j := range c.jobs {
		n := c.owner[j.ID]
		if n >= foreign || j.Status != boardwatch.JobOpen || c.firm.roles[n].live(c.firm.end) {
			continue
		}
		if gone := c.firm.roles[n].closes; c.read.Sub(latest(gone, c.shown[n])) > 30*day {
			c.missed++
		}
	}
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// vendor is where the company's board is read now.
func (c *course) vendor() vendor {
	if c.board.System() == c.vendors[1].system {
		return c.vendors[1]
	}
	return c.vendors[0]
}

// sick reports whether the system is sick.
func (c *course) sick(now time.Time) bool {
	since := now.Sub(c.from)
	return since >= 0 && (c.sickness.days == 0 || since <= time.Duration(c.sickness.days*float64(day)))
}

func (c *course) check(t *testing.T, now time.Time, fleetHold bool) {
	t.Helper()
	if to := c.vendors[1]; c.sickness.moves && c.board.Lost() && c.board.MovesTo(to.system+":"+to.board) {
		c.board.Source, c.board.State.SetHash, c.board.State.Fingerprint = to.system+":"+to.board, "", ""
	}
	v := c.vendor()
	l := &glance{firm: c.firm, vendor: v, form: c.form, now: now, since: now.Sub(c.from), n: c.looks, rng: c.rng, live: c.firm.at(now)}
	status, s := http.StatusOK, shelf{}
	if moved := v.system != c.vendors[0].system; c.sick(now) && !moved {
		c.looks++
		s = c.sickness.shows(l)
		if c.sickness.status != nil {
			status = c.sickness.status(l)
		}
	} else {
		if moved {
			l.base = 700_000
		}
		s = l.list(l.live)
	}
	for _, o := range s.rows {
		c.whose[o.id] = o.n
	}
	client := doerFunc(func(r *http.Request) (*http.Response, error) {
		body := ""
		if r.Body != nil {
			body = string(must(io.ReadAll(r.Body)))
		}
		if status != http.StatusOK {
			return textAnswer(status, "<html><body>Be right back</body></html>"), nil
		}
		return textAnswer(status, v.answer(v, s, r, body)), nil
	})
	reading, err := ats.Read(t.Context(), adapterOf(v.system), client, v.board)
	require.NoError(t, err)
	c.decide(t, reading.Normalize(), now, fleetHold)
}

func (c *course) decide(t *testing.T, r boardwatch.Reading, now time.Time, fleetHold bool) {
	t.Helper()
	in := boardwatch.CheckInput{Now: now, Board: c.board, Known: c.jobs, Testimonies: map[string]boardwatch.Testimony{}}
	open := slices.DeleteFunc(slices.Clone(c.jobs), func(j boardwatch.Job) bool { return j.Status != boardwatch.JobOpen })
	for _, j := range boardwatch.ToAsk(c.board, open, r, boardwatch.DefaultRules(), now) {
		in.Testimonies[j.ID] = c.testimony(t, j, now)
	}
	result := boardwatch.Decide(in, r, fleetHold, boardwatch.DefaultRules(), c.newID)
	c.note(result, r, now)
	c.board, c.jobs = result.Board, result.Jobs(in)
}

// testimony is what the system says of a role, or else the role's page.
func (c *course) testimony(t *testing.T, j boardwatch.Job, now time.Time) boardwatch.Testimony {
	t.Helper()
	n := c.owner[j.ID]
	if c.silent || n >= foreign {
		return boardwatch.TestimonySilent
	}
	live := c.firm.roles[n].live(now)
	client := doerFunc(func(*http.Request) (*http.Response, error) {
		if live {
			return textAnswer(http.StatusOK, `{"role":{"title":`+strconv.Quote(j.Title)+`,"status":"published"}}`), nil
		}
		return textAnswer(http.StatusNotFound, `{"error":"not found"}`), nil
	})
	said, err := ats.Testify(context.Background(), adapterOf(c.vendor().system), client, c.vendor().board, j)
	require.NoError(t, err)
	switch {
	case said != boardwatch.TestimonySilent:
		return said
	case live:
		return boardwatch.TestimonyThere
	default:
		return boardwatch.TestimonyGone
	}
}

// note compares a check with the truth.
func (c *course) note(result boardwatch.CheckResult, r boardwatch.Reading, now time.Time) {
	if r.Health == boardwatch.HealthOK {
		c.read = now
	}
	names := make(map[string]int, len(r.Postings)) // the role of a title and place that a reading shows
	for _, p := range r.Postings {
		n := c.whose[p.Key]
		c.shown[n], names[p.Title+"\n"+p.Location] = now, n
	}
	for _, j := range result.Change.Found {
		n := c.whose[j.Key]
		if c.told[n] && n < foreign {
			c.toldAgain++
		}
		c.owner[j.ID], c.told[n] = n, true
	}
	for _, j := range slices.Concat(result.Change.Reopened, result.Change.Updated, result.Change.Touched) {
		if n, ok := names[j.Title+"\n"+j.Location]; ok && j.LastSeenAt.Equal(now) {
			c.owner[j.ID], c.told[n] = n, true
		}
	}
	for _, j := range result.Change.Closed {
		n := c.owner[j.ID]
		c.closed++
		if n < foreign && c.firm.roles[n].live(now) {
			c.closedLive++
		}
	}
}

func TestBoardsOfHostedSystemsOverTime(t *testing.T) {
	t.Parallel()
	require.GreaterOrEqual(t, len(vendors), 10)
	for i, v := range vendors {
		t.Run(v.system, func(t *testing.T) {
			t.Parallel()
			for k, s := range lifeSicknesses() {
				if s.needs != nil && !s.needs(v) {
					continue
				}
				for _, trial := range lifeTrials(i + k) {
					c := newCourse(s, v, vendors[(i+5)%len(vendors)], trial.size, trial.cadence, trial.form)
					c.play(t)
					require.Zero(t, c.faults(), "%s: %s, %d roles every %s: %s", v.system, s.name, trial.size, trial.cadence, c)
					require.True(t, c.closed > 0 || trial.size < 6 || trial.cadence == time.Hour || strings.Contains(s.name, "equal titles"), "%s: %s: nothing ever closed", v.system, s.name)
				}
			}
		})
	}
}

// lifeTrial is how a life is played.
type lifeTrial struct {
	size    int
	cadence time.Duration
	form    int // of ids
}

// A third of every board of a system is gone at once, or within half a day. Nobody needs to ask for single roles.
func TestAFleetThatLosesAThirdOfEveryBoardClosesNothing(t *testing.T) {
	t.Parallel()
	third := lifeSickness{name: "a third is lost for thirty hours", days: 1.25, shows: func(l *glance) shelf { return l.first(2.0 / 3) }}
	for i, v := range vendors {
		for _, f := range fleetTrials(i) {
			t.Run(fmt.Sprintf("%d boards of %s every %s, within %s", f.boards, v.system, f.cadence, f.within), func(t *testing.T) {
				t.Parallel()
				var fleet []*course
				for b := range f.boards {
					c := newCourse(third, v, v, 9+b, f.cadence, b%len(idForms))
					c.silent = true
					c.from = firstNoon.Add(4*day + f.within*time.Duration(b)/time.Duration(f.boards))
					c.board.ID = fmt.Sprint("board ", b)
					c.board.NextCheckAt = boardwatch.NextCheck(c.board, firstNoon)
					fleet = append(fleet, c)
				}
				closed := 0
				for {
					due := slices.MinFunc(fleet, func(a, b *course) int { return a.board.NextCheckAt.Compare(b.board.NextCheckAt) })
					now := due.board.NextCheckAt.Add(time.Second)
					if now.After(firstNoon.Add(10*day + 30*f.cadence)) {
						break
					}
					var readings []boardwatch.FleetReading
					for _, c := range fleet {
						readings = append(readings, c.board.Fleet())
					}
					due.check(t, now, boardwatch.FleetHold(v.system, readings, boardwatch.DefaultRules(), now))
				}
				for _, c := range fleet {
					require.Zero(t, c.faults(), "%s: %s", c.board.ID, c)
					closed += c.closed
				}
				require.Positive(t, closed, "true closings")
			})
		}
	}
}

// fleetTrial is how a fleet is played.
type fleetTrial struct {
	boards          int
	cadence, within time.Duration
}
