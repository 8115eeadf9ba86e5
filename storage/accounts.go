package storage

import (
	"context"
	"database/sql"
	"errors"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/storage/internal/driver"
)

// accountRecord is a row of accounts.
func accountRecord(a *account.Account) record {
	return newRecord("accounts", "a",
		col("id", &a.ID), col("email", &a.Email), col("plan", &a.Plan), col("verified", &a.Verified), col("admin", &a.Admin),
		col("password_hash", &a.PasswordHash), col("created_at", moment(&a.CreatedAt)),
	)
}

func (s *Store) CreateAccount(ctx context.Context, a account.Account) error {
	return s.write(ctx, "create account", func(ctx context.Context, tx driver.Tx) error { return insertAccount(ctx, tx, a) })
}

func insertAccount(ctx context.Context, tx driver.Tx, a account.Account) error {
	if fault := a.Plan.Fault(); fault != "" {
		return boardwatch.Invalid("plan", fault)
	}
	if a.CreatedAt.IsZero() {
		now, err := tx.Now(ctx)
		if err != nil {
			return err
		}
		a.CreatedAt = now
	}
	if n, err := insertRow(ctx, tx, accountRecord(&a), "ON CONFLICT (email) DO NOTHING"); err != nil || n == 1 {
		return err
	}
	return errTaken()
}

func errTaken() error { return boardwatch.Invalid("email", "is taken by another account") }

func (s *Store) Account(ctx context.Context, id string) (account.Account, error) {
	return s.account(ctx, "WHERE a.id = ?", id)
}

func (s *Store) AccountByEmail(ctx context.Context, email string) (account.Account, error) {
	return s.account(ctx, "WHERE a.email = ?", email)
}

func (s *Store) account(ctx context.Context, where, value string) (account.Account, error) {
	a, err := readRow(ctx, s.db(), accountRecord, where, plain(value))
	return a, found("read account", "account", err)
}

func (s *Store) Accounts(ctx context.Context) ([]account.Account, error) {
	accounts, err := readRows(ctx, s.db(), accountRecord, "ORDER BY a.email")
	return accounts, wrap("read accounts", err)
}

func (s *Store) SetVerified(ctx context.Context, id string, verified bool) error {
	return s.change(ctx, "set verified", "account", "UPDATE accounts SET verified = ? WHERE id = ?", verified, plain(id))
}

func (s *Store) SetPlan(ctx context.Context, id string, plan account.PlanName) error {
	if fault := plan.Fault(); fault != "" {
		return boardwatch.Invalid("plan", fault)
	}
	return wrap("set plan", s.writeLists(ctx, func(ctx context.Context, tx driver.Tx) error {
		if err := existing(ctx, tx, "account", "UPDATE accounts SET plan = ? WHERE id = ?", plan, plain(id)); err != nil {
			return err
		}
		return s.applyPlan(ctx, tx, id, plan)
	}))
}

func (s *Store) DeleteAccount(ctx context.Context, id string) error {
	id = plain(id)
	return wrap("delete account", s.writeLists(ctx, func(ctx context.Context, tx driver.Tx) error {
		if _, err := s.planOf(ctx, tx, id); err != nil { // also locks the account, so that no key or webhook is added meanwhile
			return err
		}
		boards, err := boardsOf(ctx, tx, id)
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, "DELETE FROM subscriptions WHERE account_id = ?", id); err != nil {
			return err
		}
		if err := s.reschedule(ctx, tx, id, boards); err != nil { // locks the boards before the webhooks, as a check does
			return err
		}
		for _, query := range []string{
			"DELETE FROM rates WHERE account_id = ?", // before the keys, as a request locks them
			"DELETE FROM api_keys WHERE account_id = ?",
			"DELETE FROM webhooks WHERE account_id = ?", // their deliveries go with them
			"DELETE FROM former WHERE account_id = ?",
			"DELETE FROM accounts WHERE id = ?",
		} {
			if _, err := tx.ExecContext(ctx, query, id); err != nil {
				return err
			}
		}
		return nil
	}))
}

// planOf reads an account's plan and locks the account; otherwise a not_found error.
func (s *Store) planOf(ctx context.Context, tx driver.Tx, accountID string) (account.PlanName, error) {
	var plan account.PlanName
	err := tx.QueryRowContext(ctx, "SELECT plan FROM accounts WHERE id = ?"+s.dialect.RowLock, plain(accountID)).Scan(&plan)
	if errors.Is(err, sql.ErrNoRows) {
		return "", boardwatch.NotFound("account")
	}
	return plan, wrap("read plan", err)
}

// roomFor returns an error if the account already has limit of something. rows is a table or a named subquery.
func (s *Store) roomFor(ctx context.Context, tx driver.Tx, accountID, rows, field string, limit int) error {
	if _, err := s.planOf(ctx, tx, accountID); err != nil {
		return err
	}
	var n int
	err := tx.QueryRowContext(ctx, "SELECT count(*) FROM "+rows+" WHERE account_id = ?", plain(accountID)).Scan(&n)
	if err != nil {
		return err
	}
	if n >= limit {
		return boardwatch.Invalid(field, "this account has as many as it may have; delete one first")
	}
	return nil
}
