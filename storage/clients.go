package storage

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/storage/internal/driver"
)

// clientRecord is a row of oauth_clients.
func clientRecord(c *account.Client) record {
	redirects := stored[string]{func() string {
		var text strings.Builder
		list := json.NewEncoder(&text)
		list.SetEscapeHTML(false)       // it would make each ampersand of an address six times as long
		_ = list.Encode(c.RedirectURIs) // texts can always be written
		return strings.TrimSpace(text.String())
	}, func(text string) error { return json.Unmarshal([]byte(text), &c.RedirectURIs) }}
	return newRecord("oauth_clients", "c",
		col("id", &c.ID), col("name", &c.Name), col("uri", &c.URI), col("redirect_uris", redirects), col("grant_types", wordList(&c.GrantTypes)),
		col("kind", &c.Kind), col("scope", &c.Scope), col("created_at", moment(&c.CreatedAt)), col("last_used_at", moment(&c.LastUsedAt)),
	)
}

// CreateClient does not wait for the disk: strangers may register. To find the oldest, all have to be read, so each
// hundredth registration removes a hundredth of them.
func (s *Store) CreateClient(ctx context.Context, c account.Client, unused int) error {
	var todo script
	if share := max(1, unused/100); s.clients.Add(1)%int64(share) == 0 {
		todo.add(`DELETE FROM oauth_clients WHERE id IN (SELECT id FROM oauth_clients WHERE last_used_at = 0
			ORDER BY created_at DESC, id LIMIT ? OFFSET ?)`, mostAtOnce, unused-share)
	}
	todo.insertRow(clientRecord(&c))
	err := s.driver.WriteCounts(ctx, func(context.Context, driver.CheckTx) ([]driver.Statement, error) { return todo, nil })
	return wrap("create client", err)
}

func (s *Store) Client(ctx context.Context, id string) (account.Client, error) {
	c, err := readRow(ctx, s.db(), clientRecord, "WHERE c.id = ?", plain(id))
	return c, found("read client", "client", err)
}

// touchClient records the day a registered client was last used; other clients have no row.
func touchClient(ctx context.Context, tx driver.Tx, id string, at time.Time) error {
	_, err := tx.ExecContext(ctx, "UPDATE oauth_clients SET last_used_at = ?0 WHERE id = ?1 AND last_used_at < ?2",
		millis(at), plain(id), millis(at.Add(-24*time.Hour)))
	return err
}
