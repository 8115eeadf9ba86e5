//go:build !long

package main_test

// hostileRequests are a taste of it; "make check-long" sends more.
const hostileRequests = 600
