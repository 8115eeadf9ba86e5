package storage

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
)

// loginRow is a row of logins.
type loginRow struct {
	bun.BaseModel `bun:"table:logins,alias:i"`

	Issuer     string `bun:"issuer,pk"`
	Subject    string `bun:"subject,pk"`
	AccountID  string `bun:"account_id"`
	LoginEmail string `bun:"email"`
	CreatedAt  int64  `bun:"created_at"`
	LastUsedAt int64  `bun:"last_used_at"`
}

func (r loginRow) login() account.Login {
	return account.Login{
		Issuer: r.Issuer, Subject: r.Subject, AccountID: r.AccountID, Email: r.LoginEmail,
		CreatedAt: instant(r.CreatedAt), LastUsedAt: instant(r.LastUsedAt),
	}
}

// LoginBySubject finds a login and its account; otherwise a not_found error.
func (s *Store) LoginBySubject(ctx context.Context, issuer, subject string) (account.Login, account.Account, error) {
	var row struct {
		loginRow
		accountColumns
	}
	err := s.db().NewRaw(`SELECT i.issuer, i.subject, i.account_id, i.email, i.created_at, i.last_used_at, `+accountColumnsOf+`
		FROM logins AS i JOIN accounts AS a ON a.id = i.account_id WHERE i.issuer = ? AND i.subject = ?`,
		plain(issuer), plain(subject)).Scan(ctx, &row)
	if err != nil {
		return account.Login{}, account.Account{}, found("read login", "login", err)
	}
	return row.login(), row.account(row.AccountID), nil
}

// Logins lists an account's logins, oldest first.
func (s *Store) Logins(ctx context.Context, accountID string) ([]account.Login, error) {
	var rows []loginRow
	err := s.db().NewSelect().Model(&rows).Where("i.account_id = ?", plain(accountID)).
		Order("i.created_at", "i.issuer", "i.subject").Limit(1000).Scan(ctx)
	return valuesOf(rows, loginRow.login), wrap("read logins", err)
}

// Connect saves a login and the account changes that come with it.
func (s *Store) Connect(ctx context.Context, l account.Login, c account.Connection) (account.Account, error) {
	var a account.Account
	err := s.driver.Write(ctx, func(ctx context.Context, tx Tx) (err error) {
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
func (s *Store) createInvited(ctx context.Context, tx Tx, c account.Connection, now time.Time) (account.Account, error) {
	outcome := account.Outcome{Create: c.Create}
	if err := s.inLine(ctx, tx, linkRow{}, outcome); err != nil {
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
func (s *Store) accountFor(ctx context.Context, tx Tx, l account.Login, c account.Connection) (account.Account, error) {
	if _, err := s.planOf(ctx, tx, l.AccountID); err != nil {
		return account.Account{}, err
	}
	var row accountRow
	if err := tx.NewSelect().Model(&row).Where("a.id = ?", plain(l.AccountID)).Scan(ctx); err != nil {
		return account.Account{}, err
	}
	if c.Email != "" && row.Email != c.Email {
		return account.Account{}, boardwatch.NotFound("account")
	}
	if c.Sole {
		var n int
		err := tx.QueryRowContext(ctx, "SELECT count(*) FROM logins WHERE account_id = ? AND issuer = ?", row.ID, plain(l.Issuer)).Scan(&n)
		if err != nil {
			return account.Account{}, err
		}
		if n > 0 {
			return account.Account{}, boardwatch.Invalid("login", "the account is connected to another person at this provider")
		}
	}
	if !c.Reclaim {
		return row.account(), nil
	}
	if err := reclaim(ctx, tx, row.ID, "", l.CreatedAt); err != nil {
		return account.Account{}, err
	}
	if _, err := tx.ExecContext(ctx, "UPDATE accounts SET verified = TRUE WHERE id = ?", row.ID); err != nil {
		return account.Account{}, err
	}
	row.Verified, row.PasswordHash = true, ""
	return row.account(), deleteLinks(ctx, tx, row.ID, account.LinkVerify)
}

func insertLogin(ctx context.Context, tx Tx, l account.Login, accountID string) error {
	n, err := affected(ctx, tx, `INSERT INTO logins (issuer, subject, account_id, email, created_at, last_used_at)
		VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (issuer, subject) DO NOTHING`,
		plain(l.Issuer), plain(l.Subject), plain(accountID), plain(l.Email), millis(l.CreatedAt), millis(l.LastUsedAt))
	if err == nil && n == 0 {
		err = boardwatch.Invalid("login", "is already connected to an account")
	}
	return err
}

// TouchLogin records that a login was used, with the address that the provider reported.
func (s *Store) TouchLogin(ctx context.Context, issuer, subject, email string, at time.Time) error {
	return s.change(ctx, "touch login", "login", "UPDATE logins SET last_used_at = ?, email = ? WHERE issuer = ? AND subject = ?",
		millis(at), plain(email), plain(issuer), plain(subject))
}

// DropLogin removes a login, if the account has another way in.
func (s *Store) DropLogin(ctx context.Context, accountID, issuer, subject string, o account.OtherWays) error {
	return s.write(ctx, "drop login", func(ctx context.Context, tx Tx) error {
		return s.dropWay(ctx, tx, accountID, "login", o, "DELETE FROM logins WHERE account_id = ? AND issuer = ? AND subject = ?",
			plain(accountID), plain(issuer), plain(subject))
	})
}

// dropWay removes a way in. It locks the account, so that two simultaneous removals cannot leave the account without
// any.
func (s *Store) dropWay(ctx context.Context, tx Tx, accountID, thing string, o account.OtherWays, query string, args ...any) error {
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
