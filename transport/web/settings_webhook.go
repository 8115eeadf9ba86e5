package web

import (
	"bytes"
	"encoding/json"
	"net/http"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// webhookPage changes one webhook.
type webhookPage struct {
	Heading, URL string
	Form         webhookForm
}

// deliveryPage is one delivery with what was sent.
type deliveryPage struct {
	Row     deliveryRow
	Webhook link
	Facts   []fact
	Body    string
}

func (a *App) showWebhook(w http.ResponseWriter, r *http.Request, c *caller) error {
	h, err := a.s.Webhooks.Find(r.Context(), c.Account, r.PathValue("id"))
	if err != nil {
		return err
	}
	form := webhookForm{Name: h.Name, URL: h.URL, Events: eventChoices(eventNames(h))}
	return a.webhookView(w, r, c, http.StatusOK, h, form)
}

func (a *App) webhookView(w http.ResponseWriter, r *http.Request, c *caller, status int, h boardwatch.Webhook, form webhookForm) error {
	form.Action = "/settings/webhooks/" + h.ID
	p := webhookPage{Heading: "Change " + webhookName(h), URL: h.URL, Form: form}
	return a.show(w, r, c, status, "webhook", view{Title: p.Heading, Section: "Settings", Narrow: true, Page: p})
}

// webhookName is the owner's name for a webhook, or else its destination.
func webhookName(h boardwatch.Webhook) string {
	if h.Name != "" {
		return "“" + h.Name + "”"
	}
	return "the webhook to " + hostOf(h.URL)
}

func (a *App) changeWebhook(w http.ResponseWriter, r *http.Request, c *caller) error {
	if err := r.ParseForm(); err != nil {
		return boardwatch.Invalid("form", "the form could not be read")
	}
	h, err := a.s.Webhooks.Find(r.Context(), c.Account, r.PathValue("id"))
	if err != nil {
		return err
	}
	wanted := webhookFormOf(r)
	changed, err := a.s.Webhooks.Change(r.Context(), c.Account, h.ID, wanted)
	if err != nil {
		status, told := refusal(w, err)
		if !told {
			return err
		}
		form := webhookForm{Name: wanted.Name, URL: wanted.URL, Events: eventChoices(wanted.Events), Wrong: faultsOf(r.URL.Path, err)}
		return a.webhookView(w, r, c, status, h, form)
	}
	if changed.Secret != "" {
		a.reveal(w, r, "/settings/webhooks", secretShown{hostOf(changed.URL), changed.Secret})
		return nil
	}
	a.back(w, r, "/settings/webhooks", flash{"good", "The webhook is changed. Its signing secret is the same as before."})
	return nil
}

// showDelivery shows a message sent to one of the account's webhooks, and the answer.
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
		Row: newDeliveryRow(d, boardLink(boards, d.BoardID), a.o.Tries), Body: string(d.Body),
		Webhook: link{webhookName(h), "/settings/webhooks"},
		Facts: []fact{
			{"Event", string(d.Type)}, {"Delivery", d.ID}, {"Sent to", hostOf(h.URL)}, {"Attempts", newDeliveryRow(d, link{}, a.o.Tries).Attempt},
		},
	}
	var indented bytes.Buffer
	if json.Indent(&indented, d.Body, "", "  ") == nil {
		p.Body = indented.String()
	}
	return a.show(w, r, c, http.StatusOK, "delivery", view{Title: "Delivery " + d.ID, Section: "Settings", Page: p})
}
