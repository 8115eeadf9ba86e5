package channel

import (
	"net/http"
	"net/url"
	"strings"
)

// matrixEvent is how many bytes of text an event gets in each of its two formats: the whole event has at most 65,536.
const matrixEvent = 16 << 10

// matrix writes for a Matrix room: https://matrix.example.com/ROOM?token=TOKEN, where ROOM is its id, such as
// !abc:example.com, and TOKEN the access token of one of its members. The id of the delivery is also that of the
// transaction, so a message that is sent twice is shown once.
// https://spec.matrix.org/latest/client-server-api/#put_matrixclientv3roomsroomidsendeventtypetxnid
func matrix(to *url.URL, l letter) (wish, error) {
	room, token := strings.TrimPrefix(to.Path, "/"), to.Query().Get("token")
	if !strings.HasPrefix(room, "!") || strings.Contains(room, "/") || token == "" {
		return wish{}, wrong("must be https://matrix.example.com/!ROOM:example.com?token=TOKEN with the id of a room and an access token")
	}
	m := chatHTML()
	rich, plain := []string{m.bold(m.escape(l.title))}, []string{l.title}
	if l.note != "" {
		rich, plain = append(rich, m.escape(l.note)), append(plain, l.note)
	}
	lines, hidden := m.lines(l, matrixEvent, byteCount)
	rich = append(rich, lines...)
	for _, r := range l.roles[:len(lines)] {
		plain = append(plain, plainText().line(r))
	}
	if l.link != "" {
		rich = append(rich, m.link(m.escape(l.linkText(hidden)), l.link))
		plain = append(plain, l.linkText(hidden)+": "+l.link)
	} else if rest := l.rest(hidden); rest != "" {
		rich, plain = append(rich, m.escape(rest)), append(plain, rest)
	}
	u := url.URL{Scheme: to.Scheme, Host: to.Host}
	path := u.JoinPath("_matrix/client/v3/rooms", url.PathEscape(room), "send/m.room.message", l.id)
	return wish{method: http.MethodPut, url: path.String(), header: bearer(token), body: object{
		"msgtype": "m.notice", "body": strings.Join(plain, "\n"), "format": "org.matrix.custom.html",
		"formatted_body": strings.Join(rich, "<br>"), "m.mentions": object{},
	}}, nil
}

// plainText is text without markup.
func plainText() markup {
	same := func(text string) string { return text }
	return markup{escape: same, bold: same, link: func(text, to string) string { return text + " " + to }}
}
