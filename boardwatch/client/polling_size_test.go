//go:build !long

package client_test

// The polling race for everyday runs.
const (
	racingBoards = 10
	racingRoles  = 60
	racingGrowth = 7 // new roles in each check
	racingKeys   = 8
)
