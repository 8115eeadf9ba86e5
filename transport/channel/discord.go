package channel

import (
	"net/url"
	"strings"
)

// The limits of an embed (https://discord.com/developers/docs/resources/message#embed-object-embed-limits), in characters.
const (
	discordTitle       = 256
	discordDescription = 4096
)

// The colours of embeds.
const (
	calm   = 0x2563EB
	urgent = 0xDC2626
)

// discord writes for a Discord webhook: https://discord.com/api/webhooks/ID/TOKEN
// https://discord.com/developers/docs/resources/webhook#execute-webhook
func discord(to *url.URL, l letter) (wish, error) {
	if !strings.Contains(to.Path, "/webhooks/") {
		return wish{}, wrong("must be the address of a webhook, such as https://discord.com/api/webhooks/123/TOKEN")
	}
	embed := object{"title": cut(l.title, discordTitle), "description": inMarkdown(l, discordDescription), "color": calm}
	if l.urgent {
		embed["color"] = urgent
	}
	if l.link != "" {
		embed["url"] = l.link
	}
	return wish{url: to.String(), body: object{
		"embeds": []any{embed}, "allowed_mentions": object{"parse": []string{}},
	}}, nil
}
