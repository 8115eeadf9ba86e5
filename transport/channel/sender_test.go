package channel_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/transport/channel"
)

const (
	deliveryID = "65f0c0ffee00000000000042"
	base       = "https://boards.example.com"
)

// asked is a request as the place received it.
type asked struct {
	method, path, query string
	header              http.Header
	body                map[string]any
}

// vendor is a place on loopback with configurable answers.
type vendor struct {
	*httptest.Server

	mu     sync.Mutex
	asked  []asked
	answer func(w http.ResponseWriter)
}

func newVendor(t *testing.T) *vendor {
	t.Helper()
	v := &vendor{answer: func(w http.ResponseWriter) { w.WriteHeader(http.StatusOK) }}
	v.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, err := io.ReadAll(r.Body)
		if err != nil {
			panic(err)
		}
		a := asked{method: r.Method, path: r.URL.EscapedPath(), query: r.URL.RawQuery, header: r.Header}
		if err := json.Unmarshal(raw, &a.body); err != nil {
			panic(err)
		}
		v.mu.Lock()
		v.asked = append(v.asked, a)
		answer := v.answer
		v.mu.Unlock()
		answer(w)
	}))
	t.Cleanup(v.Close)
	return v
}

// only returns the only request that came.
func (v *vendor) only(t *testing.T) asked {
	t.Helper()
	v.mu.Lock()
	defer v.mu.Unlock()
	require.Len(t, v.asked, 1)
	return v.asked[0]
}

// local is the vendor's address in the form that development allows.
func (v *vendor) local(path string) string {
	u, err := url.Parse(v.URL)
	if err != nil {
		panic(err)
	}
	return "http://localhost:" + u.Port() + path
}

// addresses gives the path and query of an address of each kind, and its secret.
func addresses() map[boardwatch.ChannelKind]struct{ path, secret string } {
	return map[boardwatch.ChannelKind]struct{ path, secret string }{
		account.ChannelSlack:      {"/services/T000/B000/sesame", "sesame"},
		account.ChannelDiscord:    {"/api/webhooks/123/sesame", "sesame"},
		account.ChannelTeams:      {"/workflows/abc/triggers/manual/paths/invoke?api-version=1&sig=sesame", "sesame"},
		account.ChannelMattermost: {"/hooks/sesame", "sesame"},
		account.ChannelTelegram:   {"/bot123:sesame/sendMessage?chat_id=-100", "sesame"},
		account.ChannelNtfy:       {"/topicsesame?token=tk_sesame", "sesame"},
		account.ChannelGotify:     {"/message?token=sesame", "sesame"},
		account.ChannelMatrix:     {"/!room:matrix.example?token=sesame", "sesame"},
		account.ChannelApprise:    {"/notify/sesame?tag=jobs", "sesame"},
	}
}

func place(kind boardwatch.ChannelKind, to string) boardwatch.Webhook {
	return boardwatch.Channel{ID: "65f0c0ffee00000000000001", Kind: kind, To: to, Shown: kind.Masked(to)}.Place()
}

func delivery(m boardwatch.Message) boardwatch.Delivery {
	m.ID = deliveryID
	raw, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	return boardwatch.Delivery{ID: deliveryID, Type: m.Type, Body: raw}
}

// news is a message about that many roles of a company whose name tries to break out of every markup.
func news(roles int) boardwatch.Message {
	m := boardwatch.Message{
		Type: boardwatch.EventNews, BoardID: "65f0c0ffee00000000000009", Company: "Lamps <b> & *Co* @everyone", Searches: []string{"Data_in [Berlin]"},
	}
	for i := range roles {
		m.Roles = append(m.Roles, boardwatch.ToldRole{
			ID: fmt.Sprintf("65f0c0ffee0000000000%04d", i), Kind: boardwatch.ChangeFound, Title: fmt.Sprintf("Role %02d <!channel>", i), Location: "Oslo",
			Department: "R&D", URL: fmt.Sprintf("https://lamps.example/jobs/%d", i),
		})
	}
	return m
}

func sender(o channel.Options) *channel.Sender {
	o.Local, o.BaseURL, o.Version = true, base, "1.2.3"
	return channel.New(o)
}

// text returns the whole text of a request.
func (a asked) text(t *testing.T) string {
	t.Helper()
	var out strings.Builder
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	require.NoError(t, e.Encode(a.body))
	return out.String()
}

func TestEveryKindIsAskedAsDocumented(t *testing.T) {
	t.Parallel()
	tests := map[boardwatch.ChannelKind]func(t *testing.T, a asked){
		account.ChannelSlack: func(t *testing.T, a asked) {
			t.Helper()
			require.Equal(t, "/services/T000/B000/sesame", a.path)
			require.Equal(t, "Lamps &lt;b&gt; &amp; ∗Co∗ @\u200beveryone: 2 new roles", a.body["text"])
			blocks := a.body["blocks"].([]any)
			require.Len(t, blocks, 4)
			header := blocks[0].(map[string]any)
			require.Equal(t, "header", header["type"])
			require.Equal(t, "plain_text", header["text"].(map[string]any)["type"])
			section := blocks[2].(map[string]any)
			require.Equal(t, "section", section["type"])
			require.Equal(t, map[string]any{
				"type": "mrkdwn",
				"text": "*New:* <https://lamps.example/jobs/0|Role 00 &lt;!channel&gt;> (Oslo · R&amp;D)\n" +
					"*New:* <https://lamps.example/jobs/1|Role 01 &lt;!channel&gt;> (Oslo · R&amp;D)",
			}, section["text"])
			require.Contains(t, a.text(t), "<"+base+"/boards/65f0c0ffee00000000000009|Open in boardwatch>")
			require.NotContains(t, a.text(t), "<!channel>", "nobody is mentioned")
		},
		account.ChannelDiscord: func(t *testing.T, a asked) {
			t.Helper()
			require.Equal(t, "/api/webhooks/123/sesame", a.path)
			require.Equal(t, map[string]any{"parse": []any{}}, a.body["allowed_mentions"], "nobody is mentioned")
			embed := a.body["embeds"].([]any)[0].(map[string]any)
			require.Equal(t, "Lamps <b> & *Co* @everyone: 2 new roles", embed["title"])
			require.Equal(t, base+"/boards/65f0c0ffee00000000000009", embed["url"])
			require.Contains(t, embed["description"], `- **New:** [Role 00 \<\!channel\>](https://lamps.example/jobs/0) (Oslo · R\&D)`)
			require.Contains(t, embed["description"], `Found by Data\_in \[Berlin\]`)
		},
		account.ChannelTeams: func(t *testing.T, a asked) {
			t.Helper()
			require.Equal(t, "api-version=1&sig=sesame", a.query)
			require.Equal(t, "message", a.body["type"])
			attachment := a.body["attachments"].([]any)[0].(map[string]any)
			require.Equal(t, "application/vnd.microsoft.card.adaptive", attachment["contentType"])
			card := attachment["content"].(map[string]any)
			require.Equal(t, "AdaptiveCard", card["type"])
			require.Len(t, card["body"], 4, "title, note, two roles")
			require.Equal(t, []any{map[string]any{
				"type": "Action.OpenUrl", "title": "Open in boardwatch", "url": base + "/boards/65f0c0ffee00000000000009",
			}}, card["actions"])
		},
		account.ChannelMattermost: func(t *testing.T, a asked) {
			t.Helper()
			require.Equal(t, "/hooks/sesame", a.path)
			require.True(t, strings.HasPrefix(a.body["text"].(string), "#### Lamps \\<b\\> \\& \\*Co\\* @\u200beveryone: 2 new roles\n"), "nobody is mentioned")
			require.Contains(t, a.body["text"], "[Open in boardwatch]("+base+"/boards/65f0c0ffee00000000000009)")
		},
		account.ChannelTelegram: func(t *testing.T, a asked) {
			t.Helper()
			require.Equal(t, "/bot123:sesame/sendMessage", a.path)
			require.Empty(t, a.query)
			require.Equal(t, "-100", a.body["chat_id"])
			require.Equal(t, "HTML", a.body["parse_mode"])
			require.Equal(t, map[string]any{"is_disabled": true}, a.body["link_preview_options"])
			require.Contains(t, a.body["text"], "<b>Lamps &lt;b&gt; &amp; *Co* @\u200beveryone: 2 new roles</b>\n", "nobody is mentioned")
			require.Contains(t, a.body["text"], `<b>New:</b> <a href="https://lamps.example/jobs/1">Role 01 &lt;!channel&gt;</a> (Oslo · R&amp;D)`)
		},
		account.ChannelNtfy: func(t *testing.T, a asked) {
			t.Helper()
			require.Equal(t, "/", a.path, "the address does not contain the topic")
			require.Empty(t, a.query)
			require.Equal(t, "topicsesame", a.body["topic"])
			require.Equal(t, deliveryID, a.body["sequence_id"], "sent twice, shown once")
			require.Equal(t, "Bearer tk_sesame", a.header.Get("Authorization"))
			require.Equal(t, true, a.body["markdown"])
			require.Equal(t, base+"/boards/65f0c0ffee00000000000009", a.body["click"])
			require.Equal(t, "Lamps <b> & *Co* @everyone: 2 new roles", a.body["title"])
			require.Contains(t, a.body["message"], "https://lamps.example/jobs/1")
		},
		account.ChannelGotify: func(t *testing.T, a asked) {
			t.Helper()
			require.Equal(t, "/message", a.path)
			require.Empty(t, a.query)
			require.Equal(t, "sesame", a.header.Get("X-Gotify-Key"))
			require.InDelta(t, 5, a.body["priority"], 0)
			extras := a.body["extras"].(map[string]any)
			require.Equal(t, map[string]any{"contentType": "text/markdown"}, extras["client::display"])
			require.Contains(t, a.body["message"], "https://lamps.example/jobs/1")
		},
		account.ChannelMatrix: func(t *testing.T, a asked) {
			t.Helper()
			require.Equal(t, http.MethodPut, a.method)
			require.Equal(t, "/_matrix/client/v3/rooms/%21room:matrix.example/send/m.room.message/"+deliveryID, a.path, "sent twice, shown once")
			require.Empty(t, a.query)
			require.Equal(t, "Bearer sesame", a.header.Get("Authorization"))
			require.Equal(t, "m.notice", a.body["msgtype"])
			require.Equal(t, "org.matrix.custom.html", a.body["format"])
			require.Empty(t, a.body["m.mentions"], "nobody is mentioned")
			require.Contains(t, a.body["body"], "New: Role 01 <!channel> https://lamps.example/jobs/1 (Oslo · R&D)")
			require.Contains(t, a.body["formatted_body"], `<a href="https://lamps.example/jobs/1">Role 01 &lt;!channel&gt;</a>`)
		},
		account.ChannelApprise: func(t *testing.T, a asked) {
			t.Helper()
			require.Equal(t, "/notify/sesame", a.path)
			require.Equal(t, "jobs", a.body["tag"])
			require.Equal(t, "markdown", a.body["format"])
			require.Equal(t, "info", a.body["type"])
			require.Contains(t, a.body["body"], "https://lamps.example/jobs/1")
		},
	}
	for kind, check := range tests {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			v := newVendor(t)
			r := sender(channel.Options{}).Deliver(t.Context(), place(kind, v.local(addresses()[kind].path)), delivery(news(2)))
			require.True(t, r.OK(), r.Error)
			a := v.only(t)
			if kind != account.ChannelMatrix {
				require.Equal(t, http.MethodPost, a.method)
			}
			require.Equal(t, "application/json", a.header.Get("Content-Type"))
			require.Equal(t, "Boardwatch-Channels/1.2.3", a.header.Get("User-Agent"))
			require.Equal(t, deliveryID, a.header.Get("X-Boardwatch-Delivery"))
			check(t, a)
		})
	}
	require.Len(t, tests, len(account.ChannelKinds())-1, "every kind except mail")
}

func TestChatsMakeNothingOfTextsOfRoles(t *testing.T) {
	t.Parallel()
	const hostile = "@everyone /start #jobs $ACME https://evil.example/x evil.example ann@evil.example R&D 3 / 4"
	m := news(1)
	m.Company, m.Searches = hostile, []string{hostile}
	m.Roles[0].Title, m.Roles[0].Location, m.Roles[0].Department, m.Roles[0].Facts = hostile, hostile, hostile, hostile
	for kind, field := range map[boardwatch.ChannelKind]string{
		account.ChannelSlack: "blocks", account.ChannelDiscord: "embeds", account.ChannelTeams: "attachments",
		account.ChannelMattermost: "text", account.ChannelTelegram: "text", account.ChannelNtfy: "message",
		account.ChannelGotify: "message", account.ChannelMatrix: "formatted_body", account.ChannelApprise: "body",
	} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			v := newVendor(t)
			r := sender(channel.Options{}).Deliver(t.Context(), place(kind, v.local(addresses()[kind].path)), delivery(m))
			require.True(t, r.OK(), r.Error)
			text := fmt.Sprint(v.only(t).body[field])
			text = strings.ReplaceAll(strings.ReplaceAll(text, "title:"+hostile, ""), "text:"+hostile+": 1 new role type:plain_text", "") // places that read nothing into these
			for _, live := range []string{"@everyone", "/start", "#jobs", "$ACME", "https://evil", "evil.example", "ann@evil"} {
				require.NotContains(t, text, live)
			}
			require.Contains(t, text, "3 / 4", "nothing is added elsewhere")
			require.Contains(t, text, "ann@\u200bevil.\u200bexample")
		})
	}
}

// TestMessagesKeepToLimits sends twenty roles with texts of the greatest length.
func TestMessagesKeepToLimits(t *testing.T) {
	t.Parallel()
	m := news(boardwatch.MaxToldRoles)
	m.More = 30
	m.Roles[boardwatch.MaxToldRoles-1].Others = 3
	for i := range m.Roles {
		r := &m.Roles[i]
		r.Title, r.Location, r.Department = strings.Repeat("ä", 1000), strings.Repeat("<", 500), strings.Repeat("_", 500)
		r.URL = "https://lamps.example/" + strings.Repeat("x", 400)
	}
	m.Company, m.Searches = strings.Repeat("&", 2000), []string{strings.Repeat("y", 2000)}
	length := func(text any) int { return len([]rune(text.(string))) }
	tests := map[boardwatch.ChannelKind]func(t *testing.T, a asked){
		account.ChannelSlack: func(t *testing.T, a asked) {
			t.Helper()
			blocks := a.body["blocks"].([]any)
			require.LessOrEqual(t, len(blocks), 50)
			for _, b := range blocks {
				if text, ok := b.(map[string]any)["text"].(map[string]any); ok {
					require.LessOrEqual(t, length(text["text"]), 3000)
				}
			}
			require.LessOrEqual(t, length(blocks[0].(map[string]any)["text"].(map[string]any)["text"]), 150)
		},
		account.ChannelDiscord: func(t *testing.T, a asked) {
			t.Helper()
			embed := a.body["embeds"].([]any)[0].(map[string]any)
			require.LessOrEqual(t, length(embed["title"]), 256)
			require.LessOrEqual(t, length(embed["description"]), 4096)
		},
		account.ChannelTeams: func(t *testing.T, a asked) {
			t.Helper()
			require.Less(t, len(a.text(t)), 28<<10)
		},
		account.ChannelMattermost: func(t *testing.T, a asked) {
			t.Helper()
			require.LessOrEqual(t, length(a.body["text"]), 16383)
		},
		account.ChannelTelegram: func(t *testing.T, a asked) {
			t.Helper()
			shown := strings.NewReplacer("&lt;", "<", "&amp;", "&").Replace(a.body["text"].(string))
			for strings.Contains(shown, "<a href") || strings.Contains(shown, "<b>") { // without markup
				from := strings.Index(shown, "<a href")
				if from < 0 {
					shown = strings.ReplaceAll(shown, "<b>", "")
					continue
				}
				shown = shown[:from] + shown[from+strings.Index(shown[from:], ">")+1:]
			}
			require.LessOrEqual(t, length(shown), 4096)
		},
		account.ChannelNtfy: func(t *testing.T, a asked) {
			t.Helper()
			require.LessOrEqual(t, len(a.body["message"].(string)), 4096)
		},
		account.ChannelMatrix: func(t *testing.T, a asked) {
			t.Helper()
			require.Less(t, len(a.text(t)), 65_536)
		},
		account.ChannelGotify: func(t *testing.T, a asked) {
			t.Helper()
			require.Less(t, len(a.text(t)), 32<<10)
		},
		account.ChannelApprise: func(t *testing.T, a asked) {
			t.Helper()
			require.Less(t, len(a.text(t)), 32<<10)
		},
	}
	for kind, check := range tests {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			v := newVendor(t)
			r := sender(channel.Options{}).Deliver(t.Context(), place(kind, v.local(addresses()[kind].path)), delivery(m))
			require.True(t, r.OK(), r.Error)
			a := v.only(t)
			check(t, a)
			require.Regexp(t, `and [3-5]\d more roles`, a.text(t), "the rest is counted")
		})
	}
}

func TestARoleInSeveralPlacesCountsAsSeveral(t *testing.T) {
	t.Parallel()
	v := newVendor(t)
	m := news(2)
	m.Roles[0].Others, m.Roles[0].Location, m.More = 6, "in 7 places: Bergen; Oslo; …", 3
	require.True(t, sender(channel.Options{}).Deliver(t.Context(), place(account.ChannelSlack, v.local(addresses()[account.ChannelSlack].path)), delivery(m)).OK())
	text := v.only(t).text(t)
	require.Contains(t, text, ": 11 new roles")
	require.Contains(t, text, "(in 7 places: Bergen; Oslo; … · R&amp;D)")
	require.Contains(t, text, "and 3 more roles")
}

func TestPlacesThatWantToBeLeftAlone(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		kind boardwatch.ChannelKind
		say  func(w http.ResponseWriter)
		want time.Duration
	}{
		{"Slack says so in a header", account.ChannelSlack, busy("Retry-After", "30", "rate_limited"), 30 * time.Second},
		{"Discord in seconds with a fraction", account.ChannelDiscord, busy("", "", `{"message":"You are being rate limited.","retry_after":2.5,"global":false}`), 2500 * time.Millisecond},
		{
			"Telegram in parameters", account.ChannelTelegram,
			busy("", "", `{"ok":false,"error_code":429,"description":"Too Many Requests: retry after 35","parameters":{"retry_after":35}}`), 35 * time.Second,
		},
		{"Matrix in milliseconds", account.ChannelMatrix, busy("", "", `{"errcode":"M_LIMIT_EXCEEDED","error":"Too Many Requests","retry_after_ms":2500}`), 2500 * time.Millisecond},
		{"Mattermost in a header of its own", account.ChannelMattermost, busy("X-Ratelimit-Reset", "7", ""), 7 * time.Second},
		{"but no longer than a day", account.ChannelNtfy, busy("Retry-After", "99999999", ""), 24 * time.Hour},
		{"or not at all", account.ChannelGotify, busy("", "", "<html>"), 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			v := newVendor(t)
			v.answer = tt.say
			r := sender(channel.Options{}).Deliver(t.Context(), place(tt.kind, v.local(addresses()[tt.kind].path)), delivery(news(1)))
			require.Equal(t, http.StatusTooManyRequests, r.Code)
			require.False(t, r.OK())
			require.Equal(t, tt.want, r.RetryAfter)
		})
	}
}

func busy(header, value, body string) func(w http.ResponseWriter) {
	return func(w http.ResponseWriter) {
		if header != "" {
			w.Header().Set(header, value)
		}
		w.WriteHeader(http.StatusTooManyRequests)
		_, _ = io.WriteString(w, body)
	}
}

func TestAppriseWithoutAddressesIsNoSuccess(t *testing.T) {
	t.Parallel()
	v := newVendor(t)
	v.answer = func(w http.ResponseWriter) { w.WriteHeader(http.StatusNoContent) }
	r := sender(channel.Options{}).Deliver(t.Context(), place(account.ChannelApprise, v.local("/notify/empty")), delivery(news(1)))
	require.False(t, r.OK())
	require.Contains(t, r.Error, "no addresses under this key")
}

// TestSecretsOfChannelsStayInside makes every kind fail in every way, and searches the reported errors for the secret.
func TestSecretsOfChannelsStayInside(t *testing.T) {
	t.Parallel()
	for kind, address := range addresses() {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			v := newVendor(t)
			v.answer = func(w http.ResponseWriter) {
				http.Redirect(w, &http.Request{}, "https://elsewhere.example/sesame", http.StatusFound)
			}
			gone := newVendor(t)
			gone.Close()
			for _, to := range []string{
				v.local(address.path), gone.local(address.path), "https://10.0.0.1" + address.path, "https://user:" + address.secret + "@lamps.example" + address.path,
				"https://lamps.example" + address.path + "#sesame", "http://lamps.example" + address.path,
			} {
				r := sender(channel.Options{}).Deliver(t.Context(), place(kind, to), delivery(news(1)))
				require.False(t, r.OK(), to)
				require.NotEmpty(t, r.Error)
				require.NotContains(t, r.Error, address.secret)
				require.NotContains(t, kind.Masked(to), address.secret)
				shown, err := json.Marshal(boardwatch.Channel{Kind: kind, To: to, Shown: kind.Masked(to)})
				require.NoError(t, err)
				require.NotContains(t, string(shown), address.secret)
			}
			require.Contains(t, v.asked[0].header.Get("User-Agent"), "Boardwatch", "the first one was asked, and its redirect was not followed")
			require.Len(t, v.asked, 1)
		})
	}
}

func TestPlacesCannotRepeatSecrets(t *testing.T) {
	t.Parallel()
	for kind, address := range addresses() {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			var to string
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.WriteHeader(http.StatusNotFound)
				plain := strings.Join(append(slices.Concat(r.Header["Authorization"], r.Header["X-Gotify-Key"]), r.RequestURI, to), " ")
				_, _ = fmt.Fprintf(w, "Cannot %s %s %+q %s", r.Method, plain, html.EscapeString(plain), url.QueryEscape(plain))
			}))
			t.Cleanup(server.Close)
			to = strings.Replace(server.URL, "127.0.0.1", "localhost", 1) + address.path
			r := sender(channel.Options{}).Deliver(t.Context(), place(kind, to), delivery(news(1)))
			require.Contains(t, r.Error, "answered 404 Not Found: Cannot ")
			require.NotContains(t, r.Error, address.secret)
		})
	}
	r := sender(channel.Options{Mailer: &mailer{err: errors.New("550 5.1.1 <ann@lamps.example>: ann is unknown at lamps.example")}}).
		Deliver(t.Context(), place(boardwatch.ChannelEmail, "ann@lamps.example"), delivery(news(1)))
	require.Equal(t, "550 5.1.1 <…>: … is unknown at lamps.example", r.Error)
}

func TestTargetsOfChannels(t *testing.T) {
	t.Parallel()
	v := newVendor(t)
	u, err := url.Parse(v.URL)
	require.NoError(t, err)
	to := v.URL + "/topic"
	outside := channel.New(channel.Options{BaseURL: base})
	r := outside.Deliver(t.Context(), place(account.ChannelNtfy, to), delivery(news(1)))
	require.Contains(t, r.Error, "must begin with https://")
	require.Empty(t, v.asked)

	inside := channel.New(channel.Options{BaseURL: base, PrivateHosts: []string{"ntfy.lan", u.Host}})
	r = inside.Deliver(t.Context(), place(account.ChannelNtfy, to), delivery(news(1)))
	require.True(t, r.OK(), r.Error)
	other := channel.New(channel.Options{BaseURL: base, PrivateHosts: []string{"127.0.0.1", "127.0.0.1:1", "169.254.169.254"}})
	r = other.Deliver(t.Context(), place(account.ChannelNtfy, to), delivery(news(1)))
	require.False(t, r.OK(), "another port is another host")
	r = other.Deliver(t.Context(), place(account.ChannelNtfy, "http://169.254.169.254/topic"), delivery(news(1)))
	require.Contains(t, r.Error, "is not on the public Internet", "addresses of cloud metadata are always refused")
}

func TestAddressesHaveTheFormOfTheirKind(t *testing.T) {
	t.Parallel()
	for kind, address := range addresses() {
		require.NoError(t, channel.Check(kind, "https://vendor.example"+address.path), kind)
		err := channel.Check(kind, "https://vendor.example/")
		require.Equal(t, boardwatch.CodeInvalidRequest, boardwatch.CodeOf(err), kind)
		require.ErrorContains(t, err, "must be", kind)
	}
}

// mailer records what it is given to send.
type mailer struct {
	sent []account.Mail
	err  error
}

func (m *mailer) Send(_ context.Context, one account.Mail) error {
	m.sent = append(m.sent, one)
	return m.err
}

func TestMailIsOneForAllThatWasGathered(t *testing.T) {
	t.Parallel()
	m := &mailer{}
	d := delivery(news(2))
	failed, err := json.Marshal(boardwatch.Message{ID: deliveryID, Type: boardwatch.EventBoardFailed, Company: "Ropes", BoardID: "65f0c0ffee00000000000008", Reason: "it took too long"})
	require.NoError(t, err)
	d.Body = append(append(d.Body, '\n'), failed...)
	to := place(boardwatch.ChannelEmail, "ann@lamps.example")
	r := sender(channel.Options{Mailer: m}).Deliver(t.Context(), to, d)
	require.True(t, r.OK(), r.Error)
	require.Len(t, m.sent, 1)
	mail := m.sent[0]
	require.Equal(t, "ann@lamps.example", mail.To)
	require.Equal(t, "channel."+deliveryID, mail.ID)
	require.Equal(t, "Lamps <b> & *Co* @everyone: 2 new roles, and 1 more", mail.Subject)
	require.Contains(t, mail.Text, "- New: Role 01 <!channel> https://lamps.example/jobs/1 (Oslo · R&D)")
	require.Contains(t, mail.Text, "Ropes cannot be read\n====================\nit took too long")
	require.Contains(t, mail.HTML, `<a href="https://lamps.example/jobs/1">Role 01 &lt;!channel&gt;</a>`)
	require.NotContains(t, mail.HTML, "<!channel>")

	r = sender(channel.Options{Mailer: &mailer{err: errors.New("451 try later")}}).Deliver(t.Context(), to, d)
	require.Equal(t, "451 try later", r.Error)
	r = sender(channel.Options{}).Deliver(t.Context(), to, d)
	require.Contains(t, r.Error, "mail.smtp_url")
}
