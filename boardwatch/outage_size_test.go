//go:build !long

package boardwatch_test

import "time"

// The simulated weeks of everyday runs: few boards, and the most different outages.
const (
	outageSeeds  = 1
	outageBoards = 20
)

var outageLengths = []time.Duration{10 * time.Minute, 5 * time.Hour, 30 * time.Hour, 3 * 24 * time.Hour}
