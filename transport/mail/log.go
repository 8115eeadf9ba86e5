package mail

import (
	"cmp"
	"context"
	"log/slog"

	"github.com/boardwatch/boardwatch/boardwatch"
)

var _ boardwatch.Mailer = (*Log)(nil)

// Log writes into the log what a service without a mail server would have sent: to whom, about what, and the link in it,
// which an operator can hand on. A link is an error: somebody waits for it, and nothing else will bring it.
type Log struct{ log *slog.Logger }

// NewLog returns a Log. A nil log discards everything.
func NewLog(log *slog.Logger) *Log {
	return &Log{log: cmp.Or(log, slog.New(slog.DiscardHandler))}
}

// Send writes one line.
func (l *Log) Send(ctx context.Context, m boardwatch.Mail) error {
	level, facts := slog.LevelInfo, []slog.Attr{slog.String("to", m.To), slog.String("subject", m.Subject)}
	if m.Link != "" {
		level, facts = slog.LevelError, append(facts, slog.String("link", m.Link))
	}
	l.log.LogAttrs(ctx, level, "mail is not set up, so this was not sent", facts...)
	return nil
}
