//go:build race

package page

// hostileSize is small here: the detector takes memory of its own and minutes for a large page. scripts/test.sh reads the large ones
// without it.
const hostileSize = 64 << 10
