package mail

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

var _ boardwatch.Mailer = (*Outbox)(nil)

// errFull says that the mail server has not kept up.
var errFull = errors.New("too much mail is waiting to be sent")

// capacity is how many messages may wait. They are kept in memory only: the links in them are secrets, of which the
// database keeps nothing but hashes. Who has not got one asks for another.
const capacity = 1000

// waits are the pauses before a message is tried again.
func waits() []time.Duration {
	return []time.Duration{10 * time.Second, time.Minute, 5 * time.Minute, 20 * time.Minute, time.Hour}
}

// farewell is how long what still waits may take when the service ends.
const farewell = 10 * time.Second

// Outbox takes messages at once, so that how long a mail server takes tells nobody anything, and hands them over later.
// It may be used concurrently.
type Outbox struct {
	mailer boardwatch.Mailer
	log    *slog.Logger
	now    func() time.Time
	queue  chan waiting
}

// waiting is a message that was not handed over yet.
type waiting struct {
	mail  boardwatch.Mail
	tries int
	due   time.Time
}

// NewOutbox returns an Outbox that hands messages to a mailer. log may be nil.
func NewOutbox(mailer boardwatch.Mailer, log *slog.Logger) *Outbox {
	return &Outbox{
		mailer: mailer, log: cmp.Or(log, slog.New(slog.DiscardHandler)), now: time.Now, queue: make(chan waiting, capacity),
	}
}

// Send takes a message. An error means that too many are waiting.
func (o *Outbox) Send(_ context.Context, m boardwatch.Mail) error {
	if m.ID == "" {
		m.ID = boardwatch.NewToken() // however often it is tried
	}
	select {
	case o.queue <- waiting{mail: m}:
		return nil
	default:
		return errFull
	}
}

// Run hands messages over until the context ends, and then what still waits, once.
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

// try hands a message over, or puts it with those to be tried again.
func (o *Outbox) try(ctx context.Context, w waiting, again []waiting) []waiting {
	err := o.mailer.Send(context.WithoutCancel(ctx), w.mail) // has its own limits
	if err == nil {
		return again
	}
	pauses := waits()
	if w.tries >= len(pauses) || errors.Is(err, boardwatch.ErrMailUncertain) {
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

// leave tries everything that waits once more.
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
					o.log.ErrorContext(ctx, "mail was lost, because the service ended", slog.Int("messages", lost))
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
