package postgres

import (
	"context"
	"errors"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/internal/driver"
)

// OpenTelling is Open, and tells of every statement that the server is given.
func OpenTelling(
	ctx context.Context, url string, o storage.Options, tell func(text string, args []any),
) (*storage.Store, error) {
	return OpenTraced(ctx, url, o, telling(tell))
}

// OpenTraced is Open, with a tracer of pgx.
func OpenTraced(ctx context.Context, url string, o storage.Options, tracer pgx.QueryTracer) (*storage.Store, error) {
	d, err := open(url, o.Trace)
	if err != nil {
		return nil, err
	}
	d.config.Tracer = tracer
	silent := d.db
	d.db = storage.Traced(newPool(d.config, d.size), o.Trace)
	if err := errors.Join(silent.Close(), d.greet(ctx)); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return storage.New(ctx, d, o)
}

// OpenDriver opens the driver alone.
func OpenDriver(ctx context.Context, url string) (driver.Driver, error) {
	d, err := open(url, nil)
	if err != nil {
		return nil, err
	}
	return d, d.greet(ctx)
}

// telling is a tracer of pgx.
type telling func(text string, args []any)

func (t telling) TraceQueryStart(ctx context.Context, _ *pgx.Conn, q pgx.TraceQueryStartData) context.Context {
	args := slices.Clone(q.Args)
	t(q.SQL, slices.DeleteFunc(args, func(a any) bool {
		_, mode := a.(pgx.QueryExecMode)
		return mode
	}))
	return ctx
}

func (telling) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

func (telling) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	return ctx
}

func (t telling) TraceBatchQuery(_ context.Context, _ *pgx.Conn, q pgx.TraceBatchQueryData) {
	t(q.SQL, q.Args)
}

func (telling) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}
