package outbound

// Hosts is how many entries the pacing table holds.
func (c *Client) Hosts() int {
	p := c.core.pacer
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.turns) + len(p.cooling)
}
