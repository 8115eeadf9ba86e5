package outbound

import "github.com/boardwatch/boardwatch/boardwatch"

// Hosts is how many entries the pacing tables hold.
func (c *Client) Hosts() int {
	p := c.core.pacer
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.lines)
	for _, d := range []*turnDesk{p.shared, p.machine} {
		if m, ok := d.store.(*boardwatch.PaceMemory); ok {
			n += m.Hosts()
		}
	}
	return n
}
