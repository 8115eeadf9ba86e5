package storage

import (
	"context"

	"github.com/boardwatch/boardwatch/boardwatch/pace"
)

var _ pace.Store = (*Store)(nil)

// Turns are shared only within this process on SQLite, because a single process watches the boards of a file.
func (s *Store) Turns(
	ctx context.Context, ends []pace.TurnEnd, requests []pace.TurnRequest,
) ([]pace.TurnAnswer, error) {
	answers, err := s.driver.Turns(ctx, ends, requests)
	return answers, wrap("give out turns", err)
}

// PacesInMemory returns the paces of hosts kept in memory on SQLite; nil on PostgreSQL, where all processes share them.
func (s *Store) PacesInMemory() *pace.Memory { return s.driver.PacesInMemory() }

// SlowHosts are only those of this process on SQLite.
func (s *Store) SlowHosts(ctx context.Context, n int) ([]pace.SlowHost, error) {
	hosts, err := s.driver.SlowHosts(ctx, n)
	return hosts, wrap("find slow hosts", err)
}
