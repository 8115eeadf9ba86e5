// Package turn limits work that keeps a processor busy for long, such as hashing a password or reading a large page.
// All such work in the process shares one queue, because a computing goroutine keeps its processor for ten milliseconds
// at a time: if such work took all processors, every short request would wait for it again and again. Work ends with the
// context of whoever wants its result.
package turn

import "runtime"

// Line is a queue for long work: send to begin, receive to end.
type Line chan struct{}

// NewLine returns a line that lets work use half of the processors at a time, and at least one.
func NewLine() Line { return make(Line, max(1, runtime.GOMAXPROCS(0)/2)) }

// Long is the process's line for long work.
var Long = NewLine() //nolint:gochecknoglobals // there is one set of processors
