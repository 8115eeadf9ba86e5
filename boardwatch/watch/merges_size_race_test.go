//go:build race

package watch_test

// One world shows the race detector every goroutine that there is: scripts/test.sh has the others without it.
const marketWorlds = 1
