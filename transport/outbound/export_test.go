package outbound

// ForgetSessions has every new connection make a whole handshake. It is called before the first request.
func (c *Client) ForgetSessions() {
	if n, ok := c.core.next.(*network); ok {
		n.direct.TLSClientConfig.ClientSessionCache = nil
	}
}

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
