package web

import (
	"net/http"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// channelPage changes one channel.
type channelPage struct {
	Heading string
	Form    channelForm
}

func (a *App) showChannel(w http.ResponseWriter, r *http.Request, c *caller) error {
	ch, err := a.s.Channels.Find(r.Context(), c.Account, r.PathValue("id"))
	if err != nil {
		return err
	}
	return a.channelView(w, r, c, http.StatusOK, ch, outcome{form: formOf(ch)})
}

func (a *App) channelView(w http.ResponseWriter, r *http.Request, c *caller, status int, ch boardwatch.Channel, o outcome) error {
	searches, err := a.s.Tracker.Searches(r.Context(), c.Account)
	if err != nil {
		return err
	}
	p := channelPage{Heading: "Change " + channelName(ch), Form: newChannelForm(searches, o)}
	p.Form.Kinds = nil
	p.Form.Action, p.Form.Kind, p.Form.Shown = "/settings/channels/"+ch.ID, kindName(ch.Kind), ch.Shown
	p.Form.Mail = ch.Kind == boardwatch.ChannelEmail
	return a.show(w, r, c, status, "channel", view{Title: p.Heading, Section: "Settings", Narrow: true, Page: p})
}

// channelName is the owner's name for a channel, or else its destination.
func channelName(ch boardwatch.Channel) string {
	if ch.Name != "" {
		return "“" + ch.Name + "”"
	}
	return "the channel to " + ch.Shown
}

func (a *App) changeChannel(w http.ResponseWriter, r *http.Request, c *caller) error {
	if err := r.ParseForm(); err != nil {
		return boardwatch.Invalid("form", "the form could not be read")
	}
	ch, err := a.s.Channels.Find(r.Context(), c.Account, r.PathValue("id"))
	if err != nil {
		return err
	}
	wanted, err := channelOf(r)
	if err == nil {
		_, err = a.s.Channels.Change(r.Context(), c.Account, ch.ID, wanted)
	}
	if err != nil {
		status, told := refusal(w, err)
		if !told {
			return err
		}
		return a.channelView(w, r, c, status, ch, outcome{wrong: faultsOf(r.URL.Path, err), form: r.PostForm})
	}
	f := flash{"good", "The channel is changed."}
	if !ch.DisabledAt.IsZero() {
		f = flash{"warn", "The channel is changed. It is still switched off."}
	}
	a.back(w, r, "/settings/channels", f)
	return nil
}

// switchChannel switches one of the account's channels on or off.
func (a *App) switchChannel(on bool) handler {
	return func(w http.ResponseWriter, r *http.Request, c *caller) error {
		if _, err := a.s.Channels.Switch(r.Context(), c.Account, r.PathValue("id"), on); err != nil {
			return err
		}
		f := flash{"good", "The channel is switched off. It does not report what happens meanwhile."}
		if on {
			f.Text = "The channel is switched on. It reports what happens from now on."
		}
		a.back(w, r, "/settings/channels", f)
		return nil
	}
}
