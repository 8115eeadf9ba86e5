// Package account manages accounts: their plans (Manager), signing up and signing in (Identities, Sessions), keys,
// webhooks, preferences, and the access that people gave to apps (Grants). The Gate decides who may enter. The HTTP
// interfaces and the command line use the same services, so the same rules apply everywhere.
package account

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// Options are the settings of this package's services. The zero value works.
type Options struct {
	Plans Plans            // what each plan allows; nil means DefaultPlans
	Now   func() time.Time // the clock; nil means time.Now
}

func (o Options) withDefaults() Options {
	if o.Plans == nil {
		o.Plans = DefaultPlans()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// Manager creates accounts and changes them. It may be used concurrently.
type Manager struct {
	store  Store
	hasher *Hasher
	now    func() time.Time
}

// NewManager returns a Manager. The hasher may be shared. It limits how many passwords are hashed at a time.
func NewManager(store Store, hasher *Hasher, o Options) *Manager {
	o = o.withDefaults()
	return &Manager{store: store, hasher: hasher, now: o.Now}
}

// NewAccount describes an account to be created.
type NewAccount struct {
	Email    string
	Plan     PlanName
	Verified bool   // the e-mail address counts as confirmed from the start
	Admin    bool   // an operator of this installation
	Password string // empty: the account cannot sign in with a password
}

// Validate returns one invalid_request error with every wrong field.
func (n NewAccount) Validate() error {
	var wrong []boardwatch.FieldError
	if _, err := NormalizeEmail(n.Email); err != nil {
		wrong = append(wrong, boardwatch.FieldError{Field: "email", Message: "is not an e-mail address"})
	}
	if m := n.Plan.Fault(); m != "" {
		wrong = append(wrong, boardwatch.FieldError{Field: "plan", Message: m})
	}
	if n.Password != "" {
		if m := passwordFault(n.Password); m != "" {
			wrong = append(wrong, boardwatch.FieldError{Field: "password", Message: m})
		}
	}
	return boardwatch.InvalidFields(wrong)
}

// Create creates an account. An address that already has one is an invalid_request error.
func (m *Manager) Create(ctx context.Context, n NewAccount) (Account, error) {
	if err := n.Validate(); err != nil {
		return Account{}, err
	}
	email, err := NormalizeEmail(n.Email)
	if err != nil {
		return Account{}, err
	}
	a := Account{
		ID: boardwatch.NewID(), Email: email, Plan: n.Plan, Verified: n.Verified, Admin: n.Admin,
		CreatedAt: boardwatch.Milli(m.now()),
	}
	if n.Password != "" {
		if a.PasswordHash, err = m.hasher.Hash(ctx, n.Password); err != nil {
			return Account{}, fmt.Errorf("create account: %w", err)
		}
	}
	if err := m.store.CreateAccount(ctx, a); err != nil {
		return Account{}, fmt.Errorf("create account: %w", err)
	}
	return a, nil
}

// List returns all accounts by address.
func (m *Manager) List(ctx context.Context) ([]Account, error) {
	accounts, err := m.store.Accounts(ctx)
	return accounts, boardwatch.Wrap("list accounts", err)
}

// Show finds an account by its e-mail address in any spelling. An unknown one is a not_found error, and text that is no
// address an invalid_request error.
func (m *Manager) Show(ctx context.Context, email string) (Account, error) {
	a, err := byAddress(ctx, m.store, email)
	if boardwatch.CodeOf(err) == boardwatch.CodeNotFound {
		if _, bad := NormalizeEmail(email); bad != nil {
			return Account{}, bad
		}
	}
	if err != nil {
		return Account{}, fmt.Errorf("find account: %w", err)
	}
	return a, nil
}

// ByID finds an account by its id; otherwise it is a not_found error.
func (m *Manager) ByID(ctx context.Context, id string) (Account, error) {
	if !boardwatch.ValidID(id) {
		return Account{}, boardwatch.NotFound("account")
	}
	a, err := m.store.Account(ctx, id)
	return a, boardwatch.Wrap("find account", err)
}

// SetPlan moves the account to another plan. The locked boards and the cadence change with it. Keys and webhooks are
// kept even if the new plan does not include them.
func (m *Manager) SetPlan(ctx context.Context, email string, plan PlanName) (Account, error) {
	if fault := plan.Fault(); fault != "" {
		return Account{}, boardwatch.Invalid("plan", fault)
	}
	a, err := m.Show(ctx, email)
	if err != nil {
		return Account{}, err
	}
	if err := m.store.SetPlan(ctx, a.ID, plan); err != nil {
		return Account{}, fmt.Errorf("set plan: %w", err)
	}
	a.Plan = plan
	return a, nil
}

// SetVerified records whether the account's e-mail address is confirmed. An unconfirmed account cannot be used.
func (m *Manager) SetVerified(ctx context.Context, email string, verified bool) (Account, error) {
	a, err := m.Show(ctx, email)
	if err != nil {
		return Account{}, err
	}
	if err := m.store.SetVerified(ctx, a.ID, verified); err != nil {
		return Account{}, fmt.Errorf("set verified: %w", err)
	}
	a.Verified = verified
	return a, nil
}

// Delete removes the account with its keys, its webhooks and its list, and returns the deleted account. Boards and
// their history stay. The last operator is refused, as an invalid_request error of the field "account".
func (m *Manager) Delete(ctx context.Context, email string) (Account, error) {
	a, err := m.Show(ctx, email)
	if err != nil {
		return Account{}, err
	}
	if err := notLastOperator(ctx, m.store, a); err != nil {
		return Account{}, fmt.Errorf("delete account: %w", err)
	}
	if err := m.store.DeleteAccount(ctx, a.ID); err != nil {
		return Account{}, fmt.Errorf("delete account: %w", err)
	}
	return a, nil
}

// notLastOperator refuses the account of the only operator, because nobody else could look after the installation.
func notLastOperator(ctx context.Context, store Store, a Account) error {
	if !a.Admin {
		return nil
	}
	all, err := store.Accounts(ctx)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(all, func(other Account) bool { return other.Admin && other.ID != a.ID }) {
		return nil
	}
	return boardwatch.Invalid("account", "is the only operator's: make another operator first, with \"boardwatch account create --admin --verified --email EMAIL --password-stdin\"")
}
