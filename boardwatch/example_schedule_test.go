package boardwatch_test

import (
	"fmt"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// A delivery that is never accepted is tried six times over about a day.
func ExampleDelivery_After() {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	d := boardwatch.Delivery{State: boardwatch.DeliveryPending}
	for d.State == boardwatch.DeliveryPending {
		d = d.After(boardwatch.Receipt{Code: 503, Error: "answered 503"}, boardwatch.DefaultRules(), now)
		fmt.Println(d.Attempts, d.State)
		if d.State == boardwatch.DeliveryPending {
			fmt.Println("  again after", d.NextAttemptAt.Sub(now))
			now = d.NextAttemptAt
		}
	}
	// Output:
	// 1 pending
	//   again after 1m0s
	// 2 pending
	//   again after 5m0s
	// 3 pending
	//   again after 30m0s
	// 4 pending
	//   again after 2h0m0s
	// 5 pending
	//   again after 12h0m0s
	// 6 dead
}

// Every board has its own place in the interval, and failures double the wait.
func ExampleNextCheck() {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	board := boardwatch.Board{ID: "65f0c0ffee00000000000001", Cadence: time.Hour}
	first := boardwatch.NextCheck(board, now)
	after := boardwatch.NextCheck(board, first.Add(3*time.Second)) // the check took three seconds
	fmt.Println(first.Sub(now) <= time.Hour, after.Sub(first))

	board.State.BadRuns = 3
	fmt.Println(boardwatch.NextCheck(board, now).Sub(now))
	board.Cadence = 0 // nobody tracks it
	fmt.Println(boardwatch.NextCheck(board, now).IsZero())
	// Output:
	// true 1h0m0s
	// 8h0m0s
	// true
}

// The oldest boards up to the limit are active.
func ExampleLocked() {
	day := func(n int) time.Time { return time.Date(2026, 11, n, 0, 0, 0, 0, time.UTC) }
	subs := []boardwatch.Subscription{
		{BoardID: "c", AddedAt: day(3)}, {BoardID: "a", AddedAt: day(1)}, {BoardID: "b", AddedAt: day(2)},
	}
	for _, s := range boardwatch.Locked(subs, 2) {
		fmt.Println(s.BoardID, s.Tracking())
	}
	// Output:
	// a active
	// b active
	// c locked
}
