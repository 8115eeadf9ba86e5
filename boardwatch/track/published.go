package track

import (
	"context"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
)

// Publish lets everybody who knows a token read what one of the account's searches finds. A search that is published
// already keeps its token. An unknown search is a not_found error.
func (t *Tracker) Publish(ctx context.Context, a account.Account, searchID string) error {
	return boardwatch.Wrap("publish search", t.store.Publish(ctx, a.ID, searchID, account.NewToken()))
}

// Unpublish ends what Publish began. Publishing the search again gives it another token.
func (t *Tracker) Unpublish(ctx context.Context, a account.Account, searchID string) error {
	return boardwatch.Wrap("unpublish search", t.store.Unpublish(ctx, a.ID, searchID))
}

// Published returns the tokens of the account's published searches, by the id of the search.
func (t *Tracker) Published(ctx context.Context, a account.Account) (map[string]string, error) {
	tokens, err := t.store.Published(ctx, a.ID)
	return tokens, boardwatch.Wrap("list published searches", err)
}

// PublishedSearch finds a published search by its token; otherwise it is a not_found error.
func (t *Tracker) PublishedSearch(ctx context.Context, token string) (boardwatch.Search, error) {
	if !account.ValidToken(token) {
		return boardwatch.Search{}, boardwatch.NotFound("list")
	}
	q, err := t.store.PublishedSearch(ctx, token)
	return q, boardwatch.Wrap("find published search", err)
}
