package storage

import (
	"context"
	"slices"

	"github.com/uptrace/bun"

	"github.com/boardwatch/boardwatch/boardwatch"
)

var _ boardwatch.ChannelStore = (*Store)(nil)

// channel converts all but the address.
func (r webhookRow) asChannel() boardwatch.Channel {
	return boardwatch.Channel{
		ID: r.ID, AccountID: r.AccountID, Kind: r.Channel, Shown: r.URL, CreatedAt: instant(r.CreatedAt),
		Searches: parted[string](r.Searches), All: r.AllChanges, Failures: r.Failures,
		FailingSince: instant(r.FailingSince), DisabledAt: instant(r.DisabledAt), DisabledReason: r.DisabledReason,
	}
}

// CreateChannel saves a channel unless the account has limit of them already.
func (s *Store) CreateChannel(ctx context.Context, c boardwatch.Channel, limit int) error {
	row := webhookRow{
		ID: c.ID, AccountID: plain(c.AccountID), Channel: c.Kind, URL: plain(c.Shown), CreatedAt: millis(c.CreatedAt),
		Searches: joined(c.Searches), AllChanges: c.All, Failures: c.Failures, FailingSince: millis(c.FailingSince),
		DisabledAt: millis(c.DisabledAt), DisabledReason: plain(c.DisabledReason),
	}
	err := s.driver.Write(ctx, func(ctx context.Context, tx Tx) error {
		err := s.roomFor(ctx, tx, c.AccountID, "(SELECT * FROM webhooks WHERE channel <> '') AS channels", "channel", limit)
		if err != nil {
			return err
		}
		own, err := searchesOf(ctx, tx, c.AccountID)
		if err != nil {
			return err
		}
		if len(kept(c.Searches, own)) < len(c.Searches) {
			return boardwatch.Invalid("searches", "must be ids of the account's saved searches")
		}
		if row.Secret, err = s.sealFor(ctx, tx, c.ID, plain(c.To)); err != nil {
			return err
		}
		_, err = tx.NewInsert().Model(&row).Returning("NULL").Exec(ctx)
		return err
	})
	return wrap("create channel", err)
}

// kept are those of the ids whose search is there.
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

// DeleteChannel removes one of the account's channels and drops what waits for it; otherwise a not_found error.
func (s *Store) DeleteChannel(ctx context.Context, accountID, id string) error {
	err := s.driver.Write(ctx, func(ctx context.Context, tx Tx) error {
		err := existing(ctx, tx, "channel", "DELETE FROM webhooks WHERE account_id = ? AND id = ? AND channel <> ''", plain(accountID), plain(id))
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "DELETE FROM rates WHERE account_id = ? AND name = ?", plain(accountID), boardwatch.TestRate(plain(id)).Name)
		return err
	})
	return wrap("delete channel", err)
}

// folded is the form in which texts of roles are compared.
func folded(text string) string { return Fold(plain(text)) }

// listenersOf are those of the enabled hooks of a board that are channels, with their searches.
func listenersOf(ctx context.Context, tx Tx, boardID string, hooks []webhookRow) ([]boardwatch.Listener, error) {
	var out []boardwatch.Listener
	var asked []string
	for _, r := range hooks {
		if r.Channel == "" {
			continue
		}
		l := boardwatch.Listener{Channel: r.asChannel()}
		asked = append(asked, l.Searches...)
		out = append(out, l)
	}
	if len(asked) == 0 {
		return out, nil
	}
	looks, err := looksAt(ctx, tx, boardID, asked)
	if err != nil {
		return nil, wrap("read searches of channels", err)
	}
	for i, l := range out {
		for _, id := range l.Searches {
			if q, ok := looks[id]; ok && q.AccountID == l.AccountID {
				out[i].Looks = append(out[i].Looks, q)
			}
		}
	}
	return out, nil
}

// looksAt are searches by their ids as they are compared with the roles of a board, which may have had other ids.
func looksAt(ctx context.Context, tx Tx, boardID string, ids []string) (map[string]boardwatch.Search, error) {
	var aliases []string
	if err := tx.NewRaw("SELECT id FROM aliases WHERE board_id = ?", boardID).Scan(ctx, &aliases); err != nil {
		return nil, err
	}
	slices.Sort(ids)
	looks := make(map[string]boardwatch.Search, len(ids))
	for chunk := range slices.Chunk(slices.Compact(ids), mostAtOnce) {
		var rows []searchRow
		if err := tx.NewSelect().Model(&rows).Where("q.id IN (?)", bun.List(chunk)).Scan(ctx); err != nil {
			return nil, err
		}
		for _, r := range rows {
			q := r.search()
			q.Criteria = q.Folded(folded)
			if slices.ContainsFunc(q.Boards, func(id string) bool { return slices.Contains(aliases, id) }) {
				q.Boards = append(q.Boards, boardID)
			}
			looks[q.ID] = q
		}
	}
	return looks, nil
}
