//go:build simulate

// Package simulate runs the real watchers, rules, pacer and store through days of many boards in minutes. Time jumps to
// the next event as soon as nothing is left to do, vendors answer from memory, and a ledger of what they really showed
// judges the final content of the store.
//
// It runs with "make simulate" and opens no connection except to its database.
package simulate_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

var (
	boardsFlag    = flag.Int("boards", 2000, "how many boards there are")
	daysFlag      = flag.Float64("days", 1, "how many days pass")
	processesFlag = flag.Int("processes", 1, "how many processes watch; several need PostgreSQL")
	databaseFlag  = flag.String("db", "sqlite", "sqlite or postgres")
	minutesFlag   = flag.Float64("minutes", 60, "real minutes after which the simulation ends early")
	seedFlag      = flag.Uint64("seed", 1, "number that determines the world")
)

// options are the settings of one run.
type options struct {
	boards    int
	length    time.Duration
	processes int
	database  string
	bound     time.Duration // the longest real time of the run
	seed      uint64
}

// begin is the Monday on which everything begins. It is in the future, because a database never goes back to an earlier
// moment.
var begin = time.Date(2035, time.January, 1, 0, 0, 0, 0, time.UTC)

func TestDays(t *testing.T) { //nolint:paralleltest // it needs the whole machine
	o := options{
		boards: max(1, *boardsFlag), length: time.Duration(*daysFlag * 24 * float64(time.Hour)), processes: max(1, *processesFlag),
		database: *databaseFlag, bound: time.Duration(*minutesFlag * float64(time.Minute)), seed: *seedFlag,
	}
	place := newPlace(t, o)
	synctest.Test(t, func(t *testing.T) {
		pause(t.Context(), time.Until(begin))
		live(t, o, place)
	})
}

// live lets the days pass and judges the result.
func live(t *testing.T, o options, place place) {
	t.Helper()
	w := newWorld(o)
	began := wall()
	w.subscribe(t, place)
	pause(t.Context(), time.Hour) // so that the stamps of the subscriptions are in the past
	w.settled = wall() - began
	resetPeak()

	w.opened = time.Now()
	end := w.start(t, place)
	began = wall()
	for time.Since(w.opened) < o.length && wall()-began < o.bound {
		pause(t.Context(), min(time.Hour, o.length-time.Since(w.opened)))
		fmt.Fprintf(os.Stderr, "%6s of %s simulated in %s, %d checks\n",
			time.Since(w.opened).Round(time.Hour), o.length, (wall() - began).Round(time.Second), w.checks.Load())
	}
	w.lived, w.took = time.Since(w.opened), wall()-began
	end()

	require.NotZero(t, w.checks.Load(), "nothing was checked")
	w.table(t, w.judge(t, place), place)
}

// pause waits, which takes no real time if nothing else happens meanwhile.
func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
