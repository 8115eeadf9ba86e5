package account

import (
	"context"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// MaxChannels is how many channels an account may have.
const MaxChannels = 10

// ChannelStore stores the channels of accounts. Their messages are sent like deliveries to webhooks: there a channel is a Webhook
// with a Channel.
type ChannelStore interface {
	// CreateChannel saves a channel. If the account already has limit of them, or a search is not the account's, it is
	// an invalid_request error.
	CreateChannel(ctx context.Context, c boardwatch.Channel, limit int) error
	// Channels lists an account's channels with their addresses, oldest first.
	Channels(ctx context.Context, accountID string) ([]boardwatch.Channel, error)
	// ChangeChannel saves the name, the address and the reported changes of one of the account's channels. An unknown
	// channel is a not_found error, and a search that is not the account's is an invalid_request error. If the address
	// changes, the channel no longer counts as failing, and a sender under way loses its claim, so that pending
	// messages go to the new address.
	ChangeChannel(ctx context.Context, c boardwatch.Channel) error
	// SwitchChannel saves whether one of the account's channels is on, and since when it fails; otherwise it is a
	// not_found error. Pending messages of a channel that is switched off are marked dead with the reason. Its owner
	// gets a mail each time failures switch it off, but never because of this call.
	SwitchChannel(ctx context.Context, c boardwatch.Channel) error
	// DeleteChannel removes one of the account's channels and its pending messages; otherwise a not_found error.
	DeleteChannel(ctx context.Context, accountID, id string) error
	// DeliveriesOf lists a channel's last deliveries, newest first, without bodies.
	DeliveriesOf(ctx context.Context, channelID string, limit int) ([]boardwatch.Delivery, error)
}

// ChannelOptions are the settings of Channels. The zero value works.
type ChannelOptions struct {
	Now          func() time.Time // nil means time.Now
	Dev          bool             // development: this machine is allowed too
	PrivateHosts []string         // hosts that may be on a private network (PrivateChannelHost)
	// Lookup finds the addresses of a host, so that a name that resolves to a private network is refused at once. Nil
	// means that only the text of a name is checked.
	Lookup func(ctx context.Context, host string) ([]netip.Addr, error)
	// Shape checks an address of that kind, except for its host, and returns an invalid_request error if it is wrong.
	// Nil: nothing is checked.
	Shape func(kind boardwatch.ChannelKind, to string) error
	// Mail says that there is a mail server, so that email channels can be created.
	Mail bool
}

// Channels manages the channels of accounts. It may be used concurrently.
type Channels struct {
	store ChannelStore
	o     ChannelOptions
}

// NewChannels returns a Channels.
func NewChannels(store ChannelStore, o ChannelOptions) *Channels {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Shape == nil {
		o.Shape = func(boardwatch.ChannelKind, string) error { return nil }
	}
	return &Channels{store: store, o: o}
}

// Create adds a channel to the account and returns it without its address. Every wrong field is named in one invalid_request
// error. An email channel uses the account's own confirmed address; an empty address means that one.
func (c *Channels) Create(ctx context.Context, a Account, ch boardwatch.Channel) (boardwatch.Channel, error) {
	ch, err := c.clean(ctx, a, ch, "")
	if err != nil {
		return boardwatch.Channel{}, err
	}
	ch.ID, ch.AccountID, ch.CreatedAt = boardwatch.NewID(), a.ID, boardwatch.Milli(c.o.Now())
	if err := c.store.CreateChannel(ctx, ch, MaxChannels); err != nil {
		return boardwatch.Channel{}, fmt.Errorf("create channel: %w", err)
	}
	ch.To = ""
	return ch, nil
}

// Change saves the form's name, address and choice of messages for one of the account's channels. An empty address
// keeps the present one; for mail, it means that of the account. The kind stays. The channel is returned without its
// address. One that is not the account's is a not_found error; see Create for the others.
func (c *Channels) Change(ctx context.Context, a Account, id string, form boardwatch.Channel) (boardwatch.Channel, error) {
	ch, err := c.Find(ctx, a, id)
	if err != nil {
		return boardwatch.Channel{}, err
	}
	if !form.All && !form.Failures && len(form.Searches) == 0 {
		return boardwatch.Channel{}, boardwatch.Invalid("channel",
			"the channel would tell nothing: choose all changes, saved searches, or boards that can no longer be read")
	}
	old := ch.To
	ch.Name, ch.Searches, ch.All, ch.Failures = form.Name, form.Searches, form.All, form.Failures
	if to := strings.TrimSpace(form.To); to != "" || ch.Kind == boardwatch.ChannelEmail {
		ch.To = to
	}
	if ch, err = c.clean(ctx, a, ch, old); err != nil {
		return boardwatch.Channel{}, err
	}
	if err := c.store.ChangeChannel(ctx, ch); err != nil {
		return boardwatch.Channel{}, fmt.Errorf("change channel: %w", err)
	}
	ch.To = ""
	return ch, nil
}

// Switch switches one of the account's channels on or off, and returns it without its address. Nothing that happens
// while it is off is reported later. One that is not the account's is a not_found error.
func (c *Channels) Switch(ctx context.Context, a Account, id string, on bool) (boardwatch.Channel, error) {
	ch, err := c.Find(ctx, a, id)
	if err != nil {
		return boardwatch.Channel{}, err
	}
	ch = ch.Switched(on, boardwatch.Milli(c.o.Now()))
	if err := c.store.SwitchChannel(ctx, ch); err != nil {
		return boardwatch.Channel{}, fmt.Errorf("switch channel: %w", err)
	}
	ch.To = ""
	return ch, nil
}

// clean returns a channel in the form it is saved, or an invalid_request error that names everything wrong. An
// unchanged address is not checked again.
func (c *Channels) clean(ctx context.Context, a Account, ch boardwatch.Channel, old string) (boardwatch.Channel, error) {
	ch.Name, ch.To = strings.TrimSpace(ch.Name), strings.TrimSpace(ch.To)
	if ch.Kind == boardwatch.ChannelEmail && ch.To == "" {
		ch.To = a.Email
	}
	ch, err := CleanChannel(ch)
	var wrong []boardwatch.FieldError
	if err != nil {
		wrong = fieldErrors(err)
	}
	if fault := nameFault(ch.Name); ch.Name != "" && fault != "" {
		wrong = append(wrong, boardwatch.FieldError{Field: "name", Message: fault})
	}
	if (old == "" || ch.To != old) && slices.Contains(ChannelKinds(), ch.Kind) {
		if err := c.checkTo(ctx, a, ch); err != nil {
			wrong = append(wrong, fieldErrors(err)...)
		}
	}
	return ch, boardwatch.InvalidFields(wrong)
}

// checkTo says why an address cannot be used for a channel.
func (c *Channels) checkTo(ctx context.Context, a Account, ch boardwatch.Channel) error {
	if ch.Kind == boardwatch.ChannelEmail {
		switch {
		case !c.o.Mail:
			return boardwatch.Invalid("kind", "must not be email: this installation has no mail server (mail.smtp_url)")
		case !belongs(ch.To, a):
			return boardwatch.Invalid("to", "must be the account's own address, "+a.Email)
		case !a.Verified:
			return boardwatch.Invalid("to", "must be confirmed first: open the link in the mail that was sent to it")
		default:
			return nil
		}
	}
	if err := CheckChannelURL(ch.To, c.o.Dev, c.o.PrivateHosts); err != nil {
		return err
	}
	if err := c.o.Shape(ch.Kind, ch.To); err != nil {
		return err
	}
	u, err := url.Parse(ch.To)
	if err != nil || c.o.Lookup == nil || PrivateChannelHost(u, c.o.PrivateHosts) {
		return nil //nolint:nilerr // an address that was checked can be parsed
	}
	return publicName(ctx, c.o.Lookup, "to", u.Hostname(), c.o.Dev)
}

// List returns the account's channels, oldest first and without their addresses.
func (c *Channels) List(ctx context.Context, a Account) ([]boardwatch.Channel, error) {
	list, err := c.store.Channels(ctx, a.ID)
	if err != nil {
		return nil, fmt.Errorf("list channels: %w", err)
	}
	for i := range list {
		list[i].To = ""
	}
	return list, nil
}

// Find returns one of the account's channels, with its address. One that is not the account's is a not_found error.
func (c *Channels) Find(ctx context.Context, a Account, id string) (boardwatch.Channel, error) {
	list, err := c.store.Channels(ctx, a.ID)
	if err != nil {
		return boardwatch.Channel{}, fmt.Errorf("find channel: %w", err)
	}
	i := slices.IndexFunc(list, func(ch boardwatch.Channel) bool { return ch.ID == id })
	if i < 0 {
		return boardwatch.Channel{}, boardwatch.NotFound("channel")
	}
	return list[i], nil
}

// Delete removes a channel permanently, with its pending messages. One that is not the account's is a not_found error.
func (c *Channels) Delete(ctx context.Context, a Account, id string) error {
	if !boardwatch.ValidID(id) {
		return boardwatch.NotFound("channel")
	}
	return boardwatch.Wrap("delete channel", c.store.DeleteChannel(ctx, a.ID, id))
}

// Deliveries lists the last deliveriesShown messages to one of the account's channels, newest first. One that is not the
// account's is a not_found error.
func (c *Channels) Deliveries(ctx context.Context, a Account, id string) ([]boardwatch.Delivery, error) {
	if _, err := c.Find(ctx, a, id); err != nil {
		return nil, err
	}
	deliveries, err := c.store.DeliveriesOf(ctx, id, deliveriesShown)
	return deliveries, boardwatch.Wrap("list messages", err)
}

// The kinds of channels besides mail.
const (
	ChannelSlack      boardwatch.ChannelKind = "slack"
	ChannelDiscord    boardwatch.ChannelKind = "discord"
	ChannelTeams      boardwatch.ChannelKind = "teams"
	ChannelMattermost boardwatch.ChannelKind = "mattermost"
	ChannelTelegram   boardwatch.ChannelKind = "telegram"
	ChannelNtfy       boardwatch.ChannelKind = "ntfy"
	ChannelGotify     boardwatch.ChannelKind = "gotify"
	ChannelMatrix     boardwatch.ChannelKind = "matrix"
	ChannelApprise    boardwatch.ChannelKind = "apprise"
)

// ChannelKinds returns all kinds of channels.
func ChannelKinds() []boardwatch.ChannelKind {
	return []boardwatch.ChannelKind{
		boardwatch.ChannelEmail, ChannelSlack, ChannelDiscord, ChannelTeams, ChannelMattermost, ChannelTelegram, ChannelNtfy, ChannelGotify,
		ChannelMatrix, ChannelApprise,
	}
}

// CleanChannel returns the channel in the form it is stored, or an invalid_request error that names what is wrong, except with
// its address. A channel without any choice reports all changes.
func CleanChannel(c boardwatch.Channel) (boardwatch.Channel, error) {
	var wrong []boardwatch.FieldError
	if !slices.Contains(ChannelKinds(), c.Kind) {
		wrong = append(wrong, boardwatch.FieldError{Field: "kind", Message: "must be one of " + joinKinds(ChannelKinds())})
	}
	var searches []string
	for _, id := range c.Searches {
		if !slices.Contains(searches, id) {
			searches = append(searches, id)
		}
	}
	c.Searches = searches
	if c.All && len(c.Searches) > 0 {
		wrong = append(wrong, boardwatch.FieldError{Field: "searches", Message: "cannot be combined with all changes, which include what it finds"})
	}
	if !c.All && !c.Failures && len(c.Searches) == 0 {
		c.All = true
	}
	c.Shown = c.Kind.Masked(c.To)
	return c, boardwatch.InvalidFields(wrong)
}

func joinKinds(kinds []boardwatch.ChannelKind) string {
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = string(k)
	}
	return strings.Join(names, ", ")
}
