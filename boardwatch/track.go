package boardwatch

import (
	"context"
	"time"
)

// TrackStore is what an account's list of boards needs from a store.
type TrackStore interface {
	RoleStore
	SearchStore
	PublishedStore
	MarkStore
	// Tag adds tags to a board on the account's list and removes others, by the rules of Retagged, and returns the
	// board as it is afterwards. A board that is not on the list is a not_found error; the id may be an alias.
	Tag(ctx context.Context, accountID, boardID string, add, remove []string) (TrackedBoard, error)
	// Subscribe adds a board to the account's list and returns it as it is afterwards. The board is found by its
	// source, or by an address that led to it before; otherwise it is created from want, whose Source may be empty. The
	// place on the list, the locks and the board's cadence change in one transaction. A board that is already on the
	// list is an already_tracked error that names it, and any other board is an invalid_request error if the list
	// already has Plan.Listed boards. A board that is not Fresh is due at once, as a demand of the account, if
	// CheckOnDemand allows it. A zero AddedAt of s means now; the store fills in Locked, Seq and Plan. The cost does
	// not depend on the length of the list.
	Subscribe(ctx context.Context, s Subscription, want Board, address string) (Board, Subscription, error)
	// SaveMisread saves a report. It replaces the account's earlier one about the board, with its answer. A board that is not on
	// the account's list is a not_found error; the id may be an alias. A zero At means now.
	SaveMisread(ctx context.Context, m Misread) error
	// MisreadsOf lists the account's reports, newest first.
	MisreadsOf(ctx context.Context, accountID string) ([]Misread, error)
	// DropMisread deletes the account's report about a board, if there is one.
	DropMisread(ctx context.Context, accountID, boardID string) error
	// Unsubscribe removes a board from the account's list and unlocks the oldest locked ones that now have room. It
	// returns a not_found error if the board is not on the list. The id may be an alias.
	Unsubscribe(ctx context.Context, accountID, boardID string) error
	// Tracked lists an account's boards in the order they were added; status "" means all.
	Tracked(ctx context.Context, accountID string, status BoardStatus) ([]TrackedBoard, error)
	// TrackedBoard finds one board of the account by its id or an alias; otherwise a not_found error.
	TrackedBoard(ctx context.Context, accountID, boardID string) (TrackedBoard, error)
	// Places counts the boards on an account's list, and how many of them are locked.
	Places(ctx context.Context, accountID string) (tracked, locked int, err error)
	// Jobs lists the jobs of the account's active boards. The page and its total are read at one instant.
	Jobs(ctx context.Context, accountID string, f JobFilter) (JobPage, error)

	// FindBoard finds any board by its source, or by an address that led to it before; otherwise a not_found error.
	FindBoard(ctx context.Context, source, address string) (Board, error)
	// BoardsNamed finds boards that have been read and whose company's name is this or begins with it, ignoring case
	// (at least for the letters A to Z): at most limit of them, by name.
	BoardsNamed(ctx context.Context, name string, limit int) ([]Board, error)
	// Board finds any board by its id or an alias of it; otherwise a not_found error.
	Board(ctx context.Context, id string) (Board, error)
	// RequestCheck makes a board due at once, on demand of the account; an empty accountID means the operator. It
	// reports false if a check on demand is not allowed now. A board that is already due stays as it is.
	RequestCheck(ctx context.Context, accountID, boardID string) (bool, error)
	// History lists a board's checks, newest first; runs of checks that changed nothing are one entry.
	History(ctx context.Context, boardID string, limit int) ([]Check, error)
	// BoardStats counts boards by status and health.
	BoardStats(ctx context.Context) (BoardStats, error)
	// Reconcile applies the configured plans to every account: locks and cadences.
	Reconcile(ctx context.Context) error
	// Horizon returns a moment that is earlier than the stamp of every role which queries started afterwards cannot
	// see.
	Horizon(ctx context.Context) (time.Time, error)
	// Now returns the time of the store's clock, from which every stamp comes.
	Now(ctx context.Context) (time.Time, error)
}

// TrackedBoard is a board on an account's list.
type TrackedBoard struct {
	Board        Board
	Subscription Subscription
}

// View returns the board as the published object.
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
