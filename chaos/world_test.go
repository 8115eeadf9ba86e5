//go:build chaos

package chaos_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	mrand "math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/chaos/systems"
)

const (
	closeAfter  = 3
	closeHold   = 20 * time.Second
	suspectHold = 60 * time.Second
	password    = "a long sentence that nobody guesses"
	owner       = "owner@chaos.example" // tracks all boards from the beginning, and owns the webhooks
)

// world is one run: a service, everything around it, and the records about it.
type world struct {
	t        *testing.T
	o        options
	database database
	seeds    *mrand.Rand
	program  program
	internet *internet
	sites    []*site // tracked from the beginning
	late     []*site // added meanwhile
	slots    []*slot
	readers  []*reader
	hooks    []*hook
	began    time.Time

	mu       sync.Mutex
	outages  []outage
	problems []string // errors, reported once each
	said     map[string]bool

	kills, stops, browserKills, crashes, adds atomic.Int64
}

// outage is a time in which the database could not save.
type outage struct{ from, to time.Time }

// webhookTimeout is how long an attempt may take.
const webhookTimeout = 2 * time.Second

// reader is an account that reads what it tracks, by REST and some also over MCP.
type reader struct {
	email  string
	plan   string
	pace   pace
	key    string
	sites  []*site
	client *client
	poller *poller
	agent  *agent

	mu    sync.Mutex
	added []*site // added meanwhile, with a confirmation
}

func newWorld(t *testing.T, o options, db database) *world {
	t.Helper()
	w := &world{t: t, o: o, database: db, seeds: mrand.New(mrand.NewPCG(o.seed, 1)), said: make(map[string]bool)}
	w.found()
	w.internet = newInternet(t, append(append([]*site{}, w.sites...), w.late...))
	w.slots = db.slots(t)
	dir := t.TempDir()
	key := make([]byte, 32)
	_, _ = rand.Read(key)
	hold := closeHold
	if o.untimed {
		hold = 0 // it is measured in stamps, which hardly advance while a clock that was set back catches up
	}
	w.program = program{binary: o.binary, dir: dir, env: []string{
		"HOME=" + dir, "PATH=" + os.Getenv("PATH"), "TMPDIR=" + dir, "SSL_CERT_FILE=" + w.internet.authority.file, "NO_COLOR=1",
		"BOARDWATCH_DATA_DIR=" + dir, "BOARDWATCH_DATABASE=" + db.url(), "BOARDWATCH_DEV=true", "BOARDWATCH_LOG_LEVEL=warn",
		"BOARDWATCH_SECRETS_KEY=" + base64.StdEncoding.EncodeToString(key),
		"BOARDWATCH_PLANS_FREE_CADENCE=" + slow.cadence().String(), "BOARDWATCH_PLANS_FREE_BOARDS=100000", "BOARDWATCH_PLANS_FREE_REST=true", "BOARDWATCH_PLANS_FREE_WEBHOOKS=true",
		"BOARDWATCH_PLANS_PRO_CADENCE=" + steady.cadence().String(), "BOARDWATCH_PLANS_PRO_BOARDS=100000",
		"BOARDWATCH_PLANS_ULTRA_CADENCE=" + quick.cadence().String(), "BOARDWATCH_PLANS_ULTRA_BOARDS=100000",
		fmt.Sprintf("BOARDWATCH_CHECKS_CLOSE_AFTER=%d", closeAfter), "BOARDWATCH_CHECKS_CLOSE_HOLD=" + hold.String(), "BOARDWATCH_CHECKS_SUSPECT_HOLD=" + suspectHold.String(), "BOARDWATCH_CHECKS_TIMEOUT=10s", "BOARDWATCH_CHECKS_MAX_GROWTH=0",
		"BOARDWATCH_HTTP_PAUSE=0", "BOARDWATCH_WEBHOOKS_TIMEOUT=" + webhookTimeout.String(), "BOARDWATCH_WEBHOOKS_RETRY_SCHEDULE=300ms,700ms" + strings.Repeat(",1500ms", 46),
		"BOARDWATCH_BROWSER_NO_SANDBOX=true", "BOARDWATCH_BROWSER_MAX_PAGES=2", "BOARDWATCH_OAUTH_ACCESS_TTL=20s",
	}}
	for _, s := range w.slots {
		s.env = append(s.env, variable(append(slices.Clone(o.jumps), o.astray[s.name]...)))
		s.env = append(s.env, "HTTP_PROXY="+w.internet.proxy(t, s.now.Load))
		s.env = append(s.env, strings.Replace(s.env[len(s.env)-1], "HTTP_", "HTTPS_", 1))
	}
	w.people()
	return w
}

// found creates the sites: two fifths on hosted systems, the rest companies' own pages, a few of which need a browser.
func (w *world) found() {
	own, hosted, drawn := pages(), systems.Hosted(), drawnPages()
	numbers := make(map[string]int)
	add := func(v systems.System, p pace, late bool) {
		numbers[v.Name]++
		roles := 3 + w.seeds.IntN(9)
		if w.seeds.IntN(80) == 0 && p == steady {
			roles = 110 + w.seeds.IntN(120) // more than fit into a delivery, or into a page of some systems
		}
		s := newSite(v, numbers[v.Name], p, roles, mrand.New(mrand.NewPCG(w.o.seed, w.seeds.Uint64())))
		if late {
			w.late = append(w.late, s)
		} else {
			w.sites = append(w.sites, s)
		}
	}
	fast := min(w.o.boards/12, 200)
	for i := range w.o.boards {
		v, p := own[i%len(own)], steady
		if i%5 < 2 {
			v = hosted[(i/5*2+i%5)%len(hosted)]
		}
		if i >= w.o.boards-fast {
			p = quick
		}
		add(v, p, false)
	}
	if w.o.browser {
		for i := range 4 {
			add(drawn[i%len(drawn)], slow, false)
		}
	}
	for i := range w.o.boards / 40 {
		if i%2 == 0 {
			add(hosted[i/2%len(hosted)], steady, true)
		} else {
			add(own[i/2%len(own)], steady, true)
		}
	}
}

// people creates the accounts, their keys and webhooks, and imports their lists.
func (w *world) people() {
	w.do(password, nil, "account", "create", "--email", owner, "--plan", "free", "--verified", "--password-stdin")
	for i, name := range []string{"steady", "flapping", "moody", "wild"} {
		h := newHook(w.t, name, mrand.New(mrand.NewPCG(w.o.seed, uint64(100+i))))
		var made struct {
			ID, Secret string
		}
		w.do("", &made, "webhook", "create", "--account", owner, "--url", h.url, "--events", "job.found,job.archived,board.failed")
		h.id = made.ID
		h.trust(w.t, made.Secret, w.o.jumps)
		w.hooks = append(w.hooks, h)
	}
	w.list(owner, w.sites)
	for i := range 8 {
		r := &reader{email: fmt.Sprintf("reader%d@chaos.example", i), plan: "pro", pace: steady}
		if i >= 6 {
			r.plan, r.pace = "ultra", quick
		}
		w.do(password, nil, "account", "create", "--email", r.email, "--plan", r.plan, "--verified", "--password-stdin")
		var key struct{ Secret string }
		w.do("", &key, "key", "create", "--account", r.email, "--name", "poller")
		r.key = key.Secret
		n := 0
		for _, s := range w.sites {
			if s.pace == r.pace {
				if n++; n%6 == i || r.pace == quick && n%2 == i%2 {
					r.sites = append(r.sites, s)
				}
			}
		}
		w.list(r.email, r.sites)
		r.client = newClient(r.key, mrand.New(mrand.NewPCG(w.o.seed, uint64(200+i))), w.doors)
		r.poller = newPoller(r.client)
		if i%3 == 0 {
			rng := mrand.New(mrand.NewPCG(w.o.seed, uint64(300+i)))
			r.agent = newAgent(w.base(), r.email, password, rng.IntN, w.doors)
		}
		w.readers = append(w.readers, r)
	}
}

// list adds sites to an account's list.
func (w *world) list(email string, sites []*site) {
	var lines strings.Builder
	for _, s := range sites {
		lines.WriteString(s.address + "\n")
	}
	file := filepath.Join(w.t.TempDir(), "boards.txt")
	require.NoError(w.t, os.WriteFile(file, []byte(lines.String()), 0o600))
	out, err := w.program.run(w.t.Context(), "", "import", "--account", email, "-o", "ndjson", file)
	require.NoError(w.t, err, "%s", tail(string(out), 500))
}

// do runs a command and decodes the object that it prints.
func (w *world) do(input string, into any, args ...string) {
	w.t.Helper()
	out, err := w.program.run(w.t.Context(), input, append(args, "-o", "json")...)
	require.NoError(w.t, err)
	if into != nil {
		require.NoError(w.t, json.Unmarshal(out, into), "%s", out)
	}
}

// base is the address of the service.
func (w *world) base() string { return w.slots[0].url }

// doors returns the addresses of all processes that answer requests.
func (w *world) doors() []string {
	var urls []string
	for _, s := range w.slots {
		if s.role != "worker" {
			urls = append(urls, s.url)
		}
	}
	return urls
}

// problem records an error.
func (w *world) problem(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.said[text] {
		w.said[text] = true
		w.problems = append(w.problems, time.Since(w.began).Round(time.Second).String()+" "+text)
	}
}

// outage records that the database fails from now on, until over is called.
func (w *world) outage() (over func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	at := len(w.outages)
	w.outages = append(w.outages, outage{time.Now(), time.Now().Add(time.Hour)})
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.outages[at].to = time.Now()
	}
}

// storedJob is a role as the command line lists it.
type storedJob struct {
	toldJob

	Location string `json:"location"`
}

// stored returns all roles on an account's list, by address; twice holds addresses that occur twice.
func (w *world) stored(ctx context.Context, email string) (jobs map[string]storedJob, twice []string, err error) {
	out, err := w.program.run(ctx, "", "role", "list", "--account", email, "--status", "all", "-o", "ndjson")
	if err != nil {
		return nil, nil, err
	}
	jobs = make(map[string]storedJob)
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var j storedJob
		if err := json.Unmarshal(lines.Bytes(), &j); err != nil {
			return nil, nil, fmt.Errorf("role list: %w", err)
		}
		if _, known := jobs[j.URL]; known {
			twice = append(twice, j.URL)
		}
		jobs[j.URL] = j
	}
	return jobs, twice, lines.Err()
}

// url returns the address of a role, which identifies it here.
func (s *site) url(r *role) string { return s.vendor.Role(s.token, r.n) }
