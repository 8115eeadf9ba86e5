package storage

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/uptrace/bun"

	"github.com/boardwatch/boardwatch/boardwatch/account"
)

// The service decides what plans allow and records it in the database (Reconcile). Other programs that open the
// database follow the record: a command started without the service's settings must not change the cadence of boards.

// notedPlan is the part of a plan recorded in the database: the part that stores apply themselves.
type notedPlan struct {
	Boards   int           `json:"boards"`
	Cadence  time.Duration `json:"cadence"`
	Webhooks bool          `json:"webhooks"`
}

// notePlans records these plans in the database, which apply from now on.
func (s *Store) notePlans(ctx context.Context, plans account.Plans) error {
	noted := make(map[account.PlanName]notedPlan, len(plans))
	for name, p := range plans {
		noted[name] = notedPlan{p.Boards, p.Cadence, p.Webhooks}
	}
	text, err := json.Marshal(noted)
	if err != nil {
		return fmt.Errorf("note plans: %w", err)
	}
	return s.exec(ctx, "note plans", `INSERT INTO meta (name, value) VALUES ('plans', ?)
		ON CONFLICT (name) DO UPDATE SET value = excluded.value`, string(text))
}

// plansNoted returns these plans, overridden by what the database has recorded.
func plansNoted(ctx context.Context, db bun.IDB, plans account.Plans) (account.Plans, error) {
	var text string
	err := db.QueryRowContext(ctx, "SELECT value FROM meta WHERE name = 'plans'").Scan(&text)
	if errors.Is(err, sql.ErrNoRows) {
		return plans, nil
	}
	var noted map[account.PlanName]notedPlan
	if err == nil {
		err = json.Unmarshal([]byte(text), &noted)
	}
	if err != nil {
		return nil, fmt.Errorf("read plans: %w", err)
	}
	plans = maps.Clone(plans)
	for name, n := range noted {
		p := plans[name]
		p.Boards, p.Cadence, p.Webhooks = n.Boards, n.Cadence, n.Webhooks
		plans[name] = p
	}
	return plans, nil
}

// allowed returns what a plan allows in this database.
func (s *Store) allowed(plan account.PlanName) account.Plan { return (*s.applied.Load())[plan] }
