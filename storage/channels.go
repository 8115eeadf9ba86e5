package storage

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/storage/internal/driver"
)

var _ account.ChannelStore = (*Store)(nil)

// channel converts everything but the address.
func (r webhookRow) asChannel() boardwatch.Channel {
	return boardwatch.Channel{
		ID: r.ID, AccountID: r.AccountID, Name: r.Name, Kind: r.Channel, Shown: r.URL, CreatedAt: r.CreatedAt,
		Searches: r.Searches, All: r.All, Failures: r.Failures,
		FailingSince: r.FailingSince, DisabledAt: r.DisabledAt, DisabledReason: r.DisabledReason,
	}
}

func channelRow(c boardwatch.Channel) webhookRow {
	return webhookRow{Webhook: c.Place(), Searches: c.Searches, All: c.All, Failures: c.Failures}
}

func (s *Store) CreateChannel(ctx context.Context, c boardwatch.Channel, limit int) error {
	row := channelRow(c)
	return s.write(ctx, "create channel", func(ctx context.Context, tx driver.Tx) error {
		err := s.roomFor(ctx, tx, c.AccountID, "(SELECT * FROM webhooks WHERE channel <> '') AS channels", "channel", limit)
		if err != nil {
			return err
		}
		if err := ownSearches(ctx, tx, c); err != nil {
			return err
		}
		if row.Sealed, err = s.sealFor(ctx, tx, c.ID, plain(c.To)); err != nil {
			return err
		}
		_, err = insertRow(ctx, tx, webhookRecord(&row), "")
		return err
	})
}

// ownSearches returns an error unless all of a channel's searches belong to its account.
func ownSearches(ctx context.Context, tx driver.Tx, c boardwatch.Channel) error {
	own, err := searchesOf(ctx, tx, c.AccountID)
	if err != nil {
		return err
	}
	if len(kept(c.Searches, own)) < len(c.Searches) {
		return boardwatch.Invalid("searches", "must be ids of the account's saved searches")
	}
	return nil
}

// kept returns the ids whose search still exists.
func kept(ids []string, searches []boardwatch.Search) []string {
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool {
		return !slices.ContainsFunc(searches, func(q boardwatch.Search) bool { return q.ID == id })
	})
}

func (s *Store) Channels(ctx context.Context, accountID string) ([]boardwatch.Channel, error) {
	own, err := searchesOf(ctx, s.db(), accountID)
	if err != nil {
		return nil, wrap("read channels", err)
	}
	rows, err := readRows(ctx, s.db(), webhookRecord, "WHERE w.account_id = ? AND w.channel <> '' ORDER BY w.created_at, w.id", plain(accountID))
	if err != nil {
		return nil, wrap("read channels", err)
	}
	out := make([]boardwatch.Channel, len(rows))
	for i, r := range rows {
		out[i] = r.asChannel()
		out[i].Searches = kept(out[i].Searches, own)
		if out[i].To, err = s.seal.open(r.ID, r.Sealed); err != nil {
			return nil, wrap("read channels", err)
		}
	}
	return out, nil
}

func (s *Store) ChangeChannel(ctx context.Context, c boardwatch.Channel) error {
	return s.write(ctx, "change channel", func(ctx context.Context, tx driver.Tx) error {
		secret, err := s.sealFor(ctx, tx, c.ID, plain(c.To)) // locks the key's row first, as changing the key does
		if err != nil {
			return err
		}
		before, err := s.lockChannel(ctx, tx, c.AccountID, c.ID)
		if err != nil {
			return err
		}
		if err := ownSearches(ctx, tx, c); err != nil {
			return err
		}
		after := channelRow(c)
		after.Sealed, after.FailingSince, after.LeaseUntil, after.LeaseToken = secret, before.FailingSince, before.LeaseUntil, before.LeaseToken
		if to, err := s.seal.open(before.ID, before.Sealed); err != nil {
			return err
		} else if to != plain(c.To) { // nobody sends there yet, and nothing has failed there
			after.LeaseUntil, after.LeaseToken = time.Time{}, ""
			if before.DisabledAt.IsZero() {
				after.FailingSince = time.Time{}
			}
		}
		set, args := webhookRecord(&after).set("name", "url", "secret", "searches", "all_changes", "failures", "failing_since", "lease_until", "lease_token")
		_, err = tx.ExecContext(ctx, "UPDATE webhooks SET "+set+" WHERE id = ?", append(args, before.ID)...)
		return err
	})
}

// moveMail points the account's email channels to its new address. Pending notifications are sent there.
func (s *Store) moveMail(ctx context.Context, tx driver.Tx, accountID, email string) error {
	var ids []string
	if err := tx.NewRaw("SELECT id FROM webhooks WHERE account_id = ? AND channel = ?", accountID, boardwatch.ChannelEmail).Scan(ctx, &ids); err != nil {
		return err
	}
	for _, id := range ids {
		secret, err := s.sealFor(ctx, tx, id, email)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "UPDATE webhooks SET url = ?, secret = ?, lease_until = 0, lease_token = '' WHERE id = ?",
			boardwatch.ChannelEmail.Masked(email), secret, id)
		if err != nil {
			return err
		}
	}
	return nil
}

// lockChannel reads and locks one of the account's channels; otherwise it is a not_found error.
func (s *Store) lockChannel(ctx context.Context, tx driver.Tx, accountID, id string) (webhookRow, error) {
	row, err := readRow(ctx, tx, webhookRecord, "WHERE w.account_id = ? AND w.id = ? AND w.channel <> ''"+s.dialect.RowLock,
		plain(accountID), plain(id))
	if errors.Is(err, sql.ErrNoRows) {
		err = boardwatch.NotFound("channel")
	}
	return row, err
}

// SwitchChannel does not announce to owners a switch of their own. Switching on forgets whether they were told.
func (s *Store) SwitchChannel(ctx context.Context, c boardwatch.Channel) error {
	return s.write(ctx, "switch channel", func(ctx context.Context, tx driver.Tx) error {
		if _, err := s.planOf(ctx, tx, c.AccountID); err != nil { // locks the account's row first, as deleting an account does
			return err
		}
		row, err := s.lockChannel(ctx, tx, c.AccountID, c.ID)
		if err != nil || row.DisabledAt.IsZero() == c.DisabledAt.IsZero() {
			return err
		}
		_, err = tx.ExecContext(ctx, `UPDATE webhooks SET failing_since = ?, disabled_at = ?, disabled_reason = ?, lease_until = 0, lease_token = ''
			WHERE id = ?`, millis(c.FailingSince), millis(c.DisabledAt), plain(c.DisabledReason), row.ID)
		if err != nil {
			return err
		}
		if c.DisabledAt.IsZero() {
			_, err = tx.ExecContext(ctx, "DELETE FROM notices WHERE id = ?", webhookNotice(row.ID))
			return err
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO notices (id, account_id, told_at) VALUES (?, ?, ?)
			ON CONFLICT (id) DO UPDATE SET told_at = excluded.told_at, lease_until = 0`,
			webhookNotice(row.ID), row.AccountID, millis(c.DisabledAt))
		if err != nil {
			return err
		}
		return bury(ctx, tx, row.ID)
	})
}

func (s *Store) DeleteChannel(ctx context.Context, accountID, id string) error {
	return s.write(ctx, "delete channel", func(ctx context.Context, tx driver.Tx) error {
		err := existing(ctx, tx, "channel", "DELETE FROM webhooks WHERE account_id = ? AND id = ? AND channel <> ''", plain(accountID), plain(id))
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "DELETE FROM rates WHERE account_id = ? AND name = ?", plain(accountID), boardwatch.TestRate(plain(id)).Name)
		return err
	})
}

// folded returns the form in which texts of roles are compared.
func folded(text string) string { return Fold(plain(text)) }

// listenersOf returns the channels among a board's enabled hooks, and the questions whose answers add their searches.
func listenersOf(boardID string, hooks []webhookRow) ([]boardwatch.Listener, []driver.Question) {
	l := looks{boardID: boardID, wanted: map[string]bool{}}
	for _, r := range hooks {
		if r.Channel == "" {
			continue
		}
		channel := r.asChannel()
		for _, id := range channel.Searches {
			l.wanted[id] = true // read below, unless it was deleted
		}
		l.listeners = append(l.listeners, boardwatch.Listener{Channel: channel})
	}
	if len(l.wanted) == 0 {
		return l.listeners, nil
	}
	var alias string
	var q boardwatch.Search
	search := searchRecord(&q)
	return l.listeners, []driver.Question{
		driver.Ask("SELECT id FROM aliases WHERE board_id = ?", []any{boardID}, func() error {
			l.aliases = append(l.aliases, alias)
			return nil
		}, &alias),
		driver.Ask("SELECT "+columns(search)+` FROM subscriptions AS s JOIN searches AS q ON q.account_id = s.account_id
			WHERE s.board_id = ? AND NOT s.locked`, []any{boardID}, func() error {
			l.add(q)
			return nil
		}, targets(search)...),
	}
}

// looks adds to the listeners of a board the searches of accounts that actively track it, folded for comparison with its
// roles.
type looks struct {
	boardID   string
	listeners []boardwatch.Listener
	aliases   []string // other ids that the board had
	wanted    map[string]bool
}

// add gives a search to the listeners of its account that report it.
func (l *looks) add(q boardwatch.Search) {
	if !l.wanted[q.ID] {
		return
	}
	q.Criteria = q.Folded(folded)
	if slices.ContainsFunc(q.Boards, func(id string) bool { return slices.Contains(l.aliases, id) }) {
		q.Boards = append(q.Boards, l.boardID)
	}
	for i, to := range l.listeners {
		if q.AccountID == to.AccountID && slices.Contains(to.Searches, q.ID) {
			l.listeners[i].Looks = append(l.listeners[i].Looks, q)
		}
	}
}
