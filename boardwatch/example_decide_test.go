package boardwatch_test

import (
	"fmt"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
)

// A role is closed when three healthy checks in a row and those of a whole day did not see it, and never by a reading that
// is not healthy.
func ExampleDecide() {
	board := boardwatch.Board{ID: "65f0c0ffee00000000000001", Source: "greenhouse:northwindlabs", Cadence: 8 * time.Hour}
	var jobs []boardwatch.Job // the known jobs: store them, together with the board, in any way you like
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

	check := func(reading boardwatch.Reading) {
		in := boardwatch.CheckInput{Now: now, Board: board, Known: jobs}
		result := boardwatch.Decide(in, reading.Normalize(), false, boardwatch.DefaultRules(), boardwatch.NewID)
		for _, j := range result.Change.Announced() {
			fmt.Println("found:", j.Title)
		}
		for _, j := range result.Change.Closed {
			fmt.Println("closed:", j.Title)
		}
		fmt.Println(result.Check.Health, result.Check.OpenJobs, "open")
		board, jobs = result.Board, result.Jobs(in)
		now = now.Add(8 * time.Hour)
	}
	roles := func(titles ...string) boardwatch.Reading {
		r := boardwatch.Reading{Health: boardwatch.HealthOK, Claimed: len(titles)}
		for _, t := range titles {
			r.Postings = append(r.Postings, boardwatch.Posting{Key: t, Title: t})
		}
		return r
	}

	check(roles("Glass Blower", "Kiln Engineer"))
	check(boardwatch.Failed(cause.SiteError, "the site is in trouble"))
	for range 4 {
		check(roles("Glass Blower"))
	}
	// Output:
	// found: Glass Blower
	// found: Kiln Engineer
	// ok 2 open
	// failed 2 open
	// ok 2 open
	// ok 2 open
	// ok 2 open
	// closed: Kiln Engineer
	// ok 1 open
}
