package web

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
)

type channelSection struct {
	settingsPage

	Channels []channelRow
	Limit    int
	Full     bool
	Form     channelForm
}

// channelForm holds what a person decides about a channel.
type channelForm struct {
	Action   string
	Kinds    []kindChoice // of a new one
	Kind     string       // of an existing one, which cannot change
	Shown    string       // the part of the current address that may be shown
	Mail     bool         // its address is the account's own
	Name, To string
	About    []choice
	Searches []choice
	Failures bool
	Wrong    faults
}

type channelRow struct {
	ID, Name, Kind, To, Tells string
	CreatedAt                 time.Time
	Chip                      chip
	Off                       *switchedOff
	Messages                  []deliveryRow
}

// kindChoice is a kind of channel, with what its address looks like and where it is found.
type kindChoice struct {
	choice

	Example, Where string
}

// addressesOf are the examples and places of a channel's address, by its kind.
func addressesOf(kind boardwatch.ChannelKind) (example, where string) {
	switch kind {
	case boardwatch.ChannelEmail:
		return "", "Messages go to your own address. What happens within ten minutes comes in one message."
	case account.ChannelSlack:
		return "https://hooks.slack.com/services/…", "In an app of your workspace, under Incoming Webhooks."
	case account.ChannelDiscord:
		return "https://discord.com/api/webhooks/…", "In the channel’s settings, under Integrations, Webhooks."
	case account.ChannelTeams:
		return "https://…", "In Workflows: Post to a channel when a webhook request is received."
	case account.ChannelMattermost:
		return "https://mattermost.example.com/hooks/KEY", "Under Integrations, Incoming Webhooks."
	case account.ChannelTelegram:
		return "https://api.telegram.org/botTOKEN/sendMessage?chat_id=CHAT", "@BotFather creates the bot and its token; add the bot to the chat."
	case account.ChannelNtfy:
		return "https://ntfy.sh/TOPIC", "Choose a topic that is hard to guess. Add ?token=TOKEN if it is protected."
	case account.ChannelGotify:
		return "https://gotify.example.com/message?token=TOKEN", "Under Apps: the token of an application."
	case account.ChannelMatrix:
		return "https://matrix.example.com/!ROOM:example.com?token=TOKEN", "The room’s address is in its settings, under Advanced; the token is a member’s access token."
	case account.ChannelApprise:
		return "https://apprise.example.com/notify/KEY", "A configuration on your Apprise API server."
	}
	return "", ""
}

// What a channel reports about roles.
const (
	tellAll      = "all"
	tellSearches = "searches"
	tellNothing  = "nothing"
)

func (a *App) channelSection(r *http.Request, c *caller, o outcome) (channelSection, error) {
	channels, err := a.s.Channels.List(r.Context(), c.Account)
	if err != nil {
		return channelSection{}, err
	}
	searches, err := a.s.Tracker.Searches(r.Context(), c.Account)
	if err != nil {
		return channelSection{}, err
	}
	boards, err := a.boardLinks(r, c)
	if err != nil {
		return channelSection{}, err
	}
	p := channelSection{
		settingsPage: a.frame(c, "channels", o.wrong), Limit: account.MaxChannels, Full: len(channels) >= account.MaxChannels,
		Form: newChannelForm(searches, o),
	}
	for _, ch := range channels {
		messages, err := a.s.Channels.Deliveries(r.Context(), c.Account, ch.ID)
		if err != nil {
			return channelSection{}, err
		}
		row := newChannelRow(ch, searches, a.o.Now(), c.Zone)
		for _, d := range messages {
			row.Messages = append(row.Messages, newDeliveryRow(d, boardLink(boards, d.BoardID), a.o.Tries))
		}
		p.Channels = append(p.Channels, row)
	}
	return p, nil
}

func newChannelForm(searches []boardwatch.Search, o outcome) channelForm {
	f := channelForm{
		Action: "/settings/channels", Wrong: o.wrong, Name: o.form.Get("name"), To: o.form.Get("to"), Failures: o.form.Get("failures") != "",
	}
	for _, kind := range account.ChannelKinds() {
		example, where := addressesOf(kind)
		f.Kinds = append(f.Kinds, kindChoice{choice{string(kind), kindName(kind), o.form.Get("kind") == string(kind)}, example, where})
	}
	about := o.form.Get("about")
	if about == "" {
		about = tellAll
	}
	for _, one := range []choice{
		{ID: tellAll, Name: "all changes of roles"},
		{ID: tellSearches, Name: "only what these saved searches find"},
		{ID: tellNothing, Name: "nothing"},
	} {
		if one.ID != tellSearches || len(searches) > 0 {
			f.About = append(f.About, choice{one.ID, one.Name, one.ID == about})
		}
	}
	for _, q := range searches {
		f.Searches = append(f.Searches, choice{q.ID, q.Name, slices.Contains(o.form["searches"], q.ID)})
	}
	return f
}

// formOf returns the form filled in for an existing channel, without its address.
func formOf(ch boardwatch.Channel) url.Values {
	form := url.Values{"name": {ch.Name}, "searches": ch.Searches, "about": {tellNothing}}
	switch {
	case ch.All:
		form.Set("about", tellAll)
	case len(ch.Searches) > 0:
		form.Set("about", tellSearches)
	}
	if ch.Failures {
		form.Set("failures", "on")
	}
	return form
}

// kindName is what people call a kind of channel.
func kindName(kind boardwatch.ChannelKind) string {
	switch kind {
	case boardwatch.ChannelEmail:
		return "E-mail"
	case account.ChannelTeams:
		return "Microsoft Teams"
	case account.ChannelNtfy:
		return "ntfy"
	default:
		return capital(string(kind))
	}
}

func newChannelRow(ch boardwatch.Channel, searches []boardwatch.Search, now time.Time, zone *time.Location) channelRow {
	row := channelRow{ID: ch.ID, Name: ch.Name, Kind: kindName(ch.Kind), To: ch.Shown, CreatedAt: ch.CreatedAt, Chip: chip{"ok", "active"}}
	switch ch.State() {
	case boardwatch.ChannelDisabled:
		row.Chip = chip{"bad", "switched off"}
		row.Off = &switchedOff{ch.DisabledAt, spokenReason(ch.DisabledReason, now, zone)}
	case boardwatch.ChannelFailing:
		row.Chip = chip{"warn", "failing"}
	case boardwatch.ChannelOn:
	}
	var tells []string
	if ch.All {
		tells = append(tells, "all changes of roles")
	}
	for _, q := range searches {
		if slices.Contains(ch.Searches, q.ID) {
			tells = append(tells, "what “"+q.Name+"” finds")
		}
	}
	if ch.Failures {
		tells = append(tells, "boards that can no longer be read")
	}
	if row.Tells = "Reports " + strings.Join(tells, ", "); len(tells) == 0 {
		row.Tells = "Reports nothing: its searches were deleted"
	}
	return row
}

func (a *App) createChannel(w http.ResponseWriter, r *http.Request, c *caller) error {
	if err := r.ParseForm(); err != nil {
		return boardwatch.Invalid("form", "the form could not be read")
	}
	ch, err := channelOf(r)
	if err == nil {
		ch, err = a.s.Channels.Create(r.Context(), c.Account, ch)
	}
	if err != nil {
		return a.refuse(w, r, c, "channels", err)
	}
	a.back(w, r, "/settings/channels", flash{"good", "The channel to " + ch.Shown + " is added. Send a test message to try it."})
	return nil
}

// channelOf reads a channel from its form.
func channelOf(r *http.Request) (boardwatch.Channel, error) {
	ch := boardwatch.Channel{
		Name: r.PostFormValue("name"), Kind: boardwatch.ChannelKind(r.PostFormValue("kind")), To: r.PostFormValue("to"),
		Failures: r.PostFormValue("failures") != "",
	}
	switch r.PostFormValue("about") {
	case tellSearches:
		if ch.Searches = r.PostForm["searches"]; len(ch.Searches) == 0 {
			return ch, boardwatch.Invalid("searches", "choose at least one saved search")
		}
	case tellNothing:
		if !ch.Failures {
			return ch, boardwatch.Invalid("failures", "choose something for the channel to report")
		}
	default:
		ch.All = true
	}
	return ch, nil
}

func (a *App) askChannelDeletion(w http.ResponseWriter, r *http.Request, c *caller) error {
	ch, err := a.s.Channels.Find(r.Context(), c.Account, r.PathValue("id"))
	if err != nil {
		return err
	}
	return a.askDeletion(w, r, c, confirmPage{
		Heading: "Delete " + channelName(ch) + "?", Lead: kindName(ch.Kind) + " at " + ch.Shown + " gets no more messages. Pending messages are dropped, and its log is deleted.",
		Button: "Delete the channel", Cancel: "/settings/channels",
	})
}

func (a *App) deleteChannel(w http.ResponseWriter, r *http.Request, c *caller) error {
	if err := a.s.Channels.Delete(r.Context(), c.Account, r.PathValue("id")); err != nil {
		return err
	}
	a.back(w, r, "/settings/channels", flash{"good", "The channel is deleted."})
	return nil
}

func (a *App) testChannel(w http.ResponseWriter, r *http.Request, c *caller) error {
	ch, err := a.s.Channels.Find(r.Context(), c.Account, r.PathValue("id"))
	if err != nil {
		return err
	}
	receipt, err := a.s.Dispatcher.PingChannel(r.Context(), ch)
	if err != nil {
		return err
	}
	f := flash{"good", fmt.Sprintf("The test message was accepted in %d ms.", receipt.Duration.Milliseconds())}
	if !receipt.OK() {
		f = flash{"bad", "The test message failed: " + sentence(receipt.Error)}
	}
	a.back(w, r, "/settings/channels", f)
	return nil
}
