package account

import (
	"context"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// Figures are the numbers for an operator.
type Figures struct {
	At       time.Time
	Accounts map[PlanName]int // by plan
	// Unverified accounts have not confirmed their address.
	Unverified int
	Sessions   int // valid sign-ins
	// Ways counts accounts by the ways they can sign in: a password, a login at a provider, or a passkey. An account
	// with several counts for each.
	Ways   map[Way]int
	Boards BoardStats
	Due    int // due boards, including those being read
	// OldestDue is how long the longest-waiting board has been due by its schedule, without checks on demand.
	OldestDue time.Duration
	Verdicts  []SystemVerdict // by system, then verdict
	Failing   []FailingBoard  // those that fail longest first, at most a hundred

	Deliveries  map[boardwatch.DeliveryState]int // by state, for deliveries still in the log
	Waiting     int                              // deliveries whose next attempt is due
	WebhooksOn  int
	WebhooksOff int
}

// SystemVerdict counts the boards of a system by the verdict of their last reading.
type SystemVerdict struct {
	System string            // the name of a hosted system, "page", or empty for boards whose source is not known yet
	Health boardwatch.Health // empty: not read yet
	Boards int
}

// FailingBoard is a board whose last check failed.
type FailingBoard struct {
	Board    boardwatch.Board
	Since    time.Time // the last success, or when the board was added
	Trackers int       // accounts that actively track it
}

// ReturnedBoard is a board on which roles opened again within ReturnedWithin of closing: they may have been closed by mistake.
type ReturnedBoard struct {
	Board  boardwatch.Board
	Roles  int       // in the last ReturnedWithin
	LastAt time.Time // when the last of them opened again
}

// ReturnedWithin is how soon a closed role opens again that may have been closed by mistake.
const ReturnedWithin = 30 * 24 * time.Hour

// FigureStore provides the figures.
type FigureStore interface {
	// Figures counts everything for an operator.
	Figures(ctx context.Context) (Figures, error)
}

// Usage is what an operator sees of how an account is used.
type Usage struct {
	Boards int       // on its list
	LastAt time.Time // when a sign-in was last used; zero if there is none
}

// OperatorStore is what the operator's pages need from a store.
type OperatorStore interface {
	FigureStore
	// Returned lists the boards with most such roles first, at most a hundred.
	Returned(ctx context.Context) ([]ReturnedBoard, error)
	// Usage returns how these accounts are used, by id.
	Usage(ctx context.Context, accountIDs []string) (map[string]Usage, error)
	// Board finds any board by its id or an alias of it; otherwise a not_found error.
	Board(ctx context.Context, id string) (boardwatch.Board, error)

	MisreadStore
	RecipeStore
	// AskLesson saves a question and replaces the board's earlier lesson. The id may be an alias. An unknown board is a
	// not_found error. A zero AskedAt means now.
	AskLesson(ctx context.Context, l boardwatch.Lesson) error
	// Lesson returns the lesson of a board. If there is none, it is a not_found error. The id may be an alias.
	Lesson(ctx context.Context, boardID string) (boardwatch.Lesson, error)
}

// BoardStats counts an installation's boards.
type BoardStats struct {
	Total       int
	ByStatus    map[boardwatch.BoardStatus]int
	ByHealth    map[boardwatch.Health]int
	PartialLong int // partial for ten checks or more in a row
	OpenJobs    int
	ClosedJobs  int
}

// RecipeStore is what the recipes of boards need from a store.
type RecipeStore interface {
	// SetRecipe sets the recipe that a board is read with from its next check on, which is due at once unless its
	// source asked for a pause. With an empty recipe the reader finds the roles by itself again. A check that is
	// running loses its claim, because it was made the old way. An unknown board is a not_found error. The id may be an
	// alias.
	SetRecipe(ctx context.Context, boardID, recipe string) error
}
