//go:build !long

package boardwatch_test

import "time"

const sicknessSeeds = 1

var sicknessTrials = []trial{
	{1, 6 * time.Hour, 45}, {2, day, 60}, {5, 6 * time.Hour, 45}, {6, time.Hour, 12}, {20, day, 60}, {20, 6 * time.Hour, 45},
}
