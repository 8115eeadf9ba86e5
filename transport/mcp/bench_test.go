package mcp_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/transport"
	"github.com/boardwatch/boardwatch/transport/rest"
)

// BenchmarkJobs asks both doors for the same fifty roles, with all that stands before the answer: as a function, and over
// HTTP, where answers are compressed for clients that take that, as all do.
func BenchmarkJobs(b *testing.B) {
	d := newDoor(b)
	board := d.caller(b)
	d.add(b, board, acme)
	roles := make([]string, 200)
	for i := range roles {
		roles[i] = "Senior Software Engineer " + strconv.Itoa(i)
	}
	d.check(b, roles...)
	doors := []benchDoor{d.benchREST(), d.benchMCP()}
	for _, door := range doors {
		b.Run(door.name, func(b *testing.B) {
			turns := turns{d: d, door: door}
			for b.Loop() {
				w := httptest.NewRecorder()
				door.ServeHTTP(w, turns.next(b))
				if w.Code != http.StatusOK || w.Body.Len() < 10_000 {
					b.Fatal(errors.New(w.Body.String()))
				}
			}
		})
	}
	for _, door := range doors {
		b.Run("http/"+door.name, func(b *testing.B) {
			site := httptest.NewServer(transport.Observe(transport.Compress(door), transport.Options{}))
			defer site.Close()
			turns := turns{d: d, door: door}
			var buffer [32 << 10]byte
			for b.Loop() {
				r := turns.next(b)
				r.URL.Scheme, r.URL.Host, r.RequestURI = "http", strings.TrimPrefix(site.URL, "http://"), ""
				res, err := site.Client().Do(r)
				require.NoError(b, err)
				n, err := io.CopyBuffer(struct{ io.Writer }{io.Discard}, res.Body, buffer[:])
				_ = res.Body.Close()
				if err != nil || res.StatusCode != http.StatusOK || n < 10_000 {
					b.Fatal(res.Status, n, err)
				}
			}
		})
	}
}

// benchDoor is a door, and how an account asks it for its newest roles.
type benchDoor struct {
	http.Handler

	name    string
	request func(b *testing.B, a account.Account) func() *http.Request
}

func (d *door) benchREST() benchDoor {
	keys := account.NewKeys(d.store, account.Options{})
	h := rest.New(account.NewGate(d.store, account.Options{}), track.New(d.store, recognize, track.Options{}), rest.Options{})
	return benchDoor{h, "rest", func(b *testing.B, a account.Account) func() *http.Request {
		b.Helper()
		_, secret, err := keys.Create(b.Context(), a, "bench")
		require.NoError(b, err)
		return func() *http.Request {
			r := httptest.NewRequest(http.MethodGet, base+"/v1/jobs", nil)
			r.Header.Set("Authorization", "Bearer "+secret)
			return r
		}
	}}
}

func (d *door) benchMCP() benchDoor {
	return benchDoor{d.bare, "mcp", func(b *testing.B, a account.Account) func() *http.Request {
		b.Helper()
		token := d.token(b, a, account.ScopeBoardsRead)
		return func() *http.Request { return request(token, callText("search_jobs", `{}`)) }
	}}
}

// turns are requests of accounts that track the board, each as many as the smaller budget of the two doors allows.
type turns struct {
	d    *door
	door benchDoor
	left int
	ask  func() *http.Request
}

func (t *turns) next(b *testing.B) *http.Request {
	b.Helper()
	if t.left == 0 {
		b.StopTimer()
		a := t.d.account(b, func(a *account.Account) { a.Plan = account.PlanPro })
		_, _, err := t.d.store.Subscribe(b.Context(), boardwatch.Subscription{AccountID: a.ID, Plan: string(a.Plan)},
			boardwatch.Board{URL: "https://acme.example/careers"}, "https://acme.example/careers")
		require.NoError(b, err)
		t.ask, t.left = t.door.request(b, a), account.RESTRate().Limit
		b.StartTimer()
	}
	t.left--
	return t.ask()
}
