package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
	"github.com/boardwatch/boardwatch/boardwatch/watch"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
	"github.com/boardwatch/boardwatch/scraper"
	"github.com/boardwatch/boardwatch/scraper/recipe"
	"github.com/boardwatch/boardwatch/storage"
)

// demoHistory gives a new database the account and its ninety days, and returns the account's password. The days are made
// by the same watcher, rules and store that run the service, with the companies' clock: every board is read once
// a day. A database that has the account keeps what it has; PostgreSQL has its own clock, and so no past.
func demoHistory(ctx context.Context, cfg config.Config, world *demoWorld, careers string) (password string, err error) {
	if _, ok := sqliteFile(cfg); !ok {
		return "", nil
	}
	if err := makeDataDir(cfg); err != nil {
		return "", err
	}
	lock, err := lockBoards(cfg)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	world.pass(-demoPastDays)
	defer world.begin()
	store, err := openStore(ctx, cfg, storage.Options{Plans: cfg.AllPlans(), Now: world.now})
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	accounts := account.NewManager(store, account.NewHasher(), account.Options{Plans: cfg.AllPlans(), Now: world.now})
	if _, err := accounts.Show(ctx, demoEmail); boardwatch.CodeOf(err) != boardwatch.CodeNotFound {
		return "", err
	}
	if err := store.Reconcile(ctx); err != nil {
		return "", fmt.Errorf("apply the plans: %w", err)
	}
	owner, password, err := newDemoAccount(ctx, accounts)
	if err != nil {
		return "", err
	}
	client, reader := world.reader(cfg, nil)
	defer client.CloseIdleConnections()
	tracker := track.New(store, reader.Recognize, track.Options{Plans: cfg.AllPlans()})
	if err := world.settle(ctx, tracker, store, reader, owner, careers); err != nil {
		return "", err
	}
	return password, world.relive(ctx, cfg, store, reader)
}

// relive lets the past days go by. The last of them is yesterday.
func (w *demoWorld) relive(ctx context.Context, cfg config.Config, store *storage.Store, reader *scraper.Scraper) error {
	watcher := watch.New(store, reader, watch.Options{Rules: cfg.Rules(), Timeout: cfg.Checks.Timeout, Log: slog.New(slog.DiscardHandler)})
	for day := -demoPastDays; day < 0; day++ {
		w.pass(float64(day) + 0.1)
		claims, err := store.ClaimDue(ctx, 2*len(demoCompanies()), time.Minute, boardwatch.ClaimFilter{})
		if err != nil {
			return fmt.Errorf("play the past: %w", err)
		}
		group, ctx := errgroup.WithContext(ctx)
		for _, claim := range claims {
			group.Go(func() error { return watcher.Check(ctx, claim) })
		}
		if err := group.Wait(); err != nil {
			return fmt.Errorf("play the past: %w", err)
		}
	}
	return nil
}

// settle puts all companies on the account's list, unless they are there, and teaches the page that is read by example.
func (w *demoWorld) settle(
	ctx context.Context, tracker *track.Tracker, store account.RecipeStore, reader *scraper.Scraper, owner account.Account, careers string,
) error {
	companies := append(demoCompanies(), demoEmployer{name: demoCompany, site: careers, form: demoListening})
	for _, c := range companies {
		added, err := tracker.Add(ctx, owner, track.NewBoard{URL: c.site, CompanyName: c.name})
		if boardwatch.CodeOf(err) == boardwatch.CodeAlreadyTracked {
			continue
		}
		if err != nil {
			return fmt.Errorf("add %s: %w", c.name, err)
		}
		if c.form != demoTaught {
			continue
		}
		lesson, err := reader.Teach(ctx, c.site, recipe.Examples{Like: demoExamples(w.shown(c))})
		if err != nil {
			return fmt.Errorf("teach the page of %s: %w", c.name, err)
		}
		if err := store.SetRecipe(ctx, added.Board.ID, lesson.Board.Recipe); err != nil {
			return err
		}
	}
	return nil
}

// demoExamples are the titles that somebody would name to teach a page.
func demoExamples(roles []demoRole) []string {
	return []string{roles[0].Title, roles[len(roles)-1].Title}
}
