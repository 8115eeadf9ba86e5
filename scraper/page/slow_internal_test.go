//go:build !race

package page

// slowness is how many times slower code runs than it will for users.
const slowness = 1

// hostileSize is how large hostile pages are, in bytes.
const hostileSize = 10 << 20
