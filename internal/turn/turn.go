// Package turn is the line for work that keeps a processor busy for long: hashing a password, reading a large page. All
// such work of the process stands in one line, whatever it is for, because a goroutine that computes keeps its processor for
// ten milliseconds at a time: were all processors taken by such work, every short request would wait for that again and again.
package turn

import "runtime"

// Line is who may work at this moment: to send is to begin, to receive is to end.
type Line chan struct{}

// NewLine returns a line in which half of the processors are used at a time, and at least one.
func NewLine() Line { return make(Line, max(1, runtime.GOMAXPROCS(0)/2)) }

// Long is the line of this process for what takes long.
var Long = NewLine()
