//go:build !long

package boardwatch_test

import "time"

const allSicknesses = false

var sicknessTrials = []trial{{1, 6 * time.Hour, 40}, {2, day, 45}, {6, time.Hour, 7}, {20, 6 * time.Hour, 30}}
