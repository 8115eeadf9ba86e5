package memory

import (
	"context"
	"slices"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/storage"
)

// CreateSearch saves a search unless the account has too many, or one with this name.
func (s *Store) CreateSearch(ctx context.Context, q boardwatch.Search, limit int) error {
	return s.change(ctx, q.AccountID, func(_ *Database, a *account) error {
		if len(a.searches) >= limit {
			return full("name")
		}
		if err := q.Free(a.searches); err != nil {
			return err
		}
		a.searches = append(a.searches, q)
		return nil
	})
}

// Searches lists the account's searches, oldest first.
func (s *Store) Searches(_ context.Context, accountID string) (out []boardwatch.Search, err error) {
	s.read(func(d *Database) {
		if a, ok := d.accounts[accountID]; ok {
			out = slices.Clone(a.searches)
		}
	})
	return out, nil
}

// DeleteSearch removes one of the account's searches.
func (s *Store) DeleteSearch(ctx context.Context, accountID, id string) error {
	return s.write(ctx, func(d *Database) error {
		a, ok := d.accounts[accountID]
		if !ok {
			return boardwatch.NotFound("search")
		}
		i := slices.IndexFunc(a.searches, func(q boardwatch.Search) bool { return q.ID == id })
		if i < 0 {
			return boardwatch.NotFound("search")
		}
		a.searches = slices.Delete(slices.Clone(a.searches), i, i+1)
		return nil
	})
}

// Tag adds tags to a board on the account's list and removes others.
func (s *Store) Tag(ctx context.Context, accountID, boardID string, add, remove []string) (t boardwatch.TrackedBoard, err error) {
	err = s.write(ctx, func(d *Database) error {
		found, err := d.trackedBoard(accountID, boardID)
		if err != nil {
			return err
		}
		sub := d.accounts[accountID].subscription(found.Board.ID)
		tags, err := boardwatch.Retagged(sub.Tags, add, remove)
		if err != nil {
			return err
		}
		sub.Tags = tags
		t, err = d.trackedBoard(accountID, boardID)
		return err
	})
	return t, err
}

// covered is whether criteria choose a role of a board that the account tracks. Boards may have merged into others since they
// were named.
func (d *Database) covered(c boardwatch.Criteria, sub boardwatch.Subscription, j boardwatch.Job) bool {
	for _, id := range c.Boards {
		if into, ok := d.aliases[id]; ok {
			c.Boards = append(slices.Clone(c.Boards), into)
		}
	}
	return c.Covers(sub) && c.Folded(storage.Fold).Fits(j, storage.Fold)
}
