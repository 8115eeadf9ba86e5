package channel

import (
	"html"
	"net/url"
	"regexp"
	"strings"
)

// telegramText is how many characters a message may have, without its markup.
const telegramText = 4096

// telegram writes for a Telegram bot: https://api.telegram.org/botTOKEN/sendMessage?chat_id=CHAT
// https://core.telegram.org/bots/api#sendmessage
func telegram(to *url.URL, l letter) (wish, error) {
	bot, _, _ := strings.Cut(strings.TrimPrefix(to.Path, "/"), "/")
	chat := to.Query().Get("chat_id")
	if !strings.HasPrefix(bot, "bot") || !strings.Contains(bot, ":") || chat == "" {
		return wish{}, wrong("must be https://api.telegram.org/botTOKEN/sendMessage?chat_id=CHAT with the token of a bot and the id of a chat")
	}
	m := chatHTML()
	parts := []string{m.bold(m.escape(l.title))}
	if l.note != "" {
		parts = append(parts, m.escape(l.note))
	}
	const footer = 100
	lines, hidden := m.lines(l, telegramText-len(strings.Join(parts, ""))-footer, visible)
	parts = append(parts, lines...)
	switch {
	case l.link != "":
		parts = append(parts, m.link(m.escape(l.linkText(hidden)), l.link))
	case l.rest(hidden) != "":
		parts = append(parts, m.escape(l.rest(hidden)))
	}
	body := object{
		"chat_id": chat, "text": strings.Join(parts, "\n"), "parse_mode": "HTML", "link_preview_options": object{"is_disabled": true},
	}
	if topic := to.Query().Get("message_thread_id"); topic != "" {
		body["message_thread_id"] = topic
	}
	return wish{url: with(to, bot, "sendMessage"), body: body}, nil
}

// chatHTML is HTML for places that make links and mentions of plain text.
func chatHTML() markup {
	m := htmlMarkup()
	m.escape = func(text string) string { return html.EscapeString(inert(text)) }
	return m
}

// htmlMarkup is the small part of HTML that chats support.
func htmlMarkup() markup {
	return markup{
		escape: html.EscapeString,
		link:   func(text, to string) string { return `<a href="` + html.EscapeString(to) + `">` + text + "</a>" },
		bold:   func(text string) string { return "<b>" + text + "</b>" },
	}
}

var tag = regexp.MustCompile(`<[^>]*>`)

// visible returns the number of bytes of a text without its markup.
func visible(text string) int { return len(tag.ReplaceAllString(text, "")) }
