//go:build long

package storage_test

// upgradeEvery is the distance between the schema steps that TestUpgradeKeepsEverything upgrades from: every step.
const upgradeEvery = 1
