// Package app puts the parts of the service together from the settings: the store and its key, the client and the scraper,
// accounts, and what sends to webhooks, channels and mailboxes. Nothing runs by itself.
package app

import (
	"context"
	"errors"
	"log/slog"

	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/observe"
	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/scraper/browser"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

// App is the service put together from a Config: what commands and doors stand on. Nothing runs by itself.
type App struct {
	Config   config.Config
	Log      *slog.Logger
	Traces   *observe.Traces // nil when there are none
	Key      []byte          // the secret key; nil where nothing is encrypted
	Store    *storage.Store
	Client   *outbound.Client
	Pace     *observe.Pace    // of the client
	Browser  *browser.Browser // nil when none is to be used
	Scraper  *scraper.Scraper
	Hasher   *account.Hasher // one for all: it bounds how many passwords are hashed at once
	Accounts *account.Manager
	Keys     *account.Keys
	Gate     *account.Gate
	Tracker  *track.Tracker // the operator's; doors have lists
	Lists    *track.Tracker // counts what accounts add and remove
}

// Presence says what happens when there is no database yet.
type Presence bool

// What happens.
const (
	MustExist    Presence = false // it is an error, see OpenStore
	MadeIfAbsent Presence = true
)

// Open opens the database and puts the parts together. Webhook secrets can be read only with the key; a nil key
// leaves them alone.
func Open(ctx context.Context, cfg config.Config, log *slog.Logger, t *observe.Traces, key []byte, p Presence) (*App, error) {
	if p == MadeIfAbsent {
		if err := MakeDataDir(cfg); err != nil {
			return nil, err
		}
	}
	store, err := OpenStore(ctx, cfg, storage.Options{
		Plans: cfg.AllPlans(), Growth: int(cfg.Checks.MaxGrowth), NoCreate: p == MustExist, SealKey: key, Log: log,
		Trace: t.Storage(cfg),
	})
	if err != nil {
		return nil, err
	}
	asking := ClientOptions(cfg)
	pace := observe.NewPace(store)
	asking.Turns, asking.Paced, asking.Trace = store, pace.Observe, t.Exchange()
	client := outbound.New(asking)
	chromium := NewBrowser(cfg, log, nil)
	reading := ScraperOptions(cfg, chromium)
	reading.GivesWay = true
	reading.Teacher, reading.Browser = NewTeacher(cfg, log), t.Renderer(reading.Browser)
	reader := scraper.New(client, reading)
	options := account.Options{Plans: cfg.AllPlans()}
	hasher := account.NewHasher()
	tracker := track.New(store, reader.Recognize, track.Options{Plans: cfg.AllPlans()})
	return &App{
		Config: cfg, Log: log, Traces: t, Key: key, Hasher: hasher, Store: store, Pace: pace, Client: client, Browser: chromium, Scraper: reader,
		Accounts: account.NewManager(store, hasher, options),
		Keys:     account.NewKeys(store, options),
		Gate:     account.NewGate(store, options),
		Tracker:  tracker,
		Lists:    tracker.Within(store),
	}, nil
}

// Close puts the parts away.
func (a *App) Close() error {
	a.Client.CloseIdleConnections()
	return errors.Join(CloseBrowser(a.Browser), a.Store.Close())
}
