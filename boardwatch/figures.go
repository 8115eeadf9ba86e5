package boardwatch

import (
	"context"
	"time"
)

// Figures are what an operator looks at.
type Figures struct {
	At       time.Time
	Accounts map[PlanName]int // by plan
	// Unverified accounts have not confirmed their address.
	Unverified int
	Sessions   int // sign-ins that still hold
	// Ways are accounts by a way that they can sign in: that have a password, or a login at any provider, or a passkey. An
	// account with several counts for each.
	Ways   map[Way]int
	Boards BoardStats
	Due    int // boards whose time has come, those being read included
	// OldestDue is how long the one that waits longest has been due by its schedule, without those that somebody has
	// asked for.
	OldestDue time.Duration
	Verdicts  []SystemVerdict // by system, then verdict
	Failing   []FailingBoard  // those that fail longest first, at most a hundred

	Deliveries  map[DeliveryState]int // by state, of those still in the log
	Waiting     int                   // deliveries whose next attempt is due
	WebhooksOn  int
	WebhooksOff int
}

// SystemVerdict counts the boards of a system whose last reading ended with a verdict.
type SystemVerdict struct {
	System string // the name of a hosted system, "page", or empty for boards that are not understood yet
	Health Health // empty: not read yet
	Boards int
}

// FailingBoard is a board whose last check failed.
type FailingBoard struct {
	Board    Board
	Since    time.Time // the last success, or when the board was added
	Trackers int       // accounts that actively track it
}

// FigureStore counts what is there.
type FigureStore interface {
	// Figures counts what is there.
	Figures(ctx context.Context) (Figures, error)
}

// OperatorStore is what the operator's pages need from a store.
type OperatorStore interface {
	FigureStore
	// Board finds any board by its id or an alias of it; otherwise a not_found error.
	Board(ctx context.Context, id string) (Board, error)

	MisreadStore
	LessonStore
	RecipeStore
}
