//go:build !long

package scraper_test

// pagedBoards is how many boards are watched, of the 2,000 with the tag long.
const pagedBoards = 288
