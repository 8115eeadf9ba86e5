package storage

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"github.com/uptrace/bun"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
)

// grantRow is a row of oauth_grants.
type grantRow struct {
	bun.BaseModel `bun:"table:oauth_grants,alias:g"`

	ID         string `bun:"id,pk"`
	AccountID  string `bun:"account_id"`
	ClientID   string `bun:"client_id"`
	ClientName string `bun:"client_name"`
	Host       string `bun:"host"`
	Resource   string `bun:"resource"`
	Scopes     string `bun:"scopes"`
	CreatedAt  int64  `bun:"created_at"`
	ExpiresAt  int64  `bun:"expires_at"`
	LastUsedAt int64  `bun:"last_used_at"`
	RevokedAt  int64  `bun:"revoked_at"`
}

func newGrantRow(g account.Grant) grantRow {
	return grantRow{
		ID: g.ID, AccountID: plain(g.AccountID), ClientID: plain(g.ClientID), ClientName: plain(g.ClientName),
		Host: plain(g.Host), Resource: plain(g.Resource), Scopes: account.FormatScopes(g.Scopes),
		CreatedAt: millis(g.CreatedAt), ExpiresAt: millis(g.ExpiresAt), LastUsedAt: millis(g.LastUsedAt), RevokedAt: millis(g.RevokedAt),
	}
}

func (r grantRow) grant() account.Grant {
	return account.Grant{
		ID: r.ID, AccountID: r.AccountID, ClientID: r.ClientID, ClientName: r.ClientName, Host: r.Host, Resource: r.Resource,
		Scopes: account.ParseScopes(r.Scopes), CreatedAt: instant(r.CreatedAt), ExpiresAt: instant(r.ExpiresAt),
		LastUsedAt: instant(r.LastUsedAt), RevokedAt: instant(r.RevokedAt),
	}
}

// tokenRow is a row of oauth_tokens.
type tokenRow struct {
	bun.BaseModel `bun:"table:oauth_tokens,alias:t"`

	Hash        string            `bun:"hash,pk"`
	Kind        account.TokenKind `bun:"kind"`
	GrantID     string            `bun:"grant_id"`
	Scopes      string            `bun:"scopes"`
	RedirectURI string            `bun:"redirect_uri"`
	Challenge   string            `bun:"challenge"`
	CreatedAt   int64             `bun:"created_at"`
	ExpiresAt   int64             `bun:"expires_at"`
	UsedAt      int64             `bun:"used_at"`
}

func newTokenRow(t account.Token) tokenRow {
	return tokenRow{
		Hash: t.Hash, Kind: t.Kind, GrantID: t.GrantID, Scopes: account.FormatScopes(t.Scopes),
		RedirectURI: plain(t.RedirectURI), Challenge: plain(t.Challenge), CreatedAt: millis(t.CreatedAt),
		ExpiresAt: millis(t.ExpiresAt), UsedAt: millis(t.UsedAt),
	}
}

func (r tokenRow) token() account.Token {
	return account.Token{
		Hash: r.Hash, Kind: r.Kind, GrantID: r.GrantID, Scopes: account.ParseScopes(r.Scopes), RedirectURI: r.RedirectURI,
		Challenge: r.Challenge, CreatedAt: instant(r.CreatedAt), ExpiresAt: instant(r.ExpiresAt), UsedAt: instant(r.UsedAt),
	}
}

// CreateGrant saves a grant with its code, and records that its client was used.
func (s *Store) CreateGrant(ctx context.Context, g account.Grant, code account.Token) error {
	grant, token := newGrantRow(g), newTokenRow(code)
	return s.write(ctx, "create grant", func(ctx context.Context, tx Tx) error {
		if _, err := s.planOf(ctx, tx, g.AccountID); err != nil {
			return err
		}
		if _, err := tx.NewInsert().Model(&grant).Returning("NULL").Exec(ctx); err != nil {
			return err
		}
		if _, err := tx.NewInsert().Model(&token).Returning("NULL").Exec(ctx); err != nil {
			return err
		}
		return touchClient(ctx, tx, g.ClientID, g.CreatedAt)
	})
}

// Exchange finds a code or a refresh token and its grant, and carries out what decide returns in the same transaction.
// The grant's row is locked first, so that two exchanges under one grant never run at once.
func (s *Store) Exchange(
	ctx context.Context, kind account.TokenKind, hash string, now time.Time,
	decide func(account.Token, account.Grant) account.Exchange,
) error {
	return s.write(ctx, "exchange token", func(ctx context.Context, tx Tx) error {
		var grant grantRow
		err := tx.NewRaw(`SELECT g.* FROM oauth_grants AS g WHERE g.id = (SELECT t.grant_id FROM oauth_tokens AS t
			WHERE t.hash = ? AND t.kind = ?)`+s.dialect.RowLock, plain(hash), kind).Scan(ctx, &grant)
		var token tokenRow
		if err == nil {
			err = tx.NewSelect().Model(&token).Where("t.hash = ?", plain(hash)).Scan(ctx)
		}
		if errors.Is(err, sql.ErrNoRows) {
			return boardwatch.NotFound("token")
		}
		if err != nil {
			return err
		}
		return s.apply(ctx, tx, decide(token.token(), grant.grant()), token, grant, now)
	})
}

// apply carries out the decision about a token.
func (s *Store) apply(ctx context.Context, tx Tx, e account.Exchange, token tokenRow, grant grantRow, now time.Time) error {
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
		row := newTokenRow(t)
		row.GrantID = grant.ID
		if _, err := tx.NewInsert().Model(&row).Returning("NULL").Exec(ctx); err != nil {
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

func touchGrant(ctx context.Context, tx Tx, id string, at time.Time) error {
	_, err := tx.ExecContext(ctx, "UPDATE oauth_grants SET last_used_at = ?0 WHERE id = ?1 AND last_used_at < ?0", millis(at), plain(id))
	return err
}

func revokeGrant(ctx context.Context, tx Tx, id string, at time.Time) error {
	_, err := tx.ExecContext(ctx, "UPDATE oauth_grants SET revoked_at = ? WHERE id = ? AND revoked_at = 0", millis(at), plain(id))
	return err
}

// AccessToken finds an access token, valid or not, with its grant and account; otherwise a not_found error.
func (s *Store) AccessToken(ctx context.Context, hash string) (account.Token, account.Grant, account.Account, error) {
	var row struct {
		tokenRow
		accountColumns

		Grant grantRow `bun:"embed:g_"`
	}
	err := s.db().NewRaw(`SELECT t.hash, t.kind, t.grant_id, t.scopes, t.redirect_uri, t.challenge, t.created_at, t.expires_at,
		t.used_at, g.id AS g_id, g.account_id AS g_account_id, g.client_id AS g_client_id, g.client_name AS g_client_name,
		g.host AS g_host, g.resource AS g_resource, g.scopes AS g_scopes, g.created_at AS g_created_at,
		g.expires_at AS g_expires_at, g.last_used_at AS g_last_used_at, g.revoked_at AS g_revoked_at, `+accountColumnsOf+`
		FROM oauth_tokens AS t JOIN oauth_grants AS g ON g.id = t.grant_id JOIN accounts AS a ON a.id = g.account_id
		WHERE t.hash = ? AND t.kind = ?`, plain(hash), account.TokenAccess).Scan(ctx, &row)
	if err != nil {
		return account.Token{}, account.Grant{}, account.Account{}, found("read token", "token", err)
	}
	return row.token(), row.Grant.grant(), row.account(row.Grant.AccountID), nil
}

// TouchGrant records that the grant was used.
func (s *Store) TouchGrant(ctx context.Context, id string, at time.Time) error {
	return s.write(ctx, "touch grant", func(ctx context.Context, tx Tx) error { return touchGrant(ctx, tx, id, at) })
}

// Grants lists the account's valid grants, newest first: those that are not revoked and have a valid token.
func (s *Store) Grants(ctx context.Context, accountID string, now time.Time) ([]account.Grant, error) {
	var rows []grantRow
	err := s.db().NewSelect().Model(&rows).
		Where("g.account_id = ? AND g.revoked_at = 0 AND g.expires_at > ?", plain(accountID), millis(now)).
		Where(`EXISTS (SELECT 1 FROM oauth_tokens AS t WHERE t.grant_id = g.id AND t.expires_at > ? AND t.used_at = 0
			AND t.kind <> ?)`, millis(now), account.TokenCode).
		Order("g.created_at DESC", "g.id").Limit(1000).Scan(ctx)
	return valuesOf(rows, grantRow.grant), wrap("read grants", err)
}

// RevokeGrant ends one of the account's grants unless it was revoked before; otherwise a not_found error.
func (s *Store) RevokeGrant(ctx context.Context, accountID, id string, now time.Time) error {
	return s.change(ctx, "revoke grant", "connected app", "UPDATE oauth_grants SET revoked_at = ? WHERE account_id = ? AND id = ? AND revoked_at = 0",
		millis(now), plain(accountID), plain(id))
}

// RevokeToken ends an access token, or the whole grant of a refresh token, if the token was issued to the client. Any
// other token is ignored without an error.
func (s *Store) RevokeToken(ctx context.Context, clientID, hash string, now time.Time) error {
	return s.write(ctx, "revoke token", func(ctx context.Context, tx Tx) error {
		var token tokenRow
		err := tx.NewSelect().Model(&token).Join("JOIN oauth_grants AS g ON g.id = t.grant_id").
			Where("t.hash = ? AND g.client_id = ?", plain(hash), plain(clientID)).Scan(ctx)
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

// CreateAsk saves a consent question to a person.
func (s *Store) CreateAsk(ctx context.Context, a account.Ask) error {
	body, err := json.Marshal(askBody{a.Client, a.RedirectURI, []byte(a.State), a.Challenge, a.Resource, a.Scopes})
	if err != nil {
		return wrap("create question", err)
	}
	return s.write(ctx, "create question", func(ctx context.Context, tx Tx) error {
		if _, err := s.planOf(ctx, tx, a.AccountID); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, "INSERT INTO oauth_asks (hash, account_id, body, expires_at) VALUES (?, ?, ?, ?)",
			plain(a.Hash), plain(a.AccountID), plain(string(body)), millis(a.ExpiresAt))
		return err
	})
}

// TakeAsk removes and returns a question of this account that has not expired; otherwise a not_found error.
func (s *Store) TakeAsk(ctx context.Context, accountID, hash string, now time.Time) (account.Ask, error) {
	var body string
	var expires int64
	err := s.driver.Write(ctx, func(ctx context.Context, tx Tx) error {
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
