//go:build siege

package siege_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// attacker is an account, or a stranger, who takes what there is to take.
type attacker struct {
	*person

	kind string
	mu   sync.Mutex
	met  map[int]int // answers by status
}

// note counts an answer by its status; 0 is none.
func (a *attacker) note(code int, err error) {
	if err != nil {
		code = 0
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.met == nil {
		a.met = map[int]int{}
	}
	a.met[code]++
}

// told says how the attacker was answered.
func (a *attacker) told() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	var codes []string
	for code, n := range a.met {
		codes = append(codes, fmt.Sprintf("%d: %d", code, n))
	}
	slices.Sort(codes)
	return strings.Join(codes, ", ")
}

// attack does one thing over and over; which, goes by the attacker's number.
func (a *attacker) attack(ctx context.Context, s *service, web *sites, i int) {
	kinds := []struct {
		kind string
		step func(ctx context.Context, s *service, web *sites, i, n int) time.Duration
	}{
		{"dripping hosts", a.drip},
		{"bombs", a.bomb},
		{"long lists", a.flood},
		{"client registrations", a.register},
		{"wrong passwords", a.guess},
		{"guessed links", a.verify},
		{"test pings", a.ping},
	}
	k := kinds[i%len(kinds)]
	a.kind = k.kind
	for n := 0; ctx.Err() == nil; n++ {
		pause(ctx, k.step(ctx, s, web, i, n))
	}
}

// drip adds five boards that never end, takes off five, and so on.
func (a *attacker) drip(ctx context.Context, s *service, web *sites, i, n int) time.Duration {
	var ids []string
	for k := range 5 {
		ids = append(ids, a.add(ctx, s, web.hostile("drip", i, 5*n+k)))
	}
	pause(ctx, time.Second)
	for _, id := range ids {
		if id != "" {
			a.note(a.rest(ctx, s, http.MethodDelete, "/v1/boards/"+id, ""))
		}
	}
	return time.Second
}

// bomb adds one bomb after the other, which are then read all the time.
func (a *attacker) bomb(ctx context.Context, s *service, web *sites, i, n int) time.Duration {
	a.add(ctx, s, web.hostile("bomb", i, n))
	return time.Second
}

// flood adds boards as fast as it is let.
func (a *attacker) flood(ctx context.Context, s *service, web *sites, i, n int) time.Duration {
	a.add(ctx, s, web.hostile("nothing", i, n))
	return 20 * time.Millisecond
}

func (a *attacker) add(ctx context.Context, s *service, address string) (id string) {
	res, text, err := a.ask(ctx, http.MethodPost, s.url+"/v1/boards", jsonBody, `{"url":"`+address+`"}`, http.Header{"Authorization": {"Bearer " + a.key}})
	if err != nil {
		a.note(0, err)
		return ""
	}
	a.note(res.StatusCode, nil)
	var added struct{ Board struct{ ID string } }
	_ = json.Unmarshal(text, &added) // a refusal names no board
	return added.Board.ID
}

// register has clients registered, from many networks.
func (a *attacker) register(ctx context.Context, s *service, _ *sites, i, n int) time.Duration {
	a.from = fmt.Sprintf("203.%d.%d.9", i, n%250)
	res, _, err := a.ask(ctx, http.MethodPost, s.url+"/oauth/register", jsonBody,
		`{"client_name":"Reader `+number(n)+`","redirect_uris":["http://127.0.0.1:1/callback"],"token_endpoint_auth_method":"none"}`, nil)
	if err == nil {
		a.note(res.StatusCode, nil)
	}
	return 20 * time.Millisecond
}

// guess tries passwords, from many networks.
func (a *attacker) guess(ctx context.Context, s *service, _ *sites, i, n int) time.Duration {
	a.from = fmt.Sprintf("203.%d.%d.9", i, n%250)
	res, _, err := a.form(ctx, s, "/signin", url.Values{"email": {"honest" + number(n%honestAccounts) + "@northwind.example"}, "password": {"guess " + number(n)}})
	if err == nil {
		a.note(res.StatusCode, nil)
	}
	return 20 * time.Millisecond
}

// verify tries passwords for links that nobody was sent.
func (a *attacker) verify(ctx context.Context, s *service, _ *sites, i, n int) time.Duration {
	a.from = fmt.Sprintf("203.%d.%d.9", i, n%250)
	res, _, err := a.form(ctx, s, "/verify", url.Values{"token": {strings.Repeat("k", 43)}, "password": {"guess " + number(n)}})
	if err == nil {
		a.note(res.StatusCode, nil)
	}
	return 20 * time.Millisecond
}

var testForm = regexp.MustCompile(`/settings/webhooks/([a-f0-9]{24})/test`)

// ping has a webhook tested as fast as it is let.
func (a *attacker) ping(ctx context.Context, s *service, web *sites, _, n int) time.Duration {
	if n == 0 {
		if err := a.signIn(ctx, s); err != nil {
			a.note(0, err)
			return time.Second
		}
		_, _, err := a.form(ctx, s, "/settings/webhooks", url.Values{"url": {fmt.Sprintf("http://localhost:%d/hook", web.port)}, "events": {"job.found"}})
		a.note(http.StatusOK, err)
	}
	_, text, err := a.ask(ctx, http.MethodGet, s.url+"/settings/webhooks", "", "", nil)
	hook := testForm.FindSubmatch(text)
	if err != nil || hook == nil {
		a.note(0, err)
		return time.Second
	}
	for range 20 {
		res, _, err := a.form(ctx, s, "/api/webhooks/"+string(hook[1])+"/test", nil)
		if err == nil {
			a.note(res.StatusCode, nil)
		}
	}
	return 100 * time.Millisecond
}
