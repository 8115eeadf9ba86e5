//go:build !long

package main

// hostileRequests are a taste of it; "make check-long" sends more.
const hostileRequests = 600
