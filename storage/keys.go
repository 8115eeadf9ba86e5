package storage

import (
	"context"

	"github.com/uptrace/bun"

	"github.com/boardwatch/boardwatch/boardwatch/account"
)

// keyRow is a row of api_keys.
type keyRow struct {
	bun.BaseModel `bun:"table:api_keys,alias:k"`

	ID         string `bun:"id,pk"`
	AccountID  string `bun:"account_id"`
	Name       string `bun:"name"`
	Hint       string `bun:"hint"`
	Hash       string `bun:"hash"`
	CreatedAt  int64  `bun:"created_at"`
	LastUsedAt int64  `bun:"last_used_at"`
}

func (r keyRow) key() account.APIKey {
	return account.APIKey{
		ID: r.ID, AccountID: r.AccountID, Name: r.Name, Hint: r.Hint, Hash: r.Hash, CreatedAt: instant(r.CreatedAt),
		LastUsedAt: instant(r.LastUsedAt),
	}
}

// CreateKey saves a key unless the account has limit keys already; then it is an invalid_request error.
func (s *Store) CreateKey(ctx context.Context, k account.APIKey, limit int) error {
	row := keyRow{
		ID: k.ID, AccountID: plain(k.AccountID), Name: plain(k.Name), Hint: plain(k.Hint), Hash: plain(k.Hash),
		CreatedAt: millis(k.CreatedAt), LastUsedAt: millis(k.LastUsedAt),
	}
	return s.write(ctx, "create key", func(ctx context.Context, tx Tx) error {
		if err := s.roomFor(ctx, tx, k.AccountID, "api_keys", "key", limit); err != nil {
			return err
		}
		_, err := tx.NewInsert().Model(&row).Returning("NULL").Exec(ctx)
		return err
	})
}

// Keys lists an account's keys, oldest first.
func (s *Store) Keys(ctx context.Context, accountID string) ([]account.APIKey, error) {
	var rows []keyRow
	err := s.db().NewSelect().Model(&rows).Where("k.account_id = ?", plain(accountID)).Order("k.created_at", "k.id").Scan(ctx)
	return valuesOf(rows, keyRow.key), wrap("read keys", err)
}

// KeyByHash finds the key and its account, or a not_found error.
func (s *Store) KeyByHash(ctx context.Context, hash string) (account.APIKey, account.Account, error) {
	var row struct {
		keyRow
		Owner accountRow `bun:"embed:owner_"`
	}
	err := s.db().NewRaw(`SELECT k.id, k.account_id, k.name, k.hint, k.hash, k.created_at, k.last_used_at, a.id AS owner_id,
		a.email AS owner_email, a.plan AS owner_plan, a.verified AS owner_verified, a.admin AS owner_admin,
		a.password_hash AS owner_password_hash, a.created_at AS owner_created_at
		FROM api_keys AS k JOIN accounts AS a ON a.id = k.account_id WHERE k.hash = ?`, plain(hash)).Scan(ctx, &row)
	if err != nil {
		return account.APIKey{}, account.Account{}, found("read key", "key", err)
	}
	return row.key(), row.Owner.account(), nil
}

// DeleteKey removes one of the account's keys; otherwise a not_found error.
func (s *Store) DeleteKey(ctx context.Context, accountID, id string) error {
	return s.change(ctx, "delete key", "key", "DELETE FROM api_keys WHERE account_id = ? AND id = ?", plain(accountID), plain(id))
}
