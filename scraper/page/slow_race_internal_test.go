//go:build race

package page

const slowness = 20
