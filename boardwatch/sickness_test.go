package boardwatch_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"net/url"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

const day = 24 * time.Hour

// role is the truth about a role. It has as many addresses and ids as its careers page invents, but only one number.
type role struct {
	n                        int
	id                       string // of a hosted system; empty on a page
	title, place, department string
	url                      string
	opens, closes            time.Time
}

func (r role) live(at time.Time) bool { return !at.Before(r.opens) && at.Before(r.closes) }

// foreign is the first number of roles that are not the company's own.
const foreign = 1_000_000

// careers is the true state of a company's roles over time.
type careers struct {
	roles []role
	size  int
	end   time.Time
}

// newCareers returns a company that has about as many roles all the time. About one in fifty goes each day, and another
// one comes.
func newCareers(size, days int, hosted bool, rng *rand.Rand) *careers {
	c := &careers{size: size, end: noon.Add(time.Duration(days) * day)}
	for range size {
		c.open(noon.Add(-day), hosted)
	}
	every := max(50*day/time.Duration(size), 12*time.Minute)
	for at := noon.Add(time.Duration(rng.Int64N(int64(min(every, 4*day))))); at.Before(c.end); at = at.Add(every) {
		live := c.at(at)
		gone := live[rng.IntN(len(live))].n
		c.roles[gone].closes = at
		c.open(at.Add(time.Duration(rng.Int64N(int64(5*time.Hour)))), hosted)
	}
	return c
}

func (c *careers) open(at time.Time, hosted bool) {
	n := len(c.roles)
	r := role{
		n: n, title: fmt.Sprintf("%s %c%d", pick(n, "Welder", "Cook", "Nurse", "Engineer"), 'A'+n%7, n), place: pick(n, "Berlin", "Oslo", "Rome"),
		department: pick(n, "Works", "Care"), opens: at, closes: noon.Add(1000 * day), url: fmt.Sprintf("https://northwind.example/jobs/%d-role", 100+n),
	}
	if hosted {
		r.id, r.url = strconv.Itoa(4000+n), fmt.Sprintf("https://hosted.example/northwind/%d", 4000+n)
	}
	c.roles = append(c.roles, r)
}

func (c *careers) at(t time.Time) (live []role) {
	for _, r := range c.roles {
		if r.live(t) {
			live = append(live, r)
		}
	}
	return live
}

func pick[T any](n int, of ...T) T { return of[n%len(of)] }

// visit is one look at a sick careers page.
type visit struct {
	*careers

	now   time.Time
	since time.Duration // since the sickness began
	n     int           // looks since then
	rng   *rand.Rand
	live  []role // the truth now
	whose map[string]int
}

// list returns what a reader makes of a list of roles.
func (v *visit) list(roles []role) boardwatch.Reading {
	r := boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: -1, Company: "Northwind"}
	for _, of := range roles {
		p := boardwatch.Posting{Key: of.id, Title: of.title, Location: of.place, Department: of.department, URL: of.url}
		if u, err := url.Parse(of.url); of.id == "" && of.url != "" && err == nil {
			p.Key = boardwatch.AddressIdentity(u)
		}
		title := boardwatch.OneLine(of.title, 600) // as it is shown
		v.whose[title+"\n"+of.url], v.whose[title] = of.n, of.n
		r.Postings = append(r.Postings, p)
	}
	return r
}

func (v *visit) role(title, url string) (int, bool) {
	if n, ok := v.whose[title+"\n"+url]; ok {
		return n, true
	}
	n, ok := v.whose[title]
	return n, ok
}

// only lists the live roles that a condition holds for.
func (v *visit) only(holds func(role) bool) boardwatch.Reading {
	return v.list(slices.DeleteFunc(slices.Clone(v.live), func(r role) bool { return !holds(r) }))
}

// first lists that share of the live roles, from the top.
func (v *visit) first(share float64) boardwatch.Reading {
	return v.list(v.live[:int(math.Ceil(share*float64(len(v.live))))])
}

// each lists the live roles as they are changed.
func (v *visit) each(change func(*role)) boardwatch.Reading {
	roles := slices.Clone(v.live)
	for i := range roles {
		change(&roles[i])
	}
	return v.list(roles)
}

func (v *visit) hour() int { return v.now.Hour() }

// healthy lists what is open.
func healthy(v *visit) boardwatch.Reading { return v.list(v.live) }

// except lists what is open and not away.
func except(away func(v *visit, r role) bool) func(v *visit) boardwatch.Reading {
	return func(v *visit) boardwatch.Reading { return v.only(func(r role) bool { return !away(v, r) }) }
}

// onlyFirst lists that share of what is open, from the top.
func onlyFirst(share float64) func(v *visit) boardwatch.Reading {
	return func(v *visit) boardwatch.Reading { return v.first(share) }
}

// onDay is so many days after the company is first looked at.
func onDay(days float64) time.Time { return noon.Add(time.Duration(days * float64(day))) }

// settle lets nobody come or go.
func settle(c *careers) {
	c.roles = c.roles[:c.size]
	for i := range c.roles {
		c.roles[i].closes = onDay(1000)
	}
}

// sickness turns the true list into what a reader returns.
type sickness struct {
	name  string
	on    string  // "page", "hosted", or both if empty
	days  float64 // how long it lasts; 0 means for good
	show  func(v *visit) boardwatch.Reading
	truth func(c *careers) // what is special about the company
	moves string           // the source to which it moves when the old one does not know it any more
	late  time.Duration    // how long a true closing may wait at most, besides the checks that miss the role; 0 means thirty days
}

// witness is what kind of board it is, and what the own pages of its roles say.
type witness string

const (
	onPage       witness = "page"        // whose roles' own pages tell the truth
	onSilentPage witness = "silent page" // whose roles' own pages say nothing
	onHosted     witness = "hosted"
)

// tally is the ledger of truth.
type tally struct {
	closedLive int // live roles closed
	toldAgain  int // roles told under another id, or twice without a closing in between
	mixed      int // roles that continue another one
	missed     int // roles that whole readings have lacked for longer than the sickness excuses, and that are or were open
	again      int // live roles closed a second time: their board had learned nothing
	untold     int // roles that are there for three days and that nobody was told
	late       []time.Duration
}

func (t tally) String() string {
	return fmt.Sprintf("%d live closed (%d of them a second time), %d told again, %d mixed, %d missed, %d untold",
		t.closedLive, t.again, t.toldAgain, t.mixed, t.missed, t.untold)
}

func (t tally) faults() int { return t.closedLive + t.toldAgain + t.mixed + t.missed + t.untold }

func (t *tally) add(o tally) {
	t.closedLive += o.closedLive
	t.toldAgain += o.toldAgain
	t.mixed += o.mixed
	t.missed += o.missed
	t.again += o.again
	t.untold += o.untold
	t.late = append(t.late, o.late...)
}

// patient is a board with a sickness, as a store keeps it.
type patient struct {
	tally

	sickness sickness
	witness  witness
	careers  *careers
	from     time.Time // when the sickness begins
	rng      *rand.Rand
	newID    func() string
	looks    int

	board boardwatch.Board
	jobs  []boardwatch.Job
	owner map[string]int    // the role of a job
	jobOf map[int]string    // the job of a role
	shown map[int]time.Time // when a reading showed a role last
	whole map[int]int       // how many healthy readings showed a role
	wrong map[string]bool   // jobs that were closed although they were live
	read  time.Time         // when the reader returned a whole list last
}

func newPatient(s sickness, w witness, size int, cadence time.Duration, days int) *patient {
	p := &patient{
		sickness: s, witness: w, from: noon.Add(3 * day), rng: rand.New(rand.NewPCG(uint64(days), uint64(size))), newID: ids(),
		owner: map[string]int{}, jobOf: map[int]string{}, shown: map[int]time.Time{}, whole: map[int]int{},
		wrong: map[string]bool{},
	}
	p.careers = newCareers(size, days, w == onHosted, p.rng)
	if s.truth != nil {
		s.truth(p.careers)
	}
	source := "page:https://northwind.example/jobs"
	if w == onHosted {
		source = "greenhouse:northwind"
	}
	p.board = boardwatch.Board{ID: p.newID(), Source: source, URL: "https://northwind.example/jobs", Cadence: cadence, Status: boardwatch.BoardScraping}
	p.board.NextCheckAt = boardwatch.NextCheck(p.board, noon)
	return p
}

// play runs a sickness to its end.
func (p *patient) play() tally {
	for p.board.NextCheckAt.Before(p.careers.end) {
		p.check(p.board.NextCheckAt.Add(time.Second), false)
	}
	p.finish()
	return p.tally
}

// reading returns what the reader returns now.
func (p *patient) reading(now time.Time) (boardwatch.Reading, *visit) {
	v := &visit{careers: p.careers, now: now, since: now.Sub(p.from), n: p.looks, rng: p.rng, live: p.careers.at(now), whose: map[string]int{}}
	if v.since < 0 || p.sickness.days > 0 && v.since > time.Duration(p.sickness.days*float64(day)) {
		return v.list(v.live).Normalize(), v
	}
	p.looks++
	return p.sickness.show(v).Normalize(), v
}

func (p *patient) check(now time.Time, fleetHold bool) {
	r, v := p.reading(now)
	rules := boardwatch.DefaultRules()
	in := boardwatch.CheckInput{Now: now, Board: p.board, Known: p.jobs}
	if p.witness != onHosted {
		in.Testimonies = map[string]boardwatch.Testimony{}
		for _, j := range boardwatch.ToAsk(p.board, p.open(), r, rules, now) {
			in.Testimonies[j.ID] = p.testimony(j, now)
		}
	}
	result := boardwatch.Decide(in, r, fleetHold, rules, p.newID)
	p.note(result, r, v)
	p.board, p.jobs = result.Board, result.Jobs(in)
	if p.sickness.moves != "" && p.board.Lost() && p.board.Source != p.sickness.moves {
		p.board.Source, p.board.State.SetHash, p.board.State.Fingerprint = p.sickness.moves, "", ""
	}
}

func (p *patient) open() []boardwatch.Job {
	return slices.DeleteFunc(slices.Clone(p.jobs), func(j boardwatch.Job) bool { return j.Status != boardwatch.JobOpen })
}

func (p *patient) testimony(j boardwatch.Job, now time.Time) boardwatch.Testimony {
	n := p.owner[j.ID]
	switch {
	case p.witness == onSilentPage || n >= foreign:
		return boardwatch.TestimonySilent
	case p.careers.roles[n].live(now):
		return boardwatch.TestimonyThere
	default:
		return boardwatch.TestimonyGone
	}
}

// note compares a check with the truth.
func (p *patient) note(result boardwatch.CheckResult, r boardwatch.Reading, v *visit) {
	now := v.now
	if r.Health == boardwatch.HealthOK {
		p.read = now
	}
	if r.Health.Read() {
		for _, posting := range r.Postings {
			n, _ := v.role(posting.Title, posting.URL)
			p.shown[n] = now
			if result.Check.Health == boardwatch.HealthOK {
				p.whole[n]++
			}
		}
	}
	for _, j := range result.Change.Found {
		n, _ := v.role(j.Title, j.URL)
		if p.jobOf[n] != "" && n < foreign {
			p.toldAgain++
		}
		p.owner[j.ID], p.jobOf[n] = n, j.ID
	}
	for _, j := range slices.Concat(result.Change.Reopened, result.Change.Updated, result.Change.Touched) {
		n, ok := v.role(j.Title, j.URL)
		was := p.owner[j.ID]
		if !ok || n == was || !j.LastSeenAt.Equal(now) {
			continue
		}
		if n < foreign && was < foreign && p.careers.roles[n].title != p.careers.roles[was].title {
			p.mixed++
		}
		if p.owner[j.ID] = n; p.jobOf[n] == "" {
			p.jobOf[n] = j.ID
		}
	}
	for _, j := range result.Change.Closed {
		n := p.owner[j.ID]
		if n >= foreign {
			continue
		}
		if truth := p.careers.roles[n]; truth.live(now) {
			if p.closedLive++; p.wrong[j.ID] && now.Sub(j.MissedSince) < 14*day {
				p.again++
			}
			p.wrong[j.ID] = true
		} else {
			late := now.Sub(later(truth.closes, p.shown[n]))
			if p.late = append(p.late, late); p.sickness.late > 0 && late > p.patience() {
				p.missed++
			}
		}
	}
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// patience is how late a true closing may be. The own pages of roles are asked at some checks after the hold.
func (p *patient) patience() time.Duration {
	if p.sickness.late == 0 {
		return 30 * day
	}
	checks := 3
	if p.witness != onHosted {
		checks += len(p.careers.roles) / boardwatch.MostTestimonies
	}
	return p.sickness.late + time.Duration(checks)*p.board.Cadence
}

func (p *patient) finish() {
	for _, j := range p.jobs {
		n := p.owner[j.ID]
		if n >= foreign || j.Status != boardwatch.JobOpen || p.careers.roles[n].live(p.careers.end) {
			continue
		}
		if p.read.Sub(later(p.careers.roles[n].closes, p.shown[n])) > p.patience() {
			p.missed++
		}
	}
	for _, r := range p.careers.at(p.careers.end) {
		if p.jobOf[r.n] == "" && p.whole[r.n] > 3 && p.careers.end.Sub(r.opens) > 3*day {
			p.untold++
		}
	}
}

// trial is one size and cadence that sicknesses are played at.
type trial struct {
	size    int
	cadence time.Duration
	days    int
}

func TestSicknessesOfCareersPagesCloseNoLiveRoleAndTellNothingTwice(t *testing.T) {
	t.Parallel()
	all := sicknesses()
	require.Greater(t, len(all), 60)
	total := newTotals()
	t.Run("each", func(t *testing.T) {
		t.Parallel()
		for _, s := range all {
			for _, w := range []witness{onPage, onSilentPage, onHosted} {
				if s.on == "page" && w == onHosted || s.on == "hosted" && w != onHosted {
					continue
				}
				name := string(w) + ": " + s.name
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					var sum tally
					for _, trial := range sicknessTrials {
						got := newPatient(s, w, trial.size, trial.cadence, trial.days).play()
						if sum.add(got); got.faults() > 0 {
							t.Logf("%s, %d roles every %s: %s", name, trial.size, trial.cadence, got)
						}
					}
					total.add(name, sum)
					require.Zero(t, sum.again, "a board that was wrong once does not learn")
					if _, known := unknowable[name]; !known {
						require.Zero(t, sum.faults(), sum)
					} else if allSicknesses {
						require.NotZero(t, sum.faults(), "this can be known now: take it off the list")
					}
				})
			}
		}
	})
	t.Cleanup(func() {
		for name := range unknowable {
			require.Contains(t, total.names, name, "there is no such sickness")
		}
		t.Log(total)
	})
}

func quantile(late []time.Duration, share float64) time.Duration {
	if len(late) == 0 {
		return 0
	}
	slices.Sort(late)
	return late[min(len(late)-1, int(share*float64(len(late))))].Round(time.Minute)
}
