//go:build long

package main_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/demo"
)

// paceMinutes is how long three processes ask a host together. PACE_MINUTES sets another time.
func paceMinutes(t *testing.T) time.Duration {
	t.Helper()
	text, set := os.LookupEnv("PACE_MINUTES")
	if !set {
		return 10 * time.Minute
	}
	minutes, err := strconv.ParseFloat(text, 64)
	require.NoError(t, err, "PACE_MINUTES is a number")
	return time.Duration(minutes * float64(time.Minute))
}

// TestThreeProcessesAskAHostNoMoreOftenThanOne has one process ask a host for many boards, and then three processes that are
// killed now and then. A refusal holds for all of them, and without the database none of them asks.
func TestThreeProcessesAskAHostNoMoreOftenThanOne(t *testing.T) {
	t.Parallel()
	const boards, pause = 30, 250 * time.Millisecond // far longer than a busy machine lets a process wait
	server := newOwnServer(t)
	host := newBusyHost(t, pause)
	i := install(t, server.address,
		"BOARDWATCH_HTTP_PROXY="+host.URL, "BOARDWATCH_HTTP_PAUSE="+pause.String(), "BOARDWATCH_PLANS_ULTRA_CADENCE=500ms",
		"BOARDWATCH_BROWSER_MODE=never", "BOARDWATCH_LOG_LEVEL=error", "BOARDWATCH_CHECKS_TIMEOUT=30s")
	i.do(&struct{}{}, "account", "create", "--email", e2eEmail, "--plan", "ultra", "--verified")
	add := []string{"board", "add", "--account", e2eEmail}
	for n := range boards {
		add = append(add, fmt.Sprintf("http://busy.example/careers?team=%d", n))
	}
	i.do(&[]any{}, add...)
	fleet := &paceFleet{t: t, binary: buildBinary(t), env: i.env}
	t.Cleanup(fleet.stop)
	together := paceMinutes(t)

	fleet.start()
	host.awaitRequests(t, 2*boards)
	var alone, three float64 // the best of several, by turns: the machine has other work
	for began, window := time.Now(), min(together/6, 40*time.Second); time.Since(began) < together; {
		alone = max(alone, host.rate(window))
		fleet.start()
		fleet.start()
		three = max(three, host.rate(window))
		fleet.killOne()
		three = max(three, host.rate(window))
		fleet.killOne()
		fleet.end()
		fleet.end()
	}
	t.Logf("requests a second: %.2f of one process, %.2f of three", alone, three)
	require.LessOrEqual(t, three, 1.05*alone)
	require.Zero(t, host.tooEarly(), "one request at a time, and a pause after each")
	fleet.start()
	fleet.start()

	told := host.refuse(4 * time.Second)
	require.GreaterOrEqual(t, host.nextAfter(t, told).Sub(told), 4*time.Second-10*time.Millisecond, "all leave the host alone")
	require.LessOrEqual(t, host.rate(5*time.Second), alone*0.6, "and then ask half as often")

	server.stop()
	lost := time.Now()
	<-time.After(10 * time.Second)
	require.LessOrEqual(t, host.last().Sub(lost), 2*time.Second, "nobody asks without the database")
}

// paceFleet are processes of the service on one database.
type paceFleet struct {
	t       *testing.T
	binary  string
	env     []string
	running []*exec.Cmd
}

func (f *paceFleet) start() {
	cmd := exec.Command(f.binary, "serve", "--listen", "127.0.0.1:0")
	cmd.Env, cmd.Stderr = f.env, f.t.Output()
	require.NoError(f.t, cmd.Start())
	f.running = append(f.running, cmd)
}

// killOne kills one of the processes, wherever it is, and starts another in its place.
func (f *paceFleet) killOne() {
	f.end()
	f.start()
}

// end kills one of the processes.
func (f *paceFleet) end() {
	n := rand.IntN(len(f.running))
	cmd := f.running[n]
	f.running = append(f.running[:n], f.running[n+1:]...)
	require.NoError(f.t, cmd.Process.Kill())
	require.ErrorContains(f.t, cmd.Wait(), "killed", "the service ended by itself")
}

func (f *paceFleet) stop() {
	for len(f.running) > 0 {
		f.end()
	}
}

// busyHost answers for every host, as a proxy, with a page of roles.
type busyHost struct {
	*httptest.Server

	pause time.Duration

	mu       sync.Mutex
	begins   []time.Time
	ended    time.Time // when the last request ended
	under    int
	early    int           // requests that came too early
	refusing time.Duration // what the next answer asks for in Retry-After
	refused  chan time.Time
}

func newBusyHost(t *testing.T, pause time.Duration) *busyHost {
	t.Helper()
	h := &busyHost{pause: pause, refused: make(chan time.Time, 1)}
	h.Server = httptest.NewServer(http.HandlerFunc(h.serve))
	t.Cleanup(func() {
		h.CloseClientConnections()
		h.Close()
	})
	return h
}

func (h *busyHost) serve(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	h.begins = append(h.begins, time.Now())
	if h.under++; h.under > 1 || time.Since(h.ended) < h.pause-2*time.Millisecond { // clocks count whole milliseconds
		h.early++
	}
	refusing := h.refusing
	h.refusing = 0
	h.mu.Unlock()
	defer func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.under--
		h.ended = time.Now()
	}()
	switch {
	case refusing > 0:
		w.Header().Set("Retry-After", strconv.Itoa(int(refusing/time.Second)))
		w.WriteHeader(http.StatusTooManyRequests)
		h.refused <- time.Now()
	case r.URL.Path != "/careers":
		http.NotFound(w, r)
	default:
		select { // a killed process hangs up, and its request is over
		case <-time.After(20 * time.Millisecond):
		case <-r.Context().Done():
		}
		_, _ = io.WriteString(w, careersPage([]demo.Role{{ID: 1, Title: "Lamp Engineer", Location: "Bergen", Department: "Engineering"}, {ID: 2, Title: "Lamp Designer", Location: "Oslo", Department: "Design"}}))
	}
}

func (h *busyHost) requests() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.begins)
}

func (h *busyHost) awaitRequests(t *testing.T, n int) {
	t.Helper()
	require.Eventually(t, func() bool { return h.requests() >= n }, time.Minute, 50*time.Millisecond)
}

// rate is how many requests a second come for a while.
func (h *busyHost) rate(during time.Duration) float64 {
	before, began := h.requests(), time.Now()
	<-time.After(during)
	return float64(h.requests()-before) / time.Since(began).Seconds()
}

// refuse refuses the next request, and says when that was.
func (h *busyHost) refuse(wait time.Duration) time.Time {
	h.mu.Lock()
	h.refusing = wait
	h.mu.Unlock()
	return <-h.refused
}

func (h *busyHost) last() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.begins[len(h.begins)-1]
}

// nextAfter is when the first request begins after a moment.
func (h *busyHost) nextAfter(t *testing.T, moment time.Time) (next time.Time) {
	t.Helper()
	require.Eventually(t, func() bool {
		h.mu.Lock()
		defer h.mu.Unlock()
		for _, at := range h.begins {
			if at.After(moment) {
				next = at
				return true
			}
		}
		return false
	}, time.Minute, 50*time.Millisecond)
	return next
}

func (h *busyHost) tooEarly() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.early
}
