//go:build !long

package storage_test

// upgradeEvery is of how many steps of the schema one is upgraded from.
const upgradeEvery = 4
