//go:build long

package scraper_test

// generatedEvery is of how many generated sites TestDiscoverGeneratedSites tries one.
const generatedEvery = 1
