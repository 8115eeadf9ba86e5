package web

import (
	"net/http"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// webhookPage tells what happened to one webhook, and changes it.
type webhookPage struct {
	Heading string
	Row     webhookRow
	Story   []storyLine
	Form    webhookForm
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
	deliveries, err := a.s.Webhooks.Deliveries(r.Context(), c.Account, h.ID)
	if err != nil {
		return err
	}
	boards, err := a.boardLinks(r, c)
	if err != nil {
		return err
	}
	p := webhookPage{
		Heading: capital(webhookName(h)), Form: form,
		Row:   newWebhookRow(h, deliveries, boards, a.o.Tries, a.o.Now(), c.Zone),
		Story: a.storyOf(h, deliveries, boards, c.Zone),
	}
	p.Row.Back = form.Action
	return a.show(w, r, c, status, "webhook", view{Title: p.Heading, Section: "Settings", Page: p})
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

func (a *App) askNewSecret(w http.ResponseWriter, r *http.Request, c *caller) error {
	h, err := a.s.Webhooks.Find(r.Context(), c.Account, r.PathValue("id"))
	if err != nil {
		return err
	}
	return a.askConfirmation(w, r, c, http.StatusOK, confirmPage{
		Action:  r.URL.Path,
		Heading: "Make a new signing secret?", Lead: "It is shown once. From then on every attempt is signed with it, resends included, so the receiver at " +
			hostOf(h.URL) + " refuses what comes until it has the new secret.",
		Button: "Make a new secret", Cancel: "/settings/webhooks/" + h.ID,
	})
}

func (a *App) newSecret(w http.ResponseWriter, r *http.Request, c *caller) error {
	h, err := a.s.Webhooks.NewSecret(r.Context(), c.Account, r.PathValue("id"))
	if err != nil {
		return err
	}
	a.reveal(w, r, "/settings/webhooks", secretShown{hostOf(h.URL), h.Secret})
	return nil
}
