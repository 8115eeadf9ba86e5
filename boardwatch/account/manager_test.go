package account_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/storagetest"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 123_456_789, time.UTC)

// world is a store with the services on it.
type world struct {
	*storage.Store
	*account.Manager
	keys   *account.Keys
	hasher *account.Hasher
}

func setup(t *testing.T) world {
	t.Helper()
	store := storagetest.New(t)
	hasher := account.NewQuickHasher()
	o := account.Options{Now: func() time.Time { return noon }}
	return world{store, account.NewManager(store, hasher, o), account.NewKeys(store, o), hasher}
}

func (w world) create(t *testing.T, n account.NewAccount) account.Account {
	t.Helper()
	a, err := w.Create(t.Context(), n)
	require.NoError(t, err)
	return a
}

func TestNewAccountValidate(t *testing.T) {
	t.Parallel()
	good := account.NewAccount{Email: "ann@northwind.example", Plan: account.PlanPro}
	with := func(change func(*account.NewAccount)) account.NewAccount {
		n := good
		change(&n)
		return n
	}
	tests := []struct {
		name  string
		given account.NewAccount
		wrong []string
	}{
		{"an account without a password is fine", good, nil},
		{"twelve characters are a password", with(func(n *account.NewAccount) { n.Password = strings.Repeat("é", 12) }), nil},
		{"eleven are not", with(func(n *account.NewAccount) { n.Password = strings.Repeat("é", 11) }), []string{"password"}},
		{"a thousand bytes are", with(func(n *account.NewAccount) { n.Password = strings.Repeat("x", 1000) }), nil},
		{"one more is not", with(func(n *account.NewAccount) { n.Password = strings.Repeat("x", 1001) }), []string{"password"}},
		{"every wrong field is named", account.NewAccount{Email: "ann", Plan: "gold", Password: "short"}, []string{"email", "plan", "password"}},
		{"a plan must be named", with(func(n *account.NewAccount) { n.Plan = "" }), []string{"plan"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.wrong, fields(t, tt.given.Validate()))
		})
	}
}

// fields returns the names of the fields in an invalid_request error.
func fields(t *testing.T, err error) []string {
	t.Helper()
	if err == nil {
		return nil
	}
	require.Equal(t, boardwatch.CodeInvalidRequest, boardwatch.CodeOf(err))
	var e *boardwatch.Error
	require.ErrorAs(t, err, &e)
	var names []string
	for _, f := range e.Details.([]boardwatch.FieldError) {
		names = append(names, f.Field)
	}
	return names
}

func TestManager(t *testing.T) {
	t.Parallel()

	t.Run("creates an account under the plain form of its address, with its password hashed", func(t *testing.T) {
		t.Parallel()
		w := setup(t)
		made := w.create(t, account.NewAccount{
			Email: " Ann@Northwind.example", Plan: account.PlanUltra, Verified: true, Admin: true, Password: "correct horse battery",
		})
		require.Equal(t, "ann@northwind.example", made.Email)
		require.Equal(t, boardwatch.Milli(noon), made.CreatedAt)
		found, err := w.Show(t.Context(), "ANN@northwind.example")
		require.NoError(t, err)
		require.Equal(t, made, found)
		require.NotContains(t, found.PasswordHash, "horse")
		ok, err := w.hasher.Matches(t.Context(), found.PasswordHash, "correct horse battery")
		require.NoError(t, err)
		require.True(t, ok)
	})

	t.Run("gives an address to one account only", func(t *testing.T) {
		t.Parallel()
		w := setup(t)
		w.create(t, account.NewAccount{Email: "ann@northwind.example", Plan: account.PlanFree})
		_, err := w.Create(t.Context(), account.NewAccount{Email: "ANN@northwind.example", Plan: account.PlanPro})
		require.Equal(t, []string{"email"}, fields(t, err))
		all, err := w.List(t.Context())
		require.NoError(t, err)
		require.Len(t, all, 1)
	})

	t.Run("lists accounts by address", func(t *testing.T) {
		t.Parallel()
		w := setup(t)
		for _, name := range []string{"cy", "ann", "bob"} {
			w.create(t, account.NewAccount{Email: name + "@northwind.example", Plan: account.PlanFree})
		}
		all, err := w.List(t.Context())
		require.NoError(t, err)
		require.Len(t, all, 3)
		require.Equal(t, "ann@northwind.example", all[0].Email)
		require.Equal(t, "cy@northwind.example", all[2].Email)
	})

	t.Run("changes plan and confirmation, both ways", func(t *testing.T) {
		t.Parallel()
		w := setup(t)
		w.create(t, account.NewAccount{Email: "ann@northwind.example", Plan: account.PlanFree})
		a, err := w.Manager.SetPlan(t.Context(), "ann@northwind.example", account.PlanUltra)
		require.NoError(t, err)
		require.Equal(t, account.PlanUltra, a.Plan)
		for _, verified := range []bool{true, false} {
			_, err = w.Manager.SetVerified(t.Context(), "ann@northwind.example", verified)
			require.NoError(t, err)
			found, err := w.Show(t.Context(), "ann@northwind.example")
			require.NoError(t, err)
			require.Equal(t, verified, found.Verified)
			require.Equal(t, account.PlanUltra, found.Plan)
		}
		_, err = w.Manager.SetPlan(t.Context(), "ann@northwind.example", "gold")
		require.Equal(t, []string{"plan"}, fields(t, err))
	})

	t.Run("deletes an account with its keys", func(t *testing.T) {
		t.Parallel()
		w := setup(t)
		a := w.create(t, account.NewAccount{Email: "ann@northwind.example", Plan: account.PlanPro})
		key, _, err := w.keys.Create(t.Context(), a, "laptop")
		require.NoError(t, err)
		gone, err := w.Delete(t.Context(), a.Email)
		require.NoError(t, err)
		require.Equal(t, a, gone)
		_, _, err = w.KeyByHash(t.Context(), key.Hash)
		require.Equal(t, boardwatch.CodeNotFound, boardwatch.CodeOf(err))
	})

	t.Run("does not find what is not there", func(t *testing.T) {
		t.Parallel()
		w := setup(t)
		for _, f := range []func(string) error{
			func(email string) error { _, err := w.Show(t.Context(), email); return err },
			func(email string) error {
				_, err := w.Manager.SetPlan(t.Context(), email, account.PlanPro)
				return err
			},
			func(email string) error { _, err := w.Manager.SetVerified(t.Context(), email, true); return err },
			func(email string) error { _, err := w.Delete(t.Context(), email); return err },
		} {
			require.Equal(t, boardwatch.CodeNotFound, boardwatch.CodeOf(f("nobody@northwind.example")))
			require.Equal(t, []string{"email"}, fields(t, f("nobody")))
		}
	})
}

func TestKeys(t *testing.T) {
	t.Parallel()

	t.Run("shows the secret once and keeps its hash", func(t *testing.T) {
		t.Parallel()
		w := setup(t)
		a := w.create(t, account.NewAccount{Email: "ann@northwind.example", Plan: account.PlanPro})
		key, secret, err := w.keys.Create(t.Context(), a, " laptop ")
		require.NoError(t, err)
		require.True(t, account.ValidAPIKey(secret))
		require.Equal(t, "laptop", key.Name)
		listed, err := w.keys.List(t.Context(), a)
		require.NoError(t, err)
		require.Len(t, listed, 1)
		require.Equal(t, secret[len(secret)-4:], listed[0].Hint)
		found, owner, err := w.KeyByHash(t.Context(), account.HashSecret(secret))
		require.NoError(t, err)
		require.Equal(t, key.ID, found.ID)
		require.Equal(t, a.ID, owner.ID)
	})

	t.Run("makes five and no sixth, until one is deleted", func(t *testing.T) {
		t.Parallel()
		w := setup(t)
		a := w.create(t, account.NewAccount{Email: "ann@northwind.example", Plan: account.PlanUltra})
		var last account.APIKey
		for range account.MaxKeys {
			var err error
			last, _, err = w.keys.Create(t.Context(), a, "same name")
			require.NoError(t, err)
		}
		_, _, err := w.keys.Create(t.Context(), a, "one more")
		require.Equal(t, boardwatch.CodeInvalidRequest, boardwatch.CodeOf(err))
		require.NoError(t, w.keys.Delete(t.Context(), a, last.ID))
		_, _, err = w.keys.Create(t.Context(), a, "one more")
		require.NoError(t, err)
	})

	t.Run("makes none on a plan without the REST interface, but lists and deletes old ones", func(t *testing.T) {
		t.Parallel()
		w := setup(t)
		a := w.create(t, account.NewAccount{Email: "ann@northwind.example", Plan: account.PlanPro})
		key, _, err := w.keys.Create(t.Context(), a, "laptop")
		require.NoError(t, err)
		a, err = w.Manager.SetPlan(t.Context(), a.Email, account.PlanFree)
		require.NoError(t, err)
		_, _, err = w.keys.Create(t.Context(), a, "another")
		require.Equal(t, boardwatch.CodePlanRequired, boardwatch.CodeOf(err))
		listed, err := w.keys.List(t.Context(), a)
		require.NoError(t, err)
		require.Len(t, listed, 1)
		require.NoError(t, w.keys.Delete(t.Context(), a, key.ID))
	})

	t.Run("does not let one account delete another's key", func(t *testing.T) {
		t.Parallel()
		w := setup(t)
		a := w.create(t, account.NewAccount{Email: "ann@northwind.example", Plan: account.PlanPro})
		b := w.create(t, account.NewAccount{Email: "bob@northwind.example", Plan: account.PlanPro})
		key, _, err := w.keys.Create(t.Context(), a, "laptop")
		require.NoError(t, err)
		for _, id := range []string{key.ID, boardwatch.NewID(), "not-an-id"} {
			require.Equal(t, boardwatch.CodeNotFound, boardwatch.CodeOf(w.keys.Delete(t.Context(), b, id)))
		}
	})

	t.Run("wants a name that can be read", func(t *testing.T) {
		t.Parallel()
		w := setup(t)
		a := w.create(t, account.NewAccount{Email: "ann@northwind.example", Plan: account.PlanPro})
		for _, name := range []string{"", "  ", "a\nb", "a\x00", "\xff", strings.Repeat("é", account.MaxKeyName+1)} {
			_, _, err := w.keys.Create(t.Context(), a, name)
			require.Equal(t, []string{"name"}, fields(t, err))
		}
	})
}
