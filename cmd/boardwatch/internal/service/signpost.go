package service

import (
	"context"
	"fmt"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/app"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
	"github.com/boardwatch/boardwatch/scraper"
)

// signposted is the scraper whose reasons also say how a board could be read that is refused because of where it is.
type signposted struct {
	*scraper.Scraper

	cfg config.Config
}

// Discover is the scraper's own.
func (s signposted) Discover(ctx context.Context, input string) (boardwatch.Board, error) {
	found, err := s.Scraper.Discover(ctx, input)
	return found, s.explain(input, err)
}

// Find is the scraper's own.
func (s signposted) Find(ctx context.Context, b boardwatch.Board) (boardwatch.Board, error) {
	found, err := s.Scraper.Find(ctx, b)
	return found, s.explain(b.URL, err)
}

// Read is the scraper's own.
func (s signposted) Read(ctx context.Context, b boardwatch.Board) (boardwatch.Reading, error) {
	r, err := s.Scraper.Read(ctx, b)
	if r.Health == boardwatch.HealthFailed {
		r.Reason += s.way(b.URL)
	}
	return r, err
}

func (s signposted) explain(address string, err error) error {
	if way := s.way(address); err != nil && way != "" {
		return fmt.Errorf("%w%s", err, way)
	}
	return err
}

// way is the end of a reason; empty when the address may be asked as it is.
func (s signposted) way(address string) string {
	way := app.WayIn(s.cfg, []string{address})
	if way == "" {
		return ""
	}
	return "; " + strings.ToLower(way[:1]) + strings.TrimRight(way[1:], ".") // a clause of the sentence before it
}
