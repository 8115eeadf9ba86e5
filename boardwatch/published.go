package boardwatch

import "context"

// PublishedStore stores which saved searches anybody may read who knows their token.
type PublishedStore interface {
	// Publish gives one of the account's searches a token, unless it has one already. A search that is not the account's
	// is a not_found error.
	Publish(ctx context.Context, accountID, searchID, token string) error
	// Unpublish takes the token of one of the account's searches away, if it has one.
	Unpublish(ctx context.Context, accountID, searchID string) error
	// Published returns the tokens of the account's searches, by the id of the search.
	Published(ctx context.Context, accountID string) (map[string]string, error)
	// PublishedSearch finds a search by its token; otherwise a not_found error.
	PublishedSearch(ctx context.Context, token string) (Search, error)
}
