//go:build !long

package client_test

// The polling race of every day.
const (
	racingBoards = 10
	racingRoles  = 60
	racingGrowth = 7 // new roles in each check
	racingKeys   = 8
)
