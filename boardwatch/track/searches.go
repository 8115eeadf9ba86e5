package track

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
)

// MaxSearches is how many searches an account may keep.
const MaxSearches = 20

// SaveSearch saves a search under a new id and returns it as saved. Every wrong field is named in one invalid_request
// error, including boards that are not on the account's list.
func (t *Tracker) SaveSearch(ctx context.Context, a account.Account, q boardwatch.Search) (boardwatch.Search, error) {
	q, err := t.cleanSearch(ctx, a, q)
	if err != nil {
		return boardwatch.Search{}, err
	}
	if q.CreatedAt, err = t.store.Now(ctx); err != nil {
		return boardwatch.Search{}, fmt.Errorf("save search: %w", err)
	}
	q.ID = boardwatch.NewID()
	if err := t.store.CreateSearch(ctx, q, MaxSearches); err != nil {
		return boardwatch.Search{}, fmt.Errorf("save search: %w", err)
	}
	return q, nil
}

// ChangeSearch saves the name, the criteria and the kinds of one of the account's searches, and returns it as saved. It
// keeps its feed and its channels. An unknown one is a not_found error; see SaveSearch for the others.
func (t *Tracker) ChangeSearch(ctx context.Context, a account.Account, q boardwatch.Search) (boardwatch.Search, error) {
	q, err := t.cleanSearch(ctx, a, q)
	if err != nil {
		return boardwatch.Search{}, err
	}
	if err := t.store.ChangeSearch(ctx, q); err != nil {
		return boardwatch.Search{}, fmt.Errorf("change search: %w", err)
	}
	return q, nil
}

// cleanSearch returns a search of the account in the form it is stored.
func (t *Tracker) cleanSearch(ctx context.Context, a account.Account, q boardwatch.Search) (boardwatch.Search, error) {
	q, err := q.Clean()
	if err != nil {
		return boardwatch.Search{}, err
	}
	q.AccountID = a.ID
	for i, id := range q.Boards {
		b, err := t.Board(ctx, a, id)
		if boardwatch.CodeOf(err) == boardwatch.CodeNotFound {
			return boardwatch.Search{}, boardwatch.Invalid("boards", "must be ids of boards on the list; "+strconv.Quote(id)+" is not")
		}
		if err != nil {
			return boardwatch.Search{}, err
		}
		q.Boards[i] = b.ID
	}
	return q, nil
}

// Searches lists the account's searches, oldest first.
func (t *Tracker) Searches(ctx context.Context, a account.Account) ([]boardwatch.Search, error) {
	list, err := t.store.Searches(ctx, a.ID)
	return list, boardwatch.Wrap("list searches", err)
}

// Search finds one of the account's searches by its id; otherwise it is a not_found error.
func (t *Tracker) Search(ctx context.Context, a account.Account, id string) (boardwatch.Search, error) {
	return t.search(ctx, a, func(q boardwatch.Search) bool { return q.ID == id })
}

// SearchNamed finds one of the account's searches by its name, ignoring case; otherwise it is a not_found error.
func (t *Tracker) SearchNamed(ctx context.Context, a account.Account, name string) (boardwatch.Search, error) {
	return t.search(ctx, a, func(q boardwatch.Search) bool { return q.SameName(name) })
}

func (t *Tracker) search(ctx context.Context, a account.Account, wanted func(boardwatch.Search) bool) (boardwatch.Search, error) {
	list, err := t.Searches(ctx, a)
	if err != nil {
		return boardwatch.Search{}, err
	}
	if i := slices.IndexFunc(list, wanted); i >= 0 {
		return list[i], nil
	}
	return boardwatch.Search{}, boardwatch.NotFound("search")
}

// RemoveSearch deletes one of the account's searches; otherwise it is a not_found error.
func (t *Tracker) RemoveSearch(ctx context.Context, a account.Account, id string) error {
	return boardwatch.Wrap("remove search", t.store.DeleteSearch(ctx, a.ID, id))
}

// Tag adds tags to a board on the account's list, removes others, and returns its tags afterwards. A board that is not on the
// list is a not_found error, whether it exists or not.
func (t *Tracker) Tag(ctx context.Context, a account.Account, boardID string, add, remove []string) ([]string, error) {
	if !boardwatch.ValidID(boardID) {
		return nil, boardwatch.NotFound("board")
	}
	b, err := t.store.Tag(ctx, a.ID, boardID, add, remove)
	if err != nil {
		return nil, fmt.Errorf("tag board: %w", err)
	}
	return b.Subscription.Tags, nil
}

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
