package sqlite

import (
	"context"
	"fmt"
	"strconv"

	"github.com/boardwatch/boardwatch/storage/internal/driver"
)

// mostFaults is the most faults that are listed.
const mostFaults = 5

// Condition lets SQLite check the whole file.
func (d *file) Condition(ctx context.Context) (c driver.Condition, err error) {
	err = d.reads.QueryRowContext(ctx, "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size").Scan(&c.Size)
	if err != nil {
		return c, fmt.Errorf("read size: %w", err)
	}
	rows, err := d.reads.QueryContext(ctx, "PRAGMA quick_check("+strconv.Itoa(mostFaults)+")")
	if err != nil {
		return c, fmt.Errorf("check file: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var said string
		if err := rows.Scan(&said); err != nil {
			return c, fmt.Errorf("check file: %w", err)
		}
		if said != "ok" {
			c.Faults = append(c.Faults, said)
		}
	}
	return c, rows.Err()
}
