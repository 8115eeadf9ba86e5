package boardwatch

import (
	"crypto/rand"
	"encoding/hex"
	"strconv"
)

// NewID returns a new identifier: 24 lower-case hex characters from 12 random bytes.
func NewID() string {
	var b [12]byte
	_, _ = rand.Read(b[:]) // never fails: it aborts the program instead
	return hex.EncodeToString(b[:])
}

// ValidID reports whether s has the form of an identifier.
func ValidID(s string) bool {
	if len(s) != 24 {
		return false
	}
	for i := range len(s) {
		if (s[i] < '0' || s[i] > '9') && (s[i] < 'a' || s[i] > 'f') {
			return false
		}
	}
	return true
}

func itoa(n int) string { return strconv.Itoa(n) }
