//go:build long

package watch_test

// marketWorlds is in how many worlds, on each database, TestMergesLeaveNoRoleUntold lets boards merge.
const marketWorlds = 4
