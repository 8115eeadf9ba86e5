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
	Off                   *switchedOff
	Pinged                string
	Deliveries            []deliveryRow
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
	Dead       bool
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
		p.Webhooks = append(p.Webhooks, newWebhookRow(h, deliveries, boards, a.o.Tries))
	}
	switch {
	case !a.s.Plans[c.Account.Plan].Webhooks:
		p.Refusal = "Your plan does not include webhooks. Those that you have are kept, and work again on a plan that does."
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

func newWebhookRow(h boardwatch.Webhook, deliveries []boardwatch.Delivery, boards map[string]link, tries int) webhookRow {
	row := webhookRow{ID: h.ID, Name: h.Name, URL: h.URL, Events: strings.Join(eventNames(h), ", "), Chip: chip{"ok", "active"}}
	switch {
	case !h.DisabledAt.IsZero():
		row.Chip = chip{"bad", "switched off"}
		row.Off = &switchedOff{h.DisabledAt, sentence(h.DisabledReason)}
	case !h.FailingSince.IsZero():
		row.Chip = chip{"warn", "failing"}
	}
	for _, d := range deliveries {
		row.Deliveries = append(row.Deliveries, newDeliveryRow(d, boardLink(boards, d.BoardID), tries))
	}
	return row
}

func newDeliveryRow(d boardwatch.Delivery, board link, tries int) deliveryRow {
	row := deliveryRow{
		ID: d.ID, Board: board, At: d.CreatedAt, NextAt: d.NextAttemptAt, Type: d.Type, Dead: d.State == boardwatch.DeliveryDead,
		Attempt: fmt.Sprintf("%d of %d", d.Attempts, tries),
	}
	code := "no answer"
	if d.ResponseCode > 0 {
		code = strconv.Itoa(d.ResponseCode)
	}
	switch {
	case row.Dead:
		row.Chip, row.Text, row.Wrong = chip{"bad", "dead"}, d.Error, true
	case d.State == boardwatch.DeliveryDelivered:
		row.Chip, row.Text = chip{"ok", code}, fmt.Sprintf("%d ms", d.Duration.Milliseconds())
	case d.Attempts == 0:
		row.Chip = chip{"busy", "waiting"}
	default:
		row.Chip, row.Text, row.Wrong = chip{"warn", code}, d.Error, true
	}
	return row
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

// replaceWebhook deletes a webhook that was switched off and adds it again, with a new secret and without its log.
func (a *App) replaceWebhook(w http.ResponseWriter, r *http.Request, c *caller) error {
	if !a.s.Plans[c.Account.Plan].Webhooks {
		return &boardwatch.Error{Code: boardwatch.CodePlanRequired, Message: "your plan does not include webhooks, so this one is kept as it is"}
	}
	old, err := a.s.Webhooks.Find(r.Context(), c.Account, r.PathValue("id"))
	if err == nil {
		err = a.s.Webhooks.Delete(r.Context(), c.Account, old.ID)
	}
	if err != nil {
		return err
	}
	form := account.WebhookForm{Name: old.Name, URL: old.URL, Events: eventNames(old)}
	h, err := a.s.Webhooks.Create(r.Context(), c.Account, form)
	if err != nil {
		status, told := refusal(w, err)
		if !told {
			return err
		}
		return a.section(w, r, c, "webhooks", outcome{
			status: status, wrong: faultsOf("/settings/webhooks", err), form: url.Values{"name": {form.Name}, "url": {form.URL}, "events": form.Events},
		})
	}
	a.reveal(w, r, "/settings/webhooks", secretShown{hostOf(h.URL), h.Secret})
	return nil
}

func (a *App) testWebhook(w http.ResponseWriter, r *http.Request, c *caller) error {
	receipt, err := a.s.Dispatcher.Ping(r.Context(), c.Account.ID, r.PathValue("id"))
	if err != nil {
		return err
	}
	f := flash{"good", fmt.Sprintf("The test ping was answered with %d in %d ms.", receipt.Code, receipt.Duration.Milliseconds())}
	if !receipt.OK() {
		f = flash{"bad", "The test ping failed: " + sentence(receipt.Error)}
	}
	a.back(w, r, "/settings/webhooks", f)
	return nil
}

// resend sends a dead delivery of one of the account's webhooks once more.
func (a *App) resend(w http.ResponseWriter, r *http.Request, c *caller) error {
	deliveries, err := a.s.Webhooks.Deliveries(r.Context(), c.Account, r.PathValue("id"))
	if err != nil {
		return err
	}
	id := r.PathValue("delivery")
	if !slices.ContainsFunc(deliveries, func(d boardwatch.Delivery) bool { return d.ID == id && d.State == boardwatch.DeliveryDead }) {
		return boardwatch.NotFound("delivery")
	}
	again, err := a.s.Dispatcher.Replay(r.Context(), id, "")
	if err != nil {
		return err
	}
	f := flash{"good", fmt.Sprintf("Sent again: answered with %d in %d ms.", again.Receipt.Code, again.Receipt.Duration.Milliseconds())}
	if !again.Receipt.OK() {
		f = flash{"bad", "Sent again, and failed again: " + sentence(again.Receipt.Error)}
	}
	a.back(w, r, "/settings/webhooks", f)
	return nil
}
