package storage

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/migrate"
)

// Migration is one step of the schema.
type Migration struct {
	Name      string
	AppliedAt time.Time // zero: not yet
}

const migrationsTable = "bun_migrations"

var errApplied = errors.New("the migration has been applied meanwhile")

// Migrate brings the schema up to date and returns the steps that it took. Each step and its mark are one transaction. A
// database that a newer version has migrated further is ErrNewerSchema.
func (s *Store) Migrate(ctx context.Context) (steps []string, err error) {
	err = s.driver.Migrating(ctx, func(ctx context.Context, db *bun.DB) error {
		steps, err = s.migrate(ctx, db, s.driver.Migrations())
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("migrate database: %w", err)
	}
	return steps, nil
}

// migrate takes those of the steps that are missing.
func (s *Store) migrate(ctx context.Context, db *bun.DB, all *migrate.Migrations) (steps []string, err error) {
	m := migrator(db, all)
	if err := m.Init(ctx); err != nil {
		return nil, err
	}
	if _, err := s.schema(ctx, db); err != nil {
		return nil, err
	}
	for {
		group, err := m.Migrate(ctx)
		if errors.Is(err, errApplied) {
			continue
		}
		for _, step := range group.Migrations {
			steps = append(steps, step.String())
		}
		return steps, err
	}
}

// Migrations lists all steps of the schema, in order. It is ErrNewerSchema when the database has taken others.
func (s *Store) Migrations(ctx context.Context) ([]Migration, error) {
	var out []Migration
	err := s.driver.Migrating(ctx, func(ctx context.Context, db *bun.DB) error {
		m := migrator(db, s.driver.Migrations())
		if err := m.Init(ctx); err != nil {
			return err
		}
		if _, err := s.schema(ctx, db); err != nil {
			return err
		}
		steps, err := m.MigrationsWithStatus(ctx)
		for _, step := range steps {
			out = append(out, Migration{Name: step.String(), AppliedAt: step.MigratedAt})
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read migrations: %w", err)
	}
	return out, nil
}

// migrator marks a step inside the very transaction that takes it: bun alone marks it afterwards, and a process killed
// in between would take the step twice.
func migrator(db *bun.DB, steps *migrate.Migrations) *migrate.Migrator {
	return migrate.NewMigrator(db, steps,
		migrate.WithTableName(migrationsTable),
		migrate.WithUpsert(true), // bun's own mark afterwards then changes nothing
		migrate.WithMarkAppliedOnSuccess(true),
		migrate.BeforeMigration(func(ctx context.Context, tx bun.IConn, m *migrate.Migration) error {
			var n int
			err := tx.QueryRowContext(ctx, "SELECT count(*) FROM "+migrationsTable+" WHERE name = ?", m.Name).Scan(&n)
			if err == nil && n > 0 {
				return errApplied
			}
			return err
		}),
		migrate.AfterMigration(func(ctx context.Context, tx bun.IConn, m *migrate.Migration) error {
			_, err := tx.ExecContext(ctx, "INSERT INTO "+migrationsTable+" (name, group_id) VALUES (?, ?)", m.Name, m.GroupID)
			return err
		}),
	)
}
