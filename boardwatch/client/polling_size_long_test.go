//go:build long

package client_test

// The polling race at full size, for TestPollMissesNothingWhileRolesAreFound: 100,000 roles.
const (
	racingBoards = 200
	racingRoles  = 500
	racingGrowth = 50
	racingKeys   = 20
)
