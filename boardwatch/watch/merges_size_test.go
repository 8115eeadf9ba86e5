//go:build !long

package watch_test

// marketWorlds is one, which shows the race detector every goroutine that there is.
const marketWorlds = 1
