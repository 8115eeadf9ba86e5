package storage

import (
	"context"
	"slices"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
)

var _ account.ChannelStore = (*Store)(nil)

// channel converts everything but the address.
func (r webhookRow) asChannel() boardwatch.Channel {
	return boardwatch.Channel{
		ID: r.ID, AccountID: r.AccountID, Name: r.Name, Kind: r.Channel, Shown: r.URL, CreatedAt: instant(r.CreatedAt),
		Searches: parted[string](r.Searches), All: r.AllChanges, Failures: r.Failures,
		FailingSince: instant(r.FailingSince), DisabledAt: instant(r.DisabledAt), DisabledReason: r.DisabledReason,
	}
}

// CreateChannel saves a channel unless the account has limit of them already.
func (s *Store) CreateChannel(ctx context.Context, c boardwatch.Channel, limit int) error {
	row := webhookRow{
		ID: c.ID, AccountID: plain(c.AccountID), Name: plain(c.Name), Channel: c.Kind, URL: plain(c.Shown), CreatedAt: millis(c.CreatedAt),
		Searches: joined(c.Searches), AllChanges: c.All, Failures: c.Failures, FailingSince: millis(c.FailingSince),
		DisabledAt: millis(c.DisabledAt), DisabledReason: plain(c.DisabledReason),
	}
	return s.write(ctx, "create channel", func(ctx context.Context, tx Tx) error {
		err := s.roomFor(ctx, tx, c.AccountID, "(SELECT * FROM webhooks WHERE channel <> '') AS channels", "channel", limit)
		if err != nil {
			return err
		}
		if err := ownSearches(ctx, tx, c); err != nil {
			return err
		}
		if row.Secret, err = s.sealFor(ctx, tx, c.ID, plain(c.To)); err != nil {
			return err
		}
		_, err = tx.NewInsert().Model(&row).Returning("NULL").Exec(ctx)
		return err
	})
}

// ownSearches returns an error unless all of a channel's searches belong to its account.
func ownSearches(ctx context.Context, tx Tx, c boardwatch.Channel) error {
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

// Channels lists an account's channels with their addresses, oldest first.
func (s *Store) Channels(ctx context.Context, accountID string) ([]boardwatch.Channel, error) {
	own, err := searchesOf(ctx, s.db(), accountID)
	if err != nil {
		return nil, wrap("read channels", err)
	}
	var rows []webhookRow
	err = s.db().NewSelect().Model(&rows).Where("w.account_id = ? AND w.channel <> ''", plain(accountID)).
		Order("w.created_at", "w.id").Scan(ctx)
	if err != nil {
		return nil, wrap("read channels", err)
	}
	out := make([]boardwatch.Channel, len(rows))
	for i, r := range rows {
		out[i] = r.asChannel()
		out[i].Searches = kept(out[i].Searches, own)
		if out[i].To, err = s.seal.open(r.ID, r.Secret); err != nil {
			return nil, wrap("read channels", err)
		}
	}
	return out, nil
}

// ChangeChannel saves the name, the address and the notifications of one of the account's channels. If the address
// changes, the channel no longer counts as failing, and a claim on it ends.
func (s *Store) ChangeChannel(ctx context.Context, c boardwatch.Channel) error {
	return s.write(ctx, "change channel", func(ctx context.Context, tx Tx) error {
		secret, err := s.sealFor(ctx, tx, c.ID, plain(c.To)) // locks the key's row first, as changing the key does
		if err != nil {
			return err
		}
		row, err := s.channelRow(ctx, tx, c.AccountID, c.ID)
		if err != nil {
			return err
		}
		if err := ownSearches(ctx, tx, c); err != nil {
			return err
		}
		if before, err := s.seal.open(row.ID, row.Secret); err != nil {
			return err
		} else if before != plain(c.To) {
			row = row.moved()
		}
		_, err = tx.ExecContext(ctx, `UPDATE webhooks SET name = ?, url = ?, secret = ?, searches = ?, all_changes = ?, failures = ?,
			failing_since = ?, lease_until = ?, lease_token = ? WHERE id = ?`,
			plain(c.Name), plain(c.Shown), secret, joined(c.Searches), c.All, c.Failures,
			row.FailingSince, row.LeaseUntil, row.LeaseToken, row.ID)
		return err
	})
}

// moved returns the row with another address: nobody sends to it yet, and nothing has failed there.
func (r webhookRow) moved() webhookRow {
	r.LeaseUntil, r.LeaseToken = 0, ""
	if r.DisabledAt == 0 {
		r.FailingSince = 0
	}
	return r
}

// moveMail points the account's email channels to its new address. Pending notifications are sent there.
func (s *Store) moveMail(ctx context.Context, tx Tx, accountID, email string) error {
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

// channelRow reads and locks one of the account's channels; otherwise it is a not_found error.
func (s *Store) channelRow(ctx context.Context, tx Tx, accountID, id string) (webhookRow, error) {
	var rows []webhookRow
	err := tx.NewRaw("SELECT * FROM webhooks WHERE account_id = ? AND id = ? AND channel <> ''"+s.dialect.RowLock,
		plain(accountID), plain(id)).Scan(ctx, &rows)
	if err == nil && len(rows) == 0 {
		err = boardwatch.NotFound("channel")
	}
	if err != nil {
		return webhookRow{}, err
	}
	return rows[0], nil
}

// SwitchChannel saves whether one of the account's channels is on. A claim on it ends, and switching it off drops its
// pending notifications. Switching it on forgets whether its owner was told that failures had switched it off; a switch
// of their own is not announced to them.
func (s *Store) SwitchChannel(ctx context.Context, c boardwatch.Channel) error {
	return s.write(ctx, "switch channel", func(ctx context.Context, tx Tx) error {
		if _, err := s.planOf(ctx, tx, c.AccountID); err != nil { // locks the account's row first, as deleting an account does
			return err
		}
		row, err := s.channelRow(ctx, tx, c.AccountID, c.ID)
		if err != nil || (row.DisabledAt == 0) == c.DisabledAt.IsZero() {
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

// DeleteChannel removes one of the account's channels and its pending notifications; otherwise a not_found error.
func (s *Store) DeleteChannel(ctx context.Context, accountID, id string) error {
	return s.write(ctx, "delete channel", func(ctx context.Context, tx Tx) error {
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
func listenersOf(boardID string, hooks []webhookRow) ([]boardwatch.Listener, []Question) {
	l := looks{boardID: boardID, found: map[string]boardwatch.Search{}}
	for _, r := range hooks {
		if r.Channel == "" {
			continue
		}
		channel := r.asChannel()
		for _, id := range channel.Searches {
			l.found[id] = boardwatch.Search{} // read below, unless it was deleted
		}
		l.listeners = append(l.listeners, boardwatch.Listener{Channel: channel})
	}
	if len(l.found) == 0 {
		return l.listeners, nil
	}
	return l.listeners, []Question{
		{Statement{"SELECT id FROM aliases WHERE board_id = ?", []any{boardID}}, l.readAliases},
		{Statement{`SELECT q.id, q.account_id, q.name, q.text, q.location, q.department, q.boards, q.tags, q.kinds, q.mode, q.type,
			q.pay_from, q.currency, q.words
			FROM subscriptions AS s JOIN searches AS q ON q.account_id = s.account_id
			WHERE s.board_id = ? AND NOT s.locked`, []any{boardID}}, l.readSearches},
	}
}

// looks adds to the listeners of a board the searches of accounts that actively track it, folded for comparison with its
// roles.
type looks struct {
	boardID   string
	listeners []boardwatch.Listener
	aliases   []string // other ids that the board had
	found     map[string]boardwatch.Search
}

func (l *looks) readAliases(rows Rows) error {
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return err
		}
		l.aliases = append(l.aliases, id)
	}
	return rows.Err()
}

func (l *looks) readSearches(rows Rows) error {
	for rows.Next() { // there may be thousands, so they are scanned by hand
		var r searchRow
		err := rows.Scan(&r.ID, &r.AccountID, &r.Name, &r.Text, &r.Location, &r.Department, &r.Boards, &r.Tags, &r.Kinds, &r.Mode, &r.Type,
			&r.PayFrom, &r.Currency, &r.Words)
		if err != nil {
			return err
		}
		if _, ok := l.found[r.ID]; !ok {
			continue
		}
		q := r.search()
		q.Criteria = q.Folded(folded)
		if slices.ContainsFunc(q.Boards, func(id string) bool { return slices.Contains(l.aliases, id) }) {
			q.Boards = append(q.Boards, l.boardID)
		}
		l.found[q.ID] = q
	}
	for i, to := range l.listeners {
		for _, id := range to.Searches {
			if q := l.found[id]; q.ID != "" && q.AccountID == to.AccountID {
				l.listeners[i].Looks = append(l.listeners[i].Looks, q)
			}
		}
	}
	return rows.Err()
}

// worded are the ids of jobs whose stored texts have the words of searches, by the words.
type worded map[string]map[string]bool

// questions ask for the jobs of boards whose texts have the words of the listeners' searches.
func (w worded) questions(d Dialect, listeners []boardwatch.Listener, boardIDs ...any) (list []Question) {
	for _, l := range listeners {
		for _, q := range l.Looks {
			words := wantedWords(q.Words)
			if w[q.Words] != nil || len(words) == 0 {
				continue
			}
			jobs := make(map[string]bool)
			w[q.Words] = jobs
			list = append(list, Question{
				Statement{"SELECT id FROM jobs WHERE board_id IN (?" + strings.Repeat(", ?", len(boardIDs)-1) + ") AND " + d.HasWords, append(slices.Clone(boardIDs), d.wordQuery(words))},
				func(rows Rows) error {
					for rows.Next() {
						var id string
						if err := rows.Scan(&id); err != nil {
							return err
						}
						jobs[id] = true
					}
					return rows.Err()
				},
			})
		}
	}
	return list
}

// has reports whether the text of a job has words: its new text, or else the stored one.
func (w worded) has(packed packedTexts) func(j boardwatch.Job, words string) bool {
	return func(j boardwatch.Job, words string) bool {
		if j.Text == "" {
			return w[words][j.ID]
		}
		p, err := packed.pack(j.TextHash, j.Text)
		return err == nil && p.has(wantedWords(words))
	}
}
