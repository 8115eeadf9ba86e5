//go:build !long

package ats_test

import "time"

const foreignRoles = 300

// lifeTrials are one of three, so that each system is played at each cadence and with each form of ids, though not each
// sickness is.
func lifeTrials(turn int) []lifeTrial {
	trials := []lifeTrial{{12, 6 * time.Hour, 0}, {7, day, 1}, {15, time.Hour, 2}}
	return trials[turn%len(trials):][:1]
}

func fleetTrials(vendor int) []fleetTrial {
	switch vendor {
	case 0:
		return []fleetTrial{{20, time.Hour, 0}}
	case 1:
		return []fleetTrial{{20, 6 * time.Hour, 12 * time.Hour}}
	default:
		return nil
	}
}
