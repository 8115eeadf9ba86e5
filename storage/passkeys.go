package storage

import (
	"context"

	"github.com/uptrace/bun"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
)

// passkeyRow is a row of passkeys.
type passkeyRow struct {
	bun.BaseModel `bun:"table:passkeys,alias:p"`

	ID           string `bun:"id,pk"`
	AccountID    string `bun:"account_id"`
	CredentialID string `bun:"credential_id"`
	Name         string `bun:"name"`
	Credential   []byte `bun:"credential"`
	Uses         uint32 `bun:"uses"`
	CreatedAt    int64  `bun:"created_at"`
	LastUsedAt   int64  `bun:"last_used_at"`
}

func (r passkeyRow) passkey() account.Passkey {
	return account.Passkey{
		ID: r.ID, AccountID: r.AccountID, CredentialID: r.CredentialID, Name: r.Name, Credential: r.Credential, Uses: r.Uses,
		CreatedAt: instant(r.CreatedAt), LastUsedAt: instant(r.LastUsedAt),
	}
}

// CreatePasskey saves a passkey, if the account has room for it.
func (s *Store) CreatePasskey(ctx context.Context, p account.Passkey, limit int) error {
	row := passkeyRow{
		ID: p.ID, AccountID: plain(p.AccountID), CredentialID: plain(p.CredentialID), Name: plain(p.Name), Credential: p.Credential,
		Uses: p.Uses, CreatedAt: millis(p.CreatedAt), LastUsedAt: millis(p.LastUsedAt),
	}
	return s.write(ctx, "create passkey", func(ctx context.Context, tx Tx) error {
		if err := s.roomFor(ctx, tx, p.AccountID, "passkeys", "passkey", limit); err != nil {
			return err
		}
		r, err := tx.NewInsert().Model(&row).On("CONFLICT (credential_id) DO NOTHING").Returning("NULL").Exec(ctx)
		if err != nil {
			return err
		}
		if n, err := r.RowsAffected(); err != nil || n == 1 {
			return err
		}
		return boardwatch.Invalid("passkey", "is already registered")
	})
}

// Passkeys lists an account's passkeys, oldest first.
func (s *Store) Passkeys(ctx context.Context, accountID string) ([]account.Passkey, error) {
	var rows []passkeyRow
	err := s.db().NewSelect().Model(&rows).Where("p.account_id = ?", plain(accountID)).Order("p.created_at", "p.id").Limit(1000).Scan(ctx)
	return valuesOf(rows, passkeyRow.passkey), wrap("read passkeys", err)
}

// UsePasskey records a use, unless another use was recorded since the count was read.
func (s *Store) UsePasskey(ctx context.Context, p account.Passkey, read uint32) error {
	return s.change(ctx, "use passkey", "passkey", `UPDATE passkeys SET credential = ?, uses = ?, last_used_at = ?
		WHERE account_id = ? AND id = ? AND uses = ?`,
		p.Credential, p.Uses, millis(p.LastUsedAt), plain(p.AccountID), plain(p.ID), read)
}

// RenamePasskey names one of the account's passkeys; otherwise a not_found error.
func (s *Store) RenamePasskey(ctx context.Context, accountID, id, name string) error {
	return s.change(ctx, "rename passkey", "passkey", "UPDATE passkeys SET name = ? WHERE account_id = ? AND id = ?",
		plain(name), plain(accountID), plain(id))
}

// DropPasskey removes a passkey, if the account has another way in.
func (s *Store) DropPasskey(ctx context.Context, accountID, id string, o account.OtherWays) error {
	return s.write(ctx, "drop passkey", func(ctx context.Context, tx Tx) error {
		err := s.dropWay(ctx, tx, accountID, "passkey", o, "DELETE FROM passkeys WHERE account_id = ? AND id = ?",
			plain(accountID), plain(id))
		return err
	})
}
