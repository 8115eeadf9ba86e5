//go:build chaos

package chaos_test

import (
	"bufio"
	"encoding/json"
	"os"
	"sort"
	"strings"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// judgeDeliveries checks that each change was delivered once to each receiver.
func (w *world) judgeDeliveries(v *verdict, c *comparison) {
	bySite := make(map[string]*site) // by address of a role
	for _, s := range w.sites {
		for _, r := range s.roles {
			bySite[s.url(r)] = s
		}
	}
	type checked struct {
		board string
		kind  boardwatch.EventType
		at    time.Time
	}
	all := make(map[checked]int)
	for _, h := range w.hooks {
		own := make(map[checked]bool)
		for _, d := range h.deliveries() {
			key := checked{d.board, d.kind, d.createdAt}
			if own[key] {
				v.add("change delivered twice", "%s of the check of %s at %s, to %s", d.kind, d.board, clock(d.createdAt), h.name)
			}
			own[key] = true
		}
		for key := range own {
			all[key]++
		}
		if n := h.changed.Load(); n > 0 {
			v.add("changed under one id", "%d deliveries to %s", n, h.name)
		}
		if n := h.forged.Load(); n > 0 {
			v.add("not signed", "%d requests to %s, the last because %v", n, h.name, *h.reason.Load())
		}
	}
	for key, n := range all {
		if n != len(w.hooks) {
			v.add("delivery missing at a receiver", "%s of the check of %s at %s came to %d of %d", key.kind, key.board, clock(key.at), n, len(w.hooks))
		}
	}
	boards := w.judgeStories(v, c, bySite)
	if !w.o.untimed {
		w.judgeFailures(v, boards)
	}
	w.judgeHistories(v, boards)
}

// judgeStories follows each role through its deliveries: found, archived, found again. It returns the sites by board.
func (w *world) judgeStories(v *verdict, c *comparison, bySite map[string]*site) map[string]*site {
	deliveries := w.hooks[0].deliveries()
	sort.SliceStable(deliveries, func(i, j int) bool { return deliveries[i].createdAt.Before(deliveries[j].createdAt) })
	boards := make(map[string]*site)
	last := make(map[string]boardwatch.EventType)
	ids := make(map[string]string)
	for _, d := range deliveries {
		for _, j := range d.jobs {
			s := bySite[j.URL]
			if s == nil {
				v.add("invented", "%s, in a delivery", j.URL)
				continue
			}
			boards[d.board] = s
			if id := ids[j.URL]; id != "" && id != j.ID {
				v.add("another id", "%s was %s and is %s", j.URL, id, j.ID)
			}
			ids[j.URL] = j.ID
			if last[j.URL] == d.kind && !w.truncated(s) {
				v.add("change delivered twice", "%s of %s at %s", d.kind, j.URL, clock(d.createdAt))
			}
			last[j.URL] = d.kind
		}
	}
	for address, j := range c.jobs[owner] {
		want := boardwatch.EventJobFound
		if j.Status == "closed" {
			want = boardwatch.EventJobArchived
		}
		if s := bySite[address]; s != nil && !w.truncated(s) && last[address] != want {
			v.add("change not delivered", "%s is %s, and the last that was said of it is %q", address, j.Status, last[address])
		}
	}
	return boards
}

// judgeFailures checks for each reported failure that something had gone wrong.
func (w *world) judgeFailures(v *verdict, boards map[string]*site) {
	for _, d := range w.hooks[0].deliveries() {
		s := boards[d.board]
		if d.kind != boardwatch.EventBoardFailed || s == nil || s.pace == slow {
			continue
		}
		cause := false
		for _, a := range s.answers {
			if a.kind != whole && a.at.After(d.createdAt.Add(-25*time.Second)) && a.at.Before(d.createdAt.Add(time.Second)) {
				cause = true
			}
		}
		if !cause && !w.inOutage(d.createdAt) {
			v.add("failure without cause", "%s at %s: %s%s", s.address, clock(d.createdAt), d.reason, w.story(s, d.createdAt.Add(-25*time.Second), d.createdAt))
		}
	}
}

// judgeHistories compares the history of some boards with the deliveries about them.
func (w *world) judgeHistories(v *verdict, boards map[string]*site) {
	found, closed := make(map[string]int), make(map[string]int)
	for _, d := range w.hooks[0].deliveries() {
		if d.kind == boardwatch.EventJobFound {
			found[d.board] += len(d.jobs) + d.truncated
		}
		if d.kind == boardwatch.EventJobArchived {
			closed[d.board] += len(d.jobs) + d.truncated
		}
	}
	n := 0
	for id, s := range boards {
		if n++; n > 40 {
			return
		}
		out, err := w.program.run(w.t.Context(), "", "board", "history", id, "--limit", "1000", "-o", "json")
		if err != nil {
			v.add("anything else", "history: %v", err)
			return
		}
		var checks []struct{ Found, Closed int }
		if err := json.Unmarshal(out, &checks); err != nil {
			v.add("anything else", "history: %v", err)
			return
		}
		if len(checks) == 1000 {
			continue // there may be more
		}
		var f, cl int
		for _, c := range checks {
			f, cl = f+c.Found, cl+c.Closed
		}
		if f != found[id] || cl != closed[id] {
			v.add("change not delivered", "%s: its history says %d found and %d closed, its deliveries %d and %d", s.address, f, cl, found[id], closed[id])
		}
	}
}

// judgeLogs looks for lines that must not be in any log.
func (w *world) judgeLogs(v *verdict) {
	for _, s := range w.slots {
		f, err := os.Open(s.log)
		if err != nil {
			continue
		}
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			line := lines.Text()
			if strings.Contains(line, "panic") || strings.Contains(line, "DATA RACE") || strings.Contains(line, "fatal error") {
				v.add("anything else", "%s logged %s", s.name, line[:min(len(line), 300)])
			}
		}
		_ = f.Close()
	}
}
