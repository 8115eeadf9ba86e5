//go:build race

package boardwatch_test

// The race detector makes each sequence many times slower and has one goroutine to watch: scripts/test.sh tries the
// others without it.
const readingSequences = 30
