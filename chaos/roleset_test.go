//go:build chaos

package chaos_test

import "math/bits"

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
