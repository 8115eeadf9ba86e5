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

// attacker is an account or a stranger that takes everything it can.
type attacker struct {
	*person

	kind string
	hook string // that it has tested

	boards []string // that it has checked

	mu  sync.Mutex
	met answers
}

// answers counts answers by status; 0 means that there was none.
type answers map[int]int

// String formats the counts as one line.
func (m answers) String() string {
	var codes []string
	for code, n := range m {
		codes = append(codes, fmt.Sprintf("%d: %d", code, n))
	}
	slices.Sort(codes)
	return strings.Join(codes, ", ")
}

// note counts an answer by its status; 0 means that there was none.
func (a *attacker) note(code int, err error) {
	if err != nil {
		code = 0
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.met == nil {
		a.met = answers{}
	}
	a.met[code]++
}

// askEvery is the shortest pause of a hostile client between two requests. Real attackers are behind a network, but
// here they share the processors with the service: without this pause, the run would measure the attackers' own work.
const askEvery = 40 * time.Millisecond

// kind is a kind of attack.
type kind struct {
	name string
	step func(a *attacker, ctx context.Context, s *service, web *traps, i, n int) time.Duration
	free bool // by an account of the free plan
}

// kindOf returns what the attacker with a number does. Only one floods, and only one poisons boards.
func kindOf(i int) kind {
	kinds := []kind{
		{name: "dripping hosts", step: (*attacker).drip},
		{name: "bombs", step: (*attacker).bomb},
		{name: "endless sums", step: (*attacker).toil},
		{name: "long lists", step: (*attacker).list},
		{name: "client registrations", step: (*attacker).register},
		{name: "wrong passwords", step: (*attacker).guess},
		{name: "guessed links", step: (*attacker).verify},
		{name: "test pings", step: (*attacker).ping},
		{name: "sign-ins begun", step: (*attacker).depart},
		{name: "floods of roles", step: (*attacker).flood, free: true},
		{name: "poisoned boards", step: (*attacker).poison},
	}
	return kinds[i%len(kinds)]
}

// attack repeats one kind of attack, chosen by the attacker's number.
func (a *attacker) attack(ctx context.Context, s *service, web *traps, i int) {
	k := kindOf(i)
	a.kind = k.name
	for n := 0; ctx.Err() == nil; n++ {
		pause(ctx, k.step(a, ctx, s, web, i, n))
	}
}

// drip adds five boards that never end, removes five, and so on.
func (a *attacker) drip(ctx context.Context, s *service, web *traps, i, n int) time.Duration {
	var ids []string
	for k := range 5 {
		ids = append(ids, a.add(ctx, s, web.page("drip", i, 5*n+k)))
	}
	pause(ctx, time.Second)
	for _, id := range ids {
		if id != "" {
			a.note(a.rest(ctx, s, http.MethodDelete, "/v1/boards/"+id, ""))
		}
	}
	return time.Second
}

// bomb adds one decompression bomb after another, which are then read all the time.
func (a *attacker) bomb(ctx context.Context, s *service, web *traps, i, n int) time.Duration {
	a.add(ctx, s, web.page("bomb", i, n))
	return time.Second
}

// toil adds a page of many frames and one of many links, and removes them while they are worked on.
func (a *attacker) toil(ctx context.Context, s *service, web *traps, i, n int) time.Duration {
	for _, kind := range [...]string{"frames", "links"} {
		id := a.add(ctx, s, web.page(kind, i, n))
		pause(ctx, time.Second)
		if id != "" && n%2 == 0 {
			a.note(a.rest(ctx, s, http.MethodDelete, "/v1/boards/"+id, ""))
		}
	}
	return time.Second
}

// list adds one board after another.
func (a *attacker) list(ctx context.Context, s *service, web *traps, i, n int) time.Duration {
	a.add(ctx, s, web.page("nothing", i, n))
	return askEvery
}

// flood has its boards, whose roles and texts are others at every look, checked as often as it may, and replaces them.
func (a *attacker) flood(ctx context.Context, s *service, web *traps, i, n int) time.Duration {
	if n == 0 {
		a.note(http.StatusOK, a.signIn(ctx, s))
	}
	if len(a.boards) == 5 {
		a.note(a.rest(ctx, s, http.MethodDelete, "/v1/boards/"+a.boards[0], ""))
		a.boards = a.boards[1:]
	}
	if id := a.add(ctx, s, web.page("flood", i, n)); id != "" {
		a.boards = append(a.boards, id)
	}
	for _, id := range a.boards {
		res, _, err := a.form(ctx, s, "/boards/"+id+"/check", nil)
		if err == nil {
			a.note(res.StatusCode, nil)
		}
	}
	return time.Second
}

// poison adds a page that shows invented roles, then vanishes, and then leads to the page of an honest account.
func (a *attacker) poison(ctx context.Context, s *service, web *traps, i, n int) time.Duration {
	a.add(ctx, s, web.page("poison", i, n))
	return 5 * time.Second
}

// depart begins sign-ins with a passkey and at the provider, from many networks.
func (a *attacker) depart(ctx context.Context, s *service, _ *traps, i, n int) time.Duration {
	a.from = fmt.Sprintf("203.%d.%d.9", i, n%250)
	method, path := http.MethodPost, "/api/passkeys/signin/begin"
	if n%2 == 0 {
		method, path = http.MethodGet, "/signin/oidc"
	}
	res, _, err := a.ask(ctx, method, s.url+path, "", "", nil)
	if err == nil {
		a.note(res.StatusCode, nil)
	}
	return askEvery
}

func (a *attacker) add(ctx context.Context, s *service, address string) (id string) {
	res, text, err := a.ask(ctx, http.MethodPost, s.url+"/v1/boards", jsonBody, `{"url":"`+address+`"}`, http.Header{"Authorization": {"Bearer " + a.key}})
	if err != nil {
		a.note(0, err)
		return ""
	}
	a.note(res.StatusCode, nil)
	var added struct{ Board struct{ ID string } }
	_ = json.Unmarshal(text, &added) // a refusal contains no board
	return added.Board.ID
}

// register registers clients, from many networks.
func (a *attacker) register(ctx context.Context, s *service, _ *traps, i, n int) time.Duration {
	a.from = fmt.Sprintf("203.%d.%d.9", i, n%250)
	res, _, err := a.ask(ctx, http.MethodPost, s.url+"/oauth/register", jsonBody,
		`{"client_name":"Reader `+number(n)+`","redirect_uris":["http://127.0.0.1:1/callback"],"token_endpoint_auth_method":"none"}`, nil)
	if err == nil {
		a.note(res.StatusCode, nil)
	}
	return askEvery
}

// guess tries passwords, from many networks.
func (a *attacker) guess(ctx context.Context, s *service, _ *traps, i, n int) time.Duration {
	a.from = fmt.Sprintf("203.%d.%d.9", i, n%250)
	res, _, err := a.form(ctx, s, "/signin", url.Values{"email": {"honest" + number(n%honestAccounts) + "@northwind.example"}, "password": {"guess " + number(n)}})
	if err == nil {
		a.note(res.StatusCode, nil)
	}
	return askEvery
}

// verify tries passwords for links that were never sent.
func (a *attacker) verify(ctx context.Context, s *service, _ *traps, i, n int) time.Duration {
	a.from = fmt.Sprintf("203.%d.%d.9", i, n%250)
	res, _, err := a.form(ctx, s, "/verify", url.Values{"token": {strings.Repeat("k", 43)}, "password": {"guess " + number(n)}})
	if err == nil {
		a.note(res.StatusCode, nil)
	}
	return askEvery
}

var testForm = regexp.MustCompile(`/settings/webhooks/([a-f0-9]{24})/test`)

// ping tests a webhook over and over.
func (a *attacker) ping(ctx context.Context, s *service, web *traps, _, n int) time.Duration {
	if n == 0 {
		if err := a.signIn(ctx, s); err != nil {
			a.note(0, err)
			return time.Second
		}
		_, _, err := a.form(ctx, s, "/settings/webhooks", url.Values{"url": {fmt.Sprintf("http://localhost:%d/hook", web.port)}, "events": {"job.found"}})
		a.note(http.StatusOK, err)
	}
	if a.hook == "" {
		_, text, err := a.ask(ctx, http.MethodGet, s.url+"/settings/webhooks", "", "", nil)
		hook := testForm.FindSubmatch(text)
		if err != nil || hook == nil {
			a.note(0, err)
			return time.Second
		}
		a.hook = string(hook[1])
	}
	res, _, err := a.form(ctx, s, "/api/webhooks/"+a.hook+"/test", nil)
	if err == nil {
		a.note(res.StatusCode, nil)
	}
	return askEvery
}
