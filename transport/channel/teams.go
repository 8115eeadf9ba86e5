package channel

import (
	"net/url"
	"strings"
)

// teamsCard is how many bytes the roles of a card may have: a message is at most 28 KB, and JSON needs more than its texts.
const teamsCard = 16 << 10

// teams writes for a Microsoft Teams workflow that posts what it receives as an Adaptive Card ("When a Teams webhook
// request is received"). https://learn.microsoft.com/connectors/teams/#microsoft-teams-webhook
func teams(to *url.URL, l letter) (wish, error) {
	if strings.Trim(to.Path, "/") == "" {
		return wish{}, wrong("must be the address that the workflow of Teams shows, with everything that follows the host")
	}
	m := markdown()
	title := object{"type": "TextBlock", "text": m.escape(l.title), "size": "Medium", "weight": "Bolder", "wrap": true}
	if l.urgent {
		title["color"] = "Attention"
	}
	body := []any{title}
	text := func(text string) { body = append(body, object{"type": "TextBlock", "text": text, "wrap": true}) }
	if l.note != "" {
		text(m.escape(l.note))
	}
	const block = 50 // bytes of a block besides its text
	lines, hidden := m.lines(l, teamsCard, func(line string) int { return block + len(line) })
	for _, line := range lines {
		text(line)
	}
	if rest := l.rest(hidden); rest != "" {
		text(m.escape(rest))
	}
	card := object{
		"$schema": "http://adaptivecards.io/schemas/adaptive-card.json", "type": "AdaptiveCard", "version": "1.4", "body": body,
	}
	if l.link != "" {
		card["actions"] = []any{object{"type": "Action.OpenUrl", "title": "Open in boardwatch", "url": l.link}}
	}
	return wish{url: to.String(), body: object{"type": "message", "attachments": []any{
		object{"contentType": "application/vnd.microsoft.card.adaptive", "contentUrl": nil, "content": card},
	}}}, nil
}
