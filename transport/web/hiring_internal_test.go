package web

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch/track"
)

func TestHiring(t *testing.T) {
	t.Parallel()
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	days := func(n int) (open []int, flow []track.DayFlow) {
		for i := range n {
			open = append(open, i)
			flow = append(flow, track.DayFlow{Day: begin.AddDate(0, 0, i), Found: 2, Closed: 1})
		}
		return open, flow
	}
	t.Run("nothing is drawn before the first reading", func(t *testing.T) {
		t.Parallel()
		_, flow := days(30)
		require.Nil(t, newHiring(nil, flow, period{}, begin))
	})
	t.Run("days before the first reading are left out", func(t *testing.T) {
		t.Parallel()
		open, flow := days(30)
		h := newHiring(open[:10], flow, period{}, begin)
		require.Len(t, h.Figures.Rows, 10)
		require.Equal(t, figureRow{"30 Jan 2026", []string{"9", "2", "1"}}, h.Figures.Rows[0])
		require.Len(t, h.Plot.Hits, 30, "but keep their place in the picture")
		require.Equal(t, hit{"30 Jan 2026", "9 open, 2 new, 1 closed"}, h.Plot.Hits[29])
	})
	t.Run("many days are weeks that end today", func(t *testing.T) {
		t.Parallel()
		open, flow := days(weeksFrom)
		h := newHiring(open, flow, period{}, begin)
		require.Equal(t, "week", h.Plot.Unit)
		require.Len(t, h.Figures.Rows, 15)
		require.Equal(t, []string{"99", "14", "7"}, h.Figures.Rows[0].Counts)
		require.Equal(t, figureRow{"1 Jan 2026", []string{"1", "4", "2"}}, h.Figures.Rows[14], "the first one is short")
	})
	t.Run("one day of history is told in a sentence", func(t *testing.T) {
		t.Parallel()
		_, flow := days(30)
		h := newHiring([]int{113}, flow, period{}, begin)
		require.Nil(t, h.Plot)
		require.Zero(t, h.Then, "some of these opened since")
		still := make([]track.DayFlow, len(flow))
		require.Equal(t, 113, newHiring([]int{113}, still, period{}, begin).Then)
		require.NotNil(t, newHiring([]int{113, 114}, flow, period{}, begin).Plot)
	})
	t.Run("bars grow from one line, and stay in the picture", func(t *testing.T) {
		t.Parallel()
		two := func(found, closed []int) *panel {
			p := newPlot("day", []time.Time{begin, begin.AddDate(0, 0, 1)}, series{"open", []int{1, 2}})
			p.withFlow(found, closed)
			return p.Flow
		}
		f := two([]int{1, 300}, []int{0, 100})
		require.Equal(t, "54", f.Zero)
		require.Equal(t, []axisMark{{"+300", "0"}, {"−100", "72"}}, f.Marks)
		require.Equal(t, []bar{{"up", "72", "52", "336", "2"}, {"up", "552", "0", "336", "54"}, {"down", "552", "54", "336", "18"}}, f.Bars)
		require.Equal(t, []bar{{"down", "72", "70", "336", "2"}, {"up", "552", "0", "336", "71.9"}}, two([]int{0, 900}, []int{1, 0}).Bars)
		require.Nil(t, two([]int{0, 0}, []int{0, 0}))
	})
	t.Run("a line begins at zero, and ends where its last day is", func(t *testing.T) {
		t.Parallel()
		p := newPlot("day", []time.Time{begin, begin.AddDate(0, 0, 1), begin.AddDate(0, 0, 2)}, series{"Northwind", []int{134, 155}}, series{"Contoso", []int{0, 0, 9}})
		require.Equal(t, []axisMark{{"200", "0"}, {"100", "80"}, {"0", "160"}}, p.Open.Marks)
		require.Equal(t, "480,52.8 800,36", p.Open.Lines[0].Points)
		require.Equal(t, hit{"1 Jan 2026", "Contoso 0"}, p.Hits[0])
		require.Equal(t, hit{"3 Jan 2026", "Northwind 155, Contoso 9"}, p.Hits[2])
		require.Equal(t, [][]string{{"day", "Northwind", "Contoso"}, {"2026-01-01", "", "0"}, {"2026-01-02", "134", "0"}, {"2026-01-03", "155", "9"}}, p.rows())
		require.Equal(t, []string{"—", "0"}, p.Figures().Rows[2].Counts)
	})
	t.Run("an axis ends at an even round number", func(t *testing.T) {
		t.Parallel()
		for n, top := range map[int]int{0: 2, 1: 2, 2: 2, 3: 4, 9: 10, 11: 20, 155: 200, 477: 500, 500: 500, 501: 600, 1001: 2000, 5022: 6000} {
			require.Equal(t, top, roundTop(n), n)
			require.Zero(t, top%2)
		}
	})
	t.Run("a board that came later counts with its first number before", func(t *testing.T) {
		t.Parallel()
		points := func(open ...int) (out []track.Point) {
			for _, n := range open {
				out = append(out, track.Point{Open: n})
			}
			return out
		}
		require.Equal(t, []int{15, 16, 19}, totalOpen(map[string][]track.Point{"a": points(5, 6, 7), "b": points(10, 12), "c": nil}))
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
	require.Equal(t, spreadRow{"Not given", "", 5, 50}, whole.Rows[1])
	require.Empty(t, whole.Rest)
	more := newSpread("By place", append(parts, track.Part{Name: "h", Open: 1}), link)
	require.Len(t, more.Rows, spreadShown)
	require.Equal(t, []spreadRow{{"h", "/roles?location=h", 1, 10}}, more.Rest)
}
