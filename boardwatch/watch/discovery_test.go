package watch_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/watch"
)

// walled is the error of a discovery that met a bot wall.
type walled struct{ error }

func (w walled) Reading() boardwatch.Reading {
	return boardwatch.Reading{Claimed: -1, Health: boardwatch.HealthBlocked, Reason: w.Error(), BlockedBy: "Cloudflare"}
}

func TestCheckSavesWhatStoodInTheWayOfDiscovery(t *testing.T) {
	t.Parallel()
	w := setup(t)
	board := w.track(t, "", "https://northwind.example/careers")
	wall := walled{errors.New("no roles can be read at northwind.example: blocked")}
	report := w.check(t, source{discover: func(context.Context, string) (boardwatch.Board, error) {
		return boardwatch.Board{}, fmt.Errorf("discover: %w", wall)
	}}, watch.Options{})

	got := w.board(t, board.ID)
	require.Equal(t, boardwatch.BoardFailed, got.Status)
	require.Equal(t, boardwatch.HealthBlocked, got.State.Health)
	require.Equal(t, "Cloudflare", report.Check.BlockedBy)
	require.Equal(t, wall.Error(), got.State.Reason)
}
