package mail_test

import (
	"bufio"
	"fmt"
	"net"
	"strings"
)

// lines is one side of a conversation in SMTP.
type lines struct {
	conn   net.Conn
	reader *bufio.Reader
}

func (l *lines) say(line string) { fmt.Fprintf(l.conn, "%s\r\n", line) }

func (l *lines) hear() (string, error) {
	if l.reader == nil {
		l.reader = bufio.NewReader(l.conn)
	}
	line, err := l.reader.ReadString('\n')
	line = strings.TrimRight(line, "\r\n")
	return line, err
}

// writing reports whether a line belongs to a message and not to the SMTP dialogue.
func (l *lines) writing(line string) bool {
	for _, command := range []string{"EHLO", "HELO", "MAIL", "RCPT", "NOOP", "RSET", "QUIT"} {
		if strings.HasPrefix(line, command) {
			return false
		}
	}
	return true
}
