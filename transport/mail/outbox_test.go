package mail_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/transport/mail"
)

// sender is a mailer with configurable answers.
type sender struct {
	mu     sync.Mutex
	sent   []account.Mail
	at     []time.Time
	answer func(n int) error // n counts from one
}

func (s *sender) Send(_ context.Context, m account.Mail) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sent, s.at = append(s.sent, m), append(s.at, time.Now())
	if s.answer == nil {
		return nil
	}
	return s.answer(len(s.sent))
}

func (s *sender) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.sent)
}

func TestOutbox(t *testing.T) {
	t.Parallel()

	// run lets an outbox work in a bubble, until the test's function returns.
	run := func(t *testing.T, s *sender, log *slog.Logger, use func(o *mail.Outbox)) {
		t.Helper()
		synctest.Test(t, func(t *testing.T) {
			o := mail.NewOutbox(s, log)
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan error, 1)
			go func() { ended <- o.Run(ctx) }()
			use(o)
			cancel()
			require.NoError(t, <-ended)
		})
	}
	letter := account.Mail{To: "ann@northwind.example", Subject: "hello", Text: "x"}

	t.Run("sends messages in order", func(t *testing.T) {
		t.Parallel()
		s := &sender{}
		run(t, s, nil, func(o *mail.Outbox) {
			for _, subject := range []string{"a", "b", "c"} {
				require.NoError(t, o.Send(t.Context(), account.Mail{Subject: subject}))
			}
			synctest.Wait()
			require.Equal(t, 3, s.count())
			require.Equal(t, "c", s.sent[2].Subject)
		})
	})

	t.Run("tries again with the same id, later and later, and then gives up", func(t *testing.T) {
		t.Parallel()
		var log bytes.Buffer
		s := &sender{answer: func(int) error { return errors.New("busy") }}
		run(t, s, slog.New(slog.NewTextHandler(&log, nil)), func(o *mail.Outbox) {
			require.NoError(t, o.Send(t.Context(), letter))
			<-time.After(3 * time.Hour)
		})
		require.Len(t, s.sent, 6)
		for i, wait := range []time.Duration{10 * time.Second, time.Minute, 5 * time.Minute, 20 * time.Minute, time.Hour} {
			require.Equal(t, wait, s.at[i+1].Sub(s.at[i]))
			require.Equal(t, s.sent[0].ID, s.sent[i+1].ID)
		}
		require.NotEmpty(t, s.sent[0].ID)
		require.Equal(t, 1, bytes.Count(log.Bytes(), []byte("mail is tried again")))
		require.Equal(t, 1, bytes.Count(log.Bytes(), []byte("mail was not delivered")))
		require.NotContains(t, log.String(), "ann@northwind.example")
	})

	t.Run("a message that cannot be sent does not hold up the others", func(t *testing.T) {
		t.Parallel()
		s := &sender{}
		s.answer = func(int) error {
			if s.sent[len(s.sent)-1].Subject == "bad" {
				return errors.New("busy")
			}
			return nil
		}
		run(t, s, nil, func(o *mail.Outbox) {
			for _, subject := range []string{"bad", "good", "bad", "good"} {
				require.NoError(t, o.Send(t.Context(), account.Mail{Subject: subject}))
			}
			synctest.Wait()
			require.Equal(t, 4, s.count())
			<-time.After(11 * time.Second)
			require.Equal(t, 6, s.count())
		})
	})

	t.Run("tries waiting messages once more when it ends", func(t *testing.T) {
		t.Parallel()
		s := &sender{answer: func(n int) error {
			if n == 1 {
				return errors.New("busy")
			}
			return nil
		}}
		run(t, s, nil, func(o *mail.Outbox) {
			require.NoError(t, o.Send(t.Context(), letter))
			synctest.Wait()
			require.Equal(t, 1, s.count())
		})
		require.Len(t, s.sent, 2)
	})

	t.Run("accepts no more than its capacity", func(t *testing.T) {
		t.Parallel()
		o := mail.NewOutbox(&sender{}, nil)
		var err error
		for i := 0; err == nil; i++ {
			require.Less(t, i, 100_000)
			err = o.Send(t.Context(), letter)
		}
	})
}

func TestLogWritesTheLinkAndNoMore(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	l := mail.NewLog(slog.New(slog.NewTextHandler(&log, nil)))
	require.NoError(t, l.Send(t.Context(), account.Mail{
		To: "ann@northwind.example", Subject: "Set a new password", Text: "long text", Link: "https://boards.example/reset?token=x",
	}))
	require.Contains(t, log.String(), `link="https://boards.example/reset?token=x"`)
	require.Contains(t, log.String(), "ann@northwind.example")
	require.NotContains(t, log.String(), "long text")
	require.NoError(t, l.Send(t.Context(), account.Mail{To: "ann@northwind.example", Subject: "x", Text: "y"}))
	require.NoError(t, mail.NewLog(nil).Send(t.Context(), account.Mail{}))
}
