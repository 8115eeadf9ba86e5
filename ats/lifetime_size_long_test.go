//go:build long

package ats_test

import "time"

// The lives at all sizes and cadences, for TestBoardsOfHostedSystemsOverTime and TestAFleetThatLosesAThirdOfEveryBoardClosesNothing.

const foreignRoles = 3000

func lifeTrials(turn int) (all []lifeTrial) {
	for i, size := range []int{1, 6, 20, 130} {
		for k, cadence := range []time.Duration{time.Hour, 6 * time.Hour, day} {
			all = append(all, lifeTrial{size, cadence, (turn + i + k) % len(idForms)})
		}
	}
	return all
}

func fleetTrials(int) (all []fleetTrial) {
	for _, boards := range []int{20, 40} {
		for _, within := range []time.Duration{0, 12 * time.Hour} {
			all = append(all, fleetTrial{boards, time.Hour, within}, fleetTrial{boards, 6 * time.Hour, within}, fleetTrial{boards, day, within})
		}
	}
	return all
}
