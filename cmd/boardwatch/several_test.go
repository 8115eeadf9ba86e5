//go:build long

package main_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/app"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/demo"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/storagetest"
)

// TestSeveralSenders has three processes on one PostgreSQL, under receivers that come and go, while the database is
// broken off and started again: every change is delivered, and no delivery is ever in two hands.
func TestSeveralSenders(t *testing.T) {
	t.Parallel()
	address, restart := ownPostgres(t)
	binary := buildBinary(t)
	i := install(t, address,
		"BOARDWATCH_DEV=true", "BOARDWATCH_PLANS_ULTRA_CADENCE=500ms", "BOARDWATCH_CHECKS_SUSPECT_HOLD=0s",
		"BOARDWATCH_WEBHOOKS_RETRY_SCHEDULE="+strings.TrimSuffix(strings.Repeat("500ms,", 40), ","),
		"BOARDWATCH_CHECKS_TIMEOUT=1s", "BOARDWATCH_LOG_LEVEL=error", "BOARDWATCH_SECRETS_KEY="+base64.StdEncoding.EncodeToString([]byte(storagetest.SealKey)))
	i.do(&struct{}{}, "account", "create", "--email", e2eEmail, "--plan", "ultra", "--verified")
	receivers := make([]*flapping, 5)
	for n := range receivers {
		receivers[n] = newFlapping(t)
		receivers[n].hook = i.webhook(receivers[n].in.url, "job.found").ID
	}
	for range 3 {
		cmd := exec.CommandContext(context.WithoutCancel(t.Context()), binary, "serve", "--listen", "127.0.0.1:0")
		cmd.Env = i.env
		runServer(t, cmd)
	}
	sites := make([]*careersSite, 6)
	for n := range sites {
		sites[n] = newCareersSite(t, demo.Role{ID: 1, Title: "Lamp Engineer 1", Location: "Bergen", Department: "Engineering"})
		i.do(&struct{}{}, "board", "add", "--account", e2eEmail, sites[n].URL+"/careers")
	}
	const changes = 40
	for n := 2; n <= changes; n++ {
		for _, s := range sites {
			s.mu.Lock()
			s.roles = append(slices.Clip(s.roles), demo.Role{ID: n, Title: fmt.Sprint("Lamp Engineer ", n), Location: "Bergen", Department: "Engineering"})
			s.mu.Unlock()
		}
		if n%13 == 0 {
			restart()
		}
		<-time.After(rand.N(time.Second))
	}
	for _, r := range receivers {
		r.calm()
	}

	var store *storage.Store
	require.Eventually(t, func() bool {
		var err error
		store, err = app.OpenStore(t.Context(), config.Config{Database: config.Secret(address)}, storage.Options{SealKey: []byte(storagetest.SealKey)})
		return err == nil
	}, time.Minute, time.Second)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	require.Eventually(t, func() bool {
		pending, err := store.FindDeliveries(t.Context(), boardwatch.DeliveryFilter{State: boardwatch.DeliveryPending})
		return err == nil && len(pending) == 0 && receivers[0].roles() == changes*len(sites)
	}, 3*time.Minute, 200*time.Millisecond)
	for _, r := range receivers {
		require.Equal(t, changes*len(sites), r.roles(), "every change arrived")
		require.Zero(t, r.overlaps(), "a delivery was in two hands")
		ids, err := store.FindDeliveries(t.Context(), boardwatch.DeliveryFilter{WebhookID: r.hook})
		require.NoError(t, err)
		for _, id := range ids {
			d, _, err := store.StoredDelivery(t.Context(), id)
			require.NoError(t, err)
			require.Equal(t, boardwatch.DeliveryDelivered, d.State)
		}
		t.Logf("%d deliveries, %d requests", len(ids), len(r.in.got(boardwatch.EventJobFound)))
	}
}

// ownPostgres is a server that no other test uses, so that it can be restarted.
func ownPostgres(t *testing.T) (address string, restart func()) {
	t.Helper()
	s := newOwnServer(t)
	return s.address, s.restart
}

// ownServer is a PostgreSQL of one test.
type ownServer struct {
	address       string
	stop, restart func()
}

func newOwnServer(t *testing.T) ownServer {
	t.Helper()
	script, err := filepath.Abs("../../scripts/postgres.sh")
	require.NoError(t, err)
	run := func(args ...string) (string, error) {
		out, err := exec.CommandContext(t.Context(), script, args...).Output()
		return strings.TrimSpace(string(out)), err
	}
	if _, err := run("find"); err != nil {
		t.Skip("PostgreSQL is not installed")
	}
	dir, err := os.MkdirTemp("", "boardwatch-several.") //nolint:usetesting // the server's own user has to get there
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(dir)) })
	address, err := run("start", dir)
	require.NoError(t, err)
	t.Cleanup(func() {
		out, err := exec.Command(script, "stop", dir).CombinedOutput()
		require.NoError(t, err, "%s", out)
	})
	command := func(word string) func() {
		return func() {
			t.Helper()
			_, err := run(word, dir)
			require.NoError(t, err)
		}
	}
	return ownServer{address, command("stop"), command("restart")}
}

// flapping is a receiver that now and then fails, and watches for a delivery that comes while it is being answered.
type flapping struct {
	in   *inbox
	hook string

	mu     sync.Mutex
	steady bool
	busy   map[string]bool
	twice  int
}

func newFlapping(t *testing.T) *flapping {
	t.Helper()
	f := &flapping{in: newInbox(t), busy: map[string]bool{}}
	f.in.watchWith(f.serve)
	return f
}

func (f *flapping) serve(id string, w http.ResponseWriter) {
	f.mu.Lock()
	if f.busy[id] {
		f.twice++
	}
	f.busy[id] = true
	fails := !f.steady && time.Now().UnixMilli()/3000%2 == 0
	f.mu.Unlock()
	<-time.After(rand.N(60 * time.Millisecond))
	f.mu.Lock()
	delete(f.busy, id)
	f.mu.Unlock()
	if fails {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	w.WriteHeader(http.StatusOK)
}

func (f *flapping) calm() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.steady = true
}

func (f *flapping) overlaps() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.twice
}

// roles counts the roles that were announced.
func (f *flapping) roles() int {
	seen := map[string]bool{}
	for _, a := range f.in.got(boardwatch.EventJobFound) {
		for _, j := range a.Body.Jobs {
			seen[j.URL] = true
		}
	}
	return len(seen)
}
