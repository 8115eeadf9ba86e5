package storagetest

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch/pace"
	"github.com/boardwatch/boardwatch/storage"
)

// paceCases are about giving out turns at hosts, which only a storage.Store does.
func paceCases() cases {
	const host = "api.example:443"
	slowly := pace.Pace{Pause: 50 * time.Millisecond}
	ask := func(process string, rhythm pace.Pace, hosts ...string) (asks []pace.TurnRequest) { //nolint:unparam // others ask below, at the same time
		for _, h := range hosts {
			asks = append(asks, pace.TurnRequest{Host: h, Process: process, Pace: rhythm, Longest: time.Minute})
		}
		return asks
	}
	end := func(process string, n int64) pace.TurnEnd {
		return pace.TurnEnd{Host: host, Process: process, Number: n, Pace: slowly, Took: time.Millisecond}
	}
	turns := func(t *testing.T, s *storage.Store, ends []pace.TurnEnd, asks []pace.TurnRequest) []pace.TurnAnswer {
		t.Helper()
		answers, err := s.Turns(t.Context(), ends, asks)
		require.NoError(t, err)
		require.Len(t, answers, len(asks))
		return answers
	}
	return cases{
		"a host gets one request at a time, followed by a pause": func(t *testing.T, w *world) {
			s := w.Store
			first := turns(t, s, nil, ask("a", slowly, host))[0]
			require.NotZero(t, first.Number)
			require.Zero(t, first.Wait)
			second := turns(t, s, nil, ask("a", slowly, host, "other.example:443"))
			require.Zero(t, second[0].Number)
			require.Positive(t, second[0].Again)
			require.NotZero(t, second[1].Number, "another host is another matter")
			third := turns(t, s, []pace.TurnEnd{end("a", first.Number)}, ask("a", slowly, host))[0]
			require.NotZero(t, third.Number)
			require.Equal(t, slowly.Pause, third.Wait)
		},
		"a host that asked to be left alone is left alone, and refusals halve its pace": func(t *testing.T, w *world) {
			s := w.Store
			first := turns(t, s, nil, ask("a", slowly, host))[0]
			over := end("a", first.Number)
			over.Refused, over.RetryAfter = true, time.Hour
			again := turns(t, s, []pace.TurnEnd{over}, ask("a", slowly, host))[0]
			require.Zero(t, again.Number)
			require.InDelta(t, time.Hour, again.Quiet, float64(time.Second))
			slow, err := s.SlowHosts(t.Context(), 5)
			require.NoError(t, err)
			require.Len(t, slow, 1)
			require.Equal(t, host, slow[0].Host)
			require.InDelta(t, 0.5, slow[0].Part, 0.01)
			require.InDelta(t, time.Hour, slow[0].Quiet, float64(time.Second))
			slow, err = s.SlowHosts(t.Context(), 0)
			require.NoError(t, err)
			require.Empty(t, slow)
			require.NoError(t, s.Prune(t.Context(), storage.Retention{}))
			require.Positive(t, turns(t, s, nil, ask("a", slowly, host))[0].Quiet, "a host that matters is not forgotten")
		},
		"hosts that nobody asks anymore are forgotten": func(t *testing.T, w *world) {
			s := w.Store
			quick := pace.Pace{}
			first := turns(t, s, nil, ask("a", quick, host))[0]
			turns(t, s, []pace.TurnEnd{{Host: host, Process: "a", Number: first.Number}}, nil)
			w.passMoment()
			require.NoError(t, s.Prune(t.Context(), storage.Retention{}))
			next := turns(t, s, nil, ask("a", quick, host))[0]
			require.NotZero(t, next.Number)
			require.Zero(t, next.Wait)
		},
		"simultaneous requests never deadlock, and no two turns overlap": func(t *testing.T, w *world) {
			s := w.Store
			hosts := []string{"d.example:443", "b.example:443", "a.example:443", "c.example:443"}
			var mu sync.Mutex
			given := make(map[string]int)
			var group sync.WaitGroup
			for i := range 8 {
				group.Go(func() {
					process := fmt.Sprint("process ", i)
					mine := slices.Concat(hosts[i%4:], hosts[:i%4])
					for range 5 {
						asks := ask(process, pace.Pace{}, mine...)
						answers, err := s.Turns(t.Context(), nil, asks)
						if err != nil || len(answers) != len(asks) {
							t.Error(len(answers), err)
							return
						}
						var ends []pace.TurnEnd
						mu.Lock()
						for j, a := range answers {
							if a.Number != 0 {
								given[mine[j]]++
								if given[mine[j]] > 1 {
									t.Error("two turns at once at " + mine[j])
								}
								ends = append(ends, pace.TurnEnd{Host: mine[j], Process: process, Number: a.Number})
							}
						}
						for _, e := range ends {
							given[e.Host]--
						}
						mu.Unlock()
						if _, err := s.Turns(t.Context(), ends, nil); err != nil {
							t.Error(err)
						}
					}
				})
			}
			group.Wait()
		},
	}
}
