package storage

import (
	"context"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/storage/internal/driver"
)

// loginRecord is a row of logins.
func loginRecord(l *account.Login) record {
	return newRecord("logins", "i",
		col("issuer", &l.Issuer), col("subject", &l.Subject), col("account_id", &l.AccountID), col("email", &l.Email),
		col("created_at", moment(&l.CreatedAt)), col("last_used_at", moment(&l.LastUsedAt)),
	)
}

func (s *Store) LoginBySubject(ctx context.Context, issuer, subject string) (l account.Login, a account.Account, err error) {
	login, owner := loginRecord(&l), accountRecord(&a)
	err = s.db().QueryRowContext(ctx, "SELECT "+columns(login, owner)+` FROM logins AS i JOIN accounts AS a ON a.id = i.account_id
		WHERE i.issuer = ? AND i.subject = ?`, plain(issuer), plain(subject)).Scan(targets(login, owner)...)
	return l, a, found("read login", "login", err)
}

func (s *Store) Logins(ctx context.Context, accountID string) ([]account.Login, error) {
	logins, err := readRows(ctx, s.db(), loginRecord, "WHERE i.account_id = ? ORDER BY i.created_at, i.issuer, i.subject LIMIT 1000", plain(accountID))
	return logins, wrap("read logins", err)
}

func (s *Store) Connect(ctx context.Context, l account.Login, c account.Connection) (account.Account, error) {
	var a account.Account
	err := s.driver.Write(ctx, func(ctx context.Context, tx driver.Tx) (err error) {
		if c.Create != nil {
			a, err = s.createInvited(ctx, tx, c, l.CreatedAt)
		} else {
			a, err = s.accountFor(ctx, tx, l, c)
		}
		if err != nil {
			return err
		}
		return insertLogin(ctx, tx, l, a.ID)
	})
	if err != nil {
		return account.Account{}, wrap("connect login", err)
	}
	return a, nil
}

// createInvited creates the account of a login and uses up the invitation.
func (s *Store) createInvited(ctx context.Context, tx driver.Tx, c account.Connection, now time.Time) (account.Account, error) {
	outcome := account.Outcome{Create: c.Create}
	if err := s.inLine(ctx, tx, "", outcome); err != nil {
		return account.Account{}, err
	}
	if c.Invitation != "" {
		err := existing(ctx, tx, "link", "DELETE FROM links WHERE hash = ? AND kind = ? AND expires_at > ?",
			plain(c.Invitation), account.LinkInvite, millis(now))
		if err != nil {
			return account.Account{}, err
		}
	}
	return *c.Create, s.createBy(ctx, tx, outcome)
}

// accountFor returns the account that the login belongs to, as it is afterwards.
func (s *Store) accountFor(ctx context.Context, tx driver.Tx, l account.Login, c account.Connection) (account.Account, error) {
	if _, err := s.planOf(ctx, tx, l.AccountID); err != nil {
		return account.Account{}, err
	}
	a, err := readRow(ctx, tx, accountRecord, "WHERE a.id = ?", plain(l.AccountID))
	if err != nil {
		return account.Account{}, err
	}
	if c.Email != "" && a.Email != c.Email {
		return account.Account{}, boardwatch.NotFound("account")
	}
	if c.Sole {
		var n int
		err := tx.QueryRowContext(ctx, "SELECT count(*) FROM logins WHERE account_id = ? AND issuer = ?", a.ID, plain(l.Issuer)).Scan(&n)
		if err != nil {
			return account.Account{}, err
		}
		if n > 0 {
			return account.Account{}, boardwatch.Invalid("login", "the account is connected to another person at this provider")
		}
	}
	if !c.Reclaim {
		return a, nil
	}
	if err := reclaim(ctx, tx, a.ID, "", l.CreatedAt); err != nil {
		return account.Account{}, err
	}
	if _, err := tx.ExecContext(ctx, "UPDATE accounts SET verified = TRUE WHERE id = ?", a.ID); err != nil {
		return account.Account{}, err
	}
	a.Verified, a.PasswordHash = true, ""
	return a, deleteLinks(ctx, tx, a.ID, account.LinkVerify)
}

func insertLogin(ctx context.Context, tx driver.Tx, l account.Login, accountID string) error {
	l.AccountID = accountID
	n, err := insertRow(ctx, tx, loginRecord(&l), "ON CONFLICT (issuer, subject) DO NOTHING")
	if err == nil && n == 0 {
		err = boardwatch.Invalid("login", "is already connected to an account")
	}
	return err
}

func (s *Store) TouchLogin(ctx context.Context, issuer, subject, email string, at time.Time) error {
	return s.change(ctx, "touch login", "login", "UPDATE logins SET last_used_at = ?, email = ? WHERE issuer = ? AND subject = ?",
		millis(at), plain(email), plain(issuer), plain(subject))
}

func (s *Store) DropLogin(ctx context.Context, accountID, issuer, subject string, o account.OtherWays) error {
	return s.write(ctx, "drop login", func(ctx context.Context, tx driver.Tx) error {
		return s.dropWay(ctx, tx, accountID, "login", o, "DELETE FROM logins WHERE account_id = ? AND issuer = ? AND subject = ?",
			plain(accountID), plain(issuer), plain(subject))
	})
}

// dropWay removes a way in. It locks the account, so that two simultaneous removals cannot leave the account without
// any.
func (s *Store) dropWay(ctx context.Context, tx driver.Tx, accountID, thing string, o account.OtherWays, query string, args ...any) error {
	if _, err := s.planOf(ctx, tx, accountID); err != nil {
		return err
	}
	if err := existing(ctx, tx, thing, query, args...); err != nil {
		return err
	}
	var ways int
	err := tx.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM accounts WHERE id = ?0 AND password_hash <> '' AND ?1)
		+ (SELECT count(*) FROM logins WHERE account_id = ?0 AND issuer = ?2)
		+ (SELECT count(*) FROM passkeys WHERE account_id = ?0 AND ?3)`,
		plain(accountID), o.Password, plain(o.Issuer), o.Passkeys).Scan(&ways)
	if err != nil {
		return err
	}
	if ways == 0 {
		return boardwatch.Invalid(thing, "is the only way in to this account: add another one first")
	}
	return nil
}
