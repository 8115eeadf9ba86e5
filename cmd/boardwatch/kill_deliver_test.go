//go:build long

package main_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os/exec"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/app"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/demo"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/storagetest"
)

const killedAttempts = 100

// TestKillAttempts kills the service at every step of an attempt: before anything is sent, when the request has come in
// and is not answered, when the answer is on its way, and when it is not recorded. Nothing is lost, only what was sent
// before comes again, and no attempt is used up by it.
func TestKillAttempts(t *testing.T) {
	t.Parallel()
	binary := buildBinary(t)
	for name, database := range databases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newKilledAttempts(t, binary, database(t))
			for round := range killedAttempts {
				k.round(t, round)
			}
			k.settle(t)
			k.compare(t)
		})
	}
}

// killedSender is a service that is killed in the middle of attempts.
type killedSender struct {
	binary  string
	install *installation
	store   *storage.Store
	account string
	site    *careersSite
	in      *inbox
	hooks   []boardwatch.Webhook
	next    int

	mu    sync.Mutex
	armed func(w http.ResponseWriter) // what the next request meets; nil: it is taken
}

func newKilledAttempts(t *testing.T, binary, database string) *killedSender {
	t.Helper()
	k := &killedSender{binary: binary, in: newInbox(t), site: newCareersSite(t)}
	k.in.answerWith(func(_ int, w http.ResponseWriter) { k.answer(w) })
	k.install = install(t, database,
		"BOARDWATCH_DEV=true", "BOARDWATCH_PLANS_ULTRA_CADENCE=250ms", "BOARDWATCH_CHECKS_SUSPECT_HOLD=0s",
		"BOARDWATCH_CHECKS_TIMEOUT=1s", "BOARDWATCH_LOG_LEVEL=error", "BOARDWATCH_SECRETS_KEY="+base64.StdEncoding.EncodeToString([]byte(storagetest.SealKey)))
	var account struct {
		ID string `json:"id"`
	}
	k.install.do(&account, "account", "create", "--email", e2eEmail, "--plan", "ultra", "--verified")
	k.account = account.ID
	var err error
	k.store, err = app.OpenStore(t.Context(), config.Config{Database: config.Secret(database)}, storage.Options{SealKey: []byte(storagetest.SealKey)})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, k.store.Close()) })
	k.change()
	k.install.do(&struct{}{}, "board", "add", "--account", e2eEmail, k.site.URL+"/careers")
	return k
}

// change shows a role more.
func (k *killedSender) change() {
	k.next++
	k.site.show(append(k.roles(), demo.Role{ID: k.next, Title: fmt.Sprint("Lamp Engineer ", k.next), Location: "Bergen", Department: "Engineering"})...)
}

func (k *killedSender) roles() []demo.Role {
	k.site.mu.Lock()
	defer k.site.mu.Unlock()
	return slices.Clip(k.site.roles)
}

func (k *killedSender) answer(w http.ResponseWriter) {
	k.mu.Lock()
	armed := k.armed
	k.mu.Unlock()
	if armed != nil {
		armed(w)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

func (k *killedSender) arm(armed func(w http.ResponseWriter)) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.armed = armed
}

// round runs the service until it sends something, and kills it at one of the steps. A webhook that a killed process had
// leased has to wait for the end of the lease on PostgreSQL, so each round has a new one.
func (k *killedSender) round(t *testing.T, round int) {
	t.Helper()
	hook := boardwatch.Webhook{
		ID: boardwatch.NewID(), AccountID: k.account, URL: k.in.url, Events: boardwatch.EventTypes(),
		Secret: account.NewWebhookSecret(), CreatedAt: boardwatch.Milli(time.Now()),
	}
	require.NoError(t, k.store.CreateWebhook(t.Context(), hook, killedAttempts))
	k.in.believe(hook.Secret)
	k.hooks = append(k.hooks, hook)
	k.change()

	cmd := exec.CommandContext(t.Context(), k.binary, "serve", "--listen", "127.0.0.1:0")
	cmd.Env = k.install.env
	cmd.Stderr = t.Output()
	now := make(chan struct{}, 1)
	kill := func() {
		select {
		case now <- struct{}{}:
		default:
		}
	}
	gone, left := context.WithCancel(t.Context())
	defer left()
	k.arm(k.step(gone, round, kill))
	require.NoError(t, cmd.Start())
	if round%4 == 0 { // at any moment, most often before anything is sent
		go func() {
			<-time.After(rand.N(700 * time.Millisecond))
			kill()
		}()
	}
	select {
	case <-now:
	case <-time.After(30 * time.Second): // nothing was sent: that is a moment too
		t.Logf("round %d: nothing was sent", round)
	}
	require.NoError(t, cmd.Process.Kill())
	left()
	require.ErrorContains(t, cmd.Wait(), "killed", "the service ended by itself")
}

// step is what the requests of a round meet.
func (k *killedSender) step(gone context.Context, round int, kill func()) func(w http.ResponseWriter) {
	switch round % 4 {
	case 1: // the request is in, the answer is not out
		return func(http.ResponseWriter) {
			kill()
			<-gone.Done()
		}
	case 2: // the answer is on its way
		return func(w http.ResponseWriter) {
			w.WriteHeader(http.StatusNoContent)
			_ = http.NewResponseController(w).Flush()
			kill()
		}
	case 3: // the answer is in, the outcome may be recorded or not
		return func(w http.ResponseWriter) {
			w.WriteHeader(http.StatusNoContent)
			_ = http.NewResponseController(w).Flush()
			go func() {
				<-time.After(rand.N(12 * time.Millisecond))
				kill()
			}()
		}
	default:
		return nil
	}
}

// settle lets the service run until nothing waits.
func (k *killedSender) settle(t *testing.T) {
	t.Helper()
	k.arm(nil)
	cmd := exec.CommandContext(t.Context(), k.binary, "serve", "--listen", "127.0.0.1:0")
	cmd.Env = k.install.env
	cmd.Stderr = t.Output()
	require.NoError(t, cmd.Start())
	settled := func() bool {
		jobs, err := k.store.Jobs(t.Context(), k.account, track.JobFilter{Limit: 1})
		require.NoError(t, err)
		pending, err := k.store.FindDeliveries(t.Context(), boardwatch.DeliveryFilter{State: boardwatch.DeliveryPending})
		require.NoError(t, err)
		return jobs.Total == int64(k.next) && len(pending) == 0
	}
	require.Eventually(t, settled, 2*time.Minute, 100*time.Millisecond)
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	require.NoError(t, cmd.Wait())
}

// compare holds what arrived against what was owed.
func (k *killedSender) compare(t *testing.T) {
	t.Helper()
	times := map[string]int{}
	for _, a := range k.in.got(boardwatch.EventJobFound) {
		require.True(t, a.Valid)
		require.Equal(t, a.ID, a.Body.ID)
		times[a.ID]++
	}
	ids, err := k.store.FindDeliveries(t.Context(), boardwatch.DeliveryFilter{})
	require.NoError(t, err)
	require.Len(t, times, len(ids), "nothing is lost, and nothing else arrived")
	repeats := 0
	for _, id := range ids {
		d, _, err := k.store.StoredDelivery(t.Context(), id)
		require.NoError(t, err)
		require.Equal(t, boardwatch.DeliveryDelivered, d.State)
		require.Equal(t, 1, d.Attempts, "a crash costs no attempt")
		require.Positive(t, times[id], "nothing is lost")
		repeats += times[id] - 1
	}
	t.Logf("%d kills, %d deliveries, %d repeats", killedAttempts, len(ids), repeats)
}
