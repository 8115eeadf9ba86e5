package channel

import (
	"net/url"
	"strings"
)

// mattermostText is how many characters a post may have.
const mattermostText = 16383

// mattermost writes for an incoming Mattermost webhook: https://mattermost.example.com/hooks/KEY
// https://developers.mattermost.com/integrate/webhooks/incoming/
func mattermost(to *url.URL, l letter) (wish, error) {
	if !strings.Contains(to.Path, "/hooks/") {
		return wish{}, wrong("must be the address of an incoming webhook, such as https://mattermost.example.com/hooks/KEY")
	}
	title := "#### " + escapeMarkdown(l.title) + "\n"
	return wish{url: to.String(), body: object{"text": title + inMarkdown(l, mattermostText-len(title))}}, nil
}
