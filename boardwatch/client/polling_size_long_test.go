//go:build long

package client_test

// The polling race at full size, for TestPollMissesNothingWhileRolesAreFound: 20,000 roles in some hundred pages. A page costs the
// more the further it is from the first, so five times as many roles would take twenty times as long.
const (
	racingBoards = 40
	racingRoles  = 500
	racingGrowth = 50
	racingKeys   = 20
)
