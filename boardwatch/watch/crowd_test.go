package watch_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/watch"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// answers is how long hosts take to answer. With the usual pause after it, a host gets a request every 1.2 s.
const answers = 200 * time.Millisecond

// shelf is a store that only knows when boards are due, with the test's own clock.
type shelf struct {
	boardwatch.CheckStore // nil: an unexpected call breaks the test

	mu     sync.Mutex
	boards []*shelved
	claims int
	down   bool
}

// shelved is a board on a shelf. Its id is the host that it is read from.
type shelved struct {
	board   boardwatch.Board
	host    string
	due     time.Time
	cadence time.Duration
	leased  bool
	reads   int
	lag     time.Duration // the longest delay of its readings
}

// put adds boards of a system, overdue by that much, the first one longest.
func (s *shelf) put(n int, system string, overdue, cadence time.Duration, host func(i int) string) {
	for i := range n {
		b := settled(len(s.boards))
		b.Source = fmt.Sprintf("%s:company%d", system, i)
		s.boards = append(s.boards, &shelved{
			board: b, host: host(i), due: time.Now().Add(time.Duration(i)*time.Millisecond - overdue), cadence: cadence,
		})
	}
}

func (s *shelf) find(id string) *shelved {
	return s.boards[slices.IndexFunc(s.boards, func(b *shelved) bool { return b.board.ID == id })]
}

// forget restarts the measurement of lags.
func (s *shelf) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, b := range s.boards {
		b.lag = 0
	}
}

// state returns how often boards were claimed, and how many are claimed now.
func (s *shelf) state() (claims, leased int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, b := range s.boards {
		if b.leased {
			leased++
		}
	}
	return s.claims, leased
}

func (s *shelf) breakDown(down bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.down = down
}

// of returns the boards of a system.
func (s *shelf) of(system string) (boards []*shelved) {
	for _, b := range s.boards {
		if b.board.System() == system {
			boards = append(boards, b)
		}
	}
	return boards
}

func (s *shelf) ClaimDue(
	_ context.Context, n int, _ time.Duration, f boardwatch.ClaimFilter,
) (claims []boardwatch.Claim, err error) {
	if f.Kind == boardwatch.ClaimDemanded {
		return nil, nil // the shelf's boards are due by schedule
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.claims++
	if s.down {
		return nil, errors.New("database is away")
	}
	var due []*shelved
	for _, b := range s.boards {
		if !b.leased && !b.due.After(time.Now()) && f.Admits(b.board.System()) {
			due = append(due, b)
		}
	}
	slices.SortFunc(due, func(a, b *shelved) int { return a.due.Compare(b.due) })
	for _, b := range due[:min(n, len(due))] {
		b.leased = true
		claims = append(claims, boardwatch.Claim{Board: b.board, At: time.Now(), Token: "1"})
	}
	return claims, nil
}

func (s *shelf) NextDue(context.Context) (next time.Time, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, b := range s.boards {
		if !b.leased && (next.IsZero() || b.due.Before(next)) {
			next = b.due
		}
	}
	return next, nil
}

func (s *shelf) Release(_ context.Context, c boardwatch.Claim) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.find(c.Board.ID).leased = false
	return nil
}

func (s *shelf) SaveUnchanged(_ context.Context, c boardwatch.Claim, _ string, _ time.Time, saved func(error)) {
	defer saved(nil)
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.find(c.Board.ID)
	b.reads++
	b.lag = max(b.lag, time.Since(b.due))
	b.due, b.leased = time.Now().Add(b.cadence), false
}

func (s *shelf) RenewClaims(context.Context, []boardwatch.Claim, time.Duration) ([]boardwatch.Claim, error) {
	return nil, nil
}

func (s *shelf) FleetReadings(context.Context, time.Time) ([]boardwatch.FleetReading, error) {
	return nil, nil
}

// internet answers requests, and records when each host was asked.
type internet struct {
	mu    sync.Mutex
	asked map[string][]time.Time
	slow  map[string]time.Duration
}

func (n *internet) RoundTrip(r *http.Request) (*http.Response, error) {
	host := r.URL.Hostname()
	n.mu.Lock()
	if n.asked == nil {
		n.asked = make(map[string][]time.Time)
	}
	n.asked[host] = append(n.asked[host], time.Now())
	takes := cmp.Or(n.slow[host], answers)
	n.mu.Unlock()
	select {
	case <-time.After(takes):
		return &http.Response{StatusCode: http.StatusOK, Proto: "HTTP/1.1", Header: http.Header{}, Body: http.NoBody}, nil
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
}

// count returns the number of requests to a host since the last reset.
func (n *internet) count(host string) int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return len(n.asked[host])
}

func (n *internet) reset() {
	n.mu.Lock()
	defer n.mu.Unlock()
	clear(n.asked)
}

// reader sends that many requests to the board's host through a real client.
func (s *shelf) reader(n *internet, requests int) source {
	client := outbound.New(outbound.Options{Transport: n})
	return source{read: func(ctx context.Context, b boardwatch.Board) (boardwatch.Reading, error) {
		for range requests {
			if _, err := client.Session().Get(ctx, "https://"+s.find(b.ID).host+"/", nil); err != nil {
				return boardwatch.Reading{}, err
			}
		}
		return sameAsBefore(ctx, b)
	}}
}

func oneHost(name string) func(int) string { return func(int) string { return name } }

func hostEach(name string) func(int) string {
	return func(i int) string { return fmt.Sprintf("%s%d.example", name, i) }
}

// most is the longest lag of the boards, and least the number of readings of the least-read one.
func lagAndReads(boards []*shelved) (most time.Duration, least int) {
	least = boards[0].reads
	for _, b := range boards {
		most, least = max(most, b.lag), min(least, b.reads)
	}
	return most, least
}

func TestABusyHostMakesNoOtherBoardsLate(t *testing.T) {
	t.Parallel()
	for _, requests := range []int{1, 10} {
		t.Run(fmt.Sprintf("%d requests for a board", requests), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var s shelf
				var n internet
				s.put(1000, "greenhouse", time.Hour, time.Hour, oneHost("busy.example"))
				s.put(25, "workday", 0, 5*time.Second, hostEach("w"))
				s.put(25, boardwatch.PageSystem, 0, 5*time.Second, hostEach("p"))
				w := watch.New(&s, s.reader(&n, requests), watch.Options{Concurrency: 64})
				stop := run(t, w)
				<-time.After(2 * time.Minute)
				crowded := w.Crowded()
				stop()
				require.Equal(t, []string{"greenhouse"}, crowded)
				for _, system := range []string{"workday", boardwatch.PageSystem} {
					lag, reads := lagAndReads(s.of(system))
					took := time.Duration(requests)*answers + time.Duration(requests-1)*outbound.DefaultPause
					require.Less(t, lag, 3*time.Second+took)
					require.GreaterOrEqual(t, reads, int(2*time.Minute/(7*time.Second+took)))
				}
				require.InDelta(t, 100, n.count("busy.example"), 3, "every 1.2 s, as often as it may be")
				read, early := 0, 0
				for i, b := range s.of("greenhouse") {
					read += b.reads
					if b.reads > 0 && i > 100/requests+3 {
						early++
					}
				}
				require.InDelta(t, 100/requests, read, 4)
				require.LessOrEqual(t, early, 1, "the longest overdue first, but for the one that came first before it was known")
			})
		})
	}
}

func TestACrowdedSystemHasFewLooksUnderWay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var s shelf
		var n internet
		s.put(1000, "greenhouse", time.Hour, time.Hour, oneHost("busy.example"))
		var mu sync.Mutex
		var looks int
		var reports []watch.CheckReport
		reader := s.reader(&n, 1)
		w := watch.New(&s, source{read: func(ctx context.Context, b boardwatch.Board) (boardwatch.Reading, error) {
			mu.Lock()
			looks++
			mu.Unlock()
			defer func() {
				mu.Lock()
				defer mu.Unlock()
				looks--
			}()
			return reader.read(ctx, b)
		}}, watch.Options{Concurrency: 16, Observe: func(r watch.CheckReport) {
			mu.Lock()
			defer mu.Unlock()
			reports = append(reports, r)
		}})
		stop := run(t, w)
		underWay := func() int {
			synctest.Wait() // a check that ends at this instant has its successor
			mu.Lock()
			defer mu.Unlock()
			return looks
		}
		<-time.After(50 * time.Millisecond)
		require.Equal(t, 16, underWay(), "nothing is known of the host yet")
		<-time.After(450 * time.Millisecond)
		for range 1000 {
			require.GreaterOrEqual(t, underWay(), 2, "somebody stands ready")
			require.LessOrEqual(t, underWay(), 3)
			<-time.After(97 * time.Millisecond)
		}
		claims, leased := s.state()
		require.LessOrEqual(t, leased, 3, "what was too much is given back")
		require.Less(t, claims, 600, "four rounds a second, and one for each board that was read")
		stop()
		_, leased = s.state()
		require.Zero(t, leased)
		require.InDelta(t, 97/1.2, len(reports), 5)
		for _, r := range reports[:len(reports)-3] {
			require.NoError(t, r.Err, "what is put off is no check")
		}
	})
}

func TestASystemThatWasCrowdedIsWatchedLikeOthersAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var s shelf
		var n internet
		s.put(20, "greenhouse", time.Hour, time.Hour, oneHost("busy.example"))
		w := watch.New(&s, s.reader(&n, 1), watch.Options{})
		stop := run(t, w)
		<-time.After(10 * time.Second)
		require.Equal(t, []string{"greenhouse"}, w.Crowded())
		<-time.After(20 * time.Second)
		require.Empty(t, w.Crowded())
		require.Equal(t, 20, n.count("busy.example"), "each was asked for once")
		stop()
		_, reads := lagAndReads(s.boards)
		require.Equal(t, 1, reads)
	})
}

func TestASystemWithAHostForEachCustomerIsNotCrowdedByOneOfThem(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		boards  int // on the slow host
		crowded bool
		lag     time.Duration // of the others
	}{
		{"which is slow", 1, false, 500 * time.Millisecond},
		{"which is slow and has several boards", 7, true, 6 * time.Second},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var s shelf
				n := internet{slow: map[string]time.Duration{"slow.example": 20 * time.Second}}
				s.put(tt.boards, "workday", 2*time.Hour, time.Minute, oneHost("slow.example"))
				s.put(50, "workday", 0, 10*time.Second, hostEach("w"))
				w := watch.New(&s, s.reader(&n, 1), watch.Options{Concurrency: 16})
				stop := run(t, w)
				<-time.After(5 * time.Second)
				s.forget() // all of them were due at the start
				var crowded bool
				for range 120 {
					<-time.After(time.Second)
					crowded = crowded || len(w.Crowded()) > 0
				}
				stop()
				require.Equal(t, tt.crowded, crowded)
				lag, reads := lagAndReads(s.boards[tt.boards:])
				require.Less(t, lag, answers+tt.lag)
				require.GreaterOrEqual(t, reads, 7)
			})
		})
	}
}

func TestPagesOnOneHostAreNoCrowd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var s shelf
		var n internet
		s.put(40, boardwatch.PageSystem, time.Hour, time.Hour, oneHost("city.example"))
		s.put(200, boardwatch.PageSystem, time.Minute, time.Hour, hostEach("p"))
		w := watch.New(&s, s.reader(&n, 1), watch.Options{})
		stop := run(t, w)
		<-time.After(5 * time.Second)
		require.Empty(t, w.Crowded())
		stop()
		for _, b := range s.boards[40:] {
			require.Positive(t, b.reads, b.host)
		}
	})
}

func TestManyCrowdedSystemsShareHalfOfThePlaces(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var s shelf
		var n internet
		for i := range 20 {
			name := fmt.Sprintf("system%d", i)
			s.put(100, name, time.Duration(20-i)*time.Hour, time.Hour, oneHost(name+".example"))
		}
		s.put(20, "workday", 0, 5*time.Second, hostEach("w"))
		w := watch.New(&s, s.reader(&n, 1), watch.Options{Concurrency: 16})
		stop := run(t, w)
		<-time.After(time.Minute) // every system is recognised in turn
		for i := range 20 {
			require.Positive(t, n.count(fmt.Sprintf("system%d.example", i)))
		}
		s.forget()
		n.reset()
		<-time.After(30 * time.Second)
		stop()
		lag, _ := lagAndReads(s.of("workday"))
		require.Less(t, lag, 2*time.Second)
		for i := range 20 {
			require.Greater(t, n.count(fmt.Sprintf("system%d.example", i)), 20, "of 25 that are possible")
		}
	})
}

func TestACrowdOutlivesAStoreThatDoesNotAnswer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var s shelf
		var n internet
		s.put(1000, "greenhouse", time.Hour, time.Hour, oneHost("busy.example"))
		stop := run(t, watch.New(&s, s.reader(&n, 1), watch.Options{}))
		<-time.After(5 * time.Second)
		s.breakDown(true)
		before, _ := s.state()
		<-time.After(20 * time.Second)
		claims, _ := s.state()
		require.Less(t, claims-before, 30)
		s.breakDown(false)
		asked := n.count("busy.example")
		<-time.After(12 * time.Second)
		require.InDelta(t, 10, n.count("busy.example")-asked, 2)
		stop()
	})
}
