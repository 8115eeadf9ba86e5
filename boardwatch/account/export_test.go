package account

// NewQuickHasher returns a Hasher with cheap hashes, for tests that are not about hashing.
func NewQuickHasher() *Hasher { return NewHasherOf(64) }

// FillQueue takes every place in the queue, until free returns them.
func (h *Hasher) FillQueue() (free func()) {
	for range cap(h.queue) {
		h.queue <- struct{}{}
	}
	return func() {
		for range cap(h.queue) {
			<-h.queue
		}
	}
}

// AtATime is how many passwords are hashed at a time.
func (h *Hasher) AtATime() int { return cap(h.slots) }
