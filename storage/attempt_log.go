package storage

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/storage/internal/driver"
)

// attemptLine is an attempt in the log of a delivery, one JSON object a line.
type attemptLine struct {
	At        int64  `json:"at"`
	Resent    bool   `json:"resent,omitempty"`
	Code      int    `json:"code,omitempty"`
	Error     string `json:"error,omitempty"`
	Duration  int64  `json:"ms"`
	Signature string `json:"signature,omitempty"`
}

// maxLog is the size, in bytes, from which a delivery's log gets no more resends.
const maxLog = 64 << 10

func lineOf(a boardwatch.Attempt) string {
	raw, err := json.Marshal(attemptLine{millis(a.At), a.Resent, a.Code, plain(a.Error), a.Duration.Milliseconds(), plain(a.Signature)})
	if err != nil {
		panic("storage: an attempt that cannot be written: " + err.Error()) // numbers and strings only
	}
	return string(raw) + "\n"
}

// attemptsOf reads a log. A line that no version has written is left out.
func attemptsOf(log string) (list []boardwatch.Attempt) {
	for line := range strings.Lines(log) {
		var l attemptLine
		if json.Unmarshal([]byte(line), &l) == nil {
			list = append(list, boardwatch.Receipt{
				Code: l.Code, Error: l.Error, Duration: time.Duration(l.Duration) * time.Millisecond, Signature: l.Signature,
			}.Attempt(instant(l.At), l.Resent))
		}
	}
	return list
}

func (s *Store) SaveResend(ctx context.Context, deliveryID string, a boardwatch.Attempt) error {
	return wrap("save resend", s.driver.Write(ctx, func(ctx context.Context, tx driver.Tx) error {
		_, err := tx.ExecContext(ctx, "UPDATE deliveries SET log = log || ? WHERE id = ? AND length(log) < ?", lineOf(a), plain(deliveryID), maxLog)
		return err
	}))
}

func (s *Store) SaveTest(ctx context.Context, webhookID string, a boardwatch.Attempt) error {
	return wrap("save test", s.driver.Write(ctx, func(ctx context.Context, tx driver.Tx) error {
		_, err := tx.ExecContext(ctx, "UPDATE webhooks SET tested = ? WHERE id = ?", lineOf(a), plain(webhookID))
		return err
	}))
}
