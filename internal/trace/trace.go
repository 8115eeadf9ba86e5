// Package trace sends spans of OpenTelemetry to a collector, over HTTP (OTLP). It is the only package that imports the SDK.
// Which steps become spans, and what may stand in them, is decided by whoever calls it. The text of an error never stands in
// a span, since databases and hosts repeat in it what they were given.
package trace

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	otel "go.opentelemetry.io/otel/trace"
)

// Options are the options of a Tracer.
type Options struct {
	Environ []string // "NAME=value", as os.Environ has it: whether and how spans are sampled and sent
	Version string   // of the program
	// AcceptParent lets a request continue the trace that its header "traceparent" names. Whoever sends the header then
	// also decides whether its spans are sampled.
	AcceptParent bool
	Log          *slog.Logger // is told when spans cannot be sent
}

// Tracer makes spans and sends them. It is safe for concurrent use.
type Tracer struct {
	provider *sdk.TracerProvider
	tracer   otel.Tracer
	accept   bool
}

// Start returns a Tracer if the environment asks for one, and nil if it does not: it asks by naming the address of a
// collector (OTEL_EXPORTER_OTLP_ENDPOINT or OTEL_EXPORTER_OTLP_TRACES_ENDPOINT). Nothing is sent before there are spans.
func Start(ctx context.Context, o Options) (*Tracer, error) {
	wanted, err := readEnvironment(o.Environ)
	if err != nil || !wanted {
		return nil, err
	}
	exporter, err := otlptracehttp.New(ctx)
	if err != nil {
		return nil, errors.New("the OTEL_EXPORTER_OTLP_… variables do not describe a collector") // its own words may hold a header
	}
	about, err := resource.New(ctx,
		resource.WithAttributes(attribute.String("service.name", "boardwatch"), attribute.String("service.version", o.Version)),
		resource.WithTelemetrySDK(), resource.WithFromEnv())
	if err != nil {
		return nil, fmt.Errorf("OTEL_RESOURCE_ATTRIBUTES: %w", err)
	}
	p := sdk.NewTracerProvider(sdk.WithResource(about), sdk.WithBatcher(&reporting{SpanExporter: exporter, log: o.Log}))
	return &Tracer{provider: p, tracer: p.Tracer("github.com/boardwatch/boardwatch"), accept: o.AcceptParent}, nil
}

// Shutdown sends what is left, as far as there is time. No span is made afterwards.
func (t *Tracer) Shutdown(ctx context.Context) error { return t.provider.Shutdown(ctx) }

// Request begins the span of a request that this process answers. Its trace is new, unless a parent is accepted.
func (t *Tracer) Request(ctx context.Context, h http.Header, name string, attrs ...slog.Attr) (context.Context, Span) {
	if t.accept {
		ctx = propagation.TraceContext{}.Extract(ctx, propagation.HeaderCarrier(h))
	}
	return t.start(ctx, name, otel.WithSpanKind(otel.SpanKindServer), attributes(attrs))
}

// Work begins the span of work that nobody waits for. Its trace is new.
func (t *Tracer) Work(ctx context.Context, name string, attrs ...slog.Attr) (context.Context, Span) {
	return t.start(ctx, name, otel.WithNewRoot(), attributes(attrs))
}

// Call begins the span of a call that leaves the process, within that of the context. Where that one has none, or one that is
// not sampled, there is nothing to tell: the result is the same context, and a Span that is none.
func (t *Tracer) Call(ctx context.Context, name string, attrs ...slog.Attr) (context.Context, Span) {
	if !otel.SpanFromContext(ctx).IsRecording() {
		return ctx, Span{}
	}
	return t.start(ctx, name, otel.WithSpanKind(otel.SpanKindClient), attributes(attrs))
}

// Called is Call for a call that has ended already.
func (t *Tracer) Called(ctx context.Context, name string, began time.Time, took time.Duration, failure string, attrs ...slog.Attr) {
	if !otel.SpanFromContext(ctx).IsRecording() {
		return
	}
	_, s := t.start(ctx, name, otel.WithSpanKind(otel.SpanKindClient), otel.WithTimestamp(began), attributes(attrs))
	s.end(failure, otel.WithTimestamp(began.Add(took)))
}

func (t *Tracer) start(ctx context.Context, name string, o ...otel.SpanStartOption) (context.Context, Span) {
	ctx, s := t.tracer.Start(ctx, name, o...)
	return ctx, Span{s}
}

// Span is a step that is under way. The zero value is none: nothing comes of what is done with it.
type Span struct{ span otel.Span }

// SpanOf is the span of a context.
func SpanOf(ctx context.Context) Span { return Span{otel.SpanFromContext(ctx)} }

// Rename gives the span another name.
func (s Span) Rename(name string) {
	if s.span != nil {
		s.span.SetName(name)
	}
}

// Note adds facts. None may open a door.
func (s Span) Note(attrs ...slog.Attr) {
	if s.span != nil {
		s.span.SetAttributes(converted(attrs)...)
	}
}

// End ends the span. The failure is one of few words that say what kind of failure it was; empty means none.
func (s Span) End(failure string) { s.end(failure) }

func (s Span) end(failure string, o ...otel.SpanEndOption) {
	if s.span == nil {
		return
	}
	if failure != "" {
		s.span.SetStatus(codes.Error, "")
		s.span.SetAttributes(attribute.String("error.type", failure))
	}
	s.span.End(o...)
}

// Failure is the kind of an error: that its context has ended, or the type of its innermost cause. Its text may repeat what
// somebody sent.
func Failure(err error) string {
	switch {
	case err == nil:
		return ""
	case errors.Is(err, context.Canceled):
		return "canceled"
	case errors.Is(err, context.DeadlineExceeded):
		return "timeout"
	}
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return fmt.Sprintf("%T", err)
		}
		err = inner
	}
}

func attributes(attrs []slog.Attr) otel.SpanStartEventOption {
	return otel.WithAttributes(converted(attrs)...)
}

// converted are facts in the types of OpenTelemetry.
func converted(attrs []slog.Attr) []attribute.KeyValue {
	out := make([]attribute.KeyValue, len(attrs))
	for i, a := range attrs {
		key := conventional(a.Key)
		switch v := a.Value.Resolve(); v.Kind() {
		case slog.KindInt64:
			out[i] = attribute.Int64(key, v.Int64())
		case slog.KindBool:
			out[i] = attribute.Bool(key, v.Bool())
		default:
			out[i] = attribute.String(key, v.String())
		}
	}
	return out
}

// conventional is the name that OpenTelemetry's conventions have for a fact. What they have none for keeps the name that it has
// in the log.
func conventional(key string) string {
	switch key {
	case "method":
		return "http.request.method"
	case "status":
		return "http.response.status_code"
	case "retries":
		return "http.request.resend_count"
	case "path":
		return "url.path"
	case "url":
		return "url.full"
	case "host":
		return "server.address"
	case "database":
		return "db.system.name"
	default:
		return key
	}
}
