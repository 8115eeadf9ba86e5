//go:build chaos

package chaos_test

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/boardwatch/boardwatch/chaos/systems"
)

// site is one board from its owner's point of view: its roles, its fault, and a record of every answer that it gave.
// The record is the ledger by which the service is judged; it uses nothing from the service.
type site struct {
	vendor  systems.System
	token   string // names the site at its vendor
	pace    pace   // the fastest among the accounts that track it
	address string // the address that a person adds

	mu      sync.Mutex
	rng     *rand.Rand
	roles   []*role
	version int    // increases with every change of the shown roles
	fault   *fault // its own
	until   time.Time
	answers []answer
	frozen  bool
	hidden  time.Time      // when a role was last hidden
	snap    []systems.Role // the snapshot for a list of several pages
	snapped int            // its version
}

// pace is one of the three cadences, which stand for plans.
type pace int

const (
	slow   pace = iota // pages that need a browser
	steady             // most boards
	quick              // a week passes in a minute or two
)

func (p pace) cadence() time.Duration {
	return [...]time.Duration{20 * time.Second, 5 * time.Second, 500 * time.Millisecond}[p]
}

// role is a role with everything that was ever visible of it.
type role struct {
	n      int
	spells []spell
	edits  []edit
	place  string
	team   string
	listed bool
	visits []visit
}

// visit is a request for the role's own page.
type visit struct {
	at    time.Time
	there bool
}

// spell is a range of versions of the site in which a role was shown: from the first, up to but excluding the last.
type spell struct{ from, to int }

type edit struct {
	version int
	title   string
}

// answer is the answer to one request for the list.
type answer struct {
	at      time.Time
	version int
	kind    answerKind
	process *incarnation // the process that sent the request
	fault   string       // the name of the fault, if there was one
	shown   roleSet      // the roles shown by a faulty list
	// brief says that the list without descriptions was asked for. It only tells whether the long one has changed, and is perhaps
	// asked for after it: where it fails, the long one is read.
	brief bool
	plain bool // no browser asked
}

// decides reports whether a reading may have followed from the answer.
func (a answer) decides() bool { return !a.brief || a.kind != sick }

type answerKind byte

const (
	whole answerKind = iota // the list as it is
	lie                     // a well-formed list that lacks existing roles
	sick                    // anything else
)

// never is the end of a spell that still lasts.
const never = int(^uint(0) >> 1)

// calm reports whether the site never fails and never lacks more than one role at a time. Elsewhere boards of a hosted system
// fail so often that its fleet guard holds all the time; here everything has to close.
func (s *site) calm() bool { return calmSystems[s.vendor.Name] }

var calmSystems = map[string]bool{"lever": true, "workable": true, "personio": true}

func newSite(v systems.System, number int, p pace, roles int, rng *rand.Rand) *site {
	s := &site{vendor: v, token: fmt.Sprintf("%s%d", v.Prefix, number), pace: p, rng: rng}
	s.address = v.Address(s.token)
	for range roles {
		s.open()
	}
	return s
}

var (
	// Unmistakable titles: the ledger treats every complete answer as a healthy reading, but a page whose only role
	// might be something else is read as unsure, which closes nothing.
	crafts = []string{"Lamp Engineer", "Tide Analyst", "Harbour Pilot", "Rigging Technician", "Chart Designer", "Dock Manager", "Signal Operator", "Keel Welder"}
	places = []string{"Bergen", "Halifax", "Porto", "Gdansk", "Split", "Leith", "Turku"}
	teams  = []string{"Engineering", "Operations", "Finance", "Design"}
)

// open shows a new role. The caller has the lock, or is alone.
func (s *site) open() {
	s.version++
	n := len(s.roles) + 1
	title := fmt.Sprintf("%s %d", crafts[s.rng.IntN(len(crafts))], n)
	s.roles = append(s.roles, &role{
		n: n, listed: true, spells: []spell{{s.version, never}}, edits: []edit{{s.version, title}},
		place: places[s.rng.IntN(len(places))], team: teams[s.rng.IntN(len(teams))],
	})
}

func (s *site) take(r *role) {
	s.version++
	r.listed, s.hidden = false, time.Now()
	r.spells[len(r.spells)-1].to = s.version
}

func (s *site) bring(r *role) {
	s.version++
	r.listed = true
	r.spells = append(r.spells, spell{s.version, never})
}

// drift makes one of the changes that companies make all the time. It returns false if the site is frozen.
func (s *site) drift() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.frozen {
		return false
	}
	listed, gone := s.split()
	switch what := s.rng.IntN(10); {
	case what < 3 && len(listed) > 3 && s.mayHide():
		s.take(listed[s.rng.IntN(len(listed))])
	case what < 5 && len(gone) > 0 && !s.calm():
		s.bring(gone[s.rng.IntN(len(gone))])
	case what < 7 && len(listed) > 0:
		r := listed[s.rng.IntN(len(listed))]
		s.version++
		r.edits = append(r.edits, edit{s.version, fmt.Sprintf("%s %d, edition %d", crafts[s.rng.IntN(len(crafts))], r.n, len(r.edits)+1)})
	case len(listed) < 300:
		s.open()
	}
	return true
}

// mayHide reports whether another role may be hidden: on a calm site not before the last one was closed.
func (s *site) mayHide() bool { return !s.calm() || time.Since(s.hidden) > suspectHold }

// layOff removes most roles, or all of them, permanently.
func (s *site) layOff() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.calm() {
		return
	}
	listed, _ := s.split()
	keep := 0
	if s.rng.IntN(2) == 0 {
		keep = len(listed) / 4
	}
	for _, r := range listed[keep:] {
		s.take(r)
	}
}

// flicker hides a role and shows it again before it can be closed.
func (s *site) flicker(wait func(time.Duration) bool, length time.Duration) {
	s.mu.Lock()
	listed, _ := s.split()
	if s.frozen || len(listed) < 4 || !s.mayHide() {
		s.mu.Unlock()
		return
	}
	r := listed[s.rng.IntN(len(listed))]
	s.take(r)
	s.mu.Unlock()
	wait(length)
	s.mu.Lock()
	defer s.mu.Unlock()
	if !r.listed {
		s.bring(r)
	}
}

func (s *site) split() (listed, gone []*role) {
	for _, r := range s.roles {
		if r.listed {
			listed = append(listed, r)
		} else {
			gone = append(gone, r)
		}
	}
	return listed, gone
}

func (s *site) freeze() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.frozen, s.fault = true, nil
}

// ail makes the site answer with a fault for a while.
func (s *site) ail(f *fault, d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.frozen && s.fault == nil && !s.calm() {
		s.fault, s.until = f, time.Now().Add(d)
	}
}

// ailing returns the site's current fault; nil if there is none. The caller has the lock.
func (s *site) ailing(now time.Time) *fault {
	if s.fault != nil && now.After(s.until) {
		s.fault = nil
	}
	return s.fault
}

// look returns the true list. The caller has the lock.
func (s *site) look() []systems.Role {
	var out []systems.Role
	for _, r := range s.roles {
		if r.listed {
			out = append(out, systems.Role{N: r.n, Title: r.edits[len(r.edits)-1].title, Place: r.place, Team: r.team})
		}
	}
	return out
}

// shownIn reports whether the role was visible in a version of its site.
func (r *role) shownIn(version int) bool {
	for _, sp := range r.spells {
		if sp.from <= version && version < sp.to {
			return true
		}
	}
	return false
}

func (r *role) title() string { return r.edits[len(r.edits)-1].title }
