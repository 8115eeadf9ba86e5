//go:build long

package main_test

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/app"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/demo"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/storagetest"
)

const killedTellings = 200

// TestKillChannels kills the service again and again while roles appear and channels are told, one of them by a saved search.
// Every role is told in exactly one message to each channel. The message that was under way at a kill comes again, as the same
// one, which phones show once; no other does.
func TestKillChannels(t *testing.T) {
	t.Parallel()
	binary := buildBinary(t)
	for name, database := range databases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newKilledTellings(t, binary, database(t))
			for round := range killedTellings {
				k.round(t, round)
			}
			k.settle(t)
			k.compare(t, k.all, "everything", func(int) bool { return true })
			k.compare(t, k.odd, "odd", func(n int) bool { return n%2 == 1 })
		})
	}
}

// killedTeller is a service that is killed while it tells.
type killedTeller struct {
	binary   string
	install  *installation
	store    *storage.Store
	database string
	account  string
	site     *careersSite
	phone    *phone
	all, odd channelMade
	roles    []demo.Role
	underWay map[string]int // by delivery, at how many kills it had arrived, and its outcome was not recorded
}

// title is what a role is called: a saved search looks for every second one.
func (k *killedTeller) title(n int) string {
	if n%2 == 1 {
		return fmt.Sprintf("Odd Lamp Engineer %d", n)
	}
	return fmt.Sprintf("Even Lamp Engineer %d", n)
}

// change shows a role more.
func (k *killedTeller) change() {
	n := len(k.roles)
	k.roles = append(k.roles, demo.Role{ID: n, Title: k.title(n), Location: "Bergen", Department: "Engineering"})
	k.site.show(k.roles...)
}

func newKilledTellings(t *testing.T, binary, database string) *killedTeller {
	t.Helper()
	k := &killedTeller{binary: binary, phone: newPhone(t), site: newCareersSite(t), underWay: map[string]int{}}
	k.install = install(t, database,
		"BOARDWATCH_DEV=true", "BOARDWATCH_PLANS_FREE_CADENCE=100ms", "BOARDWATCH_CHECKS_SUSPECT_HOLD=0s", "BOARDWATCH_CHECKS_TIMEOUT=1s",
		"BOARDWATCH_LOG_LEVEL=error", "BOARDWATCH_SECRETS_KEY="+base64.StdEncoding.EncodeToString([]byte(storagetest.SealKey)))
	var account struct {
		ID string `json:"id"`
	}
	k.install.do(&account, "account", "create", "--email", e2eEmail, "--plan", "free", "--verified")
	k.account = account.ID
	var saved struct {
		ID string `json:"id"`
	}
	k.install.do(&saved, "search", "add", "--account", e2eEmail, "--name", "Odd", "--text", "odd lamp")
	k.all = k.install.channel("--to", k.phone.topic("everything"))
	k.odd = k.install.channel("--to", k.phone.topic("odd"), "--search", saved.ID)
	var err error
	k.store, err = app.OpenStore(t.Context(), config.Config{Database: config.Secret(database)}, storage.Options{SealKey: []byte(storagetest.SealKey)})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, k.store.Close()) })
	k.database = database
	k.change()
	k.install.do(&struct{}{}, "board", "add", "--account", e2eEmail, k.site.URL+"/careers")
	cmd := k.start(t)
	require.Eventually(t, func() bool { return k.known(t) == 1 }, time.Minute, 20*time.Millisecond, "the first reading")
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	require.NoError(t, cmd.Wait())
	return k
}

func (k *killedTeller) start(t *testing.T) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), k.binary, "serve", "--listen", "127.0.0.1:0")
	cmd.Env = k.install.env
	cmd.Stderr = t.Output()
	require.NoError(t, cmd.Start())
	return cmd
}

func (k *killedTeller) known(t *testing.T) int {
	t.Helper()
	jobs, err := k.store.Jobs(t.Context(), k.account, track.JobFilter{Limit: 1})
	require.NoError(t, err)
	return int(jobs.Total)
}

// round shows a role and kills the service at some moment around the check that finds it and the messages that tell it.
func (k *killedTeller) round(t *testing.T, round int) {
	t.Helper()
	k.change()
	now := make(chan struct{}, 1)
	kill := func() {
		select {
		case now <- struct{}{}:
		default:
		}
	}
	k.phone.answerWith(func(w http.ResponseWriter) {
		w.WriteHeader(http.StatusOK)
		_ = http.NewResponseController(w).Flush()
		if round%2 == 0 { // the outcome may be recorded or not
			time.AfterFunc(rand.N(12*time.Millisecond), kill)
		}
	})
	before := []int{len(k.phone.got("everything")), len(k.phone.got("odd"))}
	cmd := k.start(t)
	if round%2 == 1 {
		time.AfterFunc(rand.N(900*time.Millisecond), kill)
	}
	select {
	case <-now:
	case <-time.After(3 * time.Second): // nothing was sent: that is a moment too
	}
	require.NoError(t, cmd.Process.Kill())
	require.ErrorContains(t, cmd.Wait(), "killed", "the service ended by itself")
	k.phone.hangUp(t)
	k.finish(t)
	k.atKill(t, k.all, k.phone.got("everything")[before[0]:])
	k.atKill(t, k.odd, k.phone.got("odd")[before[1]:])
}

// hangUp waits until everything has arrived that was sent by a process which has ended.
func (p *phone) hangUp(t *testing.T) {
	t.Helper()
	// Connections are accepted in their order, so those of the process are counted once this one has been.
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.url, nil)
	require.NoError(t, err)
	r.Close = true
	answer, err := http.DefaultTransport.RoundTrip(r)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	require.Eventually(t, func() bool { return p.open.Load() == 0 }, 10*time.Second, time.Millisecond)
}

// finish waits until PostgreSQL has done what the killed service had sent to it: a commit under way is carried out.
func (k *killedTeller) finish(t *testing.T) {
	t.Helper()
	if strings.HasPrefix(k.database, "postgres://") {
		storagetest.AwaitIdle(t, k.database)
	}
}

// atKill counts the message to a channel that has arrived and whose outcome is not recorded.
func (k *killedTeller) atKill(t *testing.T, c channelMade, arrived []note) {
	t.Helper()
	owed, err := k.store.DeliveriesOf(t.Context(), c.ID, 1000)
	require.NoError(t, err)
	underWay := 0
	for _, d := range owed {
		if d.State == boardwatch.DeliveryPending && slices.ContainsFunc(arrived, func(n note) bool { return n.ID == d.ID }) {
			k.underWay[d.ID]++
			underWay++
		}
	}
	require.LessOrEqual(t, underWay, 1, "people are told the next message when the last is recorded")
}

// settle lets the service run until everything is told.
func (k *killedTeller) settle(t *testing.T) {
	t.Helper()
	k.phone.answerWith(nil)
	k.change() // so that everything is told only after the service has begun to work
	cmd := k.start(t)
	require.Eventually(t, func() bool {
		if k.known(t) != len(k.roles) {
			return false
		}
		for _, c := range []channelMade{k.all, k.odd} {
			owed, err := k.store.DeliveriesOf(t.Context(), c.ID, 1000)
			require.NoError(t, err)
			for _, d := range owed {
				if d.State == boardwatch.DeliveryPending {
					return false
				}
			}
		}
		return true
	}, 2*time.Minute, 100*time.Millisecond)
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	require.NoError(t, cmd.Wait())
}

var (
	told      = regexp.MustCompile(`(?:Odd|Even) Lamp Engineer (\d+)`)
	untoldYet = regexp.MustCompile(`and (\d+) more role`)
)

// compare holds what was told against what happened. A check after a long break finds more roles than a message lists; it counts
// the others.
func (k *killedTeller) compare(t *testing.T, c channelMade, topic string, wanted func(n int) bool) {
	t.Helper()
	listed := map[string]string{} // the deliveries that tell roles
	times := map[string]int{}
	counted := 0
	for _, n := range k.phone.got(topic) {
		require.Equal(t, n.ID, n.Sequence, "a message that comes again takes the place of the first on phones")
		if times[n.ID]++; times[n.ID] > 1 {
			continue // the same message again
		}
		for _, match := range told.FindAllStringSubmatch(n.Message, -1) {
			require.Empty(t, listed[match[1]], "role %s is told in two messages", match[1])
			listed[match[1]] = n.ID
		}
		if more := untoldYet.FindStringSubmatch(n.Message); more != nil {
			others, err := strconv.Atoi(more[1])
			require.NoError(t, err)
			counted += others
		}
	}
	want := 0
	for n := range k.roles {
		if n > 0 && wanted(n) { // the first reading is no news
			want++
		} else {
			require.Empty(t, listed[strconv.Itoa(n)], "role %d is nothing to tell", n)
		}
	}
	require.Equal(t, want, len(listed)+counted, "every role is told once")
	owed, err := k.store.DeliveriesOf(t.Context(), c.ID, 1000)
	require.NoError(t, err)
	require.Len(t, times, len(owed), "nothing is lost, and nothing else arrived")
	repeats := 0
	for _, d := range owed {
		require.Equal(t, boardwatch.DeliveryDelivered, d.State)
		require.Equal(t, 1, d.Attempts, "a crash costs no attempt")
		require.Equal(t, k.underWay[d.ID], times[d.ID]-1, "what was under way at a kill comes again, and nothing else")
		repeats += times[d.ID] - 1
	}
	t.Logf("%s: %d kills, %d roles, %d messages, %d sent again, 0 shown twice", topic, killedTellings, len(k.roles)-1, len(owed), repeats)
}
