package outbound

// Hosts is how many entries the pacing tables hold.
func (c *Client) Hosts() int {
	p := c.core.pacer
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.lines)
	for _, d := range []*turnDesk{p.shared, p.machine} {
		if d.memory != nil {
			n += d.memory.Hosts()
		}
	}
	return n
}
