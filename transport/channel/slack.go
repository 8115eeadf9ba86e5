package channel

import (
	"net/url"
	"strings"
)

// The limits of Block Kit (https://docs.slack.dev/reference/block-kit/blocks), in characters.
const (
	slackHeader  = 150
	slackSection = 3000
	slackBlocks  = 50
)

// slack writes for an incoming Slack webhook: https://hooks.slack.com/services/…
// https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks
func slack(to *url.URL, l letter) (wish, error) {
	if strings.Trim(to.Path, "/") == "" {
		return wish{}, wrong("must be the address of an incoming webhook, such as https://hooks.slack.com/services/T000/B000/XXXX")
	}
	m := mrkdwn()
	blocks := []any{object{"type": "header", "text": object{"type": "plain_text", "text": cut(l.title, slackHeader)}}}
	section := func(text string) {
		blocks = append(blocks, object{"type": "section", "text": object{"type": "mrkdwn", "text": text}})
	}
	if l.note != "" {
		section(m.escape(l.note))
	}
	lines, hidden := m.lines(l, (slackBlocks-3)*slackSection, byteCount)
	for _, text := range joined(lines, slackSection) {
		section(text)
	}
	footer := m.escape(l.rest(hidden))
	if l.link != "" {
		footer = m.link(m.escape(l.linkText(hidden)), l.link)
	}
	if footer != "" {
		blocks = append(blocks, object{"type": "context", "elements": []any{object{"type": "mrkdwn", "text": footer}}})
	}
	return wish{url: to.String(), body: object{"text": m.escape(l.title), "blocks": blocks}}, nil
}

// object is a JSON object.
type object = map[string]any

// mrkdwn is Slack's own markup.
func mrkdwn() markup {
	escape := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "*", "∗", "_", "_\u200b", "~", "∼", "`", "'").Replace
	return markup{
		escape: func(text string) string { return escape(inert(text)) },
		link:   func(text, to string) string { return "<" + to + "|" + text + ">" },
		bold:   func(text string) string { return "*" + text + "*" },
	}
}

// joined combines lines into texts of at most that many bytes.
func joined(lines []string, most int) []string {
	var texts []string
	for _, line := range lines {
		last := len(texts) - 1
		if last < 0 || len(texts[last])+1+len(line) > most {
			texts = append(texts, line)
			continue
		}
		texts[last] += "\n" + line
	}
	return texts
}
