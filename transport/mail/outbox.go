package mail

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch/account"
)

var _ account.Mailer = (*Outbox)(nil)

// errFull says that the mail server has not kept up.
var errFull = errors.New("too much mail is waiting to be sent")

// capacity is how many messages may wait. They are kept only in memory, because the links in them are secrets, of which
// the database stores only hashes. A person who does not get one can ask for another.
const capacity = 1000

// waits are the pauses before retries.
func waits() []time.Duration {
	return []time.Duration{10 * time.Second, time.Minute, 5 * time.Minute, 20 * time.Minute, time.Hour}
}

// farewell is how long sending the remaining messages may take when the service ends.
const farewell = 10 * time.Second

// Outbox accepts messages at once and sends them later, so that the time a mail server takes reveals nothing.
// It may be used concurrently.
type Outbox struct {
	mailer account.Mailer
	log    *slog.Logger
	now    func() time.Time
	queue  chan waiting
}

// waiting is a message that was not sent yet.
type waiting struct {
	mail  account.Mail
	tries int
	due   time.Time
}

// NewOutbox returns an Outbox that sends messages with a mailer. log may be nil.
func NewOutbox(mailer account.Mailer, log *slog.Logger) *Outbox {
	return &Outbox{
		mailer: mailer, log: cmp.Or(log, slog.New(slog.DiscardHandler)), now: time.Now, queue: make(chan waiting, capacity),
	}
}

// Send accepts a message. An error means that too many are waiting.
func (o *Outbox) Send(_ context.Context, m account.Mail) error {
	if m.ID == "" {
		m.ID = account.NewToken() // the same for all attempts
	}
	select {
	case o.queue <- waiting{mail: m}:
		return nil
	default:
		return errFull
	}
}

// Run sends messages until the context ends, and then tries the waiting ones once more.
func (o *Outbox) Run(ctx context.Context) error {
	var again []waiting // ordered by due
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		if len(again) > 0 {
			timer.Reset(again[0].due.Sub(o.now()))
		}
		select {
		case <-ctx.Done():
			o.leave(ctx, again)
			return nil
		case w := <-o.queue:
			again = o.try(ctx, w, again)
		case <-timer.C:
			if len(again) > 0 && !again[0].due.After(o.now()) {
				again = o.try(ctx, again[0], again[1:])
			}
		}
	}
}

// try sends a message, or queues it for a retry.
func (o *Outbox) try(ctx context.Context, w waiting, again []waiting) []waiting {
	err := o.mailer.Send(context.WithoutCancel(ctx), w.mail) // the mailer has its own time limits
	if err == nil {
		return again
	}
	pauses := waits()
	if w.tries >= len(pauses) {
		o.log.ErrorContext(ctx, "mail was not delivered", slog.String("subject", w.mail.Subject), slog.Any("error", err))
		return again
	}
	if w.tries == 0 {
		o.log.WarnContext(ctx, "mail is tried again", slog.String("subject", w.mail.Subject), slog.Any("error", err))
	}
	w.due = o.now().Add(pauses[w.tries])
	w.tries++
	at, _ := slices.BinarySearchFunc(again, w, func(a, b waiting) int { return a.due.Compare(b.due) })
	return slices.Insert(slices.Clone(again), at, w)
}

// leave tries every waiting message once more.
func (o *Outbox) leave(ctx context.Context, again []waiting) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), farewell)
	defer cancel()
	for lost := 0; ; {
		var w waiting
		select {
		case w = <-o.queue:
		default:
			if len(again) == 0 {
				if lost > 0 {
					o.log.ErrorContext(ctx, "mail was lost because the service ended", slog.Int("messages", lost))
				}
				return
			}
			w, again = again[0], again[1:]
		}
		if ctx.Err() != nil || o.mailer.Send(ctx, w.mail) != nil {
			lost++
		}
	}
}
