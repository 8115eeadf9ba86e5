package mail

import (
	"cmp"
	"context"
	"log/slog"

	"github.com/boardwatch/boardwatch/boardwatch/account"
)

var _ account.Mailer = (*Log)(nil)

// Log logs the mail that a service without a mail server cannot send: the recipient, the subject and the link, which an
// operator can pass on. A mail with a link is logged as an error, because somebody is waiting for it and will not get
// it otherwise.
type Log struct{ log *slog.Logger }

// NewLog returns a Log. A nil log discards everything.
func NewLog(log *slog.Logger) *Log {
	return &Log{log: cmp.Or(log, slog.New(slog.DiscardHandler))}
}

// Send writes one line.
func (l *Log) Send(ctx context.Context, m account.Mail) error {
	level, facts := slog.LevelInfo, []slog.Attr{slog.String("to", m.To), slog.String("subject", m.Subject)}
	if m.Link != "" {
		level, facts = slog.LevelError, append(facts, slog.String("link", m.Link))
	}
	l.log.LogAttrs(ctx, level, "mail is not set up, so this was not sent", facts...)
	return nil
}
