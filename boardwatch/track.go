package boardwatch

import (
	"context"
	"time"
)

// TrackStore is what an account's list of boards needs from a store.
type TrackStore interface {
	RoleStore
	SearchStore
	MarkStore
	// Tag adds tags to a board on the account's list and removes others, as Retagged says, and returns the board as it is
	// afterwards. A board that is not on the list is a not_found error; the id may be an alias.
	Tag(ctx context.Context, accountID, boardID string, add, remove []string) (TrackedBoard, error)
	// Subscribe puts a board on the account's list and returns it as it is afterwards. The board is found by its source,
	// or by an address that led to it before; otherwise it is created from want, whose Source may be empty. The place on
	// the list, the locks and the board's cadence change in one transaction. A board that is on the list already is an
	// already_tracked error that names it, and any other on a list that holds Plan.Listed is an invalid_request error. A board
	// that is not Fresh is due at once, as a demand of the account, if CheckOnDemand allows it. A zero AddedAt of s means now;
	// Locked, Seq and Plan are the store's to fill in. It costs the same however long the list is.
	Subscribe(ctx context.Context, s Subscription, want Board, address string) (Board, Subscription, error)
	// SaveMisread keeps a report, in place of the account's earlier one about the board. A board that is not on the
	// account's list is a not_found error; the id may be an alias. A zero At means now.
	SaveMisread(ctx context.Context, m Misread) error
	// Unsubscribe takes a board off the account's list and unlocks the oldest locked ones that now have room. It
	// returns a not_found error when the board is not on the list. The id may be one that a merge made an alias.
	Unsubscribe(ctx context.Context, accountID, boardID string) error
	// Tracked lists an account's boards in the order they were added; status "" means all.
	Tracked(ctx context.Context, accountID string, status BoardStatus) ([]TrackedBoard, error)
	// TrackedBoard is one board of the account, found by its id or an alias of it; otherwise a not_found error.
	TrackedBoard(ctx context.Context, accountID, boardID string) (TrackedBoard, error)
	// Places counts the boards on an account's list, and those of them that are locked.
	Places(ctx context.Context, accountID string) (tracked, locked int, err error)
	// Jobs lists the jobs of the account's active boards. The page and its total are of one instant.
	Jobs(ctx context.Context, accountID string, f JobFilter) (JobPage, error)

	// FindBoard finds any board by its source, or by an address that led to it before; otherwise a not_found error.
	FindBoard(ctx context.Context, source, address string) (Board, error)
	// BoardsNamed finds boards that have been read and whose company has said that its name is this or begins with it, whatever
	// the case of its letters (of those from A to Z at least): at most limit of them, by name.
	BoardsNamed(ctx context.Context, name string, limit int) ([]Board, error)
	// Board finds any board by its id or an alias of it; otherwise a not_found error.
	Board(ctx context.Context, id string) (Board, error)
	// RequestCheck makes a board due at once, as a demand of the account; an empty accountID is the operator's. It reports
	// false when a check on demand is not allowed now. A board that is due already stays as it is.
	RequestCheck(ctx context.Context, accountID, boardID string) (bool, error)
	// History lists a board's checks, newest first; runs of checks that changed nothing are one entry.
	History(ctx context.Context, boardID string, limit int) ([]Check, error)
	// BoardStats counts boards by status and health.
	BoardStats(ctx context.Context) (BoardStats, error)
	// Reconcile applies the plans as they are configured now to every account: locks and cadences.
	Reconcile(ctx context.Context) error
	// Horizon is a moment that is earlier than the stamp of every role which what is read afterwards cannot show.
	Horizon(ctx context.Context) (time.Time, error)
	// Now is the store's clock: the one that every stamp comes from.
	Now(ctx context.Context) (time.Time, error)
}

// TrackedBoard is a board on an account's list.
type TrackedBoard struct {
	Board        Board
	Subscription Subscription
}

// View is the board in the published shape.
func (t TrackedBoard) View() BoardView { return t.Board.View(t.Subscription) }

// BoardStats counts an installation's boards.
type BoardStats struct {
	Total       int
	ByStatus    map[BoardStatus]int
	ByHealth    map[Health]int
	PartialLong int // partial for ten checks or more in a row
	OpenJobs    int
	ClosedJobs  int
}
