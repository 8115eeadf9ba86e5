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
	"github.com/boardwatch/boardwatch/storage/internal/driver"
)

// PacesInMemory returns nil, because all processes share the paces.
func (d *server) PacesInMemory() *pace.Memory { return nil }

// Turns locks the hosts in the order of their names, so that processes asking for the same hosts cannot deadlock.
func (d *server) Turns(
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
func (d *server) turns(
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
func (d *server) lockHosts(ctx context.Context, tx *sql.Tx, hosts []string) (map[string]pace.Host, time.Time, error) {
	paces, now, err := readPaces(tx.QueryContext(ctx, `SELECT host, state, boardwatch_now() FROM paces WHERE host = ANY($1) ORDER BY host
		FOR NO KEY UPDATE`, d.hot, hosts))
	if err == nil && len(paces) < len(hosts) {
		err = errNewHosts
	}
	return paces, now, err
}

// readPaces reads hosts, their paces and the clock.
func readPaces(rows *sql.Rows, err error) (map[string]pace.Host, time.Time, error) {
	paces := make(map[string]pace.Host)
	var host, state string
	var ms int64
	err = driver.Into(func() error {
		var h pace.Host
		if err := json.Unmarshal([]byte(state), &h); err != nil {
			return fmt.Errorf("read the pace of %s: %w", host, err)
		}
		paces[host] = h
		return nil
	}, &host, &state, &ms)(rows, err)
	return paces, instant(ms), err
}

func (d *server) SlowHosts(ctx context.Context, n int) ([]pace.SlowHost, error) {
	paces, now, err := readPaces(d.db.DB.QueryContext(ctx, `SELECT host, state, boardwatch_now() FROM paces
		WHERE slow_until > 0 AND slow_until > boardwatch_now()`, d.hot))
	return pace.SlowestOf(paces, n, now), err
}

func (d *server) ForgetHosts(ctx context.Context) error {
	_, err := d.db.DB.ExecContext(ctx, `DELETE FROM paces WHERE host IN (
		SELECT host FROM paces WHERE idle_at < boardwatch_now() ORDER BY host FOR UPDATE SKIP LOCKED)`, d.hot)
	return err
}
