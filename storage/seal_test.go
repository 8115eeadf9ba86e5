package storage_test

import (
	"bytes"
	"database/sql"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/sqlite"
	"github.com/boardwatch/boardwatch/storage/storagetest"
)

func TestSecretsAreSealed(t *testing.T) {
	t.Parallel()
	path := t.TempDir() + "/boardwatch.db"
	key := bytes.Repeat([]byte{7}, 32)
	open := func(key []byte) (*storage.Store, error) {
		s, err := sqlite.Open(t.Context(), path, storage.Options{SealKey: key})
		if err == nil {
			t.Cleanup(func() { require.NoError(t, s.Close()) })
		}
		return s, err
	}
	s, err := open(key)
	require.NoError(t, err)
	a := account.Account{ID: boardwatch.NewID(), Email: "robin@northwind.example", Plan: account.PlanUltra}
	require.NoError(t, s.CreateAccount(t.Context(), a))
	hook := boardwatch.Webhook{ID: boardwatch.NewID(), AccountID: a.ID, Secret: "whsec_plain-to-see", URL: "https://receiver.example/"}
	require.NoError(t, s.CreateWebhook(t.Context(), hook, 5))

	t.Run("the database does not show them", func(t *testing.T) {
		t.Parallel()
		var kept []byte
		row := file(t, path).QueryRowContext(t.Context(), "SELECT secret FROM webhooks")
		require.NoError(t, row.Scan(&kept))
		require.NotContains(t, string(kept), "plain-to-see")
	})
	t.Run("the same key opens them", func(t *testing.T) {
		t.Parallel()
		again, err := open(key)
		require.NoError(t, err)
		hooks, err := again.Webhooks(t.Context(), a.ID)
		require.NoError(t, err)
		require.Equal(t, hook.Secret, hooks[0].Secret)
	})
	t.Run("another key is refused", func(t *testing.T) {
		t.Parallel()
		_, err := open(bytes.Repeat([]byte{8}, 32))
		require.ErrorIs(t, err, storage.ErrSealKey)
		require.NotContains(t, err.Error(), "\x08")
	})
	t.Run("a key of another length is refused", func(t *testing.T) {
		t.Parallel()
		_, err := open([]byte("short"))
		require.ErrorContains(t, err, "needs 32")
		require.NotContains(t, err.Error(), "short")
	})
	t.Run("without a key there are no webhooks", func(t *testing.T) {
		t.Parallel()
		none, err := open(nil)
		require.NoError(t, err)
		require.ErrorContains(t, none.CreateWebhook(t.Context(), hook, 5), "secrets.key")
		_, err = none.Webhooks(t.Context(), a.ID)
		require.ErrorContains(t, err, "secrets.key")
	})
}

func TestWebhooksWithoutASecretNeedNoKey(t *testing.T) {
	t.Parallel()
	path := t.TempDir() + "/boardwatch.db"
	open := func(key []byte) *storage.Store {
		s, err := sqlite.Open(t.Context(), path, storage.Options{SealKey: key})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, s.Close()) })
		return s
	}
	s := open(nil)
	a := account.Account{ID: boardwatch.NewID(), Email: "robin@northwind.example", Plan: account.PlanUltra}
	require.NoError(t, s.CreateAccount(t.Context(), a))
	hook := boardwatch.Webhook{ID: boardwatch.NewID(), AccountID: a.ID, URL: "print:"}
	require.NoError(t, s.CreateWebhook(t.Context(), hook, 5))

	keyed := open([]byte(storagetest.SealKey)) // a key given later does not change that
	_, err := keyed.RotateSealKey(t.Context(), bytes.Repeat([]byte{9}, 32))
	require.NoError(t, err)
	for _, store := range []*storage.Store{s, keyed} {
		hooks, err := store.Webhooks(t.Context(), a.ID)
		require.NoError(t, err)
		require.Equal(t, []boardwatch.Webhook{hook}, hooks)
	}
}

func TestSecretsCannotBeMoved(t *testing.T) {
	t.Parallel()
	path := t.TempDir() + "/boardwatch.db"
	s, err := sqlite.Open(t.Context(), path, storage.Options{SealKey: []byte(storagetest.SealKey)})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	a := account.Account{ID: boardwatch.NewID(), Email: "robin@northwind.example", Plan: account.PlanUltra}
	require.NoError(t, s.CreateAccount(t.Context(), a))
	for _, id := range []string{"a", "b"} {
		require.NoError(t, s.CreateWebhook(t.Context(), boardwatch.Webhook{ID: id, AccountID: a.ID, Secret: "whsec_" + id}, 5))
	}
	_, err = file(t, path).ExecContext(t.Context(), "UPDATE webhooks SET secret = (SELECT secret FROM webhooks WHERE id = 'a') WHERE id = 'b'")
	require.NoError(t, err)
	_, err = s.Webhooks(t.Context(), a.ID)
	require.ErrorIs(t, err, storage.ErrSealKey)
}

// file opens a database directly, without its store.
func file(t *testing.T, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	return db
}

func TestCheckSealKey(t *testing.T) {
	t.Parallel()
	mine, other := bytes.Repeat([]byte{7}, 32), bytes.Repeat([]byte{8}, 32)
	check := func(t *testing.T, path string, key []byte) error {
		t.Helper()
		s, err := sqlite.Open(t.Context(), path, storage.Options{SealKey: key, NoMigrate: true})
		require.NoError(t, err)
		defer func() { require.NoError(t, s.Close()) }()
		return s.CheckSealKey(t.Context())
	}
	path := t.TempDir() + "/boardwatch.db"
	s, err := sqlite.Open(t.Context(), path, storage.Options{})
	require.NoError(t, err)
	require.NoError(t, s.Close())
	require.NoError(t, check(t, path, other), "the database belongs to no key, and checking does not change that")
	require.NoError(t, check(t, path, nil))

	s, err = sqlite.Open(t.Context(), path, storage.Options{SealKey: mine})
	require.NoError(t, err)
	require.NoError(t, s.Close())
	require.NoError(t, check(t, path, mine))
	require.ErrorIs(t, check(t, path, other), storage.ErrSealKey)
	require.ErrorIs(t, check(t, path, nil), storage.ErrSealKey)
}

// TestARotationThatFailsLeavesTheOldKeyInUse makes the last statement of a rotation fail.
func TestARotationThatFailsLeavesTheOldKeyInUse(t *testing.T) {
	t.Parallel()
	s, err := sqlite.Open(t.Context(), t.TempDir()+"/boardwatch.db", storage.Options{SealKey: bytes.Repeat([]byte{7}, 32)})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	a := account.Account{ID: boardwatch.NewID(), Email: "robin@northwind.example", Plan: account.PlanUltra}
	require.NoError(t, s.CreateAccount(t.Context(), a))
	hook := boardwatch.Webhook{ID: boardwatch.NewID(), AccountID: a.ID, Secret: "whsec_plain-to-see", URL: "https://receiver.example/"}
	require.NoError(t, s.CreateWebhook(t.Context(), hook, 5))
	require.NoError(t, s.Write(t.Context(), `CREATE TRIGGER full BEFORE UPDATE ON meta WHEN NEW.name = 'seal_key'
		BEGIN SELECT RAISE(ABORT, 'the disk is full'); END`))
	_, err = s.RotateSealKey(t.Context(), bytes.Repeat([]byte{8}, 32))
	require.ErrorContains(t, err, "the disk is full")
	another := boardwatch.Webhook{ID: boardwatch.NewID(), AccountID: a.ID, Secret: "whsec_another", URL: "https://receiver.example/"}
	require.NoError(t, s.CreateWebhook(t.Context(), another, 5))
	hooks, err := s.Webhooks(t.Context(), a.ID)
	require.NoError(t, err)
	require.Len(t, hooks, 2)
	require.ElementsMatch(t, []string{hook.Secret, another.Secret}, []string{hooks[0].Secret, hooks[1].Secret})
}
