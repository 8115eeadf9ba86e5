//go:build long

package main_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
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

const (
	kills      = 50
	killBoards = 12
	longestRun = 2500 * time.Millisecond // of the service before it is killed
)

// TestKill kills the service at random moments while boards change, and compares what it has saved in the end with a
// ledger that the sites keep: every change is there, and announced once.
func TestKill(t *testing.T) {
	t.Parallel()
	binary := filepath.Join(t.TempDir(), "boardwatch")
	out, err := exec.CommandContext(t.Context(), "go", "build", "-o", binary, ".").CombinedOutput()
	require.NoError(t, err, "%s", out)
	for name, database := range databases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newKilled(t, binary, database(t))
			for range kills {
				k.runAndKill(t, rand.N(longestRun))
			}
			k.settle(t)
			k.compare(t)
		})
	}
}

// killed is a service that is killed again and again, and what the sites that it reads remember.
type killed struct {
	binary  string
	install *installation
	store   *storage.Store
	account string
	sink    string             // the address of a receiver that takes everything
	both    boardwatch.Webhook // takes job.found and job.archived
	found   boardwatch.Webhook // takes job.found only
	sites   []*ledger

	mu   sync.Mutex
	seen map[string]boardwatch.Job // the store's jobs by address, as last looked at

	stop    chan struct{} // no further changes
	drivers sync.WaitGroup
}

func newKilled(t *testing.T, binary, database string) *killed {
	t.Helper()
	k := &killed{binary: binary, stop: make(chan struct{})}
	k.install = install(t, database,
		"BOARDWATCH_DEV=true", "BOARDWATCH_PLANS_ULTRA_CADENCE=100ms", "BOARDWATCH_CHECKS_CLOSE_AFTER=2", "BOARDWATCH_CHECKS_CLOSE_HOLD=0s",
		"BOARDWATCH_CHECKS_SUSPECT_HOLD=0s", "BOARDWATCH_CHECKS_TIMEOUT=1s", "BOARDWATCH_LOG_LEVEL=error",
		"BOARDWATCH_SECRETS_KEY="+base64.StdEncoding.EncodeToString([]byte(storagetest.SealKey)))
	var account struct {
		ID string `json:"id"`
	}
	k.install.do(&account, "account", "create", "--email", e2eEmail, "--plan", "ultra", "--verified")
	k.account = account.ID

	var err error
	k.store, err = app.OpenStore(t.Context(), config.Config{Database: config.Secret(database)}, storage.Options{SealKey: []byte(storagetest.SealKey)})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, k.store.Close()) })
	sink := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }))
	t.Cleanup(sink.Close)
	k.sink = sink.URL
	k.both = k.webhook(t, boardwatch.EventJobFound, boardwatch.EventJobArchived)
	k.found = k.webhook(t, boardwatch.EventJobFound)

	for range killBoards {
		l := newLedger(t)
		k.sites = append(k.sites, l)
		var added struct {
			Board boardwatch.BoardView `json:"board"`
		}
		k.install.do(&added, "board", "add", "--account", e2eEmail, l.site.URL+"/careers")
		l.board = added.Board.ID
	}
	k.drivers.Go(func() { k.look(t) })
	for _, l := range k.sites {
		k.drivers.Go(func() { l.drive(k) })
	}
	t.Cleanup(func() {
		k.stopChanges()
		k.drivers.Wait()
	})
	return k
}

func (k *killed) webhook(t *testing.T, events ...boardwatch.EventType) boardwatch.Webhook {
	t.Helper()
	w := boardwatch.Webhook{
		ID: boardwatch.NewID(), AccountID: k.account, URL: k.sink, Events: events,
		Secret: account.NewWebhookSecret(), CreatedAt: boardwatch.Milli(time.Now()),
	}
	require.NoError(t, k.store.CreateWebhook(t.Context(), w, boardwatch.MaxWebhooks))
	return w
}

func (k *killed) start(t *testing.T) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), k.binary, "serve", "--listen", "127.0.0.1:0")
	cmd.Env = k.install.env
	cmd.Stderr = t.Output()
	require.NoError(t, cmd.Start())
	return cmd
}

// runAndKill lets the service run for a while and kills it, wherever it is.
func (k *killed) runAndKill(t *testing.T, after time.Duration) {
	t.Helper()
	cmd := k.start(t)
	<-time.After(after)
	require.NoError(t, cmd.Process.Kill())
	err := cmd.Wait()
	require.ErrorContains(t, err, "killed", "the service ended by itself")
}

// settle lets the service run until everything that the sites show is saved, and ends it in good order.
func (k *killed) settle(t *testing.T) {
	t.Helper()
	cmd := k.start(t)
	k.stopChanges()
	k.drivers.Wait()
	for _, l := range k.sites {
		require.NoError(t, l.err)
	}
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	require.NoError(t, cmd.Wait())
}

func (k *killed) stopChanges() {
	k.mu.Lock()
	defer k.mu.Unlock()
	select {
	case <-k.stop:
	default:
		close(k.stop)
	}
}

// look keeps an eye on what is saved.
func (k *killed) look(t *testing.T) {
	t.Helper()
	for {
		page, err := k.store.Jobs(t.Context(), k.account, track.JobFilter{Limit: 100_000})
		if t.Context().Err() != nil {
			return
		}
		seen := make(map[string]boardwatch.Job, len(page.Jobs))
		for _, j := range page.Jobs {
			seen[j.URL] = j
		}
		if err == nil {
			k.mu.Lock()
			k.seen = seen
			k.mu.Unlock()
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-t.Context().Done():
			return
		}
		if k.idle() {
			return
		}
	}
}

// idle reports whether all sites have ended their changes.
func (k *killed) idle() bool {
	for _, l := range k.sites {
		select {
		case <-l.ended:
		default:
			return false
		}
	}
	return true
}

// job is what was saved of a role.
func (k *killed) job(address string) (boardwatch.Job, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	j, ok := k.seen[address]
	return j, ok
}

// ledger is a careers site that remembers what became of its roles. It makes one change, waits until that is saved, and
// makes the next: a change that nobody could see cannot be asked for.
type ledger struct {
	site  *careersSite
	board string
	roles []demo.Role // on the page
	gone  []demo.Role
	next  int

	founds, archives map[string]int // by the role's address: how often it came, and how often it went
	edits            int

	ended chan struct{}
	err   error
}

func newLedger(t *testing.T) *ledger {
	t.Helper()
	l := &ledger{next: 1, founds: make(map[string]int), archives: make(map[string]int), ended: make(chan struct{})}
	l.site = newCareersSite(t)
	for range 8 {
		l.add()
	}
	l.show()
	return l
}

func (l *ledger) show() { l.site.show(slices.Clone(l.roles)...) }

func (l *ledger) address(r demo.Role) string { return fmt.Sprintf("%s/careers/%d", l.site.URL, r.ID) }

func (l *ledger) add() demo.Role {
	r := demo.Role{ID: l.next, Title: fmt.Sprintf("Lamp Engineer %d", l.next), Location: "Bergen", Department: "Engineering"}
	l.next++
	l.roles = append(l.roles, r)
	l.founds[l.address(r)]++
	return r
}

// drive changes the site until the end, and a last time.
func (l *ledger) drive(k *killed) {
	defer close(l.ended)
	for _, r := range l.roles {
		if l.err = l.await(k, r, boardwatch.JobOpen); l.err != nil {
			return
		}
	}
	for {
		role, status := l.change()
		l.show()
		if l.err = l.await(k, role, status); l.err != nil {
			return
		}
		select {
		case <-k.stop:
			return
		case <-time.After(rand.N(200 * time.Millisecond)):
		}
	}
}

// change makes one change and returns how the role has to be saved.
func (l *ledger) change() (demo.Role, boardwatch.JobStatus) {
	at := rand.IntN(len(l.roles))
	switch what := rand.IntN(4); {
	case what == 0 && len(l.roles) > 7:
		r := l.roles[at]
		l.roles = slices.Delete(l.roles, at, at+1)
		l.gone = append(l.gone, r)
		l.archives[l.address(r)]++
		return r, boardwatch.JobClosed
	case what == 1 && len(l.gone) > 0:
		r := l.gone[0]
		l.gone = l.gone[1:]
		l.roles = append(l.roles, r)
		l.founds[l.address(r)]++
		return r, boardwatch.JobOpen
	case what == 2:
		l.roles[at].Title = fmt.Sprintf("Lamp Engineer %d, edition %d", l.roles[at].ID, rand.IntN(1_000_000))
		l.edits++
		return l.roles[at], boardwatch.JobOpen
	default:
		return l.add(), boardwatch.JobOpen
	}
}

// await waits until the role is saved as it is.
func (l *ledger) await(k *killed, r demo.Role, status boardwatch.JobStatus) error {
	deadline := time.After(5 * time.Minute)
	for {
		if j, ok := k.job(l.address(r)); ok && j.Status == status && j.Title == r.Title {
			return nil
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-deadline:
			return fmt.Errorf("%s is not saved as %s %q", l.address(r), status, r.Title)
		}
	}
}

// compare holds what is saved against the ledgers.
func (k *killed) compare(t *testing.T) {
	t.Helper()
	events := k.events(t)
	var changes int
	saved, err := k.store.Jobs(t.Context(), k.account, track.JobFilter{Limit: 100_000})
	require.NoError(t, err)
	byAddress := make(map[string]boardwatch.Job)
	for _, j := range saved.Jobs {
		require.NotContains(t, byAddress, j.URL, "one role is two jobs")
		byAddress[j.URL] = j
	}
	for _, l := range k.sites {
		for _, r := range l.roles {
			require.Equal(t, boardwatch.JobOpen, byAddress[l.address(r)].Status)
			require.Equal(t, r.Title, byAddress[l.address(r)].Title)
		}
		for _, r := range l.gone {
			require.Equal(t, boardwatch.JobClosed, byAddress[l.address(r)].Status)
		}
		founds, archives := 0, 0
		for address, n := range l.founds {
			founds += n
			require.Equal(t, n, events[announcement{k.both.ID, boardwatch.EventJobFound, address}], "%s found", address)
			require.Equal(t, n, events[announcement{k.found.ID, boardwatch.EventJobFound, address}], "%s found", address)
		}
		for address := range l.founds {
			archives += l.archives[address]
			require.Equal(t, l.archives[address], events[announcement{k.both.ID, boardwatch.EventJobArchived, address}], "%s archived", address)
			require.Zero(t, events[announcement{k.found.ID, boardwatch.EventJobArchived, address}], "%s archived", address)
		}
		history, err := k.store.History(t.Context(), l.board, 100_000)
		require.NoError(t, err)
		var sum boardwatch.Check
		for _, c := range history {
			sum.Found, sum.Closed, sum.Updated = sum.Found+c.Found, sum.Closed+c.Closed, sum.Updated+c.Updated
		}
		require.Equal(t, []int{founds, archives, l.edits}, []int{sum.Found, sum.Closed, sum.Updated}, "history of %s", l.board)
		require.Len(t, l.founds, len(l.roles)+len(l.gone))
		changes += founds + archives + l.edits
	}
	require.Len(t, byAddress, k.roles())
	t.Logf("%d kills, %d changes on %d boards", kills, changes, killBoards)
}

func (k *killed) roles() (n int) {
	for _, l := range k.sites {
		n += len(l.founds)
	}
	return n
}

// announcement is a role in an event to a webhook.
type announcement struct {
	webhook string
	event   boardwatch.EventType
	address string
}

// events counts what the webhooks are owed.
func (k *killed) events(t *testing.T) map[announcement]int {
	t.Helper()
	ids, err := k.store.FindDeliveries(t.Context(), boardwatch.DeliveryFilter{})
	require.NoError(t, err)
	counts := make(map[announcement]int)
	for _, id := range ids {
		d, w, err := k.store.StoredDelivery(t.Context(), id)
		require.NoError(t, err)
		var event struct {
			Type boardwatch.EventType `json:"type"`
			Jobs []struct {
				URL string `json:"url"`
			} `json:"jobs"`
		}
		require.NoError(t, json.Unmarshal(d.Body, &event))
		for _, j := range event.Jobs {
			counts[announcement{w.ID, event.Type, j.URL}]++
		}
	}
	return counts
}
