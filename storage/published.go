package storage

import (
	"context"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/storage/internal/driver"
)

func (s *Store) Publish(ctx context.Context, accountID, searchID, token string) error {
	err := s.driver.Write(ctx, func(ctx context.Context, tx driver.Tx) error {
		return existing(ctx, tx, "search", `INSERT INTO published (search_id, token) SELECT id, ? FROM searches WHERE account_id = ? AND id = ?
			ON CONFLICT (search_id) DO UPDATE SET token = published.token`, plain(token), plain(accountID), plain(searchID))
	})
	return wrap("publish search", err)
}

func (s *Store) Unpublish(ctx context.Context, accountID, searchID string) error {
	err := s.driver.Write(ctx, func(ctx context.Context, tx driver.Tx) error {
		_, err := tx.ExecContext(ctx, "DELETE FROM published WHERE search_id = (SELECT id FROM searches WHERE account_id = ? AND id = ?)",
			plain(accountID), plain(searchID))
		return err
	})
	return wrap("unpublish search", err)
}

func (s *Store) Published(ctx context.Context, accountID string) (map[string]string, error) {
	tokens := make(map[string]string)
	var id, token string
	err := queryRows(ctx, s.db(), []any{&id, &token}, func() error {
		tokens[id] = token
		return nil
	}, "SELECT p.search_id, p.token FROM searches AS q JOIN published AS p ON p.search_id = q.id WHERE q.account_id = ?", plain(accountID))
	return tokens, wrap("read published searches", err)
}

func (s *Store) PublishedSearch(ctx context.Context, token string) (boardwatch.Search, error) {
	q, err := readRow(ctx, s.db(), searchRecord, "WHERE q.id = (SELECT p.search_id FROM published AS p WHERE p.token = ?)", plain(token))
	return q, found("find published search", "list", err)
}
