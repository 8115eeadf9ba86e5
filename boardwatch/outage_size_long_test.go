//go:build long

package boardwatch_test

import "time"

// The simulated weeks at full size, for TestOutagesOfASystemCloseNoLiveRole.
const (
	outageSeeds  = 5
	outageBoards = 60
)

var outageLengths = []time.Duration{
	10 * time.Minute, 20 * time.Minute, 45 * time.Minute, time.Hour, 90 * time.Minute, 2 * time.Hour, 4 * time.Hour, 8 * time.Hour,
	13 * time.Hour, 24 * time.Hour, 30 * time.Hour, 36 * time.Hour, 48 * time.Hour, 60 * time.Hour, 72 * time.Hour,
}
