package storage

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/uptrace/bun"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/storage/internal/driver"
)

// linkRecord is a row of links.
func linkRecord(l *account.Link) record {
	return newRecord("links", "l",
		col("id", &l.ID), col("kind", &l.Kind), col("hash", &l.Hash), col("account_id", optional(text(&l.AccountID))), col("email", &l.Email), col("plan", &l.Plan),
		col("password_hash", &l.PasswordHash), col("created_at", moment(&l.CreatedAt)), col("expires_at", moment(&l.ExpiresAt)),
	)
}

func (s *Store) CreateLink(ctx context.Context, l account.Link) error {
	return s.write(ctx, "create link", func(ctx context.Context, tx driver.Tx) error {
		if l.AccountID != "" {
			if _, err := s.planOf(ctx, tx, l.AccountID); err != nil {
				return err
			}
		}
		_, err := insertRow(ctx, tx, linkRecord(&l), "")
		return err
	})
}

func (s *Store) Link(ctx context.Context, kind account.LinkKind, hash string, now time.Time) (account.Link, error) {
	l, err := goodLink(ctx, s.db(), kind, hash, now)
	return l, wrap("read link", err)
}

func goodLink(ctx context.Context, db bun.IDB, kind account.LinkKind, hash string, now time.Time) (account.Link, error) {
	l, err := readRow(ctx, db, linkRecord, "WHERE l.hash = ? AND l.kind = ? AND l.expires_at > ?", plain(hash), kind, millis(now))
	if errors.Is(err, sql.ErrNoRows) {
		err = boardwatch.NotFound("link")
	}
	return l, err
}

func (s *Store) Redeem(
	ctx context.Context, kind account.LinkKind, hash string, now time.Time, decide func(account.Link) account.Outcome,
) (account.Account, error) {
	var a account.Account
	err := s.driver.Write(ctx, func(ctx context.Context, tx driver.Tx) error {
		l, err := goodLink(ctx, tx, kind, hash, now)
		if err != nil {
			return err
		}
		outcome := decide(l)
		if err := s.inLine(ctx, tx, l.AccountID, outcome); err != nil {
			return err
		}
		if err := existing(ctx, tx, "link", "DELETE FROM links WHERE id = ?", l.ID); err != nil {
			return err
		}
		if outcome.Create != nil {
			a, err = *outcome.Create, s.createBy(ctx, tx, outcome)
		} else {
			a, err = s.changeBy(ctx, tx, l, outcome, now)
		}
		return err
	})
	if err != nil {
		return account.Account{}, wrap("redeem link", err)
	}
	return a, nil
}

// inLine waits for other transactions that change or create the same account. All take their locks in the same order:
// the account before its links, and the links sent to one address by id, because redeeming one ends the others.
func (s *Store) inLine(ctx context.Context, tx driver.Tx, accountID string, o account.Outcome) (err error) {
	switch {
	case o.Create != nil:
		_, err = tx.ExecContext(ctx, "SELECT id FROM links WHERE email = ? AND kind = ? ORDER BY id"+s.dialect.RowLock,
			plain(o.Create.Email), account.LinkSignUp)
	case accountID == "":
		err = boardwatch.NotFound("account")
	default:
		_, err = s.planOf(ctx, tx, accountID)
	}
	return err
}

// createBy creates the account that a link was for. Other links that would create one with the same address end.
func (s *Store) createBy(ctx context.Context, tx driver.Tx, o account.Outcome) error {
	if o.First {
		if err := s.lockLists(ctx, tx); err != nil { // two simultaneous first accounts would both find none
			return err
		}
		if some, err := hasAccounts(ctx, tx); err != nil || some {
			return errors.Join(err, boardwatch.NotFound("link"))
		}
	}
	if err := insertAccount(ctx, tx, *o.Create); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, "DELETE FROM links WHERE email = ? AND kind = ?", plain(o.Create.Email), account.LinkSignUp)
	return err
}

// changeBy changes the account that a link belongs to.
func (s *Store) changeBy(ctx context.Context, tx driver.Tx, l account.Link, o account.Outcome, now time.Time) (account.Account, error) {
	a, err := readRow(ctx, tx, accountRecord, "WHERE a.id = ?", l.AccountID)
	if err != nil {
		return account.Account{}, err
	}
	if o.Move {
		if err := s.moveAccount(ctx, tx, &a, l.Email); err != nil {
			return account.Account{}, err
		}
	}
	if a.Email != l.Email {
		return account.Account{}, boardwatch.NotFound("link")
	}
	if o.Verified {
		a.Verified = true
		if _, err := tx.ExecContext(ctx, "UPDATE accounts SET verified = TRUE WHERE id = ?", a.ID); err != nil {
			return account.Account{}, err
		}
		if err := deleteLinks(ctx, tx, a.ID, account.LinkVerify); err != nil {
			return account.Account{}, err
		}
	}
	if o.PasswordHash != "" {
		a.PasswordHash = o.PasswordHash
		if err := reclaim(ctx, tx, a.ID, o.PasswordHash, now); err != nil {
			return account.Account{}, err
		}
	}
	return a, nil
}

// moveAccount gives an account another, confirmed address unless that is taken. Its email channels move along, and
// links sent to the old address end.
func (s *Store) moveAccount(ctx context.Context, tx driver.Tx, a *account.Account, email string) error {
	n, err := affected(ctx, tx, `UPDATE accounts SET email = ?0, verified = TRUE
		WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM accounts AS o WHERE o.email = ?0 AND o.id <> ?1)`, email, a.ID)
	if err != nil {
		return err
	}
	if n == 0 {
		return errTaken()
	}
	a.Email, a.Verified = email, true
	if err := s.moveMail(ctx, tx, a.ID, email); err != nil {
		return err
	}
	return deleteLinks(ctx, tx, a.ID, account.LinkVerify, account.LinkMove, account.LinkReset, account.LinkUnsubscribe)
}

// reclaim gives an account to the owner of its address, with a new password or none. Everything that somebody else may
// hold ends.
func reclaim(ctx context.Context, tx driver.Tx, accountID, hash string, now time.Time) error {
	if err := setPassword(ctx, tx, accountID, hash); err != nil {
		return err
	}
	for _, q := range []struct {
		query string
		args  []any
	}{
		{"UPDATE oauth_grants SET revoked_at = ? WHERE account_id = ? AND revoked_at = 0", []any{millis(now), accountID}},
		{"DELETE FROM oauth_asks WHERE account_id = ?", []any{accountID}},
		{"DELETE FROM logins WHERE account_id = ?", []any{accountID}},
		{"DELETE FROM passkeys WHERE account_id = ?", []any{accountID}},
		{"UPDATE preferences SET feed_hash = NULL, feed_token = NULL WHERE account_id = ?", []any{accountID}},
		{"DELETE FROM published WHERE search_id IN (SELECT id FROM searches WHERE account_id = ?)", []any{accountID}},
	} {
		if _, err := tx.ExecContext(ctx, q.query, q.args...); err != nil {
			return err
		}
	}
	return nil
}

// setPassword changes a password and ends everything that the old one gave access to.
func setPassword(ctx context.Context, tx driver.Tx, accountID, hash string) error {
	if err := existing(ctx, tx, "account", "UPDATE accounts SET password_hash = ? WHERE id = ?", plain(hash), plain(accountID)); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "DELETE FROM sessions WHERE account_id = ?", plain(accountID)); err != nil {
		return err
	}
	return deleteLinks(ctx, tx, accountID, account.LinkReset, account.LinkMove)
}

func deleteLinks(ctx context.Context, tx driver.Tx, accountID string, kinds ...account.LinkKind) error {
	_, err := tx.ExecContext(ctx, "DELETE FROM links WHERE account_id = ? AND kind IN (?)", plain(accountID), bun.List(kinds))
	return err
}

func (s *Store) SignUpMode(ctx context.Context) (mode string, err error) {
	err = s.db().QueryRowContext(ctx, "SELECT value FROM meta WHERE name = 'signup_mode'").Scan(&mode)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return mode, wrap("read sign-up mode", err)
}

func (s *Store) SetSignUpMode(ctx context.Context, mode string) error {
	return s.exec(ctx, "set sign-up mode", `INSERT INTO meta (name, value) VALUES ('signup_mode', ?)
		ON CONFLICT (name) DO UPDATE SET value = excluded.value`, plain(mode))
}

func (s *Store) Invitations(ctx context.Context, now time.Time) ([]account.Link, error) {
	links, err := readRows(ctx, s.db(), linkRecord, "WHERE l.kind = ? AND l.expires_at > ? ORDER BY l.created_at DESC, l.id LIMIT 1000",
		account.LinkInvite, millis(now))
	return links, wrap("read invitations", err)
}

func (s *Store) DeleteInvitation(ctx context.Context, id string) error {
	return s.change(ctx, "delete invitation", "invitation", "DELETE FROM links WHERE id = ? AND kind = ?", plain(id), account.LinkInvite)
}

func (s *Store) SetPassword(ctx context.Context, accountID, hash string) error {
	return s.write(ctx, "set password", func(ctx context.Context, tx driver.Tx) error { return setPassword(ctx, tx, accountID, hash) })
}

func (s *Store) RehashPassword(ctx context.Context, accountID, old, hash string) error {
	return s.exec(ctx, "renew password hash", "UPDATE accounts SET password_hash = ? WHERE id = ? AND password_hash = ?",
		plain(hash), plain(accountID), plain(old))
}

func (s *Store) HasAccounts(ctx context.Context) (bool, error) {
	some, err := hasAccounts(ctx, s.db())
	return some, wrap("look for accounts", err)
}

func hasAccounts(ctx context.Context, db bun.IDB) (some bool, err error) {
	err = db.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM accounts)").Scan(&some)
	return some, err
}
