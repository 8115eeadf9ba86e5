//go:build chaos

package chaos_test

import (
	"math/bits"
	"time"
)

// roleSet is a set of roles by number, a bit for each.
type roleSet string

func setOf(numbers []int) roleSet {
	var b []byte
	for _, n := range numbers {
		for len(b) <= n/8 {
			b = append(b, 0)
		}
		b[n/8] |= 1 << (n % 8)
	}
	return roleSet(b)
}

func (s roleSet) len() (n int) {
	for i := range len(s) {
		n += bits.OnesCount8(s[i])
	}
	return n
}

func (s roleSet) has(n int) bool { return n/8 < len(s) && s[n/8]&(1<<(n%8)) != 0 }

func (s roleSet) without(o roleSet) roleSet {
	return s.each(o, func(a, b byte) byte { return a &^ b })
}

func (s roleSet) both(o roleSet) roleSet {
	return s.each(o, func(a, b byte) byte { return a & b })
}

// each combines two sets; the result has no trailing zeros, so that equal sets compare as equal.
func (s roleSet) each(o roleSet, of func(a, b byte) byte) roleSet {
	out := make([]byte, len(s))
	end := 0
	for i := range len(s) {
		var b byte
		if i < len(o) {
			b = o[i]
		}
		if out[i] = of(s[i], b); out[i] != 0 {
			end = i + 1
		}
	}
	return roleSet(out[:end])
}

// union returns the members of either set.
func (s roleSet) union(o roleSet) roleSet {
	if len(s) < len(o) {
		s, o = o, s
	}
	return s.each(o, func(a, b byte) byte { return a | b })
}

// belief is one possible view that the service may have of a board, as far as an outsider can know.
type belief struct {
	known   bool
	healthy roleSet // what the last healthy answer showed
	since   time.Time
	heard   roleSet // what others have shown since
	gone    roleSet // missing roles under suspicion; empty without a suspicion
	goneOf  int     // how many roles there were
	further int     // answers without them since then
}

// loss is how many of that many roles an answer lacks.
type loss struct{ of, lost int }

func lossOf(expected, lost roleSet) loss { return loss{expected.len(), lost.both(expected).len()} }

// massive reports whether these are too many to have gone at once.
func (l loss) massive() bool { return l.lost > 0 && (l.lost == l.of || l.of >= 6 && 2*l.lost > l.of) }

// told returns the belief after a well-formed answer, and whether that answer is trusted. If too many roles have
// vanished, it is trusted after a wait of at least hold. While the system is sick (frozen), waiting proves nothing.
func (b belief) told(shown roleSet, at time.Time, hold time.Duration, frozen bool) (belief, bool) {
	healthy := belief{known: true, healthy: shown}
	if !b.known {
		return healthy, true
	}
	expected := b.healthy.union(b.heard)
	lost := expected.without(shown)
	stay := b.gone.both(lost)
	all, own := lossOf(expected, lost), lossOf(b.healthy, lost)
	if !all.massive() && !own.massive() && !(loss{b.goneOf, stay.len()}).massive() {
		return healthy, true
	}
	rest := lost.without(stay)
	switch {
	case stay == "" || lossOf(expected.without(stay), rest).massive() || lossOf(b.healthy.without(stay), rest).massive():
		b.since, b.further, b.goneOf = at, 0, own.of
		if all.massive() {
			b.goneOf = all.of
		}
	case frozen:
		b.since, b.further = at, 0
	default:
		b.further++
	}
	b.gone = lost
	if b.further >= 3 && at.Sub(b.since) >= hold {
		return healthy, true
	}
	b.heard = b.heard.union(shown)
	return b, false
}

// hinted returns the belief after an answer that is known to be incomplete: the roles it shows exist and are not
// missing.
func (b belief) hinted(shown roleSet) belief {
	if b.known {
		b.heard = b.heard.union(shown)
	}
	if b.gone = b.gone.without(shown); b.gone == "" {
		b.since, b.further, b.goneOf = time.Time{}, 0, 0
	}
	return b
}

// beliefs are all views that the service may have of a board.
type beliefs map[belief]bool

// after returns the possible beliefs after an answer that was perhaps, or certainly, saved, and whether it was trusted
// by any belief and by all. holds are the possible waits; frozen says that the system may have been sick.
func (bs beliefs) after(a answer, shown roleSet, sure, frozen bool, holds ...time.Duration) (next beliefs, some, all bool) {
	next, all = make(beliefs, len(bs)), true
	for b := range bs {
		if !sure {
			next[b] = true
		}
		switch {
		case a.kind != sick:
			for _, hold := range holds {
				told, trusted := b.told(shown, a.at, hold, false)
				next[told] = true
				some, all = some || trusted, all && trusted
				if frozen && !trusted {
					told, _ = b.told(shown, a.at, hold, true)
					next[told] = true
				}
			}
		case a.shown != "":
			next[b.hinted(shown)], all = true, false
		default:
			next[b], all = true, false
		}
	}
	return next, some, all
}
