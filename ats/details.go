package ats

import (
	"context"
	"encoding/json"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// details fills in what a list lacks from the pages of single roles.
type details struct {
	adapter Adapter
	board   string
	// most is the largest number of pages that are requested in one reading; 0 means 100.
	most int
	// lacks reports whether a role needs its page.
	lacks func(boardwatch.Posting) bool
	// fetch requests the role's page and adds what the list lacks. An error leaves the role as it is.
	fetch func(context.Context, *boardwatch.Posting) error
}

// fill requests the pages of roles that lack something, one after the other. It never fails: a role whose page says nothing
// stays as the list shows it, and after three failures in a row no further page is requested. With a Memory, no page is
// requested twice unless the list shows the role differently. The last fifth of the remaining time is not used, so that the
// list is not lost because of its pages.
func (d details) fill(ctx context.Context, client Doer, postings []boardwatch.Posting) {
	memory, _ := client.(Memory)
	ctx = unheard(ctx)
	most, failures := d.most, 0
	if most == 0 {
		most = 100
	}
	if deadline, ok := ctx.Deadline(); ok {
		earlier, cancel := context.WithDeadline(ctx, deadline.Add(-time.Until(deadline)/5))
		defer cancel()
		ctx = earlier
	}
	for i := range postings {
		if postings[i].Title == "" || !d.lacks(postings[i]) || d.recall(memory, &postings[i]) {
			continue
		}
		if most == 0 || failures == 3 || ctx.Err() != nil {
			continue
		}
		most--
		tellProgress(ctx, Progress{Details: true, Done: i + 1, Total: len(postings)})
		full := postings[i]
		if err := d.fetch(ctx, &full); err != nil || usable(full) != nil {
			failures++
			continue
		}
		failures = 0
		full.Key, full.URL = postings[i].Key, webAddress(full.URL)
		d.remember(memory, postings[i], full)
		postings[i] = full
	}
}

// remembered is what a Memory keeps of one role: how the list showed it, and the role completed from its page.
type remembered struct {
	Listed row `json:"listed"`
	Full   row `json:"full"`
}

func (d details) memoryKey(p boardwatch.Posting) string {
	return d.adapter.Name() + ":" + d.board + "\x00" + p.Key
}

func (d details) recall(memory Memory, p *boardwatch.Posting) bool {
	if memory == nil {
		return false
	}
	value, ok := memory.Recall(d.memoryKey(*p))
	var k remembered
	if !ok || json.Unmarshal([]byte(value), &k) != nil || k.Listed != rowOf(*p) {
		return false
	}
	p.Title, p.Location, p.Department, p.URL = k.Full.Title, k.Full.Location, k.Full.Department, k.Full.URL
	return true
}

func (d details) remember(memory Memory, listed, full boardwatch.Posting) {
	if memory == nil {
		return
	}
	if value, err := json.Marshal(remembered{rowOf(listed), rowOf(full)}); err == nil {
		memory.Remember(d.memoryKey(listed), string(value))
	}
}
