//go:build !long

package watch_test

// marketWorlds is one, which is enough to show every goroutine to the race detector.
const marketWorlds = 1
