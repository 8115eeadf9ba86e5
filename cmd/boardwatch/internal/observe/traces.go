package observe

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/deliver"
	"github.com/boardwatch/boardwatch/boardwatch/watch"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/build"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/exit"
	"github.com/boardwatch/boardwatch/internal/trace"
	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/transport"
	"github.com/boardwatch/boardwatch/transport/outbound"
	"github.com/boardwatch/boardwatch/transport/web"
)

// Traces make spans of what the parts do. A nil *traces hands out nil hooks, so that parts without traces do nothing for them.
type Traces struct {
	tracer *trace.Tracer
	log    *slog.Logger
}

// tracesFlush is how long sending the last spans may take.
const tracesFlush = 5 * time.Second

// StartTraces reads from the environment whether traces are wanted; without, the result is nil.
func StartTraces(ctx context.Context, environ []string, cfg config.Config, log *slog.Logger) (*Traces, error) {
	t, err := trace.Start(ctx, trace.Options{
		Environ: environ, Version: build.Version(), AcceptParent: cfg.Traces.AcceptParent, Log: log,
	})
	if err != nil {
		return nil, exit.Misconfigured(err, "Correct these variables, or set OTEL_SDK_DISABLED=true to send no traces.")
	}
	if t == nil {
		return nil, nil //nolint:nilnil // no traces is a value like any other
	}
	return &Traces{t, log}, nil
}

// Stop sends the last spans. A collector that does not take them fails nothing else.
func (t *Traces) Stop(ctx context.Context) {
	if t == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), tracesFlush)
	defer cancel()
	if err := t.tracer.Shutdown(ctx); err != nil {
		t.log.WarnContext(ctx, "the last traces were not sent", slog.Any("error", err))
	}
}

// Began is for transport.Options: a span for every request that is not a probe.
func (t *Traces) Began() func(ctx context.Context, r *http.Request) context.Context {
	if t == nil {
		return nil
	}
	return func(ctx context.Context, r *http.Request) context.Context {
		if Probing(r) {
			return ctx
		}
		ctx, _ = t.tracer.Request(ctx, r.Header, requestName(r),
			slog.String("method", knownMethod(r.Method)), slog.String("path", web.LoggedPath(r.URL.Path)),
			slog.String("door", doorOf(r.URL.Path)), slog.String("request_id", transport.RequestID(ctx)))
		return ctx
	}
}

// Ended is for transport.Options: it tells next, which may be nil, and ends the span of the request.
func (t *Traces) Ended(next func(r *http.Request, status int, took time.Duration)) func(r *http.Request, status int, took time.Duration) {
	if t == nil {
		return next
	}
	return func(r *http.Request, status int, took time.Duration) {
		if next != nil {
			next(r, status, took)
		}
		span := trace.SpanOf(r.Context())
		span.Note(slog.Int("status", status))
		span.Note(transport.Noted(r.Context())...)
		if status == http.StatusNotFound {
			span.Rename(knownMethod(r.Method)) // strangers think up any number of paths
		}
		failure := ""
		if status >= http.StatusInternalServerError {
			failure = http.StatusText(status)
		}
		span.End(failure)
	}
}

// ids are those in paths, by which requests of one kind would have many names.
var ids = regexp.MustCompile(`/[0-9a-f]{24}(/|$)`)

func requestName(r *http.Request) string {
	return knownMethod(r.Method) + " " + ids.ReplaceAllString(web.LoggedPath(r.URL.Path), "/{id}$1")
}

// knownMethod is a method of HTTP, or what the conventions of OpenTelemetry call all others.
func knownMethod(method string) string {
	if slices.Contains([]string{
		http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions,
	}, method) {
		return method
	}
	return "_OTHER"
}

// Check is for watch.Options: a span for every check.
func (t *Traces) Check() func(ctx context.Context, b boardwatch.Board) (context.Context, func(watch.CheckReport)) {
	if t == nil {
		return nil
	}
	return func(ctx context.Context, b boardwatch.Board) (context.Context, func(watch.CheckReport)) {
		ctx, span := t.tracer.Work(ctx, "check", slog.String("board_id", b.ID), slog.String("system", b.System()))
		return ctx, func(r watch.CheckReport) {
			span.Note(slog.String("health", string(r.Check.Health)), slog.String("cause", string(r.Check.Cause)),
				slog.Bool("unchanged", r.Unchanged), slog.Bool("merged", r.Merged),
				slog.Int("found", r.Check.Found), slog.Int("updated", r.Check.Updated), slog.Int("closed", r.Check.Closed))
			failure := trace.Failure(r.Err)
			if r.Check.Health == boardwatch.HealthFailed {
				failure = string(r.Check.Cause)
			}
			span.End(failure)
		}
	}
}

// Exchange is for outbound.Options: a span for every request of a check.
func (t *Traces) Exchange() func(context.Context, outbound.Exchange) {
	if t == nil {
		return nil
	}
	return func(ctx context.Context, x outbound.Exchange) {
		attrs := []slog.Attr{
			slog.String("method", knownMethod(x.Method)), slog.String("host", x.URL.Hostname()),
			slog.String("url", withoutSecrets(x.URL)), slog.Int("retries", x.Attempt-1),
		}
		failure := ""
		switch {
		case x.Err != nil:
			failure = string(outbound.KindOf(x.Err))
		case x.Status >= http.StatusBadRequest:
			failure = http.StatusText(x.Status)
		}
		if x.Status != 0 {
			attrs = append(attrs, slog.Int("status", x.Status))
		}
		t.tracer.Called(ctx, knownMethod(x.Method), x.Start, x.Duration, failure, attrs...)
	}
}

// withoutSecrets is an address without what may open a door in it: user, password, query and fragment.
func withoutSecrets(u *url.URL) string {
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path, RawPath: u.RawPath}).String()
}

// noteHost adds the host of an address.
func noteHost(span trace.Span, address string) {
	if u, err := url.Parse(address); err == nil {
		span.Note(slog.String("host", u.Hostname()))
	}
}

// Storage is for storage.Options: a span for every transaction and every statement within another span.
func (t *Traces) Storage(cfg config.Config) storage.Trace {
	if t == nil {
		return nil
	}
	system := slog.String("database", "postgresql")
	if _, ok := cfg.SQLiteFile(); ok {
		system = slog.String("database", "sqlite")
	}
	return func(ctx context.Context, step string) (context.Context, func(error)) {
		ctx, span := t.tracer.Call(ctx, step, system)
		return ctx, func(err error) { span.End(trace.Failure(err)) }
	}
}

// Renderer adds a span for every page that the browser shows.
func (t *Traces) Renderer(r scraper.Renderer) scraper.Renderer {
	if t == nil || r == nil {
		return r
	}
	return tracedRenderer{r, t.tracer}
}

type tracedRenderer struct {
	scraper.Renderer

	tracer *trace.Tracer
}

// Show is the renderer's own, with a span.
func (r tracedRenderer) Show(ctx context.Context, v scraper.View) (*scraper.Shown, error) {
	ctx, span := r.tracer.Call(ctx, "show page")
	noteHost(span, v.Address)
	shown, err := r.Renderer.Show(ctx, v)
	span.End(trace.Failure(err))
	return shown, err
}

// Sender adds a span for every attempt at a delivery.
func (t *Traces) Sender(s boardwatch.Deliverer) boardwatch.Deliverer {
	if t == nil {
		return s
	}
	return tracedSender{s, t.tracer}
}

type tracedSender struct {
	boardwatch.Deliverer

	tracer *trace.Tracer
}

// Deliver is the sender's own, with a span. Of an address, the host is the only part that is never a secret, and of a
// channel's not even that.
func (s tracedSender) Deliver(ctx context.Context, w boardwatch.Webhook, d boardwatch.Delivery) boardwatch.Receipt {
	ctx, span := s.tracer.Work(ctx, "deliver", slog.String("delivery_id", d.ID), slog.String("event", string(d.Type)),
		slog.Int("attempt", d.Attempts+1))
	if w.Channel != "" {
		span.Note(slog.String("channel_id", w.ID), slog.String("channel", string(w.Channel)))
	} else {
		span.Note(slog.String("webhook_id", w.ID))
		noteHost(span, w.URL)
	}
	receipt := s.Deliverer.Deliver(ctx, w, d)
	span.Note(slog.Int("status", receipt.Code))
	failure := ""
	if !receipt.OK() {
		failure = "not delivered"
	}
	span.End(failure)
	return receipt
}

// Deliveries adds a span for every time that outcomes of attempts are saved.
func (t *Traces) Deliveries(s deliver.Store) deliver.Store {
	if t == nil {
		return s
	}
	return tracedDeliveries{s, t.tracer}
}

type tracedDeliveries struct {
	deliver.Store

	tracer *trace.Tracer
}

// SaveAttempts is the store's own, with a span.
func (s tracedDeliveries) SaveAttempts(ctx context.Context, outcomes []boardwatch.Attempts) ([]boardwatch.WebhookClaim, error) {
	ctx, span := s.tracer.Work(ctx, "save attempts", slog.Int("receivers", len(outcomes)))
	lost, err := s.Store.SaveAttempts(ctx, outcomes)
	span.End(trace.Failure(err))
	return lost, err
}

// Probing says that a request only asks how the process is.
func Probing(r *http.Request) bool { return r.URL.Path == "/healthz" || r.URL.Path == "/readyz" }
