//go:build !long

package sqlite_test

// floodEvery is how many minutes an account that floods the database waits between its checks.
const floodEvery = 6
