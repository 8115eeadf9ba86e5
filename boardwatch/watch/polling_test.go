//go:build long

package watch_test

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/boardwatch/watch"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/postgres"
	"github.com/boardwatch/boardwatch/storage/sqlite"
	"github.com/boardwatch/boardwatch/storage/storagetest"
)

// The polling promise: a program that passes the polledAt of one call as the addedAfter of the next sees every role,
// some of them twice, while checks commit all the time in several processes, and one commit stalls.

const (
	pollingBoards   = 200
	pollingGrowth   = 25 // new roles in each check
	pollingStall    = 10 * time.Second
	pollingDeadline = 10 * time.Minute
	stalledTitle    = "The role whose commit stalls"
)

// pollingParty is what one process contributes.
type pollingParty struct {
	Database string // address of the PostgreSQL database, or a file
	Account  string
	Writers  int
	Pollers  int
	Stall    bool // one commit of this process stalls while roles are being found
}

// pollingOutcome is what the pollers of one process saw.
type pollingOutcome struct {
	Roles   int // in the store at the end
	Missed  int // roles that some poller did not see
	Repeats int // how often a poller saw a role again
	Polls   int
	Latest  time.Duration // the longest time between a role's stamp and the moment it was seen
}

func TestPollingMissesNothingOnSQLite(t *testing.T) { //nolint:paralleltest // it needs the whole machine
	file := filepath.Join(t.TempDir(), "boardwatch.db")
	s, err := openParty(t.Context(), file)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	party := pollingParty{Database: file, Account: pollingWorld(t, s), Writers: 4, Pollers: 8, Stall: true}
	complete := make(chan struct{})
	var out pollingOutcome
	var joined sync.WaitGroup
	joined.Go(func() { out, err = party.join(t.Context(), s, complete) })
	awaitRoles(t, s, party.Account)
	close(complete)
	joined.Wait()
	require.NoError(t, err)
	judgePolling(t, out)
}

func TestPollingMissesNothingOnPostgreSQLInThreeProcesses(t *testing.T) { //nolint:paralleltest // it needs the whole machine
	database := storagetest.PostgresURL(t)
	s, err := openParty(t.Context(), database)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	account := pollingWorld(t, s)
	stallOneCommit(t, database)

	var processes []*pollingProcess
	for _, party := range []pollingParty{
		{Database: database, Account: account, Writers: 2, Pollers: 2},
		{Database: database, Account: account, Writers: 1, Pollers: 3},
		{Database: database, Account: account, Writers: 1, Pollers: 3},
	} {
		processes = append(processes, startParty(t, party))
	}
	awaitRoles(t, s, account)
	var all pollingOutcome
	for _, p := range processes {
		out := p.finish(t)
		all.Roles = out.Roles
		all.Missed += out.Missed
		all.Repeats += out.Repeats
		all.Polls += out.Polls
		all.Latest = max(all.Latest, out.Latest)
	}
	judgePolling(t, all)
}

func judgePolling(t *testing.T, out pollingOutcome) {
	t.Helper()
	t.Logf("%d roles, %d polls, %d repeats, latest sight after %s", out.Roles, out.Polls, out.Repeats, out.Latest)
	require.Equal(t, pollingBoards*pollingRoles, out.Roles)
	require.Zero(t, out.Missed)
	require.GreaterOrEqual(t, out.Latest, pollingStall-time.Second, "no commit has stalled")
}

// pollingWorld is an account with boards that grow.
func pollingWorld(t *testing.T, s *storage.Store) (owner string) {
	t.Helper()
	a := account.Account{
		ID: boardwatch.NewID(), Email: "robin@northwind.example", Plan: account.PlanUltra, CreatedAt: time.Now(),
	}
	require.NoError(t, s.CreateAccount(t.Context(), a))
	for n := range pollingBoards {
		name := fmt.Sprintf("northwind-%d", n)
		_, _, err := s.Subscribe(t.Context(), boardwatch.Subscription{AccountID: a.ID}, boardwatch.Board{
			Source: "greenhouse:" + name, URL: "https://boards.greenhouse.io/" + name, Status: boardwatch.BoardScraping,
		}, name)
		require.NoError(t, err)
	}
	return a.ID
}

// openParty opens the database on which boards are due again at once.
func openParty(ctx context.Context, database string) (*storage.Store, error) {
	o := storage.Options{Plans: account.Plans{
		account.PlanUltra: {Boards: pollingBoards, Cadence: 10 * time.Millisecond},
	}}
	if strings.HasPrefix(database, "postgres") {
		return postgres.Open(ctx, database, o)
	}
	return sqlite.Open(ctx, database, o)
}

// awaitRoles returns when the store has all roles.
func awaitRoles(t *testing.T, s *storage.Store, account string) {
	t.Helper()
	require.Eventually(t, func() bool {
		page, err := s.Jobs(t.Context(), account, track.JobFilter{Limit: 1})
		return err == nil && page.Total == pollingBoards*pollingRoles
	}, pollingDeadline, 200*time.Millisecond)
}

// growing reads every board with its roles and some new ones.
func growing(_ context.Context, b boardwatch.Board) (boardwatch.Reading, error) {
	r := boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: -1}
	for n := range min(b.OpenJobs+pollingGrowth, pollingRoles) {
		p := boardwatch.Posting{Key: strconv.Itoa(n), Title: fmt.Sprintf("Keeper of lamp %d", n)}
		if n == pollingRoles/2 && b.Source == "greenhouse:northwind-100" {
			p.Title = stalledTitle
		}
		r.Postings = append(r.Postings, p)
	}
	return r, nil
}

// join checks boards and polls until the roles are complete, and then says what the pollers saw.
func (p pollingParty) join(ctx context.Context, s *storage.Store, complete <-chan struct{}) (pollingOutcome, error) {
	writing, stop := context.WithCancel(ctx)
	defer stop()
	var working sync.WaitGroup
	working.Go(func() {
		_ = watch.New(s, source{read: growing}, watch.Options{Concurrency: p.Writers, NewID: p.newID()}).Run(writing)
	})
	pollers := make([]*poller, p.Pollers)
	errs := make(chan error, p.Pollers)
	for i := range pollers {
		pollers[i] = &poller{store: s, account: p.Account, seen: make(map[string]bool)}
		working.Go(func() { errs <- pollers[i].run(ctx, complete) })
	}
	for range pollers {
		if err := <-errs; err != nil {
			return pollingOutcome{}, err
		}
	}
	stop()
	working.Wait()
	return judge(ctx, s, p.Account, pollers)
}

// newID creates ids. In a party that stalls, it stalls once, in the middle of a write transaction that already has its
// stamp.
func (p pollingParty) newID() func() string {
	var made atomic.Int64
	return func() string {
		if made.Add(1) == pollingBoards*pollingRoles/2 && p.Stall {
			<-time.After(pollingStall)
		}
		return boardwatch.NewID()
	}
}

func judge(ctx context.Context, s *storage.Store, account string, pollers []*poller) (pollingOutcome, error) {
	page, err := s.Jobs(ctx, account, track.JobFilter{Limit: 2 * pollingBoards * pollingRoles})
	if err != nil {
		return pollingOutcome{}, err
	}
	out := pollingOutcome{Roles: len(page.Jobs)}
	for _, p := range pollers {
		out.Polls += p.polls
		out.Repeats += p.repeats
		out.Latest = max(out.Latest, p.latest)
		for _, j := range page.Jobs {
			if !p.seen[j.ID] {
				out.Missed++
			}
		}
	}
	return out, nil
}

// poller asks for new roles again and again, as a customer's program does.
type poller struct {
	store   *storage.Store
	account string

	seen    map[string]bool
	polls   int
	repeats int
	latest  time.Duration
}

func (p *poller) run(ctx context.Context, complete <-chan struct{}) error {
	var after time.Time
	for last := false; ; {
		polledAt, err := p.poll(ctx, after)
		if err != nil || last {
			return err
		}
		after = polledAt
		select {
		case <-complete:
			last = true
		case <-time.After(250 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// poll reads all pages of new roles and returns the polledAt of the first.
func (p *poller) poll(ctx context.Context, after time.Time) (polledAt time.Time, err error) {
	const limit = 1000
	p.polls++
	f := track.JobFilter{AddedAfter: after, Limit: limit}
	for {
		page, err := p.store.Jobs(ctx, p.account, f)
		if err != nil {
			return time.Time{}, err
		}
		if f.Skip == 0 {
			polledAt = page.PolledAt
		}
		for _, j := range page.Jobs {
			p.see(j)
		}
		if len(page.Jobs) < limit {
			return polledAt, nil
		}
		f.Skip += limit
	}
}

func (p *poller) see(j boardwatch.Job) {
	if p.seen[j.ID] {
		p.repeats++
		return
	}
	p.seen[j.ID] = true
	p.latest = max(p.latest, time.Since(j.FirstSeenAt))
}

// stallOneCommit makes the commit that adds the role with the title take its time, after everything else of its
// transaction is done.
func stallOneCommit(t *testing.T, database string) {
	t.Helper()
	db, err := pgx.Connect(t.Context(), database)
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close(t.Context())) }()
	_, err = db.Exec(t.Context(), fmt.Sprintf(`
		CREATE FUNCTION stall() RETURNS trigger LANGUAGE plpgsql AS
			'BEGIN PERFORM pg_sleep(%d); RETURN NULL; END';
		CREATE CONSTRAINT TRIGGER stall AFTER INSERT ON jobs DEFERRABLE INITIALLY DEFERRED
			FOR EACH ROW WHEN (NEW.title = '%s') EXECUTE FUNCTION stall();`,
		int(pollingStall.Seconds()), stalledTitle))
	require.NoError(t, err)
}

// pollingArgs are the arguments that make the test binary one process of the race.
var pollingArgs = flag.String("polling-party", "", "take part in the polling race, as this JSON says")

// TestPollingParty is a process of the race. It runs until its standard input ends.
func TestPollingParty(t *testing.T) {
	t.Parallel()
	if *pollingArgs == "" {
		t.Skip("the polling race runs this in processes of their own")
	}
	var party pollingParty
	require.NoError(t, json.Unmarshal([]byte(*pollingArgs), &party))
	s, err := openParty(t.Context(), party.Database)
	require.NoError(t, err)
	complete := make(chan struct{})
	go func() {
		defer close(complete)
		_, _ = io.Copy(io.Discard, os.Stdin)
	}()
	out, err := party.join(t.Context(), s, complete)
	require.NoError(t, err)
	require.NoError(t, s.Close())
	raw, err := json.Marshal(out)
	require.NoError(t, err)
	fmt.Printf("outcome %s\n", raw)
}

// pollingProcess is a party in a process of its own.
type pollingProcess struct {
	cmd    *exec.Cmd
	stdin  io.Closer
	stdout *bufio.Scanner
}

func startParty(t *testing.T, party pollingParty) *pollingProcess {
	t.Helper()
	args, err := json.Marshal(party)
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestPollingParty$", "-polling-party="+string(args))
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	require.NoError(t, err)
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	return &pollingProcess{cmd: cmd, stdin: stdin, stdout: bufio.NewScanner(stdout)}
}

func (p *pollingProcess) finish(t *testing.T) (out pollingOutcome) {
	t.Helper()
	require.NoError(t, p.stdin.Close())
	var lines []string
	for p.stdout.Scan() {
		if raw, ok := strings.CutPrefix(p.stdout.Text(), "outcome "); ok {
			require.NoError(t, json.Unmarshal([]byte(raw), &out))
		}
		lines = append(lines, p.stdout.Text())
	}
	require.NoError(t, p.cmd.Wait(), strings.Join(lines, "\n"))
	require.NotZero(t, out.Polls, strings.Join(lines, "\n"))
	return out
}
