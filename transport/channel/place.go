package channel

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// place formats a letter for one kind of place. An invalid_request error says what is wrong with the address.
type place func(to *url.URL, l letter) (wish, error)

// places are all kinds of places except mail.
func places() map[boardwatch.ChannelKind]place {
	return map[boardwatch.ChannelKind]place{
		account.ChannelSlack: slack, account.ChannelDiscord: discord, account.ChannelTeams: teams,
		account.ChannelMattermost: mattermost, account.ChannelTelegram: telegram, account.ChannelNtfy: ntfy,
		account.ChannelGotify: gotify, account.ChannelMatrix: matrix, account.ChannelApprise: apprise,
	}
}

// Check checks the address of a channel of that kind, except for its host, and returns an invalid_request error if it
// is wrong.
func Check(kind boardwatch.ChannelKind, to string) error {
	write, ok := places()[kind]
	if !ok {
		return nil
	}
	u, err := url.Parse(to)
	if err == nil {
		_, err = write(u, letter{})
	}
	return err
}

// wish is the request for a place. Secrets go into headers if the place allows it, because addresses end up in the logs
// of servers and proxies.
type wish struct {
	method  string // empty means POST
	url     string
	header  map[string]string
	body    any
	nothing string // what a 204 means, if it is not a success
}

func (w wish) request(ctx context.Context) (*http.Request, error) {
	body, err := json.Marshal(w.body)
	if err != nil {
		return nil, err
	}
	method := w.method
	if method == "" {
		method = http.MethodPost
	}
	req, err := http.NewRequestWithContext(ctx, method, w.url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	for name, value := range w.header {
		req.Header.Set(name, value)
	}
	return req, nil
}

// wrong returns the error for an address that does not have the form of its kind.
func wrong(message string) error { return boardwatch.Invalid("to", message) }

// with returns an address with another path and without a query.
func with(to *url.URL, path ...string) string {
	u := url.URL{Scheme: to.Scheme, Host: to.Host}
	return u.JoinPath(path...).String()
}

// pause returns how long a place asks to be left alone, in a header or, for some places, in the body.
func pause(a outbound.Answer, now time.Time) time.Duration {
	if a.Code != http.StatusTooManyRequests && a.Code != http.StatusServiceUnavailable {
		return 0
	}
	for _, name := range []string{"Retry-After", "X-Ratelimit-Reset"} { // the latter is Mattermost's, in seconds
		if wait, ok := boardwatch.RetryAfter(a.Header.Get(name), now); ok {
			return wait
		}
	}
	var said struct {
		Seconds      json.Number `json:"retry_after"`    //nolint:tagliatelle // Discord
		Milliseconds json.Number `json:"retry_after_ms"` //nolint:tagliatelle // Matrix
		Parameters   struct {
			Seconds json.Number `json:"retry_after"` //nolint:tagliatelle // Telegram
		} `json:"parameters"`
	}
	if json.Unmarshal(a.Body, &said) != nil {
		return 0
	}
	for _, text := range []string{said.Seconds.String(), said.Parameters.Seconds.String()} {
		if wait, ok := boardwatch.RetryAfter(text, now); ok {
			return wait
		}
	}
	if ms, err := strconv.ParseInt(said.Milliseconds.String(), 10, 64); err == nil && ms > 0 {
		wait, _ := boardwatch.RetryAfter(strconv.FormatFloat(float64(ms)/1000, 'f', 3, 64), now)
		return wait
	}
	return 0
}

// lastOf returns the last part of an address's path.
func lastOf(to *url.URL) string {
	return to.Path[strings.LastIndexByte(to.Path, '/')+1:]
}
