package storage

import (
	"context"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/storage/internal/driver"
)

func (s *Store) UseOnce(ctx context.Context, hash string, until time.Time) error {
	return s.write(ctx, "use token", func(ctx context.Context, tx driver.Tx) error {
		n, err := affected(ctx, tx, "INSERT INTO used_tokens (hash, expires_at) VALUES (?, ?) ON CONFLICT (hash) DO NOTHING", plain(hash), millis(until))
		if err == nil && n == 0 {
			err = boardwatch.NotFound("token")
		}
		return err
	})
}
