package storage

import (
	"context"

	"github.com/boardwatch/boardwatch/boardwatch/pace"
)

var _ pace.Store = (*Store)(nil)

// Turns hands out turns at hosts. On SQLite they are shared only within this process, because a single process watches
// the boards of a file.
func (s *Store) Turns(
	ctx context.Context, ends []pace.TurnEnd, requests []pace.TurnRequest,
) ([]pace.TurnAnswer, error) {
	answers, err := s.driver.Turns(ctx, ends, requests)
	return answers, wrap("give out turns", err)
}

// PacesInMemory returns the paces of hosts kept in memory on SQLite; nil on PostgreSQL, where all processes share them.
func (s *Store) PacesInMemory() *pace.Memory { return s.driver.PacesInMemory() }

// SlowHosts returns hosts that are asked less often than their pace allows. On SQLite it only knows those of this
// process.
func (s *Store) SlowHosts(ctx context.Context, n int) ([]pace.SlowHost, error) {
	hosts, err := s.driver.SlowHosts(ctx, n)
	return hosts, wrap("find slow hosts", err)
}
