package web

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

func TestHiring(t *testing.T) {
	t.Parallel()
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	days := func(n int) (open []int, flow []boardwatch.DayFlow) {
		for i := range n {
			open = append(open, i)
			flow = append(flow, boardwatch.DayFlow{Day: begin.AddDate(0, 0, i), Found: 2, Closed: 1})
		}
		return open, flow
	}
	t.Run("nothing is drawn before the first reading", func(t *testing.T) {
		t.Parallel()
		_, flow := days(30)
		require.Nil(t, newHiring(nil, flow, period{}))
	})
	t.Run("days before the first reading are left out", func(t *testing.T) {
		t.Parallel()
		open, flow := days(30)
		h := newHiring(open[:10], flow, period{})
		require.Equal(t, []int{20, 10}, []int{h.Found, h.Closed})
		require.Len(t, h.Figures.Rows, 10)
		require.Equal(t, figureRow{"30 Jan 2026", []string{"2", "1", "9"}}, h.Figures.Rows[0])
	})
	t.Run("many days are weeks that end today", func(t *testing.T) {
		t.Parallel()
		open, flow := days(weeksFrom)
		h := newHiring(open, flow, period{})
		require.Equal(t, "week", h.Unit)
		require.Len(t, h.Figures.Rows, 15)
		require.Equal(t, []string{"14", "7", "99"}, h.Figures.Rows[0].Counts)
		require.Equal(t, figureRow{"1 Jan 2026", []string{"4", "2", "1"}}, h.Figures.Rows[14], "the first one is short")
	})
	t.Run("bars grow from one line, and stay in the picture", func(t *testing.T) {
		t.Parallel()
		f := newFlowBars([]string{"a", "b"}, []int{1, 300}, []int{0, 100}, "day")
		require.Equal(t, "48", f.Zero)
		require.Equal(t, []bar{{"0", "46", "15", "2", "a: 1 opened"}, {"22", "0", "15", "48", "b: 300 opened"}}, f.Up)
		require.Equal(t, []bar{{"22", "48", "15", "16", "b: 100 closed"}}, f.Down)
		f = newFlowBars([]string{"a", "b"}, []int{0, 900}, []int{1, 0}, "day")
		require.Equal(t, []bar{{"0", "62", "15", "2", "a: 1 closed"}}, f.Down)
		require.Nil(t, newFlowBars([]string{"a"}, []int{0}, []int{0}, "day"))
	})
	t.Run("a board that came later counts with its first number before", func(t *testing.T) {
		t.Parallel()
		points := func(open ...int) (out []boardwatch.Point) {
			for _, n := range open {
				out = append(out, boardwatch.Point{Open: n})
			}
			return out
		}
		require.Equal(t, []int{15, 16, 19}, totalOpen(map[string][]boardwatch.Point{"a": points(5, 6, 7), "b": points(10, 12), "c": nil}))
	})
}

func TestSpread(t *testing.T) {
	t.Parallel()
	link := func(name string) string { return "/roles?location=" + name }
	require.Nil(t, newSpread("By place", nil, link))
	require.Nil(t, newSpread("By place", []track.Part{{Name: "", Open: 9}}, link), "no board says any")
	var parts []track.Part
	for i, name := range []string{"a", "", "c", "d", "e", "f", "g"} {
		parts = append(parts, track.Part{Name: name, Open: []int{10, 5, 4, 3, 3, 2, 1}[i]})
	}
	whole := newSpread("By place", parts, link)
	require.Len(t, whole.Rows, spreadShown)
	require.Equal(t, spreadRow{"a", "/roles?location=a", 10, 100}, whole.Rows[0])
	require.Equal(t, spreadRow{"Not said", "", 5, 50}, whole.Rows[1])
	cut := newSpread("By place", append(parts, track.Part{Name: "h", Open: 1}), link)
	require.Len(t, cut.Rows, spreadShown)
	require.Equal(t, spreadRow{"2 others", "", 2, 0}, cut.Rows[spreadShown-1])
}
