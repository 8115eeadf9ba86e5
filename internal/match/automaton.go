package match

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"regexp/syntax"
	"slices"
	"sort"
	"sync"
	"sync/atomic"
	"unicode"
	"unicode/utf8"
)

// automaton decides whether texts match a regular expression, in one step for each character, however many alternatives
// the expression has. A state is a set of places in the expression. States and the steps between them are worked out when a
// text first needs them, and kept. An automaton is safe for concurrent use.
type automaton struct {
	prog     *program
	classes  *runeClasses
	anchored bool // matches begin where the text does

	table atomic.Pointer[[]int32] // a row for each state, a column for each class: the row that follows, or a verdict

	building sync.Mutex
	states   []state
	rows     map[string]int // by the key of the state
	starts   map[startKey][]int
}

// state is the places in the expression that the text so far may have led to, and the kind of its last character, which
// decides where words and lines begin and end.
type state struct {
	places []int
	last   rune
}

// startKey is the kind of the last character and the class of the next: together they decide which places a match reaches
// that begins between the two.
type startKey struct {
	last  rune
	class int
}

// The entries of the table that are not rows: rows begin after them.
const (
	unknownStep = iota
	deadEnd
	matchFound
)

// maxStates bounds the memory of an automaton. Reading thousands of real pages needs a quarter of it.
const maxStates = 8_000

func newAutomaton(prog *program, classes *runeClasses) *automaton {
	a := &automaton{prog: prog, classes: classes, rows: make(map[string]int), starts: make(map[startKey][]int)}
	table := make([]int32, classes.width()) // row 0 belongs to no state
	a.table.Store(&table)
	a.anchored = !a.startsAfter('a') && !a.startsAfter(' ') && !a.startsAfter('\n')
	a.row(state{last: -1})
	return a
}

// startsAfter reports whether a match may begin after such a character.
func (a *automaton) startsAfter(last rune) bool {
	for class := range a.classes.width() {
		if places, matched := a.follow([]int{a.prog.start}, last, class); matched || len(places) > 0 {
			return true
		}
	}
	return false
}

// match reports whether the text holds a match. known is false when the text needs more states than may be kept.
func (a *automaton) match(text string) (matched, known bool) {
	table, row := *a.table.Load(), a.classes.width()
	for i := 0; i <= len(text); {
		class := a.classes.end()
		switch {
		case i == len(text):
			i++
		case text[i] < utf8.RuneSelf:
			class = int(a.classes.ascii[text[i]])
			i++
		default:
			r, size := utf8.DecodeRuneInString(text[i:])
			class = a.classes.of(r)
			i += size
		}
		next := int(atomic.LoadInt32(&table[row+class]))
		if next == unknownStep {
			if next = a.step(row, class); next == unknownStep {
				return false, false
			}
			table = *a.table.Load()
		}
		if next <= matchFound {
			return next == matchFound, true
		}
		row = next
	}
	return false, true
}

// step works out which row follows when a character of the class is read in the state of this row.
func (a *automaton) step(row, class int) int {
	a.building.Lock()
	defer a.building.Unlock()
	from := a.states[row/a.classes.width()-1]
	places, matched := a.follow(from.places, from.last, class)
	if !matched && (!a.anchored || from.last < 0) {
		key := startKey{from.last, class}
		starts, known := a.starts[key]
		if !known {
			if starts, matched = a.follow([]int{a.prog.start}, from.last, class); !matched {
				a.starts[key] = starts
			}
		}
		places = append(places, starts...)
	}
	next := deadEnd
	switch {
	case matched:
		next = matchFound
	case class != a.classes.end() && (len(places) > 0 || !a.anchored):
		slices.Sort(places)
		next = a.row(state{slices.Compact(places), kindOfRune(a.classes.samples[class])})
	}
	if next > math.MaxInt32 {
		return unknownStep // more than maxStates can make
	}
	atomic.StoreInt32(&(*a.table.Load())[row+class], int32(next))
	return next
}

// follow lists the places that a character of the class leads to, and reports whether a match ends before it.
func (a *automaton) follow(places []int, last rune, class int) (next []int, matched bool) {
	r := a.classes.samples[class]
	between := syntax.EmptyOpContext(last, r)
	seen := make([]uint64, len(a.prog.instructions)/64+1)
	todo := slices.Clone(places)
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[at/64]&(1<<(at%64)) != 0 {
			continue
		}
		seen[at/64] |= 1 << (at % 64)
		switch inst := &a.prog.instructions[at]; inst.op {
		case syntax.InstAlt, syntax.InstAltMatch:
			todo = append(todo, int(inst.arg), int(inst.out))
		case syntax.InstCapture, syntax.InstNop:
			todo = append(todo, int(inst.out))
		case syntax.InstEmptyWidth:
			if inst.arg&^uint32(between) == 0 {
				todo = append(todo, int(inst.out))
			}
		case syntax.InstMatch:
			return nil, true
		case syntax.InstFail:
		default:
			if a.prog.takes(inst, class) {
				next = append(next, int(inst.out))
			}
		}
	}
	return next, false
}

// row is the row of a state; unknownStep when the table is full.
func (a *automaton) row(s state) int {
	key := binary.AppendVarint(make([]byte, 0, 2*len(s.places)+1), int64(s.last))
	for _, place := range s.places {
		key = binary.AppendVarint(key, int64(place))
	}
	if row, ok := a.rows[string(key)]; ok {
		return row
	}
	if len(a.states) == maxStates {
		return unknownStep
	}
	width := a.classes.width()
	a.states = append(a.states, s)
	row := len(a.states) * width
	a.rows[string(key)] = row
	if table := *a.table.Load(); row+width > len(table) {
		more := make([]int32, max(2*len(table), row+width))
		for i := range table {
			more[i] = atomic.LoadInt32(&table[i])
		}
		a.table.Store(&more)
	}
	return row
}

// kindOfRune stands for all characters that begin and end words and lines in the same way.
func kindOfRune(r rune) rune {
	switch {
	case r == '\n':
		return '\n'
	case syntax.IsWordChar(r):
		return 'a'
	}
	return ' '
}

// runeClasses numbers classes of characters that the expression treats alike. The last number stands for the text's end.
type runeClasses struct {
	ascii   [utf8.RuneSelf]uint8
	from    []rune // where stretches of one class begin
	number  []int  // the class of each
	samples []rune // one of each class; -1 for the end
}

func (c *runeClasses) width() int { return len(c.samples) }
func (c *runeClasses) end() int   { return len(c.samples) - 1 }

func (c *runeClasses) of(r rune) int {
	return c.number[sort.Search(len(c.from), func(i int) bool { return c.from[i] > r })-1]
}

// classesOf divides all characters by the places of the expression that accept them. Each place has a random mark; the
// sum of the marks of all places that accept a character identifies its class.
func classesOf(prog *syntax.Prog) *runeClasses {
	marks := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // they need not be secret, only different
	changes := map[rune]uint64{0: 0}
	take := func(by uint64, pairs ...rune) {
		for i := 0; i+1 < len(pairs); i += 2 {
			changes[pairs[i]] ^= by
			changes[pairs[i+1]+1] ^= by
		}
	}
	take(marks.Uint64(), '\n', '\n')
	take(marks.Uint64(), '0', '9', 'A', 'Z', '_', '_', 'a', 'z')
	for i := range prog.Inst {
		inst, by := &prog.Inst[i], marks.Uint64()
		switch inst.Op {
		case syntax.InstRuneAny:
			take(by, 0, unicode.MaxRune)
		case syntax.InstRuneAnyNotNL:
			take(by, 0, '\n'-1, '\n'+1, unicode.MaxRune)
		case syntax.InstRune, syntax.InstRune1:
			if len(inst.Rune) > 1 {
				take(by, inst.Rune...)
				continue
			}
			first := inst.Rune[0]
			take(by, first, first)
			for r := unicode.SimpleFold(first); r != first && inst.Arg&uint32(syntax.FoldCase) != 0; r = unicode.SimpleFold(r) {
				take(by, r, r)
			}
		default:
		}
	}
	return numbered(changes)
}

func numbered(changes map[rune]uint64) *runeClasses {
	c := &runeClasses{}
	for r := range changes {
		c.from = append(c.from, r)
	}
	slices.Sort(c.from)
	numbers, sum := make(map[uint64]int), uint64(0)
	for _, r := range c.from {
		sum ^= changes[r]
		n, known := numbers[sum]
		if !known {
			n = len(numbers)
			numbers[sum] = n
			c.samples = append(c.samples, r)
		}
		c.number = append(c.number, n)
	}
	c.samples = append(c.samples, -1)
	for r := range c.ascii {
		c.ascii[r] = uint8(c.of(rune(r))) //nolint:gosec // classes are numbered in the order of their first characters
	}
	return c
}
