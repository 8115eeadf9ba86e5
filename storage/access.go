package storage

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/url"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/storage/internal/driver"
)

// sealedProxy is the prefix of a proxy address that is encrypted because it contains a password.
const sealedProxy = "sealed:"

// withSealedProxy matches the state of a board that has such a proxy.
const withSealedProxy = `%"proxy":"` + sealedProxy + "%"

// SetAccess saves how the operator wants a board to be read from its next check on. It makes the board due, unless its
// source asked to be left alone. A check under way still reads the board the old way, so it loses its claim. The id may
// be an alias; a board that does not exist is a not_found error.
func (s *Store) SetAccess(ctx context.Context, boardID string, a boardwatch.Access) error {
	return s.write(ctx, "set access of board "+boardID, func(ctx context.Context, tx driver.Tx) error {
		row, err := s.findBoard(ctx, tx, boardID, s.dialect.RowLock)
		if err != nil {
			return err
		}
		b := row.Board
		b.State.Access = a
		if u, err := url.Parse(a.Proxy); err == nil && u.User != nil {
			sealed, err := s.sealFor(ctx, tx, proxyOf(b.ID), a.Proxy)
			if err != nil {
				return err
			}
			b.State.Access.Proxy = sealedProxy + base64.RawURLEncoding.EncodeToString(sealed)
		}
		state, err := stateText(b.State)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "UPDATE boards SET state = ?, version = version + 1"+s.dialect.EndLease+" WHERE id = ?", state, b.ID)
		if err != nil {
			return err
		}
		return s.readAnew(ctx, tx, row)
	})
}

// Access is how the operator wants a board to be read, with the proxy's password, which other boards that a store returns do
// not contain, except that of a claim. The id may be an alias.
func (s *Store) Access(ctx context.Context, boardID string) (boardwatch.Access, error) {
	b, err := s.Board(ctx, boardID)
	if err != nil {
		return boardwatch.Access{}, err
	}
	return s.openAccess(b)
}

// openAccess returns the board's access with its proxy decrypted.
func (s *Store) openAccess(b boardwatch.Board) (boardwatch.Access, error) {
	a := b.State.Access
	text, ok := strings.CutPrefix(a.Proxy, sealedProxy)
	if !ok {
		return a, nil
	}
	sealed, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return a, fmt.Errorf("decode the proxy of board %s: %w", b.ID, err)
	}
	proxy, err := s.seal.open(proxyOf(b.ID), sealed)
	if err != nil {
		return a, err
	}
	a.Proxy = proxy
	return a, nil
}

// unsealed returns the board with its proxy decrypted. A proxy that cannot be decrypted stays encrypted: requests
// through it fail, and the board must not be read without it.
func (s *Store) unsealed(b boardwatch.Board) boardwatch.Board {
	if a, err := s.openAccess(b); err == nil {
		b.State.Access = a
	}
	return b
}

// proxyOf returns the context that a board's encrypted proxy is bound to.
func proxyOf(boardID string) string { return "proxy of board " + boardID }

// resealAccess encrypts the proxies of all boards again.
func resealAccess(ctx context.Context, tx driver.Tx, old, next *sealKey) error {
	boards, err := readRows(ctx, tx, boardRecord, "WHERE b.state LIKE ? ORDER BY b.id", withSealedProxy)
	if err != nil {
		return err
	}
	for _, b := range boards {
		sealed, err := base64.RawURLEncoding.DecodeString(strings.TrimPrefix(b.State.Access.Proxy, sealedProxy))
		if err != nil {
			return fmt.Errorf("decode the proxy of board %s: %w", b.ID, err)
		}
		proxy, err := old.open(proxyOf(b.ID), sealed)
		if err != nil {
			continue // its key was lost before; the operator has to set the proxy again
		}
		b.State.Access.Proxy = sealedProxy + base64.RawURLEncoding.EncodeToString(next.seal(proxyOf(b.ID), proxy))
		state, err := stateText(b.State)
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, "UPDATE boards SET state = ? WHERE id = ?", state, b.ID); err != nil {
			return err
		}
	}
	return nil
}
