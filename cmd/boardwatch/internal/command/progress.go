package command

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/boardwatch/boardwatch/ats"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/exit"
)

// barAfter is how long a piece of work goes on before its bar is shown: most are done by then.
const barAfter = 300 * time.Millisecond

// Bar shows on a terminal how far a long piece of work is, and how long the rest may take; elsewhere it does nothing.
type Bar struct {
	shown *progressbar.ProgressBar
	began time.Time
}

// NewBar is the bar of work of so many parts, or bytes. Nothing is drawn for a total of zero or less.
func (c *CLI) NewBar(what string, total int64, bytes bool) *Bar {
	return c.barOf(total,
		progressbar.OptionSetDescription(what), progressbar.OptionSetPredictTime(true), progressbar.OptionShowCount(),
		progressbar.OptionShowBytes(bytes), progressbar.OptionThrottle(100*time.Millisecond))
}

// barOf is a bar of the common looks with what else there is to it.
func (c *CLI) barOf(total int64, more ...progressbar.Option) *Bar {
	if !c.ErrTerm.Is || total <= 0 {
		return &Bar{}
	}
	options := []progressbar.Option{
		progressbar.OptionSetWriter(c.Err), progressbar.OptionSetElapsedTime(false), progressbar.OptionClearOnFinish(),
		progressbar.OptionSetWidth(max(10, min(40, c.ErrTerm.Width-50))), progressbar.OptionUseANSICodes(true),
	}
	return &Bar{shown: progressbar.NewOptions64(total, append(options, more...)...), began: time.Now()}
}

// To says that so much of the work is done.
func (b *Bar) To(done int64) {
	if b.shown != nil && time.Since(b.began) > barAfter {
		_ = b.shown.Set64(done) // it is drawn for a person; the work goes on without it
	}
}

// describe changes what stands before the bar.
func (b *Bar) describe(what string) {
	if b.shown != nil && time.Since(b.began) > barAfter {
		b.shown.Describe(what)
	}
}

// of says how much work there is, where more came to light.
func (b *Bar) of(total int64) {
	if b.shown != nil && b.shown.GetMax64() != total {
		b.shown.ChangeMax64(total)
	}
}

// End takes the bar away.
func (b *Bar) End() {
	if b.shown != nil {
		_ = b.shown.Clear()
	}
}

// Estimate shows how long work may take that goes on elsewhere, by how long it took the last time.
type Estimate struct {
	c    *CLI
	what string
	took time.Duration // the last time; 0 if nobody knows
	bar  *Bar
}

// NewEstimate is that of work that took so long the last time; 0 if nobody knows.
func (c *CLI) NewEstimate(what string, took time.Duration) *Estimate {
	return &Estimate{c, what, took, c.barOf(took.Milliseconds(), progressbar.OptionSetPredictTime(false))}
}

// Show says that the work has gone on for so long.
func (e *Estimate) Show(waited time.Duration) {
	if waited < e.took {
		left := max(time.Second, (e.took - waited).Round(time.Second))
		e.bar.describe(fmt.Sprintf("%s, about %s left", e.what, left))
		e.bar.To(waited.Milliseconds())
		return
	}
	e.End()
	before := ""
	if last := e.took.Round(time.Second); last > 0 {
		before = fmt.Sprintf(", longer than the last time (%s)", last)
	}
	e.c.Progress("%s: %s so far%s", e.what, waited.Truncate(time.Second), before)
}

// End takes away what is shown.
func (e *Estimate) End() {
	e.bar.End()
	e.c.Progress("")
}

// BoardBar shows how far the reading of one long board is: a bar where it is known how many roles there are, else their
// number so far.
type BoardBar struct {
	c       *CLI
	began   time.Time
	details bool // it counts roles whose own pages are read
	bar     *Bar // nil while nothing says how many roles there are
}

// NewBoardBar is the bar of a reading that began at that time.
func (c *CLI) NewBoardBar(began time.Time) *BoardBar { return &BoardBar{c: c, began: began} }

// Show takes in how far the reading is.
func (b *BoardBar) Show(p ats.Progress) {
	if p.Total <= 0 {
		if time.Since(b.began) > barAfter {
			b.c.Progress("Reading the list: %s so far", Count(p.Done, "role"))
		}
		return
	}
	if b.bar == nil || p.Details != b.details {
		b.End()
		what := "Reading the list"
		if p.Details {
			what = "Reading the roles"
		}
		b.bar, b.details = b.c.NewBar(what, int64(p.Total), false), p.Details
		b.bar.began = b.began
	}
	b.bar.of(int64(max(p.Done, p.Total)))
	b.bar.To(int64(p.Done))
}

// End takes away what is shown.
func (b *BoardBar) End() {
	if b.bar != nil {
		b.bar.End()
	}
}

// countedReader tells the bar how far a file is read.
type countedReader struct {
	io.Reader
	bar  *Bar
	done int64
}

// Read is that of the file.
func (r *countedReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	r.done += int64(n)
	r.bar.To(r.done)
	return n, err
}

// ReadCounted reads a file under a bar.
func (c *CLI) ReadCounted(what, file string, read func(io.Reader) error) error {
	return withFile(file, func(f io.Reader) error {
		b := c.NewBar(what, sizeOf(file), true)
		defer b.End()
		return read(&countedReader{Reader: f, bar: b})
	})
}

// sizeOf is the size of a file; 0 where it cannot be told.
func sizeOf(file string) int64 {
	info, err := os.Stat(file)
	if err != nil {
		return 0
	}
	return info.Size()
}

func withFile(file string, read func(io.Reader) error) error {
	f, err := os.Open(file)
	if err != nil {
		return exit.Fail(fmt.Errorf("the file %s cannot be read: %w", file, config.PlainReadError(err)), "")
	}
	defer f.Close()
	return read(f)
}
