package boardwatch

// Store is everything the service needs from a database. The contracts are in the files of their types. Every method
// may be called concurrently, by any number of processes on one database, and storagetest.ExerciseStore tests every
// promise. Times are whole milliseconds (Milli). NUL and invalid UTF-8 are removed from texts that a database cannot
// store.
type Store interface {
	CheckStore
	TrackStore
	AccessStore
	DeliveryStore
	AccountStore
	RateStore
	GuessStore
	SessionStore
	SignInStore
	LinkStore
	PreferenceStore
	DigestStore
	OperatorStore
	GrantStore
	// Close closes the store, after finishing what is being saved. No other method may be called afterwards.
	Close() error
}
