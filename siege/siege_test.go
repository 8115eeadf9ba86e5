//go:build siege

// Package siege attacks the built program with a few hostile accounts and strangers while many honest accounts use it,
// and judges the effect on the honest ones: whether their boards are read on time, how fast REST answers, and how much
// of the machine the service uses.
//
// It runs with "make siege" and reaches nothing but the loopback addresses.
package siege_test

import (
	"context"
	"flag"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/postgres"
	"github.com/boardwatch/boardwatch/storage/sqlite"
	"github.com/boardwatch/boardwatch/storage/storagetest"
	"github.com/boardwatch/boardwatch/transport/oidc/oidctest"
)

var (
	minutesFlag = flag.Float64("minutes", 10, "how many minutes each database takes")
	binaryFlag  = flag.String("binary", "", "the program, if it is already built")
)

const (
	honestAccounts  = 200
	boardsOfEach    = 3
	honestPeople    = 10 // those of them who also use the app and an agent
	hostileAccounts = 20
	cadence         = 15 * time.Second
	password        = "a sentence that nobody would guess"
)

// The bounds that a run is judged by.
const (
	mostLate     = 0.01                   // of the gaps between two checks of a board, those of more than two cadences
	mostSlower   = 3                      // times the 99th percentile of REST in the quiet phase
	quickAnyway  = 150 * time.Millisecond // below this, any answer is fast enough
	mostMemory   = 700 << 20
	mostGrowth   = 64 << 20 // of the database, by the hostile ones
	quietOfWhole = 0.3
)

func TestSQLite(t *testing.T) { //nolint:paralleltest // it needs the whole machine
	file := t.TempDir() + "/siege.db"
	store, err := sqlite.Open(t.Context(), file, storage.Options{})
	require.NoError(t, err)
	siege(t, store, "sqlite:"+file, func() int64 { return fileSize(file) + fileSize(file+"-wal") })
}

func TestPostgreSQL(t *testing.T) { //nolint:paralleltest // it needs the whole machine
	url := storagetest.PostgresURL(t)
	store, err := postgres.Open(t.Context(), url, storage.Options{})
	require.NoError(t, err)
	siege(t, store, url, func() int64 { return databaseSize(t, url) })
}

// siege runs a quiet phase, in which only honest accounts are active, and then the siege.
func siege(t *testing.T, store *storage.Store, database string, size func() int64) {
	t.Helper()
	length := time.Duration(*minutesFlag * float64(time.Minute))
	web := newSites(t)
	honest, hostile, repeats, victim := settle(t, store, web)
	require.NoError(t, store.Close())
	at := oidctest.New(t)
	service := serve(t, database, at)
	repeats.settle(t, service)

	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var everybody sync.WaitGroup
	for i, a := range honest {
		everybody.Go(func() { a.work(ctx, service, i < honestPeople) })
	}
	everybody.Go(func() { repeats.test(ctx, service) })
	web.awaitAll(t, honestAccounts*boardsOfEach)
	quiet := &phase{}
	everyone(honest, func(p *person) { p.phase.Store(quiet) })
	quiet.watch(ctx, service, web, time.Duration(float64(length)*quietOfWhole), func() {})
	quiet.size = size()

	hard := &phase{}
	everyone(honest, func(p *person) { p.phase.Store(hard) })
	var greedy *siegers
	var waiting *ceremony
	rest := time.Duration(float64(length) * (1 - quietOfWhole))
	patient := min(rest, account.CeremonyPasskey.Life()-time.Minute)
	hard.watch(ctx, service, web, patient, func() {
		greedy = unleash(t, orders{Service: service.url, Victim: web.board(0, 0), Greedy: hostile})
		pause(ctx, rest-patient)
		waiting = leave(ctx, t, service, at, honest[0].account.Email)
	})
	hard.size = size()
	waiting.arrive(t, service)
	done := greedy.end()
	stop()
	everybody.Wait()
	repeats.ask(t, service)
	service.end()
	kept := dump(t, database)
	repeats.judge(t, service.logged(t), kept)
	judgeRoles(t, done, repeats, victim, kept)

	quiet.report(t, "quiet")
	hard.report(t, "siege")
	for _, d := range done.Met {
		t.Logf("hostile %-22s %v", d.Kind, d.Answers)
	}
	t.Logf("hostile: %.0f requests a second, %d answers that dripped, %d bombs, %d pages of many frames or links", float64(done.requests())/hard.length.Seconds(), done.Dripped, done.Bombs, done.Toils)
	t.Logf("honest boards: %d checks", web.read.Load())
	judge(t, quiet, hard)
}

// judge requires what every honest account was promised.
func judge(t *testing.T, quiet, hard *phase) {
	t.Helper()
	require.NotEmpty(t, hard.gaps, "no board was read")
	require.LessOrEqual(t, late(hard.gaps), mostLate, "honest boards were read late")
	require.LessOrEqual(t, hard.slow(), max(mostSlower*quiet.slow(), quickAnyway), "REST became slow")
	require.LessOrEqual(t, hard.memory, int64(mostMemory), "the service took too much memory")
	require.LessOrEqual(t, hard.size-quiet.size, int64(mostGrowth), "the database grew too much")
	require.Zero(t, hard.failures.Load(), "honest requests failed")
}

// settle creates the accounts, with keys, and adds the boards of the honest ones. The account whose receiver repeats secrets
// tracks the boards of the first one. The victim is the first of these boards.
func settle(t *testing.T, store *storage.Store, web *sites) (honest []*person, hostile []recruit, repeats *echo, victim string) {
	t.Helper()
	plans := account.Options{Plans: account.DefaultPlans()}
	free := plans.Plans[account.PlanFree]
	free.REST = true
	plans.Plans[account.PlanFree] = free
	hash, err := account.NewHasher().Hash(t.Context(), password)
	require.NoError(t, err)
	keys := account.NewKeys(store, plans)
	add := func(name string, plan account.PlanName) (account.Account, string) {
		a := account.Account{
			ID: boardwatch.NewID(), Email: name + "@northwind.example", Plan: plan, Verified: true, PasswordHash: hash,
			CreatedAt: boardwatch.Milli(time.Now()),
		}
		require.NoError(t, store.CreateAccount(t.Context(), a))
		_, secret, err := keys.Create(t.Context(), a, "siege")
		require.NoError(t, err)
		return a, secret
	}
	track := func(a account.Account, address string) string {
		b, _, err := store.Subscribe(t.Context(), boardwatch.Subscription{AccountID: a.ID}, boardwatch.Board{
			Source: boardwatch.PageSystem + ":" + address, URL: address,
		}, address)
		require.NoError(t, err)
		return b.ID
	}
	for i := range honestAccounts {
		a, key := add("honest"+number(i), account.PlanUltra)
		for n := range boardsOfEach {
			track(a, web.board(i, n))
		}
		honest = append(honest, newPerson(a, key, i))
	}
	for i := range hostileAccounts {
		plan := account.PlanUltra
		if kindOf(i).free {
			plan = account.PlanFree
		}
		a, key := add("hostile"+number(i), plan)
		hostile = append(hostile, recruit{a.Email, key, honestAccounts + i})
	}
	a, key := add("echo", account.PlanUltra)
	victim = track(a, web.board(0, 0))
	for n := 1; n < boardsOfEach; n++ {
		track(a, web.board(0, n))
	}
	return honest, hostile, newEcho(t, newPerson(a, key, honestAccounts+hostileAccounts)), victim
}
