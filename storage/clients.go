package storage

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
)

// clientRow is a row of oauth_clients.
type clientRow struct {
	bun.BaseModel `bun:"table:oauth_clients,alias:c"`

	ID           string `bun:"id,pk"`
	Name         string `bun:"name"`
	URI          string `bun:"uri"`
	RedirectURIs string `bun:"redirect_uris"`
	GrantTypes   string `bun:"grant_types"`
	Kind         string `bun:"kind"`
	Scope        string `bun:"scope"`
	CreatedAt    int64  `bun:"created_at"`
	LastUsedAt   int64  `bun:"last_used_at"`
}

// CreateClient saves a registered client. At most unused clients without any consent are kept; the oldest are removed. It does
// not wait for the disk: strangers may register, and a client that a power failure takes registers again.
func (s *Store) CreateClient(ctx context.Context, c account.Client, unused int) error {
	var redirects strings.Builder
	list := json.NewEncoder(&redirects)
	list.SetEscapeHTML(false) // HTML escaping would make each ampersand of an address six times as long
	if err := list.Encode(c.RedirectURIs); err != nil {
		return wrap("create client", err)
	}
	var todo script
	todo.add(`DELETE FROM oauth_clients WHERE id IN (SELECT id FROM oauth_clients WHERE last_used_at = 0
		ORDER BY created_at DESC, id LIMIT ? OFFSET ?)`, mostAtOnce, unused-1)
	todo.add(`INSERT INTO oauth_clients (id, name, uri, redirect_uris, grant_types, kind, scope, created_at, last_used_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`, plain(c.ID), plain(c.Name), plain(c.URI), plain(strings.TrimSpace(redirects.String())),
		plain(strings.Join(c.GrantTypes, " ")), plain(c.Kind), plain(c.Scope), millis(c.CreatedAt), millis(c.LastUsedAt))
	err := s.driver.WriteCounts(ctx, func(context.Context, Asker) ([]Statement, error) { return todo, nil })
	return wrap("create client", err)
}

// Client finds a registered client; otherwise a not_found error.
func (s *Store) Client(ctx context.Context, id string) (account.Client, error) {
	var row clientRow
	err := s.db().NewSelect().Model(&row).Where("c.id = ?", plain(id)).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return account.Client{}, boardwatch.NotFound("client")
	}
	c := account.Client{
		ID: row.ID, Name: row.Name, URI: row.URI, GrantTypes: strings.Fields(row.GrantTypes), Kind: row.Kind, Scope: row.Scope,
		CreatedAt: instant(row.CreatedAt), LastUsedAt: instant(row.LastUsedAt),
	}
	if err == nil {
		err = json.Unmarshal([]byte(row.RedirectURIs), &c.RedirectURIs)
	}
	if err != nil {
		return account.Client{}, wrap("read client", err)
	}
	return c, nil
}

// touchClient records the day a registered client was last used; other clients have no row.
func touchClient(ctx context.Context, tx Tx, id string, at time.Time) error {
	_, err := tx.ExecContext(ctx, "UPDATE oauth_clients SET last_used_at = ?0 WHERE id = ?1 AND last_used_at < ?2",
		millis(at), plain(id), millis(at.Add(-24*time.Hour)))
	return err
}
