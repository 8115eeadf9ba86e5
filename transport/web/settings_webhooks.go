package web

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
)

type webhookSection struct {
	settingsPage

	Secret   *secretShown
	Webhooks []webhookRow
	Limit    int
	Refusal  string // why none can be added; empty if one can
	Larger   bool   // a larger plan would help
	Form     webhookForm
}

// webhookForm holds what a person decides about a webhook.
type webhookForm struct {
	Action    string
	Name, URL string
	Events    []choice
	Wrong     faults
}

type webhookRow struct {
	ID, Name, URL, Events string
	Chip                  chip
	FailingSince          time.Time
	Off                   *switchedOff
	Test                  *testRow // the last test ping
	Deliveries            []deliveryRow
	Dead                  int    // of them
	Back                  string // where its forms lead back to, if not to the list
}

// testRow is the result of a test ping.
type testRow struct {
	flash

	At time.Time
}

type switchedOff struct {
	At     time.Time
	Reason string
}

type deliveryRow struct {
	ID         string
	Board      link // to it, as long as it is on the list
	At, NextAt time.Time
	Type       boardwatch.EventType
	Chip       chip
	Text       string
	Wrong      bool
	Dead       bool // and it was not rescued
	Attempt    string
}

func (a *App) webhookSection(r *http.Request, c *caller, o outcome) (webhookSection, error) {
	hooks, err := a.s.Webhooks.List(r.Context(), c.Account)
	if err != nil {
		return webhookSection{}, err
	}
	boards, err := a.boardLinks(r, c)
	if err != nil {
		return webhookSection{}, err
	}
	p := webhookSection{settingsPage: a.frame(c, "webhooks", o.wrong), Secret: o.secret, Limit: boardwatch.MaxWebhooks}
	for _, h := range hooks {
		deliveries, err := a.s.Webhooks.Deliveries(r.Context(), c.Account, h.ID)
		if err != nil {
			return webhookSection{}, err
		}
		p.Webhooks = append(p.Webhooks, newWebhookRow(h, deliveries, boards, a.o.Tries, a.o.Now(), c.Zone))
	}
	switch {
	case !a.s.Plans[c.Account.Plan].Webhooks:
		p.Larger, p.Refusal = true, "Your plan does not include webhooks. Those that you have are kept, and work again on a plan that does."
	case len(hooks) >= boardwatch.MaxWebhooks:
		p.Refusal = "You have as many webhooks as an account can have. Delete one to add another."
	}
	p.Form = webhookForm{Action: "/settings/webhooks", Wrong: o.wrong, Events: eventChoices([]string{
		string(boardwatch.EventJobFound), string(boardwatch.EventJobArchived),
	})}
	if o.form != nil {
		p.Form.Name, p.Form.URL, p.Form.Events = o.form.Get("name"), o.form.Get("url"), eventChoices(o.form["events"])
	}
	return p, nil
}

// boardLinks returns links to the boards on the list, by id.
func (a *App) boardLinks(r *http.Request, c *caller) (map[string]link, error) {
	boards, err := a.s.Tracker.Boards(r.Context(), c.Account, "")
	if err != nil {
		return nil, err
	}
	links := make(map[string]link, len(boards))
	for _, b := range boards {
		links[b.ID] = link{nameOfView(b), "/boards/" + b.ID}
	}
	return links, nil
}

// boardLink leads to the board of a delivery. One that is no longer on the list has no page.
func boardLink(boards map[string]link, id string) link {
	if l, ok := boards[id]; ok {
		return l
	}
	return link{Name: "a board that is no longer on your list"}
}

func eventChoices(chosen []string) []choice {
	var out []choice
	for _, e := range []struct {
		event boardwatch.EventType
		text  string
	}{
		{boardwatch.EventJobFound, "roles appear"},
		{boardwatch.EventJobArchived, "roles close"},
		{boardwatch.EventBoardFailed, "a board cannot be read"},
	} {
		out = append(out, choice{string(e.event), string(e.event) + ": " + e.text, slices.Contains(chosen, string(e.event))})
	}
	return out
}

// eventNames returns the names of a webhook's events.
func eventNames(h boardwatch.Webhook) []string {
	events := make([]string, len(h.Events))
	for i, e := range h.Events {
		events[i] = string(e)
	}
	return events
}

func newWebhookRow(h boardwatch.Webhook, deliveries []boardwatch.Delivery, boards map[string]link, tries int, now time.Time, zone *time.Location) webhookRow {
	row := webhookRow{ID: h.ID, Name: h.Name, URL: h.URL, Events: strings.Join(eventNames(h), ", "), Chip: chip{"ok", "active"}}
	switch {
	case !h.DisabledAt.IsZero():
		row.Chip = chip{"bad", "switched off"}
		row.Off = &switchedOff{h.DisabledAt, spokenReason(h.DisabledReason, now, zone)}
	case !h.FailingSince.IsZero():
		row.Chip, row.FailingSince = chip{"warn", "failing"}, h.FailingSince
	}
	if !h.Tested.At.IsZero() {
		row.Test = &testRow{pinged(h.Tested.Receipt), h.Tested.At}
	}
	for _, d := range deliveries {
		of := newDeliveryRow(d, boardLink(boards, d.BoardID), tries)
		if row.Deliveries = append(row.Deliveries, of); of.Dead {
			row.Dead++
		}
	}
	return row
}

func newDeliveryRow(d boardwatch.Delivery, board link, tries int) deliveryRow {
	row := deliveryRow{
		ID: d.ID, Board: board, At: d.CreatedAt, NextAt: d.NextAttemptAt, Type: d.Type,
		Attempt: fmt.Sprintf("%d of %d", d.Attempts, tries),
	}
	code := "no answer"
	if d.ResponseCode > 0 {
		code = strconv.Itoa(d.ResponseCode)
	}
	switch {
	case d.Rescued():
		row.Chip = chip{"ok", "delivered (resent)"}
	case d.State == boardwatch.DeliveryDead:
		row.Chip, row.Text, row.Wrong, row.Dead = chip{"bad", "dead"}, d.Error, true, true
	case d.State == boardwatch.DeliveryDelivered:
		row.Chip, row.Text = chip{"ok", code}, took(d.Duration)
	case d.Attempts == 0:
		row.Chip = chip{"busy", "waiting"}
	default:
		row.Chip, row.Text, row.Wrong = chip{"warn", code}, strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(d.Error, "answered "), code)), true
	}
	return row
}

// answerOf names the status of an answer.
func answerOf(code int) string {
	if code == 0 {
		return "no answer"
	}
	return strings.TrimSpace(strconv.Itoa(code) + " " + http.StatusText(code))
}

// took says how long an attempt took.
func took(d time.Duration) string {
	if d < time.Second {
		return fmt.Sprintf("%d ms", d.Milliseconds())
	}
	return fmt.Sprintf("%.1f s", d.Seconds())
}

func (a *App) createWebhook(w http.ResponseWriter, r *http.Request, c *caller) error {
	if err := r.ParseForm(); err != nil {
		return boardwatch.Invalid("form", "the form could not be read")
	}
	h, err := a.s.Webhooks.Create(r.Context(), c.Account, webhookFormOf(r))
	if err != nil {
		return a.refuse(w, r, c, "webhooks", err)
	}
	a.reveal(w, r, "/settings/webhooks", secretShown{hostOf(h.URL), h.Secret})
	return nil
}

// webhookFormOf reads a webhook from its form.
func webhookFormOf(r *http.Request) account.WebhookForm {
	return account.WebhookForm{Name: r.PostFormValue("name"), URL: strings.TrimSpace(r.PostFormValue("url")), Events: r.PostForm["events"]}
}

// hostOf is the host of a webhook: the rest of its address may be a secret of its own.
func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "the receiver"
	}
	return u.Host
}

func (a *App) askWebhookDeletion(w http.ResponseWriter, r *http.Request, c *caller) error {
	h, err := a.s.Webhooks.Find(r.Context(), c.Account, r.PathValue("id"))
	if err != nil {
		return err
	}
	return a.askDeletion(w, r, c, confirmPage{
		Heading: "Delete this webhook?", Lead: h.URL + " gets nothing more. Pending deliveries are dropped, and its log is deleted.",
		Button: "Delete the webhook", Cancel: "/settings/webhooks",
	})
}

func (a *App) deleteWebhook(w http.ResponseWriter, r *http.Request, c *caller) error {
	if err := a.s.Webhooks.Delete(r.Context(), c.Account, r.PathValue("id")); err != nil {
		return err
	}
	a.back(w, r, "/settings/webhooks", flash{"good", "The webhook is deleted."})
	return nil
}

// switchWebhookOn switches one of the account's webhooks on after failures have switched it off.
func (a *App) switchWebhookOn(w http.ResponseWriter, r *http.Request, c *caller) error {
	if !a.s.Plans[c.Account.Plan].Webhooks {
		return &boardwatch.Error{Code: boardwatch.CodePlanRequired, Message: "your plan does not include webhooks, so this one stays switched off"}
	}
	if err := a.s.Webhooks.SwitchOn(r.Context(), c.Account, r.PathValue("id")); err != nil {
		return err
	}
	a.back(w, r, localPath(r.PostFormValue("back"), "/settings/webhooks"), flash{"good", "The webhook is switched on. It gets what happens from now on; what it has missed can be resent below."})
	return nil
}

func (a *App) testWebhook(w http.ResponseWriter, r *http.Request, c *caller) error {
	receipt, err := a.s.Dispatcher.Ping(r.Context(), c.Account.ID, r.PathValue("id"))
	if err != nil {
		return err
	}
	a.back(w, r, localPath(r.PostFormValue("back"), "/settings/webhooks"), pinged(receipt))
	return nil
}

// pinged says how a test ping went.
func pinged(r boardwatch.Receipt) flash {
	if r.OK() {
		return flash{"good", "The test ping was answered with " + answerOf(r.Code) + " in " + took(r.Duration) + "."}
	}
	return flash{"bad", "The test ping failed: " + sentence(r.Error)}
}
