package serve

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/boardwatch/watch"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command"
)

// announcer tells what the checks found, as it happens.
type announcer struct {
	out io.Writer
	now func() time.Time

	mu     sync.Mutex
	causes map[string]cause.Cause // by board: why it was not read last time
	early  strings.Builder        // what was found before begin
	begun  bool
}

func newAnnouncer(out io.Writer, now func() time.Time) *announcer {
	return &announcer{out: out, now: now, causes: map[string]cause.Cause{}}
}

// begin lets it talk. What came before then is told now.
func (n *announcer) begin() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.begun = true
	_, _ = io.WriteString(n.out, n.early.String()) // as say
}

func (n *announcer) observe(r watch.CheckReport) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if r.Err != nil || r.Merged {
		return
	}
	n.sayHealth(r)
	for _, kind := range []struct {
		word string
		jobs []boardwatch.Job
	}{{"found", r.Change.Found}, {"reopened", r.Change.Reopened}, {"updated", r.Change.Updated}, {"closed", r.Change.Closed}} {
		for _, j := range kind.jobs {
			n.say(kind.word, describe(r.Board.Company, j))
		}
	}
}

// sayHealth tells when what stands in a board's way has changed, and when it is gone.
func (n *announcer) sayHealth(r watch.CheckReport) {
	cause, told := n.causes[r.Board.ID]
	switch {
	case r.Unchanged || r.Check.Health == boardwatch.HealthOK:
		if told {
			n.say("well", r.Board.URL+" is read again")
		}
		delete(n.causes, r.Board.ID)
	case !told || cause != r.Check.Cause:
		n.say("trouble", r.Board.URL+": "+r.Check.Reason+" (nothing is closed by it)")
		n.causes[r.Board.ID] = r.Check.Cause
	}
}

func (n *announcer) say(word, text string) {
	var out io.Writer = &n.early
	if n.begun {
		out = n.out
	}
	fmt.Fprintf(out, "%s  %-8s  %s\n", n.now().Format(time.TimeOnly), word, command.Plain(text))
}

func describe(company string, j boardwatch.Job) string {
	parts := slices.DeleteFunc([]string{company, j.Title, j.Location, j.Department}, func(part string) bool { return part == "" })
	return strings.Join(parts, " · ")
}
