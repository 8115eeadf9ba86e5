//go:build long

package ats_test

import "time"

const foreignRoles = 3000

func lifeTrials(int) (all []lifeTrial) {
	for form := range idForms {
		for _, size := range []int{1, 6, 20, 130} {
			for _, cadence := range []time.Duration{time.Hour, 6 * time.Hour, day} {
				all = append(all, lifeTrial{size, cadence, form, false})
			}
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
