package channel

import (
	"net/url"
	"strings"
)

// ntfyMessage is how many bytes a message may have; servers turn a longer one into a file.
const ntfyMessage = 4096

// ntfy writes for an ntfy topic: https://ntfy.sh/TOPIC, with ?token=TOKEN if the topic is protected. The message names
// the topic, so that the address does not have to. The id of the delivery is also that of the notification's sequence,
// so that phones replace a message that is sent twice; servers older than ntfy 2.16 do not support sequences.
// https://docs.ntfy.sh/publish/#publish-as-json https://docs.ntfy.sh/publish/#updating-deleting-notifications
func ntfy(to *url.URL, l letter) (wish, error) {
	topic := lastOf(to)
	if topic == "" || strings.Count(to.Path, "/") != 1 {
		return wish{}, wrong("must be the address of a topic, such as https://ntfy.sh/TOPIC, with ?token=TOKEN if it is protected")
	}
	body := object{
		"topic": topic, "title": l.title, "message": inMarkdown(l, ntfyMessage), "markdown": true, "tags": []string{"briefcase"}, "priority": 3,
		"sequence_id": l.id,
	}
	if l.urgent {
		body["tags"], body["priority"] = []string{"warning"}, 4
	}
	if l.link != "" {
		body["click"] = l.link
		body["actions"] = []any{object{"action": "view", "label": "Open", "url": l.link}}
	}
	return wish{url: with(to, "/"), header: bearer(to.Query().Get("token")), body: body}, nil
}

// bearer returns the header for a token, or none without a token.
func bearer(token string) map[string]string {
	if token == "" {
		return nil
	}
	return map[string]string{"Authorization": "Bearer " + token}
}
