package channel

import "net/url"

// gotifyMessage is how many bytes of text a message gets. Gotify has no limit, but a phone should not get more.
const gotifyMessage = 16 << 10

// gotify writes for a Gotify application: https://gotify.example.com/message?token=TOKEN
// https://gotify.net/docs/pushmsg
func gotify(to *url.URL, l letter) (wish, error) {
	token := to.Query().Get("token")
	if token == "" || lastOf(to) != "message" {
		return wish{}, wrong("must be https://gotify.example.com/message?token=TOKEN with the token of an application")
	}
	extras := object{"client::display": object{"contentType": "text/markdown"}}
	if l.link != "" {
		extras["client::notification"] = object{"click": object{"url": l.link}}
	}
	priority := 5
	if l.urgent {
		priority = 8
	}
	return wish{url: with(to, to.Path), header: map[string]string{"X-Gotify-Key": token}, body: object{
		"title": l.title, "message": inMarkdown(l, gotifyMessage), "priority": priority, "extras": extras,
	}}, nil
}
