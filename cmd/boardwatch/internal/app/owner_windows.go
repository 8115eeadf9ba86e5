package app

// leaveToOwner does nothing: what is made in a directory belongs to whom the directory says.
func leaveToOwner(...string) error { return nil }

// ownedLike does nothing, for the same reason.
func ownedLike(string, string) error { return nil }
