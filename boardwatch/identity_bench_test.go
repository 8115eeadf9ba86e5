package boardwatch_test

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// BenchmarkExchange is a check of a large board at which some roles are gone and as many have come.
func BenchmarkExchange(b *testing.B) {
	const size = 5000
	posting := func(source string, n int) boardwatch.Posting {
		title := fmt.Sprintf("%s %s (m/w/d) – Team %d", pick(n, "Senior", "Junior", "Lead"), pick(n/3, "Engineer", "Nurse", "Buyer", "Café Manager", "Welder"), n)
		p := boardwatch.Posting{Title: title, Location: pick(n/7, "Berlin, Germany", "Oslo", "São Paulo, Brazil", "Rome; Milan")}
		p.URL = fmt.Sprintf("https://northwind.example/jobs/%d-role", 10_000+n)
		if source != "page:" {
			p.Key = strconv.Itoa(4000 + n)
		}
		return p
	}
	for _, source := range []string{"page:", "greenhouse:"} {
		for _, exchanged := range []int{1, 100, size / 2} {
			b.Run(fmt.Sprintf("%s%d", source, exchanged), func(b *testing.B) {
				read := func(from int) boardwatch.Reading {
					r := boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: -1, Company: "Northwind"}
					for n := from; n < from+size; n++ {
						r.Postings = append(r.Postings, posting(source, n))
					}
					return r.Normalize()
				}
				rules, newID := boardwatch.DefaultRules(), ids()
				board := boardwatch.Board{ID: newID(), Source: source + "northwind", URL: "https://northwind.example/jobs", Cadence: time.Hour, Status: boardwatch.BoardScraping}
				first := boardwatch.CheckInput{Now: noon, Board: board}
				result := boardwatch.Decide(first, read(0), false, rules, newID)
				in := boardwatch.CheckInput{Now: noon.Add(time.Hour), Board: result.Board, Known: result.Jobs(first)}
				require.Len(b, in.Known, size)
				next := read(exchanged)
				for b.Loop() {
					boardwatch.Decide(in, next, false, rules, newID)
				}
			})
		}
	}
}
