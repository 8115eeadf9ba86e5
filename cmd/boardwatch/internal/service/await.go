package service

import (
	"context"
	"errors"
	"log/slog"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/app"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
)

const (
	// databaseWait is how long the service waits at its start for PostgreSQL to let it in.
	databaseWait = 30 * time.Second
	// shortestRetry and longestRetry are how long it waits between two attempts: at first, and in the end.
	shortestRetry = 100 * time.Millisecond
	longestRetry  = 2 * time.Second
)

// awaitDatabase returns when PostgreSQL lets somebody in, when it refuses for a reason that does not pass, or after the
// wait. It does not say which: opening the database does. With SQLite there is nothing to wait for.
func awaitDatabase(ctx context.Context, cfg config.Config, log *slog.Logger, wait time.Duration) {
	if _, ok := cfg.SQLiteFile(); ok {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	for pause := time.Duration(0); ; pause = min(2*pause, longestRetry) {
		conn, err := pgx.Connect(ctx, cfg.DatabaseURL())
		if err == nil {
			_ = conn.Close(ctx) // it was only to see whether there would be one
			return
		}
		if !passing(err) {
			return
		}
		if pause == 0 {
			log.WarnContext(ctx, "the database is not ready; waiting for it", slog.String("reason", app.Refusal(err)), slog.Duration("longest", wait))
			pause = shortestRetry
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
	}
}

// passing reports whether a connection did not come about for a reason that goes away while PostgreSQL starts, recovers
// or is being restarted.
func passing(err error) bool {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return e.Code == "57P03" || e.Code == "57P02" // cannot connect now; crash shutdown
	}
	return errors.Is(err, syscall.ECONNREFUSED)
}
