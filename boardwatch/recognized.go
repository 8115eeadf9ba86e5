package boardwatch

// Recognized is what an address alone shows about the board behind it, without any request.
type Recognized struct {
	// Address is the input in its normalised form. It is the key of a board whose source is not known yet.
	Address string
	// Source is where the roles are read, "system:token", if the form of the address shows it. Otherwise it is empty.
	Source string
	// URL is the careers page that a person can open.
	URL string
	// Evidence says in plain words what the address showed. It may be empty.
	Evidence string
}
