package storage

import (
	"context"

	"github.com/uptrace/bun"

	"github.com/boardwatch/boardwatch/internal/canonical"
)

// addressStep is the title of the schema step that also rewrites e-mail addresses.
const addressStep = "canonical"

// rewriteAddresses brings the addresses of accounts and links, which earlier versions stored with Unicode domains, to
// the form in which they are looked up. One that has no such form, or that another account has already, stays.
func rewriteAddresses(ctx context.Context, tx bun.Tx) error {
	for _, table := range []string{"accounts", "links"} {
		var rows []struct{ ID, Email string }
		if err := tx.NewRaw("SELECT id, email FROM "+table).Scan(ctx, &rows); err != nil {
			return err
		}
		for _, row := range rows {
			email, ok := canonical.Email(row.Email)
			if !ok || email == row.Email {
				continue
			}
			_, err := tx.ExecContext(ctx, "UPDATE "+table+" SET email = ?0 WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM accounts WHERE email = ?0 AND id <> ?1)",
				email, row.ID)
			if err != nil {
				return err
			}
		}
	}
	return nil
}
