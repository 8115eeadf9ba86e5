package storage

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/storage/internal/driver"
)

// grantRecord is a row of oauth_grants.
func grantRecord(g *account.Grant) record {
	return newRecord("oauth_grants", "g",
		col("id", &g.ID), col("account_id", &g.AccountID), col("client_id", &g.ClientID), col("client_name", &g.ClientName), col("host", &g.Host),
		col("resource", &g.Resource), col("scopes", scopes(&g.Scopes)), col("created_at", moment(&g.CreatedAt)), col("expires_at", moment(&g.ExpiresAt)),
		col("last_used_at", moment(&g.LastUsedAt)), col("revoked_at", moment(&g.RevokedAt)),
	)
}

// tokenRecord is a row of oauth_tokens.
func tokenRecord(t *account.Token) record {
	return newRecord("oauth_tokens", "t",
		col("hash", &t.Hash), col("kind", &t.Kind), col("grant_id", &t.GrantID), col("scopes", scopes(&t.Scopes)), col("redirect_uri", &t.RedirectURI),
		col("challenge", &t.Challenge), col("created_at", moment(&t.CreatedAt)), col("expires_at", moment(&t.ExpiresAt)), col("used_at", moment(&t.UsedAt)),
	)
}

// scopes are stored as they are announced.
func scopes(list *[]account.Scope) stored[string] {
	return stored[string]{
		func() string { return account.FormatScopes(*list) },
		func(text string) error { *list = account.ParseScopes(text); return nil },
	}
}

func (s *Store) CreateGrant(ctx context.Context, g account.Grant, code account.Token) error {
	return s.write(ctx, "create grant", func(ctx context.Context, tx driver.Tx) error {
		if _, err := s.planOf(ctx, tx, g.AccountID); err != nil {
			return err
		}
		for _, r := range []record{grantRecord(&g), tokenRecord(&code)} {
			if _, err := insertRow(ctx, tx, r, ""); err != nil {
				return err
			}
		}
		return touchClient(ctx, tx, g.ClientID, g.CreatedAt)
	})
}

// Exchange locks the grant's row first, so that two exchanges under one grant never run at once.
func (s *Store) Exchange(
	ctx context.Context, kind account.TokenKind, hash string, now time.Time,
	decide func(account.Token, account.Grant) account.Exchange,
) error {
	return s.write(ctx, "exchange token", func(ctx context.Context, tx driver.Tx) error {
		grant, err := readRow(ctx, tx, grantRecord, "WHERE g.id = (SELECT t.grant_id FROM oauth_tokens AS t WHERE t.hash = ? AND t.kind = ?)"+
			s.dialect.RowLock, plain(hash), kind)
		var token account.Token
		if err == nil {
			token, err = readRow(ctx, tx, tokenRecord, "WHERE t.hash = ?", plain(hash))
		}
		if errors.Is(err, sql.ErrNoRows) {
			return boardwatch.NotFound("token")
		}
		if err != nil {
			return err
		}
		return s.apply(ctx, tx, decide(token, grant), token, grant, now)
	})
}

// apply carries out the decision about a token.
func (s *Store) apply(ctx context.Context, tx driver.Tx, e account.Exchange, token account.Token, grant account.Grant, now time.Time) error {
	if e.Spend {
		n, err := affected(ctx, tx, "UPDATE oauth_tokens SET used_at = ? WHERE hash = ? AND used_at = 0", millis(now), token.Hash)
		if err != nil {
			return err
		}
		if n == 0 {
			return errors.New("the token was used meanwhile")
		}
	}
	for _, t := range e.Issue {
		t.GrantID = grant.ID
		if _, err := insertRow(ctx, tx, tokenRecord(&t), ""); err != nil {
			return err
		}
	}
	if len(e.Issue) > 0 {
		if err := touchGrant(ctx, tx, grant.ID, now); err != nil {
			return err
		}
		if err := touchClient(ctx, tx, grant.ClientID, now); err != nil {
			return err
		}
	}
	if !e.Revoke {
		return nil
	}
	return revokeGrant(ctx, tx, grant.ID, now)
}

func touchGrant(ctx context.Context, tx driver.Tx, id string, at time.Time) error {
	_, err := tx.ExecContext(ctx, "UPDATE oauth_grants SET last_used_at = ?0 WHERE id = ?1 AND last_used_at < ?0", millis(at), plain(id))
	return err
}

func revokeGrant(ctx context.Context, tx driver.Tx, id string, at time.Time) error {
	_, err := tx.ExecContext(ctx, "UPDATE oauth_grants SET revoked_at = ? WHERE id = ? AND revoked_at = 0", millis(at), plain(id))
	return err
}

func (s *Store) AccessToken(ctx context.Context, hash string) (t account.Token, g account.Grant, a account.Account, err error) {
	token, grant, owner := tokenRecord(&t), grantRecord(&g), accountRecord(&a)
	err = s.db().QueryRowContext(ctx, "SELECT "+columns(token, grant, owner)+` FROM oauth_tokens AS t
		JOIN oauth_grants AS g ON g.id = t.grant_id JOIN accounts AS a ON a.id = g.account_id WHERE t.hash = ? AND t.kind = ?`,
		plain(hash), account.TokenAccess).Scan(targets(token, grant, owner)...)
	return t, g, a, found("read token", "token", err)
}

func (s *Store) TouchGrant(ctx context.Context, id string, at time.Time) error {
	return s.write(ctx, "touch grant", func(ctx context.Context, tx driver.Tx) error { return touchGrant(ctx, tx, id, at) })
}

func (s *Store) Grants(ctx context.Context, accountID string, now time.Time) ([]account.Grant, error) {
	grants, err := readRows(ctx, s.db(), grantRecord, `WHERE g.account_id = ? AND g.revoked_at = 0 AND g.expires_at > ?
		AND EXISTS (SELECT 1 FROM oauth_tokens AS t WHERE t.grant_id = g.id AND t.expires_at > ? AND t.used_at = 0 AND t.kind <> ?)
		ORDER BY g.created_at DESC, g.id LIMIT 1000`, plain(accountID), millis(now), millis(now), account.TokenCode)
	return grants, wrap("read grants", err)
}

func (s *Store) RevokeGrant(ctx context.Context, accountID, id string, now time.Time) error {
	return s.change(ctx, "revoke grant", "connected app", "UPDATE oauth_grants SET revoked_at = ? WHERE account_id = ? AND id = ? AND revoked_at = 0",
		millis(now), plain(accountID), plain(id))
}

func (s *Store) RevokeToken(ctx context.Context, clientID, hash string, now time.Time) error {
	return s.write(ctx, "revoke token", func(ctx context.Context, tx driver.Tx) error {
		token, err := readRow(ctx, tx, tokenRecord, "JOIN oauth_grants AS g ON g.id = t.grant_id WHERE t.hash = ? AND g.client_id = ?",
			plain(hash), plain(clientID))
		switch {
		case errors.Is(err, sql.ErrNoRows):
			return nil
		case err != nil:
			return err
		case token.Kind == account.TokenRefresh:
			return revokeGrant(ctx, tx, token.GrantID, now)
		case token.Kind == account.TokenAccess:
			_, err := tx.ExecContext(ctx, "UPDATE oauth_tokens SET expires_at = ?0 WHERE hash = ?1 AND expires_at > ?0",
				millis(now), token.Hash)
			return err
		default:
			return nil
		}
	})
}

// askBody is the part of a question that is stored as JSON.
type askBody struct {
	Client      account.Client
	RedirectURI string
	State       []byte // bytes, because it is returned unchanged, whatever it holds
	Challenge   string
	Resource    string
	Scopes      []account.Scope
}

func (s *Store) CreateAsk(ctx context.Context, a account.Ask) error {
	body, err := json.Marshal(askBody{a.Client, a.RedirectURI, []byte(a.State), a.Challenge, a.Resource, a.Scopes})
	if err != nil {
		return wrap("create question", err)
	}
	return s.write(ctx, "create question", func(ctx context.Context, tx driver.Tx) error {
		if _, err := s.planOf(ctx, tx, a.AccountID); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM oauth_asks WHERE account_id = ? AND hash NOT IN
			(SELECT hash FROM oauth_asks WHERE account_id = ? ORDER BY expires_at DESC, hash LIMIT ?)`,
			plain(a.AccountID), plain(a.AccountID), account.MaxAsks-1); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, "INSERT INTO oauth_asks (hash, account_id, body, expires_at) VALUES (?, ?, ?, ?)",
			plain(a.Hash), plain(a.AccountID), plain(string(body)), millis(a.ExpiresAt))
		return err
	})
}

func (s *Store) TakeAsk(ctx context.Context, accountID, hash string, now time.Time) (account.Ask, error) {
	var body string
	var expires int64
	err := s.driver.Write(ctx, func(ctx context.Context, tx driver.Tx) error {
		err := tx.QueryRowContext(ctx, `DELETE FROM oauth_asks WHERE hash = ? AND account_id = ? AND expires_at > ?
			RETURNING body, expires_at`, plain(hash), plain(accountID), millis(now)).Scan(&body, &expires)
		if errors.Is(err, sql.ErrNoRows) {
			err = boardwatch.NotFound("question")
		}
		return err
	})
	if err != nil {
		return account.Ask{}, wrap("take question", err)
	}
	var b askBody
	if err := json.Unmarshal([]byte(body), &b); err != nil {
		return account.Ask{}, wrap("read question", err)
	}
	return account.Ask{
		Hash: hash, AccountID: accountID, Client: b.Client, RedirectURI: b.RedirectURI, State: string(b.State), Challenge: b.Challenge,
		Resource: b.Resource, Scopes: b.Scopes, ExpiresAt: instant(expires),
	}, nil
}

// pruneGrants deletes expired questions, tokens, grants and registered clients. A used token is kept until it would
// have expired: if it is presented again before that, somebody has a copy.
func (s *Store) pruneGrants(ctx context.Context, now time.Time) error {
	const unheld = `NOT EXISTS (SELECT 1 FROM oauth_tokens AS t WHERE t.grant_id = g.id)`
	const ungranted = `NOT EXISTS (SELECT 1 FROM oauth_grants AS g WHERE g.client_id = c.id AND g.revoked_at = 0)`
	day := 24 * time.Hour
	for _, q := range []struct {
		query  string
		before time.Time
	}{
		{"DELETE FROM oauth_asks WHERE hash IN (SELECT hash FROM oauth_asks WHERE expires_at <= ? LIMIT ?)", now},
		{"DELETE FROM oauth_tokens WHERE hash IN (SELECT hash FROM oauth_tokens WHERE expires_at <= ? LIMIT ?)", now.Add(-day)},
		{"DELETE FROM oauth_grants WHERE id IN (SELECT id FROM oauth_grants WHERE expires_at <= ? LIMIT ?)", now.Add(-day)},
		{"DELETE FROM oauth_grants WHERE id IN (SELECT id FROM oauth_grants AS g WHERE created_at <= ? AND " + unheld + " LIMIT ?)", now.Add(-day)},
		{"DELETE FROM oauth_clients WHERE id IN (SELECT id FROM oauth_clients AS c WHERE last_used_at = 0 AND created_at <= ? AND " +
			ungranted + " LIMIT ?)", now.Add(-account.ClientUnused)},
		{"DELETE FROM oauth_clients WHERE id IN (SELECT id FROM oauth_clients AS c WHERE last_used_at > 0 AND last_used_at <= ? AND " +
			ungranted + " LIMIT ?)", now.Add(-account.ClientIdle)},
	} {
		if err := s.deleteAll(ctx, q.query, millis(q.before)); err != nil {
			return wrap("prune grants", err)
		}
	}
	return nil
}
