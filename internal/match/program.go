package match

import (
	"encoding/binary"
	"regexp/syntax"
)

// program is a compiled expression without pointers: programs of hundreds of alternatives are large and live as long as the
// process, and the garbage collector need not look into this one.
type program struct {
	start        int
	instructions []instruction
	sets         []uint64 // of classes of characters, a bit for each class
	words        int      // how many words a set takes
}

// instruction is one of package syntax, with a set of classes in place of characters.
type instruction struct {
	op  syntax.InstOp
	out uint32
	arg uint32 // of an instruction that takes a character, the number of its set
}

func programOf(prog *syntax.Prog, classes *runeClasses) *program {
	p := &program{start: prog.Start, instructions: make([]instruction, len(prog.Inst)), words: (classes.width() + 63) / 64}
	numbers := make(map[string]uint32) // of the sets, by the characters that are in them
	for i := range prog.Inst {
		inst := &prog.Inst[i]
		p.instructions[i] = instruction{inst.Op, inst.Out, inst.Arg}
		if !takesRune(inst.Op) {
			continue
		}
		key := runesOf(inst)
		number, known := numbers[string(key)]
		if !known {
			number = uint32(len(numbers)) //nolint:gosec // there are not more than instructions
			numbers[string(key)] = number
			p.addSet(inst, classes)
		}
		p.instructions[i].arg = number
	}
	return p
}

// addSet adds the set of the classes that the instruction takes.
func (p *program) addSet(inst *syntax.Inst, classes *runeClasses) {
	set := make([]uint64, p.words)
	for class, r := range classes.samples {
		if r >= 0 && inst.MatchRune(r) {
			set[class/64] |= 1 << (class % 64)
		}
	}
	p.sets = append(p.sets, set...)
}

// takes reports whether an instruction that takes a character takes one of the class.
func (p *program) takes(inst *instruction, class int) bool {
	return p.sets[int(inst.arg)*p.words+class/64]&(1<<(class%64)) != 0
}

func takesRune(op syntax.InstOp) bool {
	switch op {
	case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
		return true
	default:
		return false
	}
}

// runesOf is what tells which characters an instruction takes.
func runesOf(inst *syntax.Inst) []byte {
	key := binary.AppendUvarint(nil, uint64(inst.Op))
	key = binary.AppendUvarint(key, uint64(inst.Arg))
	for _, r := range inst.Rune {
		key = binary.AppendVarint(key, int64(r))
	}
	return key
}
