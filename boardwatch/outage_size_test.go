//go:build !long

package boardwatch_test

import "time"

// The simulated weeks of every day: few boards, and the outages that differ most.
const (
	outageSeeds  = 1
	outageBoards = 20
)

var outageLengths = []time.Duration{10 * time.Minute, 5 * time.Hour, 3 * 24 * time.Hour}
