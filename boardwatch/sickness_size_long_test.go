//go:build long

package boardwatch_test

import "time"

// The sicknesses at all sizes and cadences, for TestSicknessesOfCareersPagesCloseNoLiveRoleAndTellNothingTwice.
const allSicknesses = true

var sicknessTrials = []trial{
	{1, time.Hour, 12},
	{1, 6 * time.Hour, 60},
	{1, day, 90},
	{2, time.Hour, 12},
	{2, 6 * time.Hour, 60},
	{2, day, 90},
	{5, time.Hour, 12},
	{5, 6 * time.Hour, 60},
	{5, day, 90},
	{6, time.Hour, 12},
	{6, 6 * time.Hour, 60},
	{6, day, 90},
	{20, time.Hour, 12},
	{20, 6 * time.Hour, 45},
	{20, day, 90},
	{200, time.Hour, 5},
	{200, 6 * time.Hour, 15},
	{200, day, 40},
	{5000, 6 * time.Hour, 4},
}
