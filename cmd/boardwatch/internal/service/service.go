// Package service runs the parts side by side: the watcher, deliveries, mail, and the interfaces that answer requests.
package service

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/boardwatch/boardwatch/boardwatch/lesson"
	"github.com/boardwatch/boardwatch/boardwatch/watch"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/app"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/build"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/diagnosis"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/exit"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/observe"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/transport"
	"github.com/boardwatch/boardwatch/transport/mcp"
	"github.com/boardwatch/boardwatch/transport/oauth"
	"github.com/boardwatch/boardwatch/transport/rest"
	"github.com/boardwatch/boardwatch/transport/web"
)

// Hooks let a caller take part in a running service. Each may be nil.
type Hooks struct {
	// traces are told of what the parts do.
	Traces *observe.Traces
	// prepare may change the parts before anything runs.
	Prepare func(a *app.App)
	// notify is told when the service serves, and when it begins to stop, in the words of sd_notify.
	Notify func(state string)
	// ready is told once, when the service listens on that address. An error ends the service.
	Ready func(ctx context.Context, a *app.App, url string) error
	// observe is told of every check; it must not block.
	Observe func(watch.CheckReport)
}

// Run runs everything that the configuration asks for until the context ends. It closes the listener.
func Run(ctx context.Context, cfg config.Config, log *slog.Logger, listener net.Listener, hooks Hooks) (err error) {
	defer func() { _ = listener.Close() }() // the server has closed it, unless it never got so far
	if err := app.MakeDataDir(cfg); err != nil {
		return err
	}
	lock, err := app.LockBoards(cfg)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	awaitDatabase(ctx, cfg, log, databaseWait)
	a, err := app.OpenSealed(ctx, cfg, log, hooks.Traces, app.MadeIfAbsent)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	if hooks.Prepare != nil {
		hooks.Prepare(a)
	}
	if err := a.Store.Reconcile(ctx); err != nil {
		return fmt.Errorf("apply the plans to all accounts: %w", err)
	}
	return serve(ctx, a, listener, hooks)
}

// Warnings about settings.
const (
	devOpens   = "dev is true: " + app.DevOpens
	allSeemOne = diagnosis.AllSeemOne
)

// serve runs the parts side by side. The first that breaks ends the others.
func serve(ctx context.Context, a *app.App, listener net.Listener, hooks Hooks) error {
	group, ctx := errgroup.WithContext(ctx)
	well := health{log: a.Log, database: a.Store.Ping, writing: newWriteTrial(a.Store.TryWrite, time.Now)}
	metered, err := startMetrics(ctx, a, group)
	if err != nil {
		return err
	}
	if a.Config.Runs("worker") {
		watching := &atomic.Bool{}
		watching.Store(true)
		well.watching = watching
		send, wake, err := deliveries(a, a.Config.PublicURL(listener.Addr().String()), metered)
		if err != nil {
			return err
		}
		watcher := watcher(a, metered, func(r watch.CheckReport) {
			wake(r)
			if hooks.Observe != nil {
				hooks.Observe(r)
			}
		})
		group.Go(func() error {
			defer watching.Store(false)
			return watcher.Run(ctx)
		})
		group.Go(func() error { return send(ctx) })
		lessons := lesson.New(a.Store, a.Scraper, lesson.Options{Timeout: min(a.Config.Checks.Timeout, 2*time.Minute), Log: a.Log})
		group.Go(func() error { return lessons.Run(ctx) })
	}
	group.Go(func() error { return prune(ctx, a) })
	if err := startDigest(ctx, a, group, a.Config.PublicURL(listener.Addr().String())); err != nil {
		return err
	}
	people, err := startPeople(ctx, a, group, a.Config.PublicURL(listener.Addr().String()))
	if err != nil {
		return err
	}
	group.Go(func() error {
		doors := transport.Forwarded(routes(a, well, people), a.Config.Trusted())
		return transport.NewServer(doors, transport.Options{
			Log: a.Log, Failed: http.HandlerFunc(rest.Broken), Quiet: observe.Probing, Path: web.LoggedPath,
			Began: a.Traces.Began(), Ended: a.Traces.Ended(metered.RequestEnded()),
			HTTPS: strings.HasPrefix(a.Config.BaseURL, "https://"),
		}).Serve(ctx, listener)
	})
	url := "http://" + listener.Addr().String()
	a.Log.InfoContext(ctx, "service started", slog.String("url", url), slog.String("base_url", a.Config.PublicURL(listener.Addr().String())),
		slog.String("version", build.Version()), slog.Any("roles", a.Config.Role), slog.String("database", config.Secret(a.Config.DatabaseURL()).String()))
	if a.Config.Dev {
		a.Log.WarnContext(ctx, devOpens)
	}
	if diagnosis.HidesPeople(a.Config, diagnosis.InContainer()) {
		a.Log.WarnContext(ctx, allSeemOne)
	}
	if hooks.Notify != nil {
		group.Go(func() error {
			hooks.Notify("READY=1")
			<-ctx.Done()
			hooks.Notify("STOPPING=1")
			return nil
		})
	}
	if hooks.Ready != nil {
		group.Go(func() error { return hooks.Ready(ctx, a, url) })
	}
	err = group.Wait()
	a.Log.InfoContext(ctx, "service stopped")
	return err
}

// startMetrics serves /metrics on its own address; without one there are no metrics.
func startMetrics(ctx context.Context, a *app.App, group *errgroup.Group) (*observe.Metrics, error) {
	if a.Config.Metrics.Listen == "" {
		return nil, nil //nolint:nilnil // no metrics is a value like any other
	}
	l, err := Listen(ctx, "metrics.listen", a.Config.Metrics.Listen)
	if err != nil {
		return nil, err
	}
	m := observe.NewMetrics(build.Read())
	m.Registry.MustRegister(observe.NewFigures(a.Store, a.Log, time.Now), a.Pace)
	if a.Browser != nil && a.Config.Runs("worker") {
		m.Registry.MustRegister(observe.NewBrowser(a.Browser))
	}
	group.Go(func() error {
		return transport.NewServer(m.Handler(), transport.Options{Log: a.Log, Quiet: Routine}).Serve(ctx, l)
	})
	a.Log.InfoContext(ctx, "metrics", slog.String("url", "http://"+l.Addr().String()+"/metrics"))
	return m, nil
}

// Routine says that no request is worth a line in the log.
func Routine(*http.Request) bool { return true }

// pruneEvery is how often history that has had its time is deleted.
const pruneEvery = time.Hour

// prune deletes old history until the context ends. A failure is tried again the next time.
func prune(ctx context.Context, a *app.App) error {
	if !a.Config.Runs("worker") {
		return nil
	}
	ticker := time.NewTicker(pruneEvery)
	defer ticker.Stop()
	for {
		err := a.Store.Prune(ctx, storage.Retention{
			Checks: a.Config.Checks.Retention, Deliveries: a.Config.Webhook.Retention, Unread: 24 * time.Hour,
			TextRule: a.Config.Rules().Texts, Texts: a.Config.Roles.TextRetention,
		})
		if err != nil && ctx.Err() == nil {
			a.Log.WarnContext(ctx, "old history was not deleted", slog.Any("error", err))
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}

// longestPage is how long making a page may take.
const longestPage = 25 * time.Second

// routes are what the process answers: to whoever asks whether it is well, and with the role api the doors.
func routes(a *app.App, well health, people *peopleParts) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", serveAlive)
	mux.HandleFunc("GET /readyz", well.serveReady)
	if a.Config.Runs("api") {
		door := rest.New(a.Gate, a.Lists, rest.Options{Log: a.Log})
		for _, pattern := range rest.Patterns() {
			mux.Handle(pattern, door)
		}
	}
	if people != nil {
		for _, pattern := range mcp.Patterns() {
			mux.Handle(pattern, people.connector)
		}
		if people.authorizer != nil {
			for _, pattern := range oauth.Patterns() {
				mux.Handle(pattern, transport.Finish(people.authorizer, longestPage))
			}
		}
		mux.Handle("/", transport.Finish(people.pages, longestPage))
	} else {
		mux.HandleFunc("/", rest.NotFound)
	}
	return rest.Plain(mux)
}

// Listen takes the address that a setting names, or says in one sentence why it cannot.
func Listen(ctx context.Context, setting, address string) (net.Listener, error) {
	another := "with the setting " + setting
	switch setting {
	case "listen":
		another = "with --listen"
	case "--addr":
		another = "with --addr"
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, exit.Fail(fmt.Errorf("%s: another program listens on %s already: %w", setting, address, syscall.EADDRINUSE), "Stop it, or choose another address "+another+".")
	case errors.Is(err, os.ErrPermission):
		return nil, exit.Fail(fmt.Errorf("%s: this user may not listen on %s: %w", setting, address, os.ErrPermission), "Choose a port above 1023 "+another+".")
	case err != nil:
		return nil, exit.Fail(fmt.Errorf("%s: cannot listen on %s: %w", setting, address, err), "Choose another address "+another+".")
	default:
		return l, nil
	}
}
