package track

import (
	"context"
	"fmt"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
)

// Publish lets everybody who knows a token read what one of the account's searches finds. A search that is published
// already keeps its token. An unknown search is a not_found error.
func (t *Tracker) Publish(ctx context.Context, a account.Account, searchID string) error {
	if err := t.store.Publish(ctx, a.ID, searchID, account.NewToken()); err != nil {
		return fmt.Errorf("publish search: %w", err)
	}
	return nil
}

// Unpublish ends what Publish began. Publishing the search again gives it another token.
func (t *Tracker) Unpublish(ctx context.Context, a account.Account, searchID string) error {
	if err := t.store.Unpublish(ctx, a.ID, searchID); err != nil {
		return fmt.Errorf("unpublish search: %w", err)
	}
	return nil
}

// Published returns the tokens of the account's published searches, by the id of the search.
func (t *Tracker) Published(ctx context.Context, a account.Account) (map[string]string, error) {
	tokens, err := t.store.Published(ctx, a.ID)
	if err != nil {
		return nil, fmt.Errorf("list published searches: %w", err)
	}
	return tokens, nil
}

// PublishedSearch finds a published search by its token; otherwise it is a not_found error.
func (t *Tracker) PublishedSearch(ctx context.Context, token string) (boardwatch.Search, error) {
	if !account.ValidToken(token) {
		return boardwatch.Search{}, boardwatch.NotFound("list")
	}
	q, err := t.store.PublishedSearch(ctx, token)
	if err != nil {
		return boardwatch.Search{}, fmt.Errorf("find published search: %w", err)
	}
	return q, nil
}
