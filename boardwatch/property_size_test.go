//go:build !race

package boardwatch_test

// readingSequences is how many sequences of readings TestAnySequenceOfReadingsKeepsThePromises tries.
const readingSequences = 300
