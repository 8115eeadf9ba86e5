//go:build long

package scraper_test

// pagedBoards is how many boards TestPagedBoards watches.
const pagedBoards = 2_000
