//go:build !race

package page

// hostileSize is how large hostile pages are, in bytes.
const hostileSize = 10 << 20
