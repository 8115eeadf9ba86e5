package account

import (
	"context"
	"time"
)

// Account is a customer: a person, or a program acting for one.
type Account struct {
	ID           string    `json:"id"`
	Email        string    `json:"email"`
	Plan         PlanName  `json:"plan"`
	Verified     bool      `json:"verified"` // the e-mail address is confirmed
	Admin        bool      `json:"admin"`    // an operator of this installation
	PasswordHash string    `json:"-"`        // empty: cannot sign in with a password
	CreatedAt    time.Time `json:"-"`
}

// Store is what accounts and their keys need from a store.
type Store interface {
	// CreateAccount saves a new account. An address that is already used, and a plan that does not exist
	// (PlanName.Fault), are invalid_request errors. An empty plan does not exist.
	CreateAccount(ctx context.Context, a Account) error
	// Account finds an account by id; otherwise a not_found error.
	Account(ctx context.Context, id string) (Account, error)
	// AccountByEmail finds an account by its address as package account normalises it (account.NormalizeEmail); otherwise a not_found error.
	AccountByEmail(ctx context.Context, email string) (Account, error)
	// Accounts lists all accounts by address.
	Accounts(ctx context.Context) ([]Account, error)
	// SetVerified records whether the address is confirmed.
	SetVerified(ctx context.Context, id string, verified bool) error
	// SetPlan changes the plan and, in the same transaction, which boards are locked and how often they are read. An
	// unknown plan is an invalid_request error.
	SetPlan(ctx context.Context, id string, plan PlanName) error
	// DeleteAccount removes the account and everything that belongs to it. Boards and their history stay.
	DeleteAccount(ctx context.Context, id string) error
}
