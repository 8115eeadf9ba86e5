package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// deliveryPage is one delivery with what was sent, and every attempt to send it.
type deliveryPage struct {
	HookID     string
	Row        deliveryRow
	Title      string
	Webhook    link
	Told       *testRow // the result of the last resend
	Attempts   []attemptRow
	Unrecorded int // earlier attempts, of which only the number is known
	Chosen     *attemptRow
	Body       string
}

// attemptRow is one attempt, as its delivery's page lists it.
type attemptRow struct {
	Name    string
	Address string
	Here    bool
	Chip    chip
	Took    string
	Answer  string // why it is a failure
	At      time.Time
	Headers []fact
	state   boardwatch.DeliveryState // which the attempt left it in; empty if somebody asked for it, because that changes none
}

// showDelivery shows a message sent to one of the account's webhooks, and every answer.
func (a *App) showDelivery(w http.ResponseWriter, r *http.Request, c *caller) error {
	d, h, err := a.s.Webhooks.Delivery(r.Context(), c.Account, r.PathValue("id"), r.PathValue("delivery"))
	if err != nil {
		return err
	}
	boards, err := a.boardLinks(r, c)
	if err != nil {
		return err
	}
	p := deliveryPage{
		HookID: h.ID,
		Row:    newDeliveryRow(d, boardLink(boards, d.BoardID), a.o.Tries), Webhook: link{webhookName(h), "/settings/webhooks/" + h.ID},
		Body: string(d.Body),
	}
	p.Title = deliveryTitle(d, p.Row.Board.Name)
	var indented bytes.Buffer
	if json.Indent(&indented, d.Body, "", "  ") == nil {
		p.Body = indented.String()
	}
	p.list(d, a.headersOf, r)
	return a.show(w, r, c, http.StatusOK, "delivery", view{Title: p.Title, Section: "Settings", Page: p})
}

// attemptRows returns the attempts at a delivery that are recorded, oldest first.
func attemptRows(d boardwatch.Delivery) (rows []attemptRow) {
	number := unrecorded(d)
	for _, a := range d.Log {
		row := newAttemptRow("Resent", a)
		if !a.Resent {
			number++
			row.Name, row.state = ordinal(number)+" attempt", boardwatch.DeliveryPending
			if number == d.Attempts {
				row.state = d.State
			}
			if row.state == boardwatch.DeliveryDead {
				row.Name = ordinal(number) + " and last attempt"
			}
		}
		rows = append(rows, row)
	}
	return rows
}

func newAttemptRow(name string, a boardwatch.Attempt) attemptRow {
	row := attemptRow{Name: name, At: a.At, Took: took(a.Duration), Answer: a.Error, Chip: chip{"bad", capital(answerOf(a.Code))}}
	if a.OK() {
		row.Chip.Kind = "ok"
	}
	if a.Code > 0 { // the chip says it
		row.Answer = strings.TrimLeft(strings.TrimPrefix(strings.TrimPrefix(a.Error, "answered "), row.Chip.Text), ":; ")
	}
	return row
}

// unrecorded returns how many of the earlier attempts are only known by their number.
func unrecorded(d boardwatch.Delivery) int {
	counted := 0
	for _, a := range d.Log {
		if !a.Resent {
			counted++
		}
	}
	return max(0, d.Attempts-counted)
}

// list fills in the attempts, newest first. The address may ask for one of them.
func (p *deliveryPage) list(d boardwatch.Delivery, headers func(boardwatch.Delivery, string) []fact, r *http.Request) {
	p.Unrecorded, p.Attempts = unrecorded(d), attemptRows(d)
	for i, a := range d.Log {
		p.Attempts[i].Address = r.URL.Path + "?attempt=" + strconv.Itoa(i+1)
		if a.Signature != "" {
			p.Attempts[i].Headers = headers(d, a.Signature)
		}
	}
	if n := len(p.Attempts); n > 0 {
		chosen, err := strconv.Atoi(r.URL.Query().Get("attempt"))
		if err != nil || chosen < 1 || chosen > n {
			chosen = n
		}
		p.Attempts[chosen-1].Here = true
		row := p.Attempts[chosen-1]
		p.Chosen = &row
		if last := d.Log[n-1]; last.Resent {
			p.Told = &testRow{resent(last.Receipt), last.At}
		}
	}
	slices.Reverse(p.Attempts)
}

// headersOf returns the headers of an attempt, those of the signature last.
func (a *App) headersOf(d boardwatch.Delivery, signature string) []fact {
	if a.o.Headers == nil {
		return nil
	}
	var facts []fact
	for name, values := range a.o.Headers(d, signature) {
		facts = append(facts, fact{name, values[0]})
	}
	slices.SortFunc(facts, func(a, b fact) int { return bytes.Compare([]byte(a.Name), []byte(b.Name)) })
	return facts
}

// deliveryTitle says what a delivery tells its receiver.
func deliveryTitle(d boardwatch.Delivery, board string) string {
	var body struct {
		Board struct {
			Company string `json:"company"`
		} `json:"board"`
		Jobs      []json.RawMessage `json:"jobs"`
		Truncated int               `json:"truncated"`
	}
	if json.Unmarshal(d.Body, &body) == nil && body.Board.Company != "" {
		board = body.Board.Company
	}
	n := len(body.Jobs) + body.Truncated
	switch d.Type {
	case boardwatch.EventJobFound:
		return number(n) + " new " + noun(n, "role", "roles") + " at " + board
	case boardwatch.EventJobArchived:
		return number(n) + " " + noun(n, "role", "roles") + " closed at " + board
	default:
		return capital(board) + " could not be read"
	}
}

// ordinal returns 1st, 2nd and so on.
func ordinal(n int) string {
	suffix := "th"
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return fmt.Sprintf("%d%s", n, suffix)
}

// resend sends a settled delivery of one of the account's webhooks once more. While an attempt is still due, it would
// only be sent twice.
func (a *App) resend(w http.ResponseWriter, r *http.Request, c *caller) error {
	d, h, err := a.s.Webhooks.Delivery(r.Context(), c.Account, r.PathValue("id"), r.PathValue("delivery"))
	if err != nil {
		return err
	}
	page := "/settings/webhooks/" + h.ID + "/deliveries/" + d.ID
	if d.State == boardwatch.DeliveryPending {
		a.back(w, r, page, flash{"warn", "It is not sent again now, because the next attempt is still due."})
		return nil
	}
	again, err := a.s.Dispatcher.Replay(r.Context(), d.ID, "")
	if err != nil {
		return err
	}
	a.back(w, r, page, resent(again.Receipt))
	return nil
}

// resendDead sends the dead deliveries of one of the account's webhooks once more, oldest first, until one fails again or the
// budget of resends is used up.
func (a *App) resendDead(w http.ResponseWriter, r *http.Request, c *caller) error {
	deliveries, err := a.s.Webhooks.Deliveries(r.Context(), c.Account, r.PathValue("id"))
	if err != nil {
		return err
	}
	dead := slices.DeleteFunc(deliveries, func(d boardwatch.Delivery) bool { return d.State != boardwatch.DeliveryDead || d.Rescued() })
	slices.Reverse(dead)
	done := 0
	f := flash{Kind: "good"}
	for _, d := range dead {
		again, err := a.s.Dispatcher.Replay(r.Context(), d.ID, "")
		if boardwatch.CodeOf(err) == boardwatch.CodeRateLimited {
			f = flash{"warn", " The others can be sent in a minute, because only a few are sent at once."}
			break
		}
		if err != nil {
			return err
		}
		if !again.Receipt.OK() {
			f = flash{"bad", " The next one failed again, so the others were not tried: " + sentence(again.Receipt.Error)}
			break
		}
		done++
	}
	f.Text = number(done) + " of " + number(len(dead)) + " " + noun(len(dead), "delivery", "deliveries") + " sent again and accepted." + f.Text
	a.back(w, r, localPath(r.PostFormValue("back"), "/settings/webhooks"), f)
	return nil
}

// resent says how a resend went.
func resent(r boardwatch.Receipt) flash {
	if r.OK() {
		return flash{"good", "Sent again: answered with " + answerOf(r.Code) + " in " + took(r.Duration) + "."}
	}
	return flash{"bad", "Sent again, and failed again: " + sentence(r.Error)}
}
