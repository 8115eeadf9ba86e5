package account

import (
	"slices"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
)

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
