//go:build siege

package siege_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch/account"
)

var hostileFlag = flag.Bool("hostile", false, "run as the hostile process, with orders on standard input; the siege starts this itself")

// TestMain runs either the siege or its hostile process.
func TestMain(m *testing.M) {
	flag.Parse()
	if !*hostileFlag {
		os.Exit(m.Run())
	}
	if err := besiege(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "hostile:", err)
		os.Exit(1)
	}
}

// orders are the instructions for the hostile process.
type orders struct {
	Service, Victim string
	Greedy          []recruit
}

// recruit is a hostile account.
type recruit struct {
	Email, Key string
	Number     int
}

// report says what the hostile process has done.
type report struct {
	Met            []deed
	Dripped, Bombs int64
	Toils          int64
	Floods         int64
	Lured          int
}

// deed is the answers that one hostile account got.
type deed struct {
	Kind    string
	Answers answers
}

// requests returns the number of answered requests.
func (r report) requests() (n int) {
	for _, d := range r.Met {
		for _, times := range d.Answers {
			n += times
		}
	}
	return n
}

// besiege is the main function of the hostile process: it begins when it has its orders, and ends with its standard
// input.
func besiege(in io.Reader, out io.Writer) error {
	var o orders
	told := json.NewDecoder(in)
	if err := told.Decode(&o); err != nil {
		return fmt.Errorf("read orders: %w", err)
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	web, err := newTraps()
	if err != nil {
		return fmt.Errorf("pack bomb: %w", err)
	}
	port, closeTraps, err := host(ctx, web)
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	defer closeTraps()
	web.port, web.victim = port, o.Victim
	var all sync.WaitGroup
	greedy := make([]*attacker, len(o.Greedy))
	for i, r := range o.Greedy {
		greedy[i] = &attacker{person: newPerson(account.Account{Email: r.Email}, r.Key, r.Number)}
		all.Go(func() { greedy[i].attack(ctx, &service{url: o.Service}, web, i) })
	}
	_, err = io.Copy(io.Discard, in)
	stop()
	all.Wait()
	if err != nil {
		return fmt.Errorf("wait for the end: %w", err)
	}
	r := report{Dripped: web.dripped.Load(), Bombs: web.bombs.Load(), Toils: web.toils.Load(), Floods: web.floods.Load(), Lured: web.lured}
	for _, a := range greedy {
		r.Met = append(r.Met, deed{a.kind, a.met})
	}
	return json.NewEncoder(out).Encode(r)
}

// hostileNiceness lowers the priority of the hostile process. Real attackers have their own machines; here they share
// the processors of the service and of the honest clients, whose response times are measured.
const hostileNiceness = "10"

// siegers controls the hostile process.
type siegers struct {
	t   *testing.T
	cmd *exec.Cmd
	in  io.WriteCloser
	out io.ReadCloser
}

// unleash starts the hostile process.
func unleash(t *testing.T, o orders) *siegers {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	s := &siegers{t: t, cmd: exec.Command("nice", "-n", hostileNiceness, self, "-hostile")}
	s.cmd.Stderr = os.Stderr
	s.in, err = s.cmd.StdinPipe()
	require.NoError(t, err)
	s.out, err = s.cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, s.cmd.Start())
	t.Cleanup(func() { _ = s.cmd.Process.Kill() }) // if it is not gone yet
	require.NoError(t, json.NewEncoder(s.in).Encode(o))
	return s
}

// end stops the attacks and returns what they have done.
func (s *siegers) end() (r report) {
	s.t.Helper()
	require.NoError(s.t, s.in.Close())
	require.NoError(s.t, json.NewDecoder(s.out).Decode(&r))
	require.NoError(s.t, s.cmd.Wait())
	return r
}
