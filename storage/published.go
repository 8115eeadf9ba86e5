package storage

import (
	"context"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// Publish gives one of the account's searches a token, unless it has one already.
func (s *Store) Publish(ctx context.Context, accountID, searchID, token string) error {
	err := s.driver.Write(ctx, func(ctx context.Context, tx Tx) error {
		return existing(ctx, tx, "search", `INSERT INTO published (search_id, token) SELECT id, ? FROM searches WHERE account_id = ? AND id = ?
			ON CONFLICT (search_id) DO UPDATE SET token = published.token`, plain(token), plain(accountID), plain(searchID))
	})
	return wrap("publish search", err)
}

// Unpublish takes the token of one of the account's searches away.
func (s *Store) Unpublish(ctx context.Context, accountID, searchID string) error {
	err := s.driver.Write(ctx, func(ctx context.Context, tx Tx) error {
		_, err := tx.ExecContext(ctx, "DELETE FROM published WHERE search_id = (SELECT id FROM searches WHERE account_id = ? AND id = ?)",
			plain(accountID), plain(searchID))
		return err
	})
	return wrap("unpublish search", err)
}

// Published returns the tokens of the account's searches, by the id of the search.
func (s *Store) Published(ctx context.Context, accountID string) (map[string]string, error) {
	var rows []struct {
		ID    string `bun:"search_id"`
		Token string `bun:"token"`
	}
	err := s.db().NewRaw(`SELECT p.search_id, p.token FROM searches AS q JOIN published AS p ON p.search_id = q.id
		WHERE q.account_id = ?`, plain(accountID)).Scan(ctx, &rows)
	if err != nil {
		return nil, wrap("read published searches", err)
	}
	tokens := make(map[string]string, len(rows))
	for _, r := range rows {
		tokens[r.ID] = r.Token
	}
	return tokens, nil
}

// PublishedSearch finds a search by its token.
func (s *Store) PublishedSearch(ctx context.Context, token string) (boardwatch.Search, error) {
	var rows []searchRow
	err := s.db().NewSelect().Model(&rows).Where("q.id = (SELECT p.search_id FROM published AS p WHERE p.token = ?)", plain(token)).Scan(ctx)
	if err != nil {
		return boardwatch.Search{}, wrap("find published search", err)
	}
	if len(rows) == 0 {
		return boardwatch.Search{}, boardwatch.NotFound("list")
	}
	return rows[0].search(), nil
}
