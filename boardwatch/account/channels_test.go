package account_test

import (
	"context"
	"net/netip"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/transport/channel"
)

const topic = "https://ntfy.northwind.example/topicsesame"

func TestChannels(t *testing.T) {
	t.Parallel()
	w := setup(t)
	ann := w.create(t, account.NewAccount{Email: "ann@northwind.example", Plan: account.PlanFree, Verified: true})
	bob := w.create(t, account.NewAccount{Email: "bob@northwind.example", Plan: account.PlanFree})
	inside := func(context.Context, string) ([]netip.Addr, error) {
		return []netip.Addr{netip.MustParseAddr("10.0.0.7")}, nil
	}
	channels := account.NewChannels(w.Store, account.ChannelOptions{Shape: channel.Check, Mail: true, PrivateHosts: []string{"ntfy.lan:8080"}})
	looking := account.NewChannels(w.Store, account.ChannelOptions{Shape: channel.Check, Lookup: inside, PrivateHosts: []string{"ntfy.lan"}})

	refused := func(c *account.Channels, a account.Account, kind boardwatch.ChannelKind, to, why string) {
		t.Helper()
		_, err := c.Create(t.Context(), a, boardwatch.Channel{Kind: kind, To: to})
		require.Equal(t, boardwatch.CodeInvalidRequest, boardwatch.CodeOf(err))
		require.ErrorContains(t, err, why)
		require.NotContains(t, err.Error(), "sesame")
	}
	refused(channels, ann, "pigeon", topic, "kind: must be one of email, slack")
	refused(channels, ann, account.ChannelNtfy, "", "to: ")
	refused(channels, ann, account.ChannelNtfy, "http://ntfy.northwind.example/topicsesame", "to: must begin with https://")
	refused(channels, ann, account.ChannelNtfy, "https://10.0.0.7/topicsesame", "to: must name a public host")
	refused(channels, ann, account.ChannelNtfy, "http://ntfy.lan/topicsesame", "to: must begin with https://")
	refused(channels, ann, account.ChannelNtfy, "https://ntfy.northwind.example/", "to: must be the address of a topic")
	refused(looking, ann, account.ChannelNtfy, topic, "to: must name a public host; this name resolves")
	refused(channels, ann, boardwatch.ChannelEmail, "stranger@elsewhere.example", "to: must be the account's own address")
	refused(channels, bob, boardwatch.ChannelEmail, "", "to: must be confirmed first")
	refused(looking, ann, boardwatch.ChannelEmail, "", "no mail server")
	_, err := channels.Create(t.Context(), ann, boardwatch.Channel{Kind: account.ChannelNtfy, To: topic, All: true, Searches: []string{boardwatch.NewID()}})
	require.ErrorContains(t, err, "searches: cannot be combined with all changes")
	_, err = channels.Create(t.Context(), ann, boardwatch.Channel{Kind: account.ChannelNtfy, To: topic, Searches: []string{boardwatch.NewID()}})
	require.ErrorContains(t, err, "searches: must be ids of the account's saved searches")

	for _, made := range []struct {
		in   *account.Channels
		kind boardwatch.ChannelKind
		to   string
		show string
	}{
		{channels, account.ChannelNtfy, topic, "https://ntfy.northwind.example/…"},
		{channels, account.ChannelNtfy, "http://ntfy.lan:8080/topicsesame", "http://ntfy.lan:8080/…"},
		{looking, account.ChannelNtfy, "http://ntfy.lan/topicsesame", "http://ntfy.lan/…"},
		{channels, boardwatch.ChannelEmail, "", "a…@northwind.example"},
	} {
		c, err := made.in.Create(t.Context(), ann, boardwatch.Channel{Kind: made.kind, To: made.to})
		require.NoError(t, err)
		require.Equal(t, made.show, c.Shown)
		require.Empty(t, c.To)
		require.True(t, c.All, "nothing was said about what to tell")
	}
	list, err := channels.List(t.Context(), ann)
	require.NoError(t, err)
	require.Len(t, list, 4)
	for _, c := range list {
		require.Empty(t, c.To)
	}
	for range account.MaxChannels - len(list) {
		_, err := channels.Create(t.Context(), ann, boardwatch.Channel{Kind: account.ChannelNtfy, To: topic})
		require.NoError(t, err)
	}
	refused(channels, ann, account.ChannelNtfy, topic, "as many as it may have")
}

func TestChannelsBelongToTheirAccount(t *testing.T) {
	t.Parallel()
	w := setup(t)
	ann := w.create(t, account.NewAccount{Email: "ann@northwind.example", Plan: account.PlanFree, Verified: true})
	bob := w.create(t, account.NewAccount{Email: "bob@northwind.example", Plan: account.PlanFree, Verified: true})
	channels := account.NewChannels(w.Store, account.ChannelOptions{Shape: channel.Check})
	made, err := channels.Create(t.Context(), ann, boardwatch.Channel{Kind: account.ChannelNtfy, To: topic})
	require.NoError(t, err)
	for _, id := range []string{made.ID, boardwatch.NewID(), "", "x' OR 1=1"} {
		require.Equal(t, boardwatch.CodeNotFound, boardwatch.CodeOf(channels.Delete(t.Context(), bob, id)), id)
		_, err := channels.Deliveries(t.Context(), bob, id)
		require.Equal(t, boardwatch.CodeNotFound, boardwatch.CodeOf(err), id)
	}
	list, err := channels.List(t.Context(), bob)
	require.NoError(t, err)
	require.Empty(t, list)
	log, err := channels.Deliveries(t.Context(), ann, made.ID)
	require.NoError(t, err)
	require.Empty(t, log)
	for _, id := range []string{made.ID, boardwatch.NewID(), "", "x' OR 1=1"} {
		_, err := channels.Change(t.Context(), bob, id, boardwatch.Channel{All: true, To: topic})
		require.Equal(t, boardwatch.CodeNotFound, boardwatch.CodeOf(err), id)
		_, err = channels.Switch(t.Context(), bob, id, false)
		require.Equal(t, boardwatch.CodeNotFound, boardwatch.CodeOf(err), id)
	}
	require.NoError(t, channels.Delete(t.Context(), ann, made.ID))
}

func TestAChannelIsChangedAndSwitchedOffAndOn(t *testing.T) {
	t.Parallel()
	w := setup(t)
	ann := w.create(t, account.NewAccount{Email: "ann@northwind.example", Plan: account.PlanFree, Verified: true})
	channels := account.NewChannels(w.Store, account.ChannelOptions{Shape: channel.Check, Mail: true})
	made, err := channels.Create(t.Context(), ann, boardwatch.Channel{Kind: account.ChannelNtfy, To: topic, Name: " Phone "})
	require.NoError(t, err)
	require.Equal(t, "Phone", made.Name)
	address := func(id string) string {
		t.Helper()
		c, err := channels.Find(t.Context(), ann, id)
		require.NoError(t, err)
		return c.To
	}

	changed, err := channels.Change(t.Context(), ann, made.ID, boardwatch.Channel{Name: "Tablet", Failures: true})
	require.NoError(t, err)
	require.Equal(t, "Tablet", changed.Name)
	require.False(t, changed.All)
	require.Equal(t, topic, address(made.ID), "an empty address is the one that it has")
	require.Empty(t, changed.To)
	const other = "https://push.northwind.example/elsewhere"
	changed, err = channels.Change(t.Context(), ann, made.ID, boardwatch.Channel{Kind: account.ChannelSlack, To: other, All: true})
	require.NoError(t, err)
	require.Equal(t, account.ChannelNtfy, changed.Kind, "the kind stays")
	require.Equal(t, "https://push.northwind.example/…", changed.Shown)
	require.Equal(t, other, address(made.ID))

	for why, form := range map[string]boardwatch.Channel{
		"the channel would tell nothing":               {To: topic},
		"to: must name a public host":                  {To: "https://10.0.0.7/topicsesame", All: true},
		"to: must be the address of a topic":           {To: "https://ntfy.northwind.example/", All: true},
		"name: must be at most 60 characters":          {Name: strings.Repeat("x", 61), All: true},
		"searches: cannot be combined":                 {All: true, Searches: []string{boardwatch.NewID()}},
		"searches: must be ids of the account's saved": {Searches: []string{boardwatch.NewID()}},
	} {
		_, err := channels.Change(t.Context(), ann, made.ID, form)
		require.Equal(t, boardwatch.CodeInvalidRequest, boardwatch.CodeOf(err), why)
		require.ErrorContains(t, err, why)
		require.NotContains(t, err.Error(), "sesame")
	}
	require.Equal(t, other, address(made.ID))

	for _, on := range []bool{false, false, true, true} {
		c, err := channels.Switch(t.Context(), ann, made.ID, on)
		require.NoError(t, err)
		require.Equal(t, on, c.State() == boardwatch.ChannelOn)
		require.Empty(t, c.To)
	}

	mail, err := channels.Create(t.Context(), ann, boardwatch.Channel{Kind: boardwatch.ChannelEmail})
	require.NoError(t, err)
	_, err = channels.Change(t.Context(), ann, mail.ID, boardwatch.Channel{To: "stranger@elsewhere.example", All: true})
	require.ErrorContains(t, err, "to: must be the account's own address")
	ann.Email = "ann@contoso.example" // her new address
	changed, err = channels.Change(t.Context(), ann, mail.ID, boardwatch.Channel{All: true})
	require.NoError(t, err)
	require.Equal(t, "a…@contoso.example", changed.Shown, "mail goes where the account is")
	ann.Verified = false
	_, err = channels.Change(t.Context(), ann, mail.ID, boardwatch.Channel{Name: "Mail", All: true})
	require.NoError(t, err, "an unchanged address is not checked again")
}
