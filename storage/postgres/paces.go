package postgres

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch/pace"
)

// PacesInMemory returns nil, because all processes share the paces.
func (d *driver) PacesInMemory() *pace.Memory { return nil }

// Turns locks the hosts in the order of their names, so that processes asking for the same hosts cannot deadlock.
func (d *driver) Turns(
	ctx context.Context, ends []pace.TurnEnd, requests []pace.TurnRequest,
) ([]pace.TurnAnswer, error) {
	named := make(map[string]bool)
	for _, e := range ends {
		named[e.Host] = true
	}
	for _, r := range requests {
		named[r.Host] = true
	}
	hosts := slices.Sorted(maps.Keys(named))
	for {
		answers, err := d.turns(ctx, hosts, ends, requests)
		if !errors.Is(err, errNewHosts) {
			return answers, err
		}
		// In a transaction of its own, because locks on rows that others cannot see yet are taken in no fixed order.
		if _, err := d.db.DB.ExecContext(ctx, `INSERT INTO paces (host) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING`,
			d.hot, hosts); err != nil {
			return nil, err
		}
	}
}

// errNewHosts says that some of the hosts have no row yet.
var errNewHosts = errors.New("hosts without a row")

// turns hands out turns at hosts that have a row.
func (d *driver) turns(
	ctx context.Context, hosts []string, ends []pace.TurnEnd, requests []pace.TurnRequest,
) (answers []pace.TurnAnswer, err error) {
	tx, err := d.db.DB.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = tx.Rollback() // err is what matters
		}
	}()
	paces, now, err := d.lockHosts(ctx, tx, hosts)
	if err != nil {
		return nil, err
	}
	answers = pace.GiveTurns(paces, ends, requests, now)
	states, idle, slow := make([]string, len(hosts)), make([]int64, len(hosts)), make([]int64, len(hosts))
	for i, host := range hosts {
		state, err := json.Marshal(paces[host])
		if err != nil {
			return nil, err
		}
		states[i], idle[i] = string(state), paces[host].IdleAt().UnixMilli()
		if until := paces[host].SlowUntil(); until.After(now) {
			slow[i] = until.UnixMilli()
		}
	}
	if _, err = tx.ExecContext(ctx, `UPDATE paces AS p SET state = g.state, idle_at = g.idle_at, slow_until = g.slow_until
		FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[]) AS g (host, state, idle_at, slow_until)
		WHERE p.host = g.host`, d.hot, hosts, states, idle, slow); err != nil {
		return nil, err
	}
	return answers, tx.Commit()
}

// lockHosts reads and locks hosts until the transaction ends, and reads the clock.
func (d *driver) lockHosts(ctx context.Context, tx *sql.Tx, hosts []string) (map[string]pace.Host, time.Time, error) {
	var now time.Time
	rows, err := tx.QueryContext(ctx, `SELECT host, state, boardwatch_now() FROM paces WHERE host = ANY($1) ORDER BY host
		FOR NO KEY UPDATE`, d.hot, hosts)
	if err != nil {
		return nil, now, err
	}
	defer rows.Close()
	paces := make(map[string]pace.Host, len(hosts))
	for rows.Next() {
		var host, state string
		var ms int64
		if err := rows.Scan(&host, &state, &ms); err != nil {
			return nil, now, err
		}
		if paces[host], err = readPace(host, state); err != nil {
			return nil, now, err
		}
		now = instant(ms)
	}
	if err := rows.Err(); err != nil {
		return nil, now, err
	}
	if len(paces) < len(hosts) {
		return nil, now, errNewHosts
	}
	return paces, now, nil
}

func readPace(host, state string) (h pace.Host, err error) {
	if err := json.Unmarshal([]byte(state), &h); err != nil {
		return h, fmt.Errorf("read the pace of %s: %w", host, err)
	}
	return h, nil
}

func (d *driver) SlowHosts(ctx context.Context, n int) ([]pace.SlowHost, error) {
	rows, err := d.db.DB.QueryContext(ctx, `SELECT host, state, boardwatch_now() FROM paces
		WHERE slow_until > 0 AND slow_until > boardwatch_now()`, d.hot)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	paces := make(map[string]pace.Host)
	var now time.Time
	for rows.Next() {
		var host, state string
		var ms int64
		if err := rows.Scan(&host, &state, &ms); err != nil {
			return nil, err
		}
		if paces[host], err = readPace(host, state); err != nil {
			return nil, err
		}
		now = instant(ms)
	}
	return pace.SlowestOf(paces, n, now), rows.Err()
}

func (d *driver) ForgetHosts(ctx context.Context) error {
	_, err := d.db.DB.ExecContext(ctx, `DELETE FROM paces WHERE host IN (
		SELECT host FROM paces WHERE idle_at < boardwatch_now() ORDER BY host FOR UPDATE SKIP LOCKED)`, d.hot)
	return err
}
