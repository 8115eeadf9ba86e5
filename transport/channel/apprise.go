package channel

import (
	"net/url"
	"strings"
)

// appriseBody is how many bytes of text a message gets. Apprise knows the limits of the services behind it.
const appriseBody = 16 << 10

// apprise writes for an Apprise server that stores the addresses: https://apprise.example.com/notify/KEY, with ?tag=TAG
// for some of them. https://github.com/caronc/apprise-api#api-details
func apprise(to *url.URL, l letter) (wish, error) {
	if !strings.Contains(to.Path, "/notify/") || lastOf(to) == "" {
		return wish{}, wrong("must be https://apprise.example.com/notify/KEY with the key of a configuration")
	}
	body := object{"title": l.title, "body": inMarkdown(l, appriseBody), "type": "info", "format": "markdown"}
	if l.urgent {
		body["type"] = "warning"
	}
	if tag := to.Query().Get("tag"); tag != "" {
		body["tag"] = tag
	}
	return wish{
		url: with(to, to.Path), body: body,
		nothing: "the server has no addresses under this key, or none with this tag",
	}, nil
}
