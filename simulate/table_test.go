//go:build simulate

package simulate_test

import (
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/storage"
)

// spread counts durations with a precision of a twentieth.
type spread struct {
	mu     sync.Mutex
	counts map[int]int64
	total  int64
	most   time.Duration
}

const step = 1.05

func (s *spread) add(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.counts == nil {
		s.counts = make(map[int]int64)
	}
	s.counts[int(math.Ceil(math.Log(max(1, float64(d.Milliseconds())))/math.Log(step)))]++
	s.total++
	s.most = max(s.most, d)
}

// quantile returns the duration that this share of all durations does not exceed.
func (s *spread) quantile(part float64) time.Duration {
	left := int64(math.Ceil(part * float64(s.total)))
	for _, at := range slices.Sorted(maps.Keys(s.counts)) {
		if left -= s.counts[at]; left <= 0 {
			return min(s.most, time.Duration(math.Pow(step, float64(at)))*time.Millisecond)
		}
	}
	return s.most
}

func (s *spread) String() string {
	return fmt.Sprintf("%9s %9s %9s", short(s.quantile(0.5)), short(s.quantile(0.99)), short(s.most))
}

func short(d time.Duration) string {
	switch {
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < 2*time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < 2*time.Hour:
		return fmt.Sprintf("%.1f min", d.Minutes())
	}
	return fmt.Sprintf("%.1f h", d.Hours())
}

// kinds lists the kinds of errors, in the order of the table.
var kinds = []string{
	"closed too early", "closed though there", "open though gone", "never found", "stale", "invented", "twice in the store",
	"asked too often", "a board that nobody has", "a fault of the database",
}

// table prints what happened and every error found, and fails if there are errors.
func (w *world) table(t *testing.T, condition storage.Condition, place place) {
	t.Helper()
	var b strings.Builder
	row := func(what string, n any) { fmt.Fprintf(&b, "  %-40s %16v\n", what, n) }
	fmt.Fprintf(&b, "\n%s, %d processes, seed %d\n", place.name, w.o.processes, w.o.seed)
	row("boards", w.o.boards)
	row("days", fmt.Sprintf("%.2f", w.lived.Hours()/24))
	row("real minutes; to create the boards", fmt.Sprintf("%.1f; %.1f", w.took.Minutes(), w.settled.Minutes()))
	row("checks saved", w.checks.Load())
	row("checks per simulated second", fmt.Sprintf("%.1f", float64(w.checks.Load())/w.lived.Seconds()))
	row("until all boards were read once", short(time.Duration(w.first.Load())))
	row("checks that were interrupted", w.broken.Load())
	row("requests for unknown pages", w.internet.strange.Load())
	row("roles that were shown", w.roles.Load())
	row("changes saved; closings among them", fmt.Sprintf("%d; %d", w.changes.Load(), w.closings.Load()))
	row("peak memory, including the world", fmt.Sprintf("%d MB", peak()>>20))
	row("size of the database", fmt.Sprintf("%d MB", condition.Size>>20))

	fmt.Fprintf(&b, "\n  %-16s %8s %9s %9s %9s\n", "how late checks were saved", "p50", "p99", "max", "checks")
	for _, name := range account.PlanNames() {
		if s := w.late[name]; s.total > 0 {
			fmt.Fprintf(&b, "  every %-18s %s %9d\n", short(w.o.plans()[name].Cadence), s, s.total)
		}
	}
	fmt.Fprintf(&b, "\n  %-16s %7s %9s %9s %9s %9s %9s %9s %9s %9s\n", "vendor", "boards", "p50", "p99", "max", "requests", "429, 503", "troubled", "most/min", "pace/min")
	for _, v := range w.internet.vendors {
		fmt.Fprintf(&b, "  %-16s %7d %s %9d %9d %9d %9d %9.0f\n", v.Name, len(v.companies), &v.late, v.requests.Load(), v.refusals.Load(),
			v.faults.Load(), v.highest(), v.paced*60)
	}
	b.WriteString("\n")
	wrong := 0
	for _, kind := range kinds {
		row(kind, len(w.findings[kind]))
		wrong += len(w.findings[kind])
	}
	_, _ = os.Stdout.WriteString(b.String())
	for _, kind := range kinds {
		for _, text := range w.findings[kind][:min(6, len(w.findings[kind]))] {
			t.Logf("%s: %s", kind, text)
		}
	}
	require.Zero(t, wrong, "errors were found, see the table")
}

// wall returns the real time, from a clock that does not jump.
func wall() time.Duration {
	var at unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &at); err != nil {
		panic(err) // this clock always exists
	}
	return time.Duration(at.Nano())
}

// resetPeak restarts the measurement of memory, if the system can do that.
func resetPeak() { _ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) }

// peak returns the largest resident memory in bytes, if the system reports it.
func peak() (bytes int64) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		var kB int64
		if _, err := fmt.Sscanf(line, "VmHWM: %d kB", &kB); err == nil {
			bytes = kB << 10
		}
	}
	return bytes
}
