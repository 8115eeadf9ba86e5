package digest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

const (
	// mostNotices is how many notices are processed together.
	mostNotices = 200
	// noticeLease is how long a notice is reserved for one process, and so the pause after a failure. It is longer than
	// sending a message may take.
	noticeLease = 15 * time.Minute
)

// tell sends all unsent notices, those of an account in one message. One account's failure does not affect the others.
func (d *Digest) tell(ctx context.Context, now time.Time) error {
	list, err := d.store.DueNotices(ctx, now, mostNotices)
	if err != nil {
		return fmt.Errorf("look for notices: %w", err)
	}
	var faults []error
	for _, mine := range byAccount(list) {
		if ctx.Err() != nil {
			return nil //nolint:nilerr // told to stop, which is no failure
		}
		if err := d.tellAccount(ctx, mine, now); err != nil {
			faults = append(faults, fmt.Errorf("notice to account %s: %w", mine[0].Account.ID, err))
		}
	}
	return errors.Join(faults...)
}

// byAccount groups notices by account, in the order of each account's first.
func byAccount(list []track.Notice) [][]track.Notice {
	var sorted [][]track.Notice
	places := map[string]int{}
	for _, n := range list {
		at, known := places[n.Account.ID]
		if !known {
			at = len(sorted)
			places[n.Account.ID] = at
			sorted = append(sorted, nil)
		}
		sorted[at] = append(sorted[at], n)
	}
	return sorted
}

// tellAccount sends an account the notices that no other process has reserved. If it fails, they are due again when the
// lease ends.
func (d *Digest) tellAccount(ctx context.Context, notices []track.Notice, now time.Time) error {
	var mine []track.Notice
	for _, n := range notices {
		begun, err := d.store.BeginNotice(ctx, n, now, noticeLease)
		if err != nil {
			return err
		}
		if begun {
			mine = append(mine, n)
		}
	}
	if len(mine) == 0 {
		return nil
	}
	due, err := d.store.Digest(ctx, mine[0].Account.ID)
	if err != nil {
		return err
	}
	m, err := d.writeNotice(mine, due.Preferences.Location())
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeoutCause(context.WithoutCancel(ctx), patience, errors.New("the mail server took too long"))
	defer cancel()
	if err := d.mailer.Send(ctx, m); err != nil {
		d.o.Log.WarnContext(ctx, "notice is tried again", slog.String("account_id", mine[0].Account.ID), slog.Any("error", err))
		return nil
	}
	for _, n := range mine {
		if err := d.store.EndNotice(context.WithoutCancel(ctx), n, now); err != nil {
			return err
		}
	}
	d.o.Log.InfoContext(ctx, "notice sent", slog.String("account_id", mine[0].Account.ID), slog.Int("notices", len(mine)))
	return nil
}

// notice is the data for the template.
type notice struct {
	Base     string
	Webhooks []webhookNotice
	Boards   []boardNotice
}

// webhookNotice names a webhook or a channel only by its host, because the rest of its address is as secret as a
// password.
type webhookNotice struct{ Noun, Host, Reason string }

type boardNotice struct{ Name, Since, Reason, Page string }

func (d *Digest) writeNotice(notices []track.Notice, zone *time.Location) (m account.Mail, err error) {
	n := notice{Base: d.o.BaseURL}
	for _, one := range notices {
		if w := one.Webhook; w != nil {
			n.Webhooks = append(n.Webhooks, webhookNotice{Noun: nounOf(*w), Host: hostOf(w.URL), Reason: plain(w.DisabledReason)})
		}
		if b := one.Board; b != nil {
			n.Boards = append(n.Boards, boardNotice{
				Name:  boardNews{Company: b.Subscription.CompanyOf(b.Board), CareersURL: b.Board.URL}.Name(),
				Since: one.Since.In(zone).Format("2 January 2006, 15:04 MST"), Reason: plain(b.Board.State.Reason),
				Page: d.o.BaseURL + "/boards/" + b.Board.ID,
			})
		}
	}
	m = account.Mail{
		ID: "notice." + account.HashSecret(notices[0].ID)[:32], To: notices[0].Account.Email, Subject: n.Subject(),
	}
	if m.Text, err = plainText("notice.txt", n); err != nil {
		return account.Mail{}, err
	}
	m.HTML, err = richText("notice.html", n)
	return m, err
}

// Subject says what does not work.
func (n notice) Subject() string {
	switch {
	case len(n.Boards) == 0 && len(n.Webhooks) == 1:
		return "Your " + n.Webhooks[0].Noun + " at " + shorten(n.Webhooks[0].Host, 60) + " was switched off"
	case len(n.Boards) == 0:
		return count(len(n.Webhooks), n.Noun()) + " were switched off"
	case len(n.Webhooks) == 0 && len(n.Boards) == 1:
		return shorten(n.Boards[0].Name, 60) + " has failed for three days"
	case len(n.Webhooks) == 0:
		return count(len(n.Boards), "board") + " have failed for three days"
	default:
		return count(len(n.Boards), "board") + " and " + count(len(n.Webhooks), n.Noun()) + " do not work"
	}
}

// Noun names the kind of the notice's subjects: webhooks, channels or both.
func (n notice) Noun() string {
	for _, w := range n.Webhooks {
		if w.Noun != n.Webhooks[0].Noun {
			return "receiver"
		}
	}
	return n.Webhooks[0].Noun
}

// Settings returns the page of the notice's webhooks or channels.
func (n notice) Settings() string {
	switch n.Noun() {
	case "webhook":
		return n.Base + "/settings/webhooks"
	case "channel":
		return n.Base + "/settings/channels"
	default:
		return n.Base + "/settings"
	}
}

func nounOf(w boardwatch.Webhook) string {
	if w.Channel != "" {
		return "channel"
	}
	return "webhook"
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "an address that cannot be read"
	}
	if _, host, mail := strings.Cut(address, "@"); mail && u.Host == "" {
		return host
	}
	return cmp.Or(u.Host, "an address that cannot be read")
}
