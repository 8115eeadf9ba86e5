package postgres

import (
	"context"
	"fmt"

	"github.com/boardwatch/boardwatch/storage/internal/driver"
)

// Condition asks the server. Indexes count as broken if the server could not finish building them and does not use
// them.
func (d *server) Condition(ctx context.Context) (c driver.Condition, err error) {
	err = d.db.QueryRowContext(ctx, `SELECT pg_database_size(current_database()),
		(SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'),
		current_setting('max_connections')::INT - current_setting('superuser_reserved_connections')::INT`).
		Scan(&c.Size, &c.Connections, &c.ConnectionLimit)
	if err != nil {
		return c, fmt.Errorf("ask server: %w", err)
	}
	err = d.db.NewRaw(`SELECT 'the index ' || indexrelid::regclass || ' is not valid' FROM pg_index
		WHERE NOT indisvalid ORDER BY 1 LIMIT 5`).Scan(ctx, &c.Faults)
	if err != nil {
		return c, fmt.Errorf("list indexes: %w", err)
	}
	c.Pooled = d.pooled
	return c, nil
}
