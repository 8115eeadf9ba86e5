package storage

import (
	"context"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/storage/internal/driver"
)

// passkeyRecord is a row of passkeys.
func passkeyRecord(p *account.Passkey) record {
	return newRecord("passkeys", "p",
		col("id", &p.ID), col("account_id", &p.AccountID), col("credential_id", &p.CredentialID), col("name", &p.Name), col("credential", &p.Credential),
		col("uses", &p.Uses), col("created_at", moment(&p.CreatedAt)), col("last_used_at", moment(&p.LastUsedAt)),
	)
}

func (s *Store) CreatePasskey(ctx context.Context, p account.Passkey, limit int) error {
	return s.write(ctx, "create passkey", func(ctx context.Context, tx driver.Tx) error {
		if err := s.roomFor(ctx, tx, p.AccountID, "passkeys", "passkey", limit); err != nil {
			return err
		}
		if n, err := insertRow(ctx, tx, passkeyRecord(&p), "ON CONFLICT (credential_id) DO NOTHING"); err != nil || n == 1 {
			return err
		}
		return boardwatch.Invalid("passkey", "is already registered")
	})
}

func (s *Store) Passkeys(ctx context.Context, accountID string) ([]account.Passkey, error) {
	passkeys, err := readRows(ctx, s.db(), passkeyRecord, "WHERE p.account_id = ? ORDER BY p.created_at, p.id LIMIT 1000", plain(accountID))
	return passkeys, wrap("read passkeys", err)
}

func (s *Store) UsePasskey(ctx context.Context, p account.Passkey, read uint32) error {
	return s.change(ctx, "use passkey", "passkey", `UPDATE passkeys SET credential = ?, uses = ?, last_used_at = ?
		WHERE account_id = ? AND id = ? AND uses = ?`,
		p.Credential, p.Uses, millis(p.LastUsedAt), plain(p.AccountID), plain(p.ID), read)
}

func (s *Store) RenamePasskey(ctx context.Context, accountID, id, name string) error {
	return s.change(ctx, "rename passkey", "passkey", "UPDATE passkeys SET name = ? WHERE account_id = ? AND id = ?",
		plain(name), plain(accountID), plain(id))
}

func (s *Store) DropPasskey(ctx context.Context, accountID, id string, o account.OtherWays) error {
	return s.write(ctx, "drop passkey", func(ctx context.Context, tx driver.Tx) error {
		err := s.dropWay(ctx, tx, accountID, "passkey", o, "DELETE FROM passkeys WHERE account_id = ? AND id = ?",
			plain(accountID), plain(id))
		return err
	})
}
