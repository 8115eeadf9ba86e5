package pace_test

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch/pace"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func turnOf(process string, rhythm pace.Pace) pace.TurnRequest {
	return pace.TurnRequest{Host: "a.example:443", Process: process, Pace: rhythm, Longest: 30 * time.Second}
}

func endOf(process string, n int64, rhythm pace.Pace) pace.TurnEnd {
	return pace.TurnEnd{Host: "a.example:443", Process: process, Number: n, Pace: rhythm, Took: 100 * time.Millisecond}
}

func TestHostPaceGivesOutTurns(t *testing.T) {
	t.Parallel()
	pause, often := pace.Pace{Pause: time.Second}, pace.Pace{Every: 300 * time.Millisecond, AtOnce: 3}

	h, first := pace.Host{}.Ask(turnOf("a", pause), noon)
	require.Equal(t, pace.TurnAnswer{Number: 1}, first)
	h, none := h.Ask(turnOf("a", pause), noon)
	require.Equal(t, pace.TurnAnswer{Again: 500 * time.Millisecond}, none, "one at a time")
	h = h.End(endOf("a", 1, pause), noon.Add(200*time.Millisecond))
	_, second := h.Ask(turnOf("a", pause), noon.Add(200*time.Millisecond))
	require.Equal(t, pace.TurnAnswer{Number: 2, Wait: time.Second}, second, "a pause after the end")
	_, late := h.Ask(turnOf("a", pause), noon.Add(2*time.Second))
	require.Equal(t, pace.TurnAnswer{Number: 2}, late)

	h = pace.Host{}
	var got pace.TurnAnswer
	for i := range 3 {
		h, got = h.Ask(turnOf("a", often), noon)
		require.Equal(t, pace.TurnAnswer{Number: int64(i + 1), Wait: time.Duration(i) * often.Every}, got)
	}
	h, got = h.Ask(turnOf("a", often), noon)
	require.Zero(t, got.Number, "no more than three at once")
	h = h.End(pace.TurnEnd{Host: "a.example:443", Process: "a", Number: 2, Pace: often, Unused: true}, noon)
	_, got = h.Ask(turnOf("a", often), noon)
	require.Equal(t, pace.TurnAnswer{Number: 4, Wait: 3 * often.Every}, got)
	_, got = h.Ask(turnOf("a", often), noon.Add(31*time.Second))
	require.NotZero(t, got.Number, "turns of which nothing is heard any more end")

	h, got = pace.Host{}.Ask(turnOf("a", pause), noon)
	require.NotZero(t, got.Number)
	kept := endOf("a", got.Number, pause)
	kept.Kept = 30 * time.Second
	h = h.End(kept, noon.Add(20*time.Second))
	_, got = h.Ask(turnOf("a", pause), noon.Add(49*time.Second))
	require.Zero(t, got.Number, "a turn that goes on is not over")
	h, got = h.Ask(turnOf("a", pause), noon.Add(50*time.Second))
	require.NotZero(t, got.Number)
	_, got = h.End(kept, noon.Add(51*time.Second)).Ask(turnOf("b", pause), noon.Add(51*time.Second))
	require.Zero(t, got.Number, "that of another turn says nothing of this one")

	long := pace.Pace{Pause: 10 * time.Second}
	h = pace.Host{}.End(endOf("a", 9, long), noon)
	_, got = h.Ask(turnOf("a", long), noon)
	require.Equal(t, pace.TurnAnswer{Again: 9 * time.Second}, got, "turns are given out a second ahead at most")
	_, got = h.Ask(turnOf("a", long), noon.Add(9*time.Second))
	require.Equal(t, pace.TurnAnswer{Number: 1, Wait: time.Second}, got)
}

func TestHostPaceTakesProcessesInTurn(t *testing.T) {
	t.Parallel()
	rhythm := pace.Pace{Pause: 100 * time.Millisecond}
	h, got := pace.Host{}.Ask(turnOf("a", rhythm), noon)
	require.NotZero(t, got.Number)
	for _, p := range []string{"b", "c", "b"} {
		h, got = h.Ask(turnOf(p, rhythm), noon)
		require.Zero(t, got.Number)
	}
	h = h.End(endOf("a", 1, rhythm), noon)
	h, got = h.Ask(turnOf("a", rhythm), noon)
	require.Zero(t, got.Number, "b and c were here before")
	h, got = h.Ask(turnOf("c", rhythm), noon)
	require.Zero(t, got.Number)
	h, got = h.Ask(turnOf("b", rhythm), noon)
	require.NotZero(t, got.Number)
	h = h.End(endOf("b", got.Number, rhythm), noon)
	_, got = h.Ask(turnOf("a", rhythm), noon)
	require.Zero(t, got.Number, "c is next")
	_, got = h.Ask(turnOf("a", rhythm), noon.Add(3*time.Second))
	require.NotZero(t, got.Number, "c has not asked again")
}

func TestHostPaceFallsByHalfAndRecovers(t *testing.T) {
	t.Parallel()
	rhythm := pace.Pace{Every: time.Second, AtOnce: 4}
	refuse := func(h pace.Host, at time.Time, took time.Duration) pace.Host {
		e := endOf("a", 1, rhythm)
		e.Refused, e.Took = true, took
		return h.End(e, at)
	}
	h := pace.Host{}
	require.InDelta(t, 1, h.Left(noon), 0)
	h = refuse(h, noon, 0)
	require.InDelta(t, 0.5, h.Left(noon), 0)
	_, got := h.Ask(turnOf("a", rhythm), noon.Add(time.Second))
	require.Equal(t, time.Second, got.Wait, "two seconds after the refusal")
	h = refuse(h, noon.Add(time.Second), 2*time.Second)
	require.InDelta(t, 0.5, h.Left(noon), 0, "a request that was under way then is no further refusal")
	require.InDelta(t, 0.75, h.Left(noon.Add(5*time.Minute)), 0.001)
	require.InDelta(t, 1, h.Left(noon.Add(10*time.Minute)), 0)
	require.InDelta(t, 1, h.Left(noon.Add(time.Hour)), 0)
	require.Equal(t, noon.Add(10*time.Minute), h.IdleAt())
	at := noon.Add(2 * time.Second)
	for range 20 {
		at = at.Add(time.Second)
		h = refuse(h, at, 0)
	}
	require.InDelta(t, 1.0/64, h.Left(at), 0.002, "it never stops")
	require.InDelta(t, 1, h.Left(at.Add(20*time.Minute)), 0)
}

func TestHostPaceLeavesAHostAlone(t *testing.T) {
	t.Parallel()
	rhythm := pace.Pace{Pause: time.Second}
	e := endOf("a", 1, rhythm)
	e.RetryAfter = 48 * time.Hour
	h := pace.Host{}.End(e, noon)
	_, got := h.Ask(turnOf("b", rhythm), noon.Add(time.Hour))
	require.Equal(t, pace.TurnAnswer{Quiet: 23 * time.Hour}, got, "a day at most")
	e.RetryAfter = time.Minute
	_, got = h.End(e, noon).Ask(turnOf("b", rhythm), noon)
	require.Equal(t, 24*time.Hour, got.Quiet, "the longer wish counts")
	_, got = h.Ask(turnOf("b", rhythm), noon.Add(24*time.Hour))
	require.NotZero(t, got.Number)
}

func TestHostPaceWhenTheClockIsSetBack(t *testing.T) {
	t.Parallel()
	rhythm := pace.Pace{Pause: time.Second}
	h, _ := pace.Host{}.Ask(turnOf("a", rhythm), noon)
	h = h.End(endOf("a", 1, rhythm), noon)
	_, got := h.Ask(turnOf("a", rhythm), noon.Add(-time.Second))
	require.Equal(t, time.Second, got.Wait, "by a little: the clock stands still")
	_, got = h.Ask(turnOf("a", rhythm), noon.Add(-24*time.Hour))
	require.Equal(t, time.Second, got.Wait, "by a day: nobody waits for a day")
}

func TestSlowestOf(t *testing.T) {
	t.Parallel()
	refused, quiet := endOf("a", 1, pace.Pace{}), endOf("a", 1, pace.Pace{})
	refused.Refused, quiet.RetryAfter = true, time.Minute
	half := pace.Host{}.End(refused, noon)
	hosts := map[string]pace.Host{
		"c": half, "b": half, "quiet": pace.Host{}.End(quiet, noon),
		"well": pace.Host{}.End(endOf("a", 1, pace.Pace{}), noon),
	}
	all := pace.SlowestOf(hosts, 10, noon)
	require.Equal(t, []pace.SlowHost{
		{Host: "quiet", Part: 1, Quiet: time.Minute}, {Host: "b", Part: 0.5}, {Host: "c", Part: 0.5},
	}, all)
	require.Equal(t, all[:1], pace.SlowestOf(hosts, 1, noon))
	require.Empty(t, pace.SlowestOf(hosts, 10, noon.Add(time.Hour)))
}

// TestAnyProcessesKeepOnePace lets processes ask, answer, refuse and die at random.
func TestAnyProcessesKeepOnePace(t *testing.T) {
	t.Parallel()
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 1))
		steps := make([]byte, 1200)
		for i := range steps {
			steps[i] = byte(random.UintN(256))
		}
		keepsPace(t, steps)
	}
}

func FuzzHostPace(f *testing.F) {
	f.Add([]byte("any number of processes at one host"))
	f.Add([]byte{0, 0, 0, 0, 255, 1, 1, 1, 1, 255, 200, 100, 0, 3})
	f.Fuzz(func(t *testing.T, steps []byte) { keepsPace(t, steps) })
}

// keepsPace plays a sequence given by bytes: the first ones are the pace, and each later pair is the next event.
// Together the processes never send more requests than the pace allows for one.
func keepsPace(t *testing.T, steps []byte) {
	t.Helper()
	if len(steps) < 4 {
		return
	}
	rhythm := pace.Pace{
		Every:  time.Duration(binary.BigEndian.Uint16(steps)) * time.Millisecond / 16,
		Pause:  time.Duration(steps[2]) * 4 * time.Millisecond,
		AtOnce: int(steps[3] % 5),
	}
	const longest = 5 * time.Second
	type turn struct {
		process string
		number  int64
		start   time.Time
	}
	var h pace.Host
	var open []turn
	var last, ended time.Time
	now := noon
	for i := 4; i+1 < len(steps); i += 2 {
		now = now.Add(time.Duration(steps[i]) * 2 * time.Millisecond)
		process := string(rune('a' + steps[i+1]%4))
		kind := steps[i+1] >> 2 % 8
		if kind >= 3 || len(open) == 0 {
			next, got := h.Ask(pace.TurnRequest{Process: process, Pace: rhythm, Longest: longest}, now)
			h = next
			require.NotEqual(t, got.Number == 0, got.Again == 0 && got.Quiet == 0, "a turn, or when to ask again")
			require.True(t, got.Wait >= 0 && got.Wait <= time.Second)
			if got.Number == 0 {
				continue
			}
			start := now.Add(got.Wait)
			require.False(t, !last.IsZero() && start.Sub(last) < rhythm.Every, "%s after the last beginning", start.Sub(last))
			require.False(t, !ended.IsZero() && start.Sub(ended) < rhythm.Pause, "%s after the last end", start.Sub(ended))
			under := 0
			for _, o := range open {
				if o.start.Add(longest).After(now) {
					under++
				}
			}
			require.Less(t, under, max(1, rhythm.AtOnce), "under way at once")
			open, last = append(open, turn{process, got.Number, start}), start
			continue
		}
		o := open[0]
		open = open[1:]
		if kind == 0 {
			continue // it died
		}
		now = laterOf(now, o.start) // nobody answers before being asked
		h = h.End(pace.TurnEnd{
			Process: o.process, Number: o.number, Pace: rhythm, Took: now.Sub(o.start), Refused: steps[i+1]%32 == 1,
		}, now)
		ended = now
	}
	require.GreaterOrEqual(t, h.Left(now), 1.0/64)
	require.LessOrEqual(t, h.Left(now), 1.0)
}

func laterOf(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func TestPaceMemoryIsAskedForSingleTurns(t *testing.T) {
	t.Parallel()
	m := pace.NewMemory()
	r := pace.TurnRequest{Host: "boards.example.com:443", Process: "a", Longest: time.Minute}
	first := m.Ask(r)
	require.NotZero(t, first.Number)
	require.Zero(t, m.Ask(r).Number, "one request at a time")
	m.End(pace.TurnEnd{Host: r.Host, Process: "a", Number: first.Number, Refused: true, RetryAfter: time.Minute})
	together, err := m.Turns(t.Context(), nil, []pace.TurnRequest{r})
	require.NoError(t, err)
	require.Positive(t, together[0].Quiet, "what was told to the memory alone counts for who asks for many turns")
	require.Positive(t, m.Ask(r).Quiet)
}
