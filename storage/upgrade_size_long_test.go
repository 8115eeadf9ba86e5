//go:build long

package storage_test

// upgradeEvery is of how many steps of the schema TestUpgradeKeepsEverything upgrades from one.
const upgradeEvery = 1
