package storage

import (
	"context"

	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/storage/internal/driver"
)

// keyRecord is a row of api_keys.
func keyRecord(k *account.APIKey) record {
	return newRecord("api_keys", "k",
		col("id", &k.ID), col("account_id", &k.AccountID), col("name", &k.Name), col("hint", &k.Hint), col("hash", &k.Hash),
		col("created_at", moment(&k.CreatedAt)), col("last_used_at", moment(&k.LastUsedAt)),
	)
}

func (s *Store) CreateKey(ctx context.Context, k account.APIKey, limit int) error {
	return s.write(ctx, "create key", func(ctx context.Context, tx driver.Tx) error {
		if err := s.roomFor(ctx, tx, k.AccountID, "api_keys", "key", limit); err != nil {
			return err
		}
		_, err := insertRow(ctx, tx, keyRecord(&k), "")
		return err
	})
}

func (s *Store) Keys(ctx context.Context, accountID string) ([]account.APIKey, error) {
	keys, err := readRows(ctx, s.db(), keyRecord, "WHERE k.account_id = ? ORDER BY k.created_at, k.id", plain(accountID))
	return keys, wrap("read keys", err)
}

func (s *Store) KeyByHash(ctx context.Context, hash string) (k account.APIKey, a account.Account, err error) {
	key, owner := keyRecord(&k), accountRecord(&a)
	err = s.db().QueryRowContext(ctx, "SELECT "+columns(key, owner)+" FROM api_keys AS k JOIN accounts AS a ON a.id = k.account_id WHERE k.hash = ?",
		plain(hash)).Scan(targets(key, owner)...)
	return k, a, found("read key", "key", err)
}

func (s *Store) DeleteKey(ctx context.Context, accountID, id string) error {
	return s.change(ctx, "delete key", "key", "DELETE FROM api_keys WHERE account_id = ? AND id = ?", plain(accountID), plain(id))
}
