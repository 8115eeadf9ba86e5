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

	"github.com/uptrace/bun"
)

// ErrSealKey says that the database belongs to another key than the one given.
var ErrSealKey = errors.New("webhook secrets in this database are encrypted under another key: set secrets.key or " +
	"secrets.key_file to the one it was made with")

var errNoSealKey = errors.New("no key to encrypt webhook secrets with: set secrets.key or secrets.key_file")

// seal encrypts webhook secrets. A sealed text is the key's id, the nonce and the ciphertext; the webhook's id is
// authenticated with it, so that a secret cannot be moved to another webhook.
type seal struct {
	aead        cipher.AEAD
	fingerprint [sha256.Size]byte
}

func newSeal(key []byte) (*seal, error) {
	if len(key) != 32 {
		return nil, fmt.Errorf("the key for webhook secrets has %d bytes, it needs 32", len(key))
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, fmt.Errorf("use key for webhook secrets: %w", err)
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		return nil, fmt.Errorf("use key for webhook secrets: %w", err)
	}
	return &seal{aead: aead, fingerprint: sha256.Sum256(append([]byte("boardwatch seal key:"), key...))}, nil
}

func (s *seal) seal(webhookID, secret string) ([]byte, error) {
	if s == nil {
		return nil, errNoSealKey
	}
	out := make([]byte, 1+s.aead.NonceSize(), 1+s.aead.NonceSize()+len(secret)+s.aead.Overhead())
	out[0] = s.fingerprint[0]
	nonce := out[1:]
	_, _ = rand.Read(nonce)                                                           // never fails: it aborts the program instead
	return s.aead.Seal(out, nonce, []byte(secret), []byte("webhook:"+webhookID)), nil //nolint:gosec // random, see above
}

func (s *seal) open(webhookID string, sealed []byte) (string, error) {
	if s == nil {
		return "", errNoSealKey
	}
	n := 1 + s.aead.NonceSize()
	if len(sealed) < n || sealed[0] != s.fingerprint[0] {
		return "", fmt.Errorf("open secret of webhook %s: %w", webhookID, ErrSealKey)
	}
	secret, err := s.aead.Open(nil, sealed[1:n], sealed[n:], []byte("webhook:"+webhookID))
	if err != nil {
		return "", fmt.Errorf("open secret of webhook %s: %w", webhookID, ErrSealKey)
	}
	return string(secret), nil
}

// checkSeal records the key's fingerprint in a new database and compares it in an old one.
func (s *Store) checkSeal(ctx context.Context) error {
	mine := hex.EncodeToString(s.seal.fingerprint[:])
	known, err := sealKey(ctx, s.db())
	if errors.Is(err, sql.ErrNoRows) {
		err = s.driver.Write(ctx, func(ctx context.Context, tx Tx) error {
			_, err := tx.ExecContext(ctx, "INSERT INTO meta (name, value) VALUES ('seal_key', ?) ON CONFLICT (name) DO NOTHING", mine)
			if err == nil {
				known, err = sealKey(ctx, tx) // another process may have come first
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

func sealKey(ctx context.Context, db bun.IDB) (fingerprint string, err error) {
	err = db.QueryRowContext(ctx, "SELECT value FROM meta WHERE name = 'seal_key'").Scan(&fingerprint)
	return fingerprint, err
}

// CheckSealKey returns ErrSealKey when the database's webhook secrets are encrypted under another key than the store's, or
// when they are encrypted and the store has no key. It changes nothing: a database without a key stays without one.
func (s *Store) CheckSealKey(ctx context.Context) error {
	known, err := sealKey(ctx, s.db())
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil
	case err != nil:
		return fmt.Errorf("check key for webhook secrets: %w", err)
	case s.seal == nil || known != hex.EncodeToString(s.seal.fingerprint[:]):
		return ErrSealKey
	default:
		return nil
	}
}
