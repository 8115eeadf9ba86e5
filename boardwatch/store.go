package boardwatch

// Store is everything the service needs from a database. The contracts stand in the files of their nouns. Every method
// may be called concurrently.
type Store interface {
	CheckStore
	TrackStore
	AccessStore
	DeliveryStore
	AccountStore
	RateStore
	SessionStore
	LinkStore
	PreferenceStore
	DigestStore
	OperatorStore
	GrantStore
	Close() error
}
