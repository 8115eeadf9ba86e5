package main_test

import (
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/demo"
)

// note is a message as a topic of ntfy gets it.
type note struct {
	ID       string // of the delivery
	Topic    string `json:"topic"`
	Title    string `json:"title"`
	Message  string `json:"message"`
	Sequence string `json:"sequence_id"` //nolint:tagliatelle // ntfy's name; phones show the last note of a sequence
}

// phone is a server of ntfy on loopback that keeps what it gets.
type phone struct {
	url  string
	open atomic.Int32 // connections

	mu     sync.Mutex
	notes  []note
	answer func(w http.ResponseWriter) // nil: takes everything
}

func newPhone(t *testing.T) *phone {
	t.Helper()
	p := &phone{}
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := note{ID: r.Header.Get("X-Boardwatch-Delivery")}
		if err := json.NewDecoder(r.Body).Decode(&n); err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		p.mu.Lock()
		p.notes = append(p.notes, n)
		answer := p.answer
		p.mu.Unlock()
		if answer != nil {
			answer(w)
		}
	}))
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		switch state {
		case http.StateNew:
			p.open.Add(1)
		case http.StateClosed:
			p.open.Add(-1)
		case http.StateActive, http.StateIdle, http.StateHijacked:
		}
	}
	server.Start()
	t.Cleanup(server.Close)
	p.url = server.URL
	return p
}

// topic is the address of a topic as development allows it.
func (p *phone) topic(name string) string {
	return strings.Replace(p.url, "127.0.0.1", "localhost", 1) + "/" + name
}

func (p *phone) answerWith(answer func(w http.ResponseWriter)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.answer = answer
}

// got are the notes of a topic.
func (p *phone) got(topic string) (list []note) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, n := range p.notes {
		if n.Topic == topic {
			list = append(list, n)
		}
	}
	return list
}

type channelMade struct {
	ID       string   `json:"id"`
	Kind     string   `json:"kind"`
	To       string   `json:"to"`
	Searches []string `json:"searches"`
	All      bool     `json:"all"`
	Failures bool     `json:"failures"`
	State    string   `json:"state"`
	Name     string   `json:"name"`
}

func (i *installation) channel(args ...string) (made channelMade) {
	i.t.Helper()
	i.do(&made, append([]string{"channel", "add", "--account", e2eEmail, "--kind", "ntfy"}, args...)...)
	return made
}

// TestChannels runs the whole program: a new role on a careers page arrives on a phone.
func TestChannels(t *testing.T) {
	t.Parallel()
	for name, database := range databases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i := install(t, database(t),
				"BOARDWATCH_DEV=true", "BOARDWATCH_PLANS_FREE_CADENCE=100ms", "BOARDWATCH_CHECKS_SUSPECT_HOLD=0s",
				"BOARDWATCH_WEBHOOKS_RETRY_SCHEDULE=50ms,50ms,50ms,50ms,50ms", "BOARDWATCH_LOG_LEVEL=debug")
			optics, writer := demo.Role{ID: 1, Title: "Optical Engineer", Location: "Bergen", Department: "Engineering"}, demo.Role{ID: 2, Title: "Technical Writer", Location: "Remote", Department: "Documentation"}
			fitter := demo.Role{ID: 3, Title: "Fitter", Location: "Bergen", Department: "Workshop"}
			site, p := newCareersSite(t, optics), newPhone(t)
			i.do(&struct{}{}, "account", "create", "--email", e2eEmail, "--plan", "free", "--verified")
			var saved struct {
				ID string `json:"id"`
			}
			i.do(&saved, "search", "add", "--account", e2eEmail, "--name", "Fitting", "--text", "fitter")
			everything := i.channel("--to", p.topic("topicsesame"), "--all", "--name", "Phone")
			i.channel("--to", p.topic("fitting"), "--search", saved.ID)
			i.channel("--to", p.topic("failures"), "--failures")
			require.Equal(t, channelMade{everything.ID, "ntfy", strings.Replace(p.url, "127.0.0.1", "localhost", 1) + "/…", []string{}, true, false, "on", "Phone"}, everything)

			service := i.serve()
			i.do(&struct{}{}, "board", "add", "--account", e2eEmail, site.URL+"/careers")
			i.eventually("the board is read", func() bool { return len(i.roles()) == 1 })
			p.answerWith(func(w http.ResponseWriter) {
				p.answerWith(nil)
				w.WriteHeader(http.StatusServiceUnavailable)
			})
			site.show(optics, writer)
			i.eventually("a new role is told, and told again after a failure", func() bool { return len(p.got("topicsesame")) == 2 })
			first, again := p.got("topicsesame")[0], p.got("topicsesame")[1]
			require.Equal(t, first, again, "the first reading was no news, and a retry is the same message")
			require.Contains(t, first.Title, ": 1 new role")
			require.Contains(t, first.Message, "Technical Writer")
			site.show(optics, writer, fitter)
			i.eventually("a search is told what it finds", func() bool { return len(p.got("fitting")) == 1 })
			require.Contains(t, p.got("fitting")[0].Message, "Found by Fitting")
			site.breakWith(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) })
			i.eventually("a failure is told", func() bool { return len(p.got("failures")) == 1 })
			require.Contains(t, p.got("failures")[0].Title, "cannot be read")
			require.Len(t, p.got("fitting"), 1)

			var test struct {
				Status int    `json:"status"`
				Error  string `json:"error"`
			}
			i.do(&test, "channel", "test", everything.ID, "--account", e2eEmail)
			require.Equal(t, http.StatusOK, test.Status)
			require.Equal(t, "boardwatch can reach this channel", p.got("topicsesame")[len(p.got("topicsesame"))-1].Title)
			require.Contains(t, service.errs.String(), everything.ID, "attempts are logged")
			require.NotContains(t, service.errs.String()+service.out.String(), "topicsesame", "but no address")
		})
	}
}
