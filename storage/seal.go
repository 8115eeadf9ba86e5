package storage

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/uptrace/bun"

	"github.com/boardwatch/boardwatch/storage/internal/driver"
)

// ErrSealKey says that the database belongs to a different key than the one given.
var ErrSealKey = errors.New("webhook secrets in this database are encrypted under another key: set secrets.key or " +
	"secrets.key_file to the one it was made with")

var errNoSealKey = errors.New("no key to encrypt webhook secrets with: set secrets.key or secrets.key_file")

// seal encrypts webhook secrets. Its key may be rotated while the store is open, by this process or another.
type seal struct {
	current  atomic.Pointer[sealKey]
	previous atomic.Pointer[sealKey] // decrypts values read just before the key was rotated; nil at first
	reload   func() ([]byte, error)  // may be nil
}

// sealKey is one key. A sealed text is the beginning of the key's fingerprint, the nonce and the ciphertext; the
// webhook's id is authenticated with it, so that a secret cannot be moved to another webhook.
type sealKey struct {
	aead        cipher.AEAD
	fingerprint [sha256.Size]byte
}

func newSeal(key []byte, reload func() ([]byte, error)) (*seal, error) {
	first, err := newSealKey(key)
	if err != nil {
		return nil, err
	}
	s := &seal{reload: reload}
	s.current.Store(first)
	return s, nil
}

func newSealKey(key []byte) (*sealKey, error) {
	if len(key) != 32 {
		return nil, fmt.Errorf("the key for webhook secrets has %d bytes, but needs 32", len(key))
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, fmt.Errorf("use key for webhook secrets: %w", err)
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		return nil, fmt.Errorf("use key for webhook secrets: %w", err)
	}
	return &sealKey{aead: aead, fingerprint: sha256.Sum256(append([]byte("boardwatch seal key:"), key...))}, nil
}

// name returns the key's fingerprint as the database stores it.
func (k *sealKey) name() string { return hex.EncodeToString(k.fingerprint[:]) }

func (k *sealKey) seal(webhookID, secret string) []byte {
	out := make([]byte, 1+k.aead.NonceSize(), 1+k.aead.NonceSize()+len(secret)+k.aead.Overhead())
	out[0] = k.fingerprint[0]
	nonce := out[1:]
	_, _ = rand.Read(nonce)                                                      // never fails: it aborts the program instead
	return k.aead.Seal(out, nonce, []byte(secret), []byte("webhook:"+webhookID)) //nolint:gosec // random, see above
}

func (k *sealKey) open(webhookID string, sealed []byte) (string, error) {
	n := 1 + k.aead.NonceSize()
	if len(sealed) < n || sealed[0] != k.fingerprint[0] {
		return "", fmt.Errorf("open secret of webhook %s: %w", webhookID, ErrSealKey)
	}
	secret, err := k.aead.Open(nil, sealed[1:n], sealed[n:], []byte("webhook:"+webhookID))
	if err != nil {
		return "", fmt.Errorf("open secret of webhook %s: %w", webhookID, ErrSealKey)
	}
	return string(secret), nil
}

// open decrypts a secret. If another key sealed it, open looks for a new key first. An empty secret is not encrypted:
// webhooks for a program's own boardwatch.Deliverer may have none.
func (s *seal) open(webhookID string, sealed []byte) (string, error) {
	if len(sealed) == 0 {
		return "", nil
	}
	if s == nil {
		return "", errNoSealKey
	}
	key := s.current.Load()
	secret, err := key.open(webhookID, sealed)
	if err != nil {
		switch renewed, unread := s.renew(key); {
		case renewed:
			secret, err = s.current.Load().open(webhookID, sealed)
		case unread != nil:
			err = fmt.Errorf("%w; there may be a new one, but: %w", err, unread)
		}
	}
	if old := s.previous.Load(); err != nil && old != nil {
		if earlier, oldErr := old.open(webhookID, sealed); oldErr == nil {
			return earlier, nil
		}
	}
	return secret, err
}

// use seals under the next key from now on. Several callers that noticed the new key at once may all pass it.
func (s *seal) use(next *sealKey) {
	if before := s.current.Swap(next); before.fingerprint != next.fingerprint {
		s.previous.Store(before)
	}
}

// renew asks for the key again and reports whether it has changed; an error says why that is unknown.
func (s *seal) renew(before *sealKey) (renewed bool, err error) {
	if s.reload == nil {
		return false, nil
	}
	text, err := s.reload()
	if err != nil {
		return false, err
	}
	key, err := newSealKey(text)
	if err != nil || key.fingerprint == before.fingerprint {
		return false, err
	}
	s.use(key)
	return true, nil
}

// sealFor seals a secret under the key that the database belongs to now. The key cannot change until the transaction
// ends.
func (s *Store) sealFor(ctx context.Context, tx driver.Tx, webhookID, secret string) ([]byte, error) {
	if secret == "" {
		return []byte{}, nil
	}
	if s.seal == nil {
		return nil, errNoSealKey
	}
	key := s.seal.current.Load()
	known, err := sealedUnder(ctx, tx, s.dialect.RowLock)
	if err != nil {
		return nil, fmt.Errorf("check key for webhook secrets: %w", err)
	}
	if known != key.name() {
		if _, err := s.seal.renew(key); err != nil {
			return nil, fmt.Errorf("%w; there may be a new one, but: %w", ErrSealKey, err)
		}
		key = s.seal.current.Load()
	}
	if known != key.name() {
		return nil, ErrSealKey
	}
	return key.seal(webhookID, secret), nil
}

// checkSeal records the key's fingerprint in a new database and compares it with that of an old one.
func (s *Store) checkSeal(ctx context.Context) error {
	mine := s.seal.current.Load().name()
	known, err := sealedUnder(ctx, s.db(), "")
	if errors.Is(err, sql.ErrNoRows) {
		err = s.driver.Write(ctx, func(ctx context.Context, tx driver.Tx) error {
			_, err := tx.ExecContext(ctx, "INSERT INTO meta (name, value) VALUES ('seal_key', ?) ON CONFLICT (name) DO NOTHING", mine)
			if err == nil {
				known, err = sealedUnder(ctx, tx, "") // another process may have come first
			}
			return err
		})
	}
	if err != nil {
		return fmt.Errorf("check key for webhook secrets: %w", err)
	}
	if known != mine {
		return ErrSealKey
	}
	return nil
}

// sealedUnder returns the name of the key that the database belongs to, read with a lock or without.
func sealedUnder(ctx context.Context, db bun.IDB, lock string) (name string, err error) {
	err = db.QueryRowContext(ctx, "SELECT value FROM meta WHERE name = 'seal_key'"+lock).Scan(&name)
	return name, err
}

// CheckSealKey returns ErrSealKey when the database's webhook secrets are encrypted under another key than the store's, or
// when they are encrypted and the store has no key. It changes nothing: a database without a key stays without one.
func (s *Store) CheckSealKey(ctx context.Context) error {
	known, err := sealedUnder(ctx, s.db(), "")
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil
	case err != nil:
		return fmt.Errorf("check key for webhook secrets: %w", err)
	case s.seal == nil || known != s.seal.current.Load().name():
		return ErrSealKey
	default:
		return nil
	}
}

// OpensWith reports whether the database belongs to the key, or to none yet. Without a key it is false.
func (s *Store) OpensWith(ctx context.Context, key []byte) (bool, error) {
	known, err := sealedUnder(ctx, s.db(), "")
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return true, nil
	case err != nil:
		return false, fmt.Errorf("check key for webhook secrets: %w", err)
	case key == nil:
		return false, nil
	}
	k, err := newSealKey(key)
	return err == nil && k.name() == known, err
}
