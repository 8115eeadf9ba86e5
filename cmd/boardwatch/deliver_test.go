package main_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/demo"
)

// arrival is a delivery that a receiver got.
type arrival struct {
	ID    string
	Event boardwatch.EventType
	Valid bool // the signature fits
	Body  struct {
		ID    string               `json:"id"`
		Type  boardwatch.EventType `json:"type"`
		Error *string              `json:"error"`
		Board struct {
			ID      string  `json:"id"`
			Company *string `json:"company"`
		} `json:"board"`
		Jobs []struct {
			Title string `json:"title"`
			URL   string `json:"url"`
		} `json:"jobs"`
	}
}

// inbox is a receiver on loopback that keeps what it gets.
type inbox struct {
	url string

	mu       sync.Mutex
	secrets  []string
	arrivals []arrival
	answer   func(n int, w http.ResponseWriter)     // nil: takes everything; n arrivals came before
	watch    func(id string, w http.ResponseWriter) // answers instead, if it is not nil
}

func newInbox(t *testing.T) *inbox {
	t.Helper()
	in := &inbox{}
	server := httptest.NewServer(http.HandlerFunc(in.serve))
	t.Cleanup(server.Close)
	in.url = server.URL
	return in
}

func (in *inbox) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	a := arrival{ID: r.Header.Get("X-Boardwatch-Delivery"), Event: boardwatch.EventType(r.Header.Get("X-Boardwatch-Event"))}
	if json.Unmarshal(body, &a.Body) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	in.mu.Lock()
	for _, secret := range in.secrets {
		a.Valid = a.Valid || boardwatch.Verify([]byte(secret), body, r.Header.Get("X-Boardwatch-Signature"),
			boardwatch.SignatureTolerance, time.Now()) == nil
	}
	n, answer, watch := len(in.arrivals), in.answer, in.watch
	in.arrivals = append(in.arrivals, a)
	in.mu.Unlock()
	if watch != nil {
		watch(a.ID, w)
		return
	}
	if answer == nil {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	answer(n, w)
}

// believe adds a secret that signatures may be made with.
func (in *inbox) believe(secret string) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.secrets = append(in.secrets, secret)
}

func (in *inbox) answerWith(answer func(n int, w http.ResponseWriter)) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.answer = answer
}

func (in *inbox) watchWith(watch func(id string, w http.ResponseWriter)) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.watch = watch
}

// got are the arrivals of an event.
func (in *inbox) got(e boardwatch.EventType) (list []arrival) {
	in.mu.Lock()
	defer in.mu.Unlock()
	for _, a := range in.arrivals {
		if a.Event == e {
			list = append(list, a)
		}
	}
	return list
}

// TestWebhooks runs the whole program: what changes on a careers page arrives at a receiver.
func TestWebhooks(t *testing.T) {
	t.Parallel()
	for name, database := range databases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i := install(t, database(t),
				"BOARDWATCH_DEV=true", "BOARDWATCH_PLANS_ULTRA_CADENCE=100ms", "BOARDWATCH_PLANS_PRO_CADENCE=100ms", "BOARDWATCH_CHECKS_CLOSE_AFTER=2", "BOARDWATCH_CHECKS_CLOSE_HOLD=0s",
				"BOARDWATCH_CHECKS_SUSPECT_HOLD=0s", "BOARDWATCH_CHECKS_TIMEOUT=1s", "BOARDWATCH_LOG_LEVEL=error",
				"BOARDWATCH_WEBHOOKS_RETRY_SCHEDULE=50ms,50ms,50ms,50ms,50ms", "BOARDWATCH_METRICS_LISTEN=127.0.0.1:0")
			optics, writer := demo.Role{ID: 1, Title: "Optical Engineer", Location: "Bergen", Department: "Engineering"}, demo.Role{ID: 2, Title: "Technical Writer", Location: "Remote", Department: "Documentation"}
			fitter := demo.Role{ID: 3, Title: "Fitter", Location: "Bergen", Department: "Workshop"}
			site := newCareersSite(t, optics, writer)
			in, failures := newInbox(t), newInbox(t)
			i.do(&struct{}{}, "account", "create", "--email", e2eEmail, "--plan", "ultra", "--verified")
			i.serve()
			all := i.webhook(in.url, "job.found,job.archived,board.failed")
			in.believe(all.Secret)
			failed := i.webhook(failures.url, "board.failed")
			failures.believe(failed.Secret)
			in.answerWith(func(n int, w http.ResponseWriter) {
				if n == 0 {
					w.WriteHeader(http.StatusServiceUnavailable)
					return
				}
				w.WriteHeader(http.StatusOK)
			})

			var added struct {
				Board boardwatch.BoardView `json:"board"`
			}
			i.do(&added, "board", "add", "--account", e2eEmail, site.URL+"/careers")
			i.eventually("the first roles are announced", func() bool { return len(in.got(boardwatch.EventJobFound)) == 2 })
			first, again := in.got(boardwatch.EventJobFound)[0], in.got(boardwatch.EventJobFound)[1]
			require.True(t, first.Valid)
			require.Equal(t, first, again, "the same body and id, signed anew")
			require.Equal(t, first.ID, first.Body.ID)
			require.Equal(t, added.Board.ID, first.Body.Board.ID)
			require.Len(t, first.Body.Jobs, 2)

			site.show(optics, writer, fitter)
			i.eventually("a new role is announced", func() bool { return len(in.got(boardwatch.EventJobFound)) == 3 })
			require.Equal(t, fitter.Title, in.got(boardwatch.EventJobFound)[2].Body.Jobs[0].Title)
			site.show(optics, fitter)
			i.eventually("a role that went is announced", func() bool { return len(in.got(boardwatch.EventJobArchived)) == 1 })
			require.Equal(t, writer.Title, in.got(boardwatch.EventJobArchived)[0].Body.Jobs[0].Title)
			site.breakWith(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) })
			i.eventually("a failed check is announced", func() bool { return len(failures.got(boardwatch.EventBoardFailed)) > 0 })
			site.show(optics, fitter) // before failures in a row put the next check off
			fault := failures.got(boardwatch.EventBoardFailed)[0]
			require.True(t, fault.Valid)
			require.NotNil(t, fault.Body.Error)
			require.Empty(t, failures.got(boardwatch.EventJobFound), "it did not choose the event")

			log := i.deliveries(all.ID)
			oldest := log[len(log)-1]
			require.Equal(t, first.ID, oldest.ID)
			require.Equal(t, "delivered", oldest.State)
			require.Equal(t, 2, oldest.Attempts)
			require.Equal(t, http.StatusOK, *oldest.ResponseCode)

			i.do(&struct{}{}, "account", "set-plan", e2eEmail, "pro")
			site.show(optics, writer, fitter)
			i.eventually("the role is back", func() bool { return i.roles()[writer.Title].Status == boardwatch.JobOpen })
			require.Len(t, in.got(boardwatch.EventJobFound), 3, "the plan has no webhooks")
		})
	}
}

type webhookMade struct {
	ID     string `json:"id"`
	Secret string `json:"secret"`
}

func (i *installation) webhook(url, events string) (made webhookMade) {
	i.t.Helper()
	i.do(&made, "webhook", "create", "--account", e2eEmail, "--url", url, "--events", events)
	return made
}

type deliveryShown struct {
	ID           string  `json:"id"`
	State        string  `json:"state"`
	Attempts     int     `json:"attempts"`
	ResponseCode *int    `json:"responseCode"`
	Error        *string `json:"error"`
}

func (i *installation) deliveries(webhookID string) (list []deliveryShown) {
	i.t.Helper()
	i.do(&list, "webhook", "deliveries", webhookID, "--account", e2eEmail)
	return list
}
