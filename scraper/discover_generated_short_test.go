//go:build !long

package scraper_test

// generatedEvery is of how many generated sites one is tried.
const generatedEvery = 6
