// Package digest writes to people: a daily mail about what has changed on their boards, and a notice when a webhook was
// switched off or a board keeps failing. Nobody gets two daily mails for one day, even after a restart, and if a mail is
// lost, the next one includes its news. A notice is sent at least once.
package digest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

// Options are the settings of a Digest. The zero value works, for a service without an address.
type Options struct {
	Hour           int           // the hour of the day, in each person's time zone, for people who have not chosen one
	BaseURL        string        // the beginning of links in mail, without a slash at the end
	UnsubscribeURL string        // the address at which the daily mail is ended; the token follows as ?token=
	Every          time.Duration // how often it looks for due mail; 0 means 15 seconds
	Log            *slog.Logger  // nil: silent
}

// Store is what the daily mail and notices need from a store.
type Store interface {
	track.SearchStore
	track.FeedStore
	// DueDigests lists up to n accounts with a confirmed address that want the daily mail and for which it is due, or
	// not planned yet, or planned for another hour than the installation's is now.
	DueDigests(ctx context.Context, now time.Time, hour, n int) ([]track.DueDigest, error)
	// Digest returns the account's state, whether its mail is due or not. An unknown account is a not_found error.
	Digest(ctx context.Context, accountID string) (track.DueDigest, error)
	// PlanDigest sets when the account's mail is due next. hour is the installation's.
	PlanDigest(ctx context.Context, accountID string, next time.Time, hour int) error
	// BeginDigest marks the mail of a day as begun and plans the next one. It reports false, and changes nothing, if
	// the mail of the same or a later day was begun before. again allows the same day once more.
	BeginDigest(ctx context.Context, accountID string, day account.DigestDay, again bool) (bool, error)
	// EndDigest records that everything up to that moment was sent.
	EndDigest(ctx context.Context, accountID string, until time.Time) error
	// UndoDigest undoes BeginDigest for a mail that was certainly not sent. The mail is due again at that time.
	UndoDigest(ctx context.Context, accountID, day, before string, at time.Time) error
	// CreateLink saves the link that ends the daily mail.
	CreateLink(ctx context.Context, l account.Link) error
	// Now returns the time of the store's clock, from which every stamp comes.
	Now(ctx context.Context) (time.Time, error)

	// DueNotices lists up to n notices that were not sent yet.
	DueNotices(ctx context.Context, now time.Time, n int) ([]track.Notice, error)
	// BeginNotice reserves a notice for that long. It reports false if another process has reserved it, or if it was
	// sent meanwhile.
	BeginNotice(ctx context.Context, n track.Notice, now time.Time, lease time.Duration) (bool, error)
	// EndNotice records that the notice was sent.
	EndNotice(ctx context.Context, n track.Notice, now time.Time) error
}

// Digest sends the daily mail and notices. It may be used concurrently, and by several processes on one database.
type Digest struct {
	store  Store
	mailer account.Mailer
	o      Options
}

// New returns a Digest. The mailer must report whether a message was sent.
func New(store Store, mailer account.Mailer, o Options) *Digest {
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	o.Every = cmp.Or(o.Every, 15*time.Second)
	return &Digest{store: store, mailer: mailer, o: o}
}

// Run sends everything that is due, until the context ends. It finishes the message that it is sending.
func (d *Digest) Run(ctx context.Context) error {
	ticker := time.NewTicker(d.o.Every)
	defer ticker.Stop()
	for {
		if err := d.Work(ctx); err != nil && ctx.Err() == nil {
			d.o.Log.WarnContext(ctx, "mail that is due was not looked for", slog.Any("error", err))
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}

// batch is how many accounts are processed together.
const batch = 100

// Work sends everything that is due now, once.
func (d *Digest) Work(ctx context.Context) error {
	for {
		now, err := d.store.Now(ctx)
		if err != nil {
			return fmt.Errorf("read clock: %w", err)
		}
		list, err := d.store.DueDigests(ctx, now, d.o.Hour, batch)
		if err != nil {
			return fmt.Errorf("look for daily mail: %w", err)
		}
		fault := d.dailies(ctx, list, now)
		if ctx.Err() != nil {
			return nil //nolint:nilerr // told to stop, which is no failure
		}
		if len(list) < batch || fault != nil {
			return errors.Join(fault, d.tell(ctx, now))
		}
	}
}

// senders is how many messages are sent at the same time.
const senders = 4

// dailies sends the mail of some accounts. One account's failure does not affect the others.
func (d *Digest) dailies(ctx context.Context, list []track.DueDigest, now time.Time) error {
	faults := make([]error, len(list))
	var group errgroup.Group
	group.SetLimit(senders)
	for i, due := range list {
		group.Go(func() error {
			if ctx.Err() != nil {
				return nil //nolint:nilerr // told to stop, which is no failure
			}
			if err := d.daily(ctx, due, now); err != nil {
				faults[i] = fmt.Errorf("daily mail of account %s: %w", due.Account.ID, err)
			}
			return nil
		})
	}
	_ = group.Wait() // each failure is stored separately
	return errors.Join(faults...)
}

// daily sends one account's mail of the day, or plans it. A person who is new, or has just chosen the current hour,
// does not have to wait until tomorrow.
func (d *Digest) daily(ctx context.Context, due track.DueDigest, now time.Time) error {
	day := due.Preferences.DigestAt(now, d.o.Hour)
	planned := !due.Planned.IsZero() && !due.Planned.After(now)
	if due.Day >= day.Date || !planned && !open(day, now) {
		return d.store.PlanDigest(ctx, due.Account.ID, day.Next, d.o.Hour)
	}
	_, err := d.send(ctx, due, day, now, false)
	return err
}

// open reports whether it is still the hour of the mail.
func open(day account.DigestDay, now time.Time) bool { return now.Before(day.At.Add(time.Hour)) }

// lookAgain is the pause after which an empty mail is checked for news again during its hour.
const lookAgain = time.Minute

// wait plans the next look at an empty mail: soon during its hour, and then at the next one.
func (d *Digest) wait(ctx context.Context, due track.DueDigest, day account.DigestDay, now, until time.Time) error {
	if soon := now.Add(lookAgain); open(day, soon) {
		return d.store.PlanDigest(ctx, due.Account.ID, soon, d.o.Hour)
	}
	if err := d.store.EndDigest(ctx, due.Account.ID, until); err != nil {
		return err
	}
	return d.store.PlanDigest(ctx, due.Account.ID, day.Next, d.o.Hour)
}

// Sent is the result of sending a daily mail.
type Sent struct {
	Sent     bool
	Reason   string // why it was not sent; empty if it was
	Found    int
	Reopened int
	Closed   int
	Updated  int
}

// Send sends an account's daily mail now, whatever the hour, if something has changed and today's was not sent; again
// allows a second one. Nothing is sent to an unconfirmed address, or to a person who has switched the mail off.
func (d *Digest) Send(ctx context.Context, a account.Account, again bool) (Sent, error) {
	now, err := d.store.Now(ctx)
	if err != nil {
		return Sent{}, fmt.Errorf("send daily mail: %w", err)
	}
	due, err := d.store.Digest(ctx, a.ID)
	if err != nil {
		return Sent{}, fmt.Errorf("send daily mail: %w", err)
	}
	switch day := due.Preferences.DigestAt(now, d.o.Hour); {
	case !due.Account.Verified:
		return Sent{Reason: "the address is not confirmed"}, nil
	case !due.Preferences.Digest:
		return Sent{Reason: "the daily mail is switched off"}, nil
	case due.Day > day.Date || due.Day == day.Date && !again:
		return Sent{Reason: "today's mail was sent already"}, nil
	default:
		sent, err := d.send(ctx, due, day, now, true)
		return sent, boardwatch.Wrap("send daily mail", err)
	}
}

// How long sending one message may take, and the first pause after a failure.
const (
	patience   = time.Minute
	firstRetry = 5 * time.Minute
)

// send sends the mail of a day. Its beginning is saved first, so that no two processes send it. The end of the period it
// covers is saved afterwards, so that the next mail includes the news of a lost one. A mail that the mail server did not
// confirm is sent again, with the same id.
func (d *Digest) send(ctx context.Context, due track.DueDigest, day account.DigestDay, now time.Time, asked bool) (Sent, error) {
	news, err := d.gather(ctx, due, now)
	if err != nil {
		return Sent{}, err
	}
	if news.Empty() {
		sent := Sent{Reason: "nothing has changed since " + news.From.Format(boardwatch.TimeFormat)}
		if asked {
			return sent, nil
		}
		return sent, d.wait(ctx, due, day, now, news.Until)
	}
	begun, err := d.store.BeginDigest(ctx, due.Account.ID, day, asked)
	if err != nil || !begun {
		return Sent{Reason: "today's mail was sent already"}, err
	}
	if due.Until.IsZero() { // from this moment on nothing is left out, however long it takes until a mail is sent
		if err := d.store.EndDigest(ctx, due.Account.ID, news.From); err != nil {
			return Sent{}, err
		}
	}
	ctx, cancel := context.WithTimeoutCause(context.WithoutCancel(ctx), patience, errors.New("the mail server took too long"))
	defer cancel()
	m, err := d.write(ctx, due, day, news)
	if err == nil {
		err = d.mailer.Send(ctx, m)
	}
	if err != nil {
		return Sent{}, d.undo(context.WithoutCancel(ctx), due, day, now, asked, err)
	}
	d.o.Log.InfoContext(ctx, "daily mail sent", slog.String("account_id", due.Account.ID), slog.String("day", day.Date))
	return Sent{Sent: true, Found: news.Found, Reopened: news.Reopened, Closed: news.Closed, Updated: news.Updated},
		d.store.EndDigest(context.WithoutCancel(ctx), due.Account.ID, news.Until)
}

// undo reverts the beginning of a mail that nobody confirmed to be sent, and plans a retry: soon, then less and less often,
// and at the latest at the hour of the next mail.
func (d *Digest) undo(ctx context.Context, due track.DueDigest, day account.DigestDay, now time.Time, asked bool, cause error) error {
	next := now.Add(max(firstRetry, now.Sub(day.At)))
	if next.After(day.Next) {
		next = day.Next
	}
	if asked {
		next = due.Planned
	}
	if err := d.store.UndoDigest(ctx, due.Account.ID, day.Date, due.Day, next); err != nil {
		return errors.Join(cause, err)
	}
	if asked {
		return cause
	}
	d.o.Log.WarnContext(ctx, "daily mail is tried again", slog.String("account_id", due.Account.ID),
		slog.Time("at", next), slog.Any("error", cause))
	return nil
}
