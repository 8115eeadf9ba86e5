//go:build chaos

package chaos_test

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// table prints what happened and every error found, and fails if there are errors.
func (w *world) table(v *verdict) {
	var b strings.Builder
	row := func(what string, n any) { fmt.Fprintf(&b, "  %-44s %12v\n", what, n) }
	fmt.Fprintf(&b, "\n%s, seed %d, %s\n", w.t.Name(), w.o.seed, time.Since(w.began).Round(time.Second))
	roles, spells, edits, answers, most := 0, 0, 0, 0, 0
	for _, s := range append(append([]*site{}, w.sites...), w.late...) {
		roles += len(s.roles)
		answers += len(s.answers)
		most = max(most, len(s.answers))
		for _, r := range s.roles {
			spells += len(r.spells)
			edits += len(r.edits) - 1
		}
	}
	row("boards", len(w.sites)+len(w.late))
	row("added while it raged", w.adds.Load())
	row("roles", roles)
	row("times that a role came", spells)
	row("edits of roles", edits)
	row("lists given", answers)
	row("weeks of hourly checks of the most frequently read board", fmt.Sprintf("%.1f", float64(most)/(7*24)))
	faults, kinds := w.internet.faults()
	row("answers with a fault", faults)
	row("kinds of fault", kinds)
	row("processes killed", w.kills.Load())
	row("processes restarted gracefully", w.stops.Load())
	row("browsers' processes killed", w.browserKills.Load())
	row("crashes of the database, or full disks", w.crashes.Load())
	row("closings, judged", v.closings)
	row("roles that certainly had to be closed", v.due)
	row("roles that have gone and may still be open", v.waiting)
	w.readingRows(row)
	for _, kind := range v.kinds {
		row(kind, len(v.findings[kind]))
	}
	_, _ = os.Stdout.WriteString(b.String())

	wrong := 0
	for _, kind := range v.kinds {
		wrong += len(v.findings[kind])
		for i, text := range v.findings[kind] {
			if i == 6 {
				w.t.Logf("%s: and %d more", kind, len(v.findings[kind])-i)
				break
			}
			w.t.Logf("%s: %s", kind, text)
		}
	}
	require.Zero(w.t, wrong, "errors were found, see the table")
}

// readingRows are about receivers and readers.
func (w *world) readingRows(row func(string, any)) {
	events := make(map[boardwatch.EventType]int)
	var attempts, refusals, repeats, overlaps int64
	for _, h := range w.hooks {
		for _, d := range h.deliveries() {
			events[d.kind]++
		}
		attempts += h.attempts.Load()
		refusals += h.refusals.Load()
		repeats += h.repeats.Load()
		overlaps += h.overlaps.Load()
	}
	row("deliveries taken: job.found", events[boardwatch.EventJobFound])
	row("deliveries taken: job.archived", events[boardwatch.EventJobArchived])
	row("deliveries taken: board.failed", events[boardwatch.EventBoardFailed])
	row("attempts", attempts)
	row("attempts that receivers refused", refusals)
	row("deliveries accepted again (allowed)", repeats)
	row("attempts concurrent with another of the same delivery", overlaps)
	var polls, again, refused, calls, refreshes, consents int
	for _, r := range w.readers {
		polls, again, refused = polls+r.poller.polls, again+r.poller.repeats, refused+r.poller.refused
		if a := r.agent; a != nil {
			calls, refreshes, consents = calls+a.calls, refreshes+a.refreshes, consents+a.consents
		}
	}
	row("polls over REST", polls)
	row("requests over REST without an answer", refused)
	row("roles that a poller saw again (allowed)", again)
	row("calls over MCP", calls)
	row("tokens refreshed, consents given", fmt.Sprintf("%d, %d", refreshes, consents))
}

// strays returns processes that the service has left behind.
func (w *world) strays() []int {
	var out []int
	for pid := range processes() {
		raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
		if err == nil && pid != os.Getpid() && strings.Contains(string(raw), "HOME="+w.program.dir+"\x00") {
			out = append(out, pid)
		}
	}
	return out
}
