package watch

import (
	"log/slog"
	"sync"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// rejudge is how long a verdict on a system is valid while no further board of it turns sick.
const rejudge = time.Second

// fleet remembers the last readings of each hosted system's boards, so that a fault of the system is not taken for a
// fault of its boards. It is asked at every check, so it only examines its readings when they may have changed the
// answer.
type fleet struct {
	rules boardwatch.Rules
	log   *slog.Logger

	mu      sync.Mutex
	systems map[string]*systemReadings
}

type systemReadings struct {
	readings []boardwatch.FleetReading
	at       map[string]int // index of each board in readings

	held     bool
	judgedAt time.Time
	stale    bool // a board has turned sick since then
}

func newFleet(rules boardwatch.Rules, log *slog.Logger) *fleet {
	return &fleet{rules: rules, log: log, systems: make(map[string]*systemReadings)}
}

// record adds one check.
func (f *fleet) record(r boardwatch.FleetReading) {
	if r.System == boardwatch.PageSystem || r.System == "" {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.put(r)
}

// merge adds the checks that the store gave when it was asked: some that any process made, and all that left a board
// sick, however long ago. It forgets old ones, and sick boards that the store did not give, because they are well again,
// gone, or nobody tracks them anymore.
func (f *fleet) merge(readings []boardwatch.FleetReading, asked time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := asked
	sick := make(map[string]bool)
	for _, r := range readings {
		f.put(r)
		if r.At.After(now) {
			now = r.At
		}
		if !r.SickSince.IsZero() {
			sick[r.BoardID] = true
		}
	}
	old, saved := now.Add(-f.rules.Window()), asked.Add(-savedFleet)
	for _, s := range f.systems {
		s.forget(func(r boardwatch.FleetReading) bool {
			if r.SickSince.IsZero() {
				return r.At.Before(old)
			}
			return r.At.Before(saved) && !sick[r.BoardID]
		})
	}
}

func (f *fleet) put(r boardwatch.FleetReading) {
	s := f.systems[r.System]
	if s == nil {
		s = &systemReadings{at: make(map[string]int)}
		f.systems[r.System] = s
	}
	i, known := s.at[r.BoardID]
	switch {
	case !known:
		s.at[r.BoardID] = len(s.readings)
		s.readings = append(s.readings, r)
	case r.At.Before(s.readings[i].At):
		return
	default:
		s.readings[i] = r
	}
	if !r.SickSince.IsZero() && !s.held {
		s.stale = true
	}
}

// holds reports whether nothing may be closed on boards of the system.
func (f *fleet) holds(system string, now time.Time) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := f.systems[system]
	if s == nil {
		return false
	}
	if !s.stale && now.Sub(s.judgedAt).Abs() < rejudge {
		return s.held
	}
	held := boardwatch.FleetHold(system, s.readings, f.rules, now)
	if held != s.held {
		f.announce(system, held)
	}
	s.held, s.judgedAt, s.stale = held, now, false
	return held
}

func (f *fleet) announce(system string, held bool) {
	if held {
		f.log.Warn("many boards of one system turned sick: no role of it counts as closed", slog.String("system", system))
		return
	}
	f.log.Info("boards of the system are well again: roles count as closed", slog.String("system", system))
}

func (s *systemReadings) forget(gone func(boardwatch.FleetReading) bool) {
	kept := s.readings[:0]
	clear(s.at)
	for _, r := range s.readings {
		if !gone(r) {
			s.at[r.BoardID] = len(kept)
			kept = append(kept, r)
		}
	}
	clear(s.readings[len(kept):])
	s.readings = kept
}
