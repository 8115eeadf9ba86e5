package serve

import (
	"net"

	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command"
)

// notifyManager returns what sends messages to systemd, or to whatever speaks its protocol (sd_notify); nil without such a
// manager. One that cannot be reached and cares stops the service by itself.
func notifyManager(c *command.CLI) func(state string) {
	socket, ok := c.Env("NOTIFY_SOCKET")
	if !ok {
		return nil
	}
	return func(state string) {
		conn, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: socket, Net: "unixgram"})
		if err == nil {
			_, err = conn.Write([]byte(state))
			_ = conn.Close() // a datagram is sent or it is not
		}
		if err != nil {
			c.Note("the service manager was not told %s: %v", state, err)
		}
	}
}
