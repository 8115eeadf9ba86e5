package storage

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"github.com/boardwatch/boardwatch/internal/canonical"
	"github.com/boardwatch/boardwatch/storage/internal/driver"
)

// numbers returns the numbers of steps.
func numbers(steps []driver.Step) []string {
	return valuesOf(steps, func(s driver.Step) string { return s.Number })
}

// Migration says whether and when one step of the schema was taken.
type Migration struct {
	Name      string
	AppliedAt time.Time // zero: not yet
}

// migrationsTable is the table of the steps that were taken.
const migrationsTable = "bun_migrations"

// takenStep is a row of that table.
type takenStep struct {
	bun.BaseModel `bun:"table:bun_migrations"`

	ID         int64     `bun:",pk,autoincrement"`
	Name       string    `bun:",unique"` // the step's number
	GroupID    int64     // shared by the steps that were taken together
	MigratedAt time.Time `bun:",notnull,nullzero,default:current_timestamp"`
}

// Migrate brings the schema up to date and returns the steps that it took. Each step and its mark are one transaction.
// If a newer version has migrated the database further, the error is ErrNewerSchema.
func (s *Store) Migrate(ctx context.Context) (steps []string, err error) {
	err = s.driver.Migrating(ctx, func(ctx context.Context, db *bun.DB) error {
		taken, err := s.migrate(ctx, db, s.driver.Steps())
		steps = append(steps, taken...)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("migrate database: %w", err)
	}
	return steps, nil
}

// made reports whether the database has taken any step. It changes nothing.
func (s *Store) made(ctx context.Context) (bool, error) {
	var tables []string
	if err := s.db().NewRaw(s.dialect.Tables).Scan(ctx, &tables); err != nil {
		return false, fmt.Errorf("look for tables: %w", err)
	}
	if !slices.Contains(tables, migrationsTable) {
		return false, nil
	}
	return s.db().NewSelect().Model((*takenStep)(nil)).Exists(ctx)
}

// migrate takes the missing steps.
func (s *Store) migrate(ctx context.Context, db *bun.DB, steps []driver.Step) (taken []string, err error) {
	known, err := s.beginSchema(ctx, db)
	if err != nil {
		return nil, err
	}
	for _, step := range steps {
		if slices.Contains(known, step.Number) {
			continue
		}
		missing := false
		err := db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
			missing, err = take(ctx, tx, step)
			return err
		})
		if err != nil {
			return taken, err
		}
		if missing {
			taken = append(taken, step.String())
		}
	}
	return taken, nil
}

// beginSchema creates the table of steps if it is missing, and returns the steps that were taken.
func (s *Store) beginSchema(ctx context.Context, db bun.IDB) ([]string, error) {
	if _, err := db.NewCreateTable().Model((*takenStep)(nil)).IfNotExists().Exec(ctx); err != nil {
		return nil, err
	}
	return s.schema(ctx, db)
}

// take takes a step and records it, unless another process has done so meanwhile.
func take(ctx context.Context, tx bun.Tx, step driver.Step) (missing bool, err error) {
	switch there, err := tx.NewSelect().Model((*takenStep)(nil)).Where("name = ?", step.Number).Exists(ctx); {
	case err != nil:
		return false, err
	case there:
		return false, nil
	}
	for _, text := range step.Statements {
		if _, err := tx.Tx.ExecContext(ctx, text); err != nil { // not through bun, which would read question marks as arguments
			return false, fmt.Errorf("%s: %w", step, err)
		}
	}
	if step.Title == addressStep {
		if err := rewriteAddresses(ctx, tx); err != nil {
			return false, fmt.Errorf("%s: %w", step, err)
		}
	}
	_, err = tx.NewInsert().Model(&takenStep{Name: step.Number, GroupID: 1}).Exec(ctx)
	return true, err
}

// Migrations lists all steps of the schema, in order. The error is ErrNewerSchema if the database has taken others.
func (s *Store) Migrations(ctx context.Context) ([]Migration, error) {
	var out []Migration
	err := s.driver.Migrating(ctx, func(ctx context.Context, db *bun.DB) error {
		if _, err := s.beginSchema(ctx, db); err != nil {
			return err
		}
		var taken []takenStep
		if err := db.NewSelect().Model(&taken).Scan(ctx); err != nil {
			return err
		}
		for _, step := range s.driver.Steps() {
			m := Migration{Name: step.String()}
			if i := slices.IndexFunc(taken, func(t takenStep) bool { return t.Name == step.Number }); i >= 0 {
				m.AppliedAt = taken[i].MigratedAt
			}
			out = append(out, m)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read migrations: %w", err)
	}
	return out, nil
}

// ErrNewerSchema says that the database, or a backup, was made by a newer version of the program.
var ErrNewerSchema = errors.New("it was made by a newer version of boardwatch; use that version or a later one")

// schema returns the steps that a database has taken. The error is ErrNewerSchema if this program does not know one of
// them.
func (s *Store) schema(ctx context.Context, db bun.IDB) (steps []string, err error) {
	if err := db.NewRaw("SELECT name FROM "+migrationsTable+" ORDER BY name").Scan(ctx, &steps); err != nil {
		return nil, err
	}
	return steps, s.knows(steps)
}

func (s *Store) knows(steps []string) error {
	known := numbers(s.driver.Steps())
	for _, name := range steps {
		if !slices.Contains(known, name) {
			return fmt.Errorf("step %s of the schema is not known: %w", name, ErrNewerSchema)
		}
	}
	return nil
}

// addressStep is the title of the schema step that also rewrites e-mail addresses.
const addressStep = "canonical"

// rewriteAddresses brings the addresses of accounts and links, which earlier versions stored with Unicode domains, to
// the form in which they are looked up. One that has no such form, or that another account has already, stays.
func rewriteAddresses(ctx context.Context, tx bun.Tx) error {
	for _, table := range []string{"accounts", "links"} {
		var rows []struct{ ID, Email string }
		if err := tx.NewRaw("SELECT id, email FROM "+table).Scan(ctx, &rows); err != nil {
			return err
		}
		for _, row := range rows {
			email, ok := canonical.Email(row.Email)
			if !ok || email == row.Email {
				continue
			}
			_, err := tx.ExecContext(ctx, "UPDATE "+table+" SET email = ?0 WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM accounts WHERE email = ?0 AND id <> ?1)",
				email, row.ID)
			if err != nil {
				return err
			}
		}
	}
	return nil
}
