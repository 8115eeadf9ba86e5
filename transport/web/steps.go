package web

import (
	"net/http"
	"net/url"
)

// firstSteps are what a new user does first.
type firstSteps struct{ Steps []step }

// step is one of them. The first one that is not done is the next.
type step struct {
	Title, Text string
	Done, Next  bool
	Ways        []link
}

// firstSteps returns what is left to do for a viewer with that many boards; nil if nothing is, or they have put the list
// away.
func (a *App) firstSteps(r *http.Request, c *caller, boards int) (*firstSteps, error) {
	if !c.Prefs.Steps || boards == 0 {
		return nil, nil //nolint:nilnil // nothing to do is a value like any other
	}
	searches, err := a.s.Tracker.Searches(r.Context(), c.Account)
	if err != nil {
		return nil, err
	}
	channels, err := a.s.Channels.List(r.Context(), c.Account)
	if err != nil {
		return nil, err
	}
	hooks, err := a.s.Webhooks.List(r.Context(), c.Account)
	if err != nil {
		return nil, err
	}
	told := step{
		Title: "Choose how to be told", Text: "By e-mail in the morning, in your team’s chat, on your phone, or in a feed reader. Nothing is sent yet.",
		Done: len(channels)+len(hooks) > 0, Ways: []link{{"Choose a channel", "/settings/channels"}, {"E-mail and feeds", "/settings/email"}},
	}
	if told.Done {
		told.Text = "Your channels and webhooks get what happens. A daily e-mail and feeds are in the settings."
	}
	if a.o.Mail && c.Prefs.Digest && c.Account.Verified {
		told.Done, told.Text = true, "A daily e-mail says what has changed. Chats, phones and feeds are in the settings."
	}
	s := &firstSteps{[]step{
		{Title: "Add a board", Text: number(boards) + noun(boards, " board is", " boards are") + " on your list.", Done: true},
		{
			Title: "Save a search", Text: "Look for titles and places among the roles, and keep the search under a name. Then you can be told about its roles alone.",
			Done: len(searches) > 0, Ways: []link{{"Look at the roles", "/roles"}},
		},
		told,
	}}
	for i := range s.Steps {
		if !s.Steps[i].Done {
			s.Steps[i].Next = true
			return s, nil
		}
	}
	return nil, nil //nolint:nilnil // as above
}

// hideSteps puts the list of first steps away, or takes that back.
func (a *App) hideSteps(w http.ResponseWriter, r *http.Request, c *caller) error {
	prefs := c.Prefs
	f, u := flash{"good", "The first steps are put away."}, undo{r.URL.Path, url.Values{"do": {"show"}}}
	if prefs.Steps = r.PostFormValue("do") == "show"; prefs.Steps {
		f.Text, u = "The first steps are back.", undo{}
	}
	if err := a.s.Preferences.Save(r.Context(), c.Account, prefs); err != nil {
		return err
	}
	a.backUndo(w, r, "/boards", f, u)
	return nil
}
