package channel

import (
	"net/url"
	"strings"
)

// ntfyMessage is how many bytes a message may have; of a longer one, a server makes a file.
const ntfyMessage = 4096

// ntfy writes for a topic of ntfy: https://ntfy.sh/TOPIC, with ?token=TOKEN where the topic is protected. The message names the
// topic, so that its address does not. The id of the delivery is that of the notification's sequence, so that a message that is
// sent twice takes the place of the first on phones; servers older than ntfy 2.16 know no sequences.
// https://docs.ntfy.sh/publish/#publish-as-json
// https://docs.ntfy.sh/publish/#updating-deleting-notifications
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

// bearer is the header with a token; without one there is none.
func bearer(token string) map[string]string {
	if token == "" {
		return nil
	}
	return map[string]string{"Authorization": "Bearer " + token}
}
