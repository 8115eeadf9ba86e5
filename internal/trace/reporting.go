package trace

import (
	"context"
	"errors"
	"log/slog"
	"net/url"
	"sync/atomic"

	sdk "go.opentelemetry.io/otel/sdk/trace"
)

// reporting tells the log once that spans cannot be sent, and once that they can again. Spans that were not sent are lost.
type reporting struct {
	sdk.SpanExporter

	log  *slog.Logger
	down atomic.Bool
}

// ExportSpans is the exporter's own. It fails no more than that: the SDK would write each failure to the standard error.
func (r *reporting) ExportSpans(ctx context.Context, spans []sdk.ReadOnlySpan) error {
	err := r.SpanExporter.ExportSpans(ctx, spans)
	if down := err != nil; r.down.Swap(down) != down {
		if down {
			r.log.WarnContext(ctx, "traces cannot be sent", slog.Any("error", withoutAddress(err)))
		} else {
			r.log.InfoContext(ctx, "traces can be sent again")
		}
	}
	return nil
}

// withoutAddress is an error without the address of the collector, which may hold a password.
func withoutAddress(err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		return e.Err
	}
	return err
}
