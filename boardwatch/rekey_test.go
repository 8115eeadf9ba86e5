package boardwatch_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

func TestRekeyMatchesRolesByTitleAndPlace(t *testing.T) {
	t.Parallel()
	type role struct{ title, place string }
	cook := func(places ...string) (out []role) {
		for _, p := range places {
			out = append(out, role{"Cook", p})
		}
		return out
	}
	for name, c := range map[string]struct {
		known, shown []role
		want         []int // for each known role, its posting; -1 for none
	}{
		"the same text":                      {[]role{{"Cook", "Rome"}, {"Baker", "Oslo"}}, []role{{"BAKER ", "oslo"}, {"Cook", "Rome"}}, []int{1, 0}},
		"a place with more words":            {cook("Berlin", "Rome"), cook("Rome, Italy", "Berlin, Germany"), []int{1, 0}},
		"a place with fewer words":           {cook("Berlin, Germany", "Rome, Italy"), cook("Rome", "Berlin"), []int{1, 0}},
		"words in another order":             {cook("Germany, Berlin", "Italy - Rome"), cook("Rome (Italy)", "Berlin; Germany"), []int{1, 0}},
		"a title that stands alone":          {cook("Berlin"), cook("Oslo"), []int{0}},
		"a place that is not told":           {cook("Berlin", ""), cook("Berlin", "Oslo"), []int{0, 1}},
		"other places":                       {cook("Berlin", "Oslo"), cook("Rome", "Paris"), []int{-1, -1}},
		"one posting for two roles":          {cook("Rome", "Rome"), cook("Rome"), []int{-1, -1}},
		"one role for two postings":          {cook("Rome"), cook("Rome", "Rome"), []int{-1}},
		"as many of the same":                {cook("Rome", "Rome", "Oslo"), cook("Oslo", "Rome", "Rome"), []int{1, 2, 0}},
		"a place that agrees with two":       {cook("Germany", "Oslo"), cook("Berlin, Germany", "Bonn, Germany"), []int{-1, -1}},
		"two that agree with one place":      {cook("Berlin, Germany", "Bonn, Germany"), cook("Germany", "Oslo"), []int{-1, -1}},
		"the same text before one that fits": {cook("Berlin", "Berlin, Germany"), cook("Berlin, Germany", "Berlin"), []int{1, 0}},
		"no posting is two roles":            {cook("Rome", "Rome", ""), cook("Rome"), []int{-1, -1, -1}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var known []boardwatch.Job
			for i, k := range c.known {
				known = append(known, boardwatch.Job{Key: string(rune('a' + i)), Title: k.title, Location: k.place, Status: boardwatch.JobOpen})
			}
			r := boardwatch.Reading{}
			for i, p := range c.shown {
				r.Postings = append(r.Postings, boardwatch.Posting{Key: string(rune('A' + i)), Title: p.title, Location: p.place})
			}
			var want []string
			for i, at := range c.want {
				if at < 0 {
					want = append(want, known[i].Key)
				} else {
					want = append(want, r.Postings[at].Key)
				}
			}
			var got []string
			for _, j := range boardwatch.Rekey(known, r) {
				got = append(got, j.Key)
			}
			require.Equal(t, want, got)
		})
	}
}

func TestRekeyLeavesAloneWhatHasAKeyOnTheSource(t *testing.T) {
	t.Parallel()
	known := []boardwatch.Job{
		{Key: "1", Title: "Cook", Location: "Rome", Status: boardwatch.JobOpen},
		{Key: "2", Title: "Cook", Location: "Oslo", Status: boardwatch.JobClosed},
		{Key: boardwatch.MergedKey + "x", Title: "Cook", Location: "Paris", Status: boardwatch.JobOpen},
		{Key: "3", Title: "Baker", Location: "Rome", Status: boardwatch.JobOpen},
	}
	r := boardwatch.Reading{Postings: []boardwatch.Posting{
		{Key: "1", Title: "Cook", Location: "Paris"},
		{Key: "2", Title: "Cook", Location: "Paris"},
		{Key: "4", Title: "Cook", Location: "Paris, France"},
		{Key: "5", Title: "Baker", Location: "Rome"},
	}}
	keys := func(jobs []boardwatch.Job) (out []string) {
		for _, j := range jobs {
			out = append(out, j.Key)
		}
		return out
	}
	require.Equal(t, []string{"1", "2", "4", "5"}, keys(boardwatch.Rekey(known, r)))
	require.Equal(t, []string{"1", "2", "4", "3"}, keys(boardwatch.RekeyMerged(known, r)), "the source of all others is the same as ever")
}

func TestARoleWithoutAnAddressStaysTheSameWhenItsDepartmentIsReadOtherwise(t *testing.T) {
	t.Parallel()

	in := boardwatch.CheckInput{Now: noon, Board: boardwatch.Board{ID: board.ID, Source: "page:https://northwind.example/careers", Cadence: time.Hour}}
	newID := ids()
	read := func(postings ...boardwatch.Posting) boardwatch.CheckResult {
		in.Now = in.Now.Add(time.Hour)
		r := boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: -1, Postings: postings}.Normalize()
		result := boardwatch.Decide(in, r, false, boardwatch.Rules{}, newID)
		in.Known, in.Board = result.Jobs(in), result.Board
		return result
	}
	require.Len(t, read(boardwatch.Posting{Title: "Welder"}, boardwatch.Posting{Title: "Cook", Location: "Porto"}).Change.Found, 2)
	for range 4 {
		got := read(boardwatch.Posting{Title: "Welder", Department: "Yard"}, boardwatch.Posting{Title: "Cook", Location: "Porto, Portugal"})
		require.Empty(t, got.Change.Found)
		require.Empty(t, got.Change.Closed)
		require.Zero(t, got.Change.Missing)
	}
	got := read(boardwatch.Posting{Title: "Welder", Department: "Yard", URL: "https://northwind.example/careers/1"})
	require.Len(t, got.Change.Found, 1, "a role with an address is known by its address")
}
