package boardwatch

// Store is everything the service needs from a database. The contracts stand in the files of their nouns. Every method
// may be called concurrently, by any number of processes on one database, and storagetest.ExerciseStore tries every
// promise. Times are whole milliseconds (Milli). Texts that a database cannot hold are kept without NUL and as valid UTF-8.
type Store interface {
	CheckStore
	TrackStore
	AccessStore
	DeliveryStore
	AccountStore
	RateStore
	GuessStore
	SessionStore
	LinkStore
	PreferenceStore
	DigestStore
	OperatorStore
	GrantStore
	// Close ends the store. What is being saved is finished first. No other method may be called afterwards.
	Close() error
}
