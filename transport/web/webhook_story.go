package web

import (
	"slices"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// storyLines is how many lines the story of a webhook has at most.
const storyLines = 60

// storyLine is something that happened to a webhook.
type storyLine struct {
	attemptRow

	Event    boardwatch.EventType // of the delivery, which the address leads to; empty: the line is about no single one
	Board    string
	accepted int // first attempts that were accepted, one after the other; they are one line
}

// storyOf tells what happened to a webhook, newest first, as far as its last deliveries remember it: every attempt that failed, every
// resend, the last test ping, and when it was switched off and recovered. That is judged again, by the rules of that time.
func (a *App) storyOf(h boardwatch.Webhook, deliveries []boardwatch.Delivery, boards map[string]link, zone *time.Location) []storyLine {
	var lines []storyLine
	for _, d := range slices.Backward(deliveries) {
		lines = append(lines, linesOf(d, boardLink(boards, d.BoardID).Name, a.o.Tries)...)
	}
	if !h.Tested.At.IsZero() {
		lines = append(lines, storyLine{attemptRow: newAttemptRow("Test ping", h.Tested)})
	}
	slices.SortStableFunc(lines, func(a, b storyLine) int { return a.At.Compare(b.At) })

	var story []storyLine
	say := func(at time.Time, kind, what, text string) {
		story = append(story, storyLine{attemptRow: attemptRow{At: at, Chip: chip{kind, what}, Name: text}})
	}
	then, failed := boardwatch.Webhook{}, 0 // as it was, and the attempts that failed since one was accepted
	for _, l := range lines {
		if last := len(story) - 1; l.accepted > 0 && failed == 0 && last >= 0 && story[last].accepted > 0 {
			n := story[last].accepted + 1
			story = story[:last]
			say(l.At, "ok", "accepted", number(n)+" deliveries, one after the other")
			story[last].accepted = n
			continue
		}
		story = append(story, l)
		if l.state == "" {
			continue
		}
		before := then
		before.DisabledAt = time.Time{} // somebody has switched it on, or there would be no attempt
		then = before.After(boardwatch.Delivery{State: l.state}, a.o.Rules, l.At)
		switch {
		case l.state != boardwatch.DeliveryDelivered:
			failed++
		case failed > 0:
			say(l.At, "ok", "recovered", number(failed)+" "+noun(failed, "attempt", "attempts")+" had failed since "+stamp(a.o.Now(), before.FailingSince, zone)+".")
			failed = 0
		}
		if !then.DisabledAt.IsZero() {
			say(l.At, "off", "switched off", spokenReason(then.DisabledReason, a.o.Now(), zone))
		}
	}
	slices.Reverse(story)
	return story[:min(len(story), storyLines)]
}

// linesOf tells of the attempts at a delivery.
func linesOf(d boardwatch.Delivery, board string, tries int) (lines []storyLine) {
	page := "/settings/webhooks/" + d.WebhookID + "/deliveries/" + d.ID
	add := func(row attemptRow) {
		row.Address = page
		lines = append(lines, storyLine{attemptRow: row, Event: d.Type, Board: board})
	}
	dropped := d.State == boardwatch.DeliveryDead && d.Attempts < tries
	if dropped {
		d.State = boardwatch.DeliveryPending // until then
		add(attemptRow{At: d.CreatedAt, Chip: chip{"bad", "dropped"}, Name: "Queued, and given up when the webhook was switched off"})
	}
	for _, row := range attemptRows(d) {
		add(row)
		if row.state == boardwatch.DeliveryDelivered && d.Attempts == 1 {
			lines[len(lines)-1].accepted = 1
		}
	}
	return lines
}
