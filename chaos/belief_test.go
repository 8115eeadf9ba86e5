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

// each combines two sets; what comes out has no zeros at its end, so that equal sets are equal.
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

// belief is one way in which the service may see a board, as far as anybody outside can know.
type belief struct {
	known   bool
	healthy roleSet // what the last healthy answer showed
	gone    roleSet // whose staying away is waited for; empty without a suspicion
	since   time.Time
	further int // answers without them since
}

// massive reports whether so many of so many are too many to have gone at once.
func massive(lost, of int) bool { return lost > 0 && (lost == of || of >= 6 && 2*lost > of) }

// told is the belief after an answer in form, and whether that answer is one to trust: after a wait of at least hold when
// too many roles have vanished.
func (b belief) told(shown roleSet, at time.Time, hold time.Duration) (belief, bool) {
	healthy := belief{known: true, healthy: shown}
	if !b.known {
		return healthy, true
	}
	before, lost := b.healthy.len(), b.healthy.without(shown)
	if !massive(lost.len(), before) {
		return healthy, true
	}
	stay := b.gone.both(lost)
	rest := before - stay.len()
	if stay == "" || rest >= 6 && massive(lost.len()-stay.len(), rest) {
		b.gone, b.since, b.further = lost, at, 0
		return b, false
	}
	b.gone = stay
	if b.further++; b.further >= 3 && at.Sub(b.since) >= hold {
		return healthy, true
	}
	return b, false
}

// hinted is the belief after an answer that is known to be incomplete: what it shows has not stayed away.
func (b belief) hinted(shown roleSet) belief {
	if b.gone = b.gone.without(shown); b.gone == "" {
		b.since, b.further = time.Time{}, 0
	}
	return b
}

// beliefs are all ways in which the service may see a board.
type beliefs map[belief]bool

// after is what may be believed after an answer that was perhaps, or surely, saved; and whether it was trusted: by any
// belief, by all. holds are the waits that are possible.
func (bs beliefs) after(a answer, shown roleSet, sure bool, holds ...time.Duration) (next beliefs, some, all bool) {
	next, all = make(beliefs, len(bs)), true
	for b := range bs {
		if !sure {
			next[b] = true
		}
		switch {
		case a.kind != sick:
			for _, hold := range holds {
				told, trusted := b.told(shown, a.at, hold)
				next[told] = true
				some, all = some || trusted, all && trusted
			}
		case a.shown != "":
			next[b.hinted(shown)], all = true, false
		default:
			next[b], all = true, false
		}
	}
	return next, some, all
}
