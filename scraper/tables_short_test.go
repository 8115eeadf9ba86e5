//go:build !long

package scraper_test

// tableBoards is how many boards TestRolesInTablesComeAndGo follows.
const tableBoards = 65
