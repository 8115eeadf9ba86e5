package account

// NewQuickHasher returns a Hasher whose hashes cost little, for tests that are not about them.
func NewQuickHasher() *Hasher {
	h := NewHasher()
	h.memory = 64
	return h
}
