//go:build long

package main_test

// hostileRequests are enough to meet every kind of mischief many times over, for
// TestHostileRequests.
const hostileRequests = 10_000
