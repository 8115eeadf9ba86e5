package memory

import (
	"cmp"
	"context"
	"slices"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// BoardStats counts boards by status and health.
func (s *Store) BoardStats(context.Context) (stats boardwatch.BoardStats, err error) {
	s.read(func(d *Database) { stats = d.stats() })
	return stats, nil
}

func (d *Database) stats() boardwatch.BoardStats {
	stats := boardwatch.BoardStats{ByStatus: map[boardwatch.BoardStatus]int{}, ByHealth: map[boardwatch.Health]int{}}
	for _, b := range d.boards {
		stats.Total++
		stats.ByStatus[b.Status]++
		stats.OpenJobs += b.OpenJobs
		stats.ClosedJobs += b.ClosedJobs
		if b.State.Health != "" {
			stats.ByHealth[b.State.Health]++
		}
		if b.State.PartialTooLong() {
			stats.PartialLong++
		}
	}
	return stats
}

// Figures counts what is there.
func (s *Store) Figures(context.Context) (f boardwatch.Figures, err error) {
	s.read(func(d *Database) {
		f = boardwatch.Figures{
			At: d.now(), Boards: d.stats(), Accounts: map[boardwatch.PlanName]int{}, Deliveries: map[boardwatch.DeliveryState]int{},
			Ways: map[boardwatch.Way]int{},
		}
		d.countBoards(&f)
		for _, a := range d.accounts {
			a.count(&f)
			d.countWays(a, &f)
		}
	})
	return f, nil
}

// countWays counts the account for each way in which it can sign in.
func (d *Database) countWays(a *account, f *boardwatch.Figures) {
	if a.PasswordHash != "" {
		f.Ways[boardwatch.WayPassword]++
	}
	if len(a.passkeys) > 0 {
		f.Ways[boardwatch.WayPasskey]++
	}
	for _, l := range d.logins {
		if l.AccountID == a.ID {
			f.Ways[boardwatch.WayProvider]++
			break
		}
	}
}

func (d *Database) countBoards(f *boardwatch.Figures) {
	verdicts := map[boardwatch.SystemVerdict]int{}
	for _, b := range d.boards {
		verdicts[boardwatch.SystemVerdict{System: b.System(), Health: b.State.Health}]++
		if at := b.NextCheckAt; !at.IsZero() && !at.After(f.At) {
			f.Due++
			if at.After(atOnce) {
				f.OldestDue = max(f.OldestDue, f.At.Sub(at))
			}
		}
		if b.Status == boardwatch.BoardFailed {
			since := b.State.LastSuccessAt
			if since.IsZero() {
				since = b.AddedAt
			}
			f.Failing = append(f.Failing, boardwatch.FailingBoard{Board: b.shown(), Since: since, Trackers: len(d.subscribers(b.ID))})
		}
	}
	for v, n := range verdicts {
		v.Boards = n
		f.Verdicts = append(f.Verdicts, v)
	}
	slices.SortFunc(f.Verdicts, func(a, b boardwatch.SystemVerdict) int {
		return cmp.Or(cmp.Compare(a.System, b.System), cmp.Compare(a.Health, b.Health))
	})
	slices.SortFunc(f.Failing, func(a, b boardwatch.FailingBoard) int {
		return cmp.Or(a.Since.Compare(b.Since), cmp.Compare(a.Board.ID, b.Board.ID))
	})
	f.Failing = f.Failing[:min(100, len(f.Failing))]
}

func (a *account) count(f *boardwatch.Figures) {
	f.Accounts[a.Plan]++
	if !a.Verified {
		f.Unverified++
	}
	for _, n := range a.sessions {
		if n.Live(f.At) {
			f.Sessions++
		}
	}
	for _, w := range a.webhooks {
		if w.DisabledAt.IsZero() {
			f.WebhooksOn++
		} else {
			f.WebhooksOff++
		}
		for _, o := range w.deliveries {
			f.Deliveries[o.State]++
			if o.due(f.At) {
				f.Waiting++
			}
		}
	}
}
