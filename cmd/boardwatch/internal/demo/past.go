package demo

import (
	"context"
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

// Relive lets the past days go by. The last of them is yesterday.
func (w *World) Relive(ctx context.Context, cfg config.Config, store *storage.Store, reader *scraper.Scraper) error {
	watcher := watch.New(store, reader, watch.Options{Rules: cfg.Rules(), Timeout: cfg.Checks.Timeout, Log: slog.New(slog.DiscardHandler)})
	for day := -PastDays; day < 0; day++ {
		w.Pass(float64(day) + 0.1)
		claims, err := store.ClaimDue(ctx, 2*len(Companies()), time.Minute, boardwatch.ClaimFilter{})
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

// Settle puts all companies on the account's list, unless they are there, and teaches the page that is read by example.
func (w *World) Settle(
	ctx context.Context, tracker *track.Tracker, store account.RecipeStore, reader *scraper.Scraper, owner account.Account, careers string,
) error {
	companies := append(Companies(), Employer{Name: Company, Site: careers, Form: listening})
	for _, c := range companies {
		added, err := tracker.Add(ctx, owner, track.NewBoard{URL: c.Site, CompanyName: c.Name})
		if boardwatch.CodeOf(err) == boardwatch.CodeAlreadyTracked {
			continue
		}
		if err != nil {
			return fmt.Errorf("add %s: %w", c.Name, err)
		}
		if c.Form != taught {
			continue
		}
		lesson, err := reader.Teach(ctx, c.Site, recipe.Examples{Like: examples(w.shown(c))})
		if err != nil {
			return fmt.Errorf("teach the page of %s: %w", c.Name, err)
		}
		if err := store.SetRecipe(ctx, added.Board.ID, lesson.Board.Recipe); err != nil {
			return err
		}
	}
	return nil
}

// examples are the titles that somebody would name to teach a page.
func examples(roles []Role) []string {
	return []string{roles[0].Title, roles[len(roles)-1].Title}
}
