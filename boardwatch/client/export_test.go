package client

import (
	"context"
	"time"
)

// SetWait replaces what a Client does between two requests.
func (c *Client) SetWait(f func(ctx context.Context, d time.Duration) error) { c.wait = f }
