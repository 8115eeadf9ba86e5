package boardwatch

// Recognized is what an address alone tells about the board behind it, without a request to anybody.
type Recognized struct {
	// Address is the input in its normalised form, the key of a board whose source is not known yet.
	Address string
	// Source is where the roles are read, "system:token", when the shape of the address shows it; otherwise it is empty.
	Source string
	// URL is the careers page that a person can open.
	URL string
	// Evidence says in plain words what the address showed; it may be empty.
	Evidence string
}
