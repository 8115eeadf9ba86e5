package track

import (
	"context"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
)

// Store is what an account's list of boards needs from a store.
type Store interface {
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
	Subscribe(ctx context.Context, s boardwatch.Subscription, want boardwatch.Board, address string) (boardwatch.Board, boardwatch.Subscription, error)
	// SaveMisread saves a report. It replaces the account's earlier one about the board, with its answer. A board that is not on
	// the account's list is a not_found error; the id may be an alias. A zero At means now.
	SaveMisread(ctx context.Context, m account.Misread) error
	// MisreadsOf lists the account's reports, newest first.
	MisreadsOf(ctx context.Context, accountID string) ([]account.Misread, error)
	// DropMisread deletes the account's report about a board, if there is one.
	DropMisread(ctx context.Context, accountID, boardID string) error
	// Unsubscribe removes a board from the account's list and unlocks the oldest locked ones that now have room. It
	// returns a not_found error if the board is not on the list. The id may be an alias.
	Unsubscribe(ctx context.Context, accountID, boardID string) error
	// Tracked lists an account's boards in the order they were added; status "" means all.
	Tracked(ctx context.Context, accountID string, status boardwatch.BoardStatus) ([]TrackedBoard, error)
	// TrackedBoard finds one board of the account by its id or an alias; otherwise a not_found error.
	TrackedBoard(ctx context.Context, accountID, boardID string) (TrackedBoard, error)
	// Places counts the boards on an account's list, and how many of them are locked.
	Places(ctx context.Context, accountID string) (tracked, locked int, err error)
	// Jobs lists the jobs of the account's active boards. The page and its total are read at one instant.
	Jobs(ctx context.Context, accountID string, f JobFilter) (JobPage, error)

	// FindBoard finds any board by its source, or by an address that led to it before; otherwise a not_found error.
	FindBoard(ctx context.Context, source, address string) (boardwatch.Board, error)
	// BoardsNamed finds boards that have been read and whose company's name is this or begins with it, ignoring case
	// (at least for the letters A to Z): at most limit of them, by name.
	BoardsNamed(ctx context.Context, name string, limit int) ([]boardwatch.Board, error)
	// Board finds any board by its id or an alias of it; otherwise a not_found error.
	Board(ctx context.Context, id string) (boardwatch.Board, error)
	// RequestCheck makes a board due at once, on demand of the account; an empty accountID means the operator. It
	// reports false if a check on demand is not allowed now. A board that is already due stays as it is.
	RequestCheck(ctx context.Context, accountID, boardID string) (bool, error)
	// History lists a board's checks, newest first; runs of checks that changed nothing are one entry.
	History(ctx context.Context, boardID string, limit int) ([]boardwatch.Check, error)
	// Horizon returns a moment that is earlier than the stamp of every role which queries started afterwards cannot
	// see.
	Horizon(ctx context.Context) (time.Time, error)
	// Now returns the time of the store's clock, from which every stamp comes.
	Now(ctx context.Context) (time.Time, error)
}

// RoleStore is what showing single roles and their histories needs from a store.
type RoleStore interface {
	// Job returns one job on the account's active boards, as its owner sees it; an empty accountID means the operator
	// and finds any job. Otherwise it is a not_found error.
	Job(ctx context.Context, accountID, jobID string) (boardwatch.Job, error)
	// RoleEvents returns the histories of jobs after a moment, by the id of the job: at most that many of the newest
	// entries of each, oldest first. Jobs without any are left out.
	RoleEvents(ctx context.Context, jobIDs []string, after time.Time, most int) (map[string][]boardwatch.RoleEvent, error)
	// Versions returns what the source of a job has stated, oldest first; the last one is what it states now. There are none
	// if it has stated nothing but the job's fields.
	Versions(ctx context.Context, jobID string) ([]Version, error)
	// Texts returns texts by their hashes. Those that are not kept are left out.
	Texts(ctx context.Context, hashes ...string) (map[string]string, error)
	// EarlierPosting finds the job on the same board that closed last before this one was first seen and that had the same
	// title and text. Its id is empty if there is none.
	EarlierPosting(ctx context.Context, j boardwatch.Job) (id string, closedAt time.Time, err error)
	// ChangedJobs lists jobs of the account's active boards that were first seen before a moment and were updated or
	// reopened after it, most recently changed first. The page and its total are read at one instant.
	ChangedJobs(ctx context.Context, accountID string, f ChangedFilter) (JobPage, error)
}

// SearchStore stores the searches of accounts.
type SearchStore interface {
	// CreateSearch saves a search. If the account already has limit searches, or one with this name, it is an
	// invalid_request error.
	CreateSearch(ctx context.Context, s boardwatch.Search, limit int) error
	// Searches lists the account's searches, oldest first.
	Searches(ctx context.Context, accountID string) ([]boardwatch.Search, error)
	// ChangeSearch saves the name, the criteria and the kinds of one of the account's searches; otherwise it is a not_found
	// error. If another one has the name, it is an invalid_request error.
	ChangeSearch(ctx context.Context, s boardwatch.Search) error
	// DeleteSearch removes one of the account's searches; otherwise a not_found error.
	DeleteSearch(ctx context.Context, accountID, id string) error
}

// PublishedStore stores which saved searches anybody may read who knows their token.
type PublishedStore interface {
	// Publish gives one of the account's searches a token, unless it has one already. A search that is not the account's
	// is a not_found error.
	Publish(ctx context.Context, accountID, searchID, token string) error
	// Unpublish takes the token of one of the account's searches away, if it has one.
	Unpublish(ctx context.Context, accountID, searchID string) error
	// Published returns the tokens of the account's searches, by the id of the search.
	Published(ctx context.Context, accountID string) (map[string]string, error)
	// PublishedSearch finds a search by its token; otherwise a not_found error.
	PublishedSearch(ctx context.Context, token string) (boardwatch.Search, error)
}

// ClosedStore is what showing closed roles needs from a store.
type ClosedStore interface {
	// ClosedJobs lists the closed jobs of the account's active boards, most recently closed first. The page and its
	// total are read at one instant, and its PolledAt may be passed as After of the next call: a role may then appear
	// twice, but never zero times.
	ClosedJobs(ctx context.Context, accountID string, f ClosedFilter) (JobPage, error)
}

// HitStore is what reporting the results of searches needs from a store.
type HitStore interface {
	// Hits lists changes of roles on the account's active boards, newest first. Like Changes, it begins when the
	// account began to watch a board, and leaves out what the first reading of a board found.
	Hits(ctx context.Context, accountID string, f HitFilter) (HitPage, error)
}

// FeedStore is what showing changes needs from a store.
type FeedStore interface {
	ClosedStore
	HitStore
	// Changes lists what has changed on the account's active boards since it began to watch them (Subscription.Since).
	// Beginning to watch a board that was read before is a change of its own (Began).
	Changes(ctx context.Context, accountID string, f ChangeFilter) (ChangePage, error)
	// Series returns how many roles were open on each of the account's boards, or on the requested one, in order: on
	// each day since then on which a check changed something, and on the last such day before. Locked boards are
	// included. Days are those of the time zone of since.
	Series(ctx context.Context, accountID, boardID string, since time.Time) (map[string][]Point, error)
	// Activity returns the activity on each of the account's active boards since then. Boards without any are left out.
	Activity(ctx context.Context, accountID string, since time.Time) (map[string]Activity, error)
	// News returns those of the account's roles on active boards that were found or reopened after a moment and since the
	// account began to watch their boards, except by a board's first reading.
	News(ctx context.Context, accountID string, after time.Time, jobIDs []string) (map[string]bool, error)
	// FlowPerDay returns how many roles were found and closed on the account's active boards, or on the requested ones,
	// on each day since then, in order, counted as in Activity. A single requested board must be on its list. Days are those of the time zone of since; those without
	// any are left out.
	FlowPerDay(ctx context.Context, accountID string, boardIDs []string, since time.Time) ([]DayFlow, error)
	// Shares counts the open roles of the account's active boards, or of the requested ones among them, in no particular
	// order.
	Shares(ctx context.Context, accountID string, boardIDs []string) ([]Share, error)
	// MedianStay returns the median time that the closed roles of one of the account's active boards were open, and the
	// number of these roles. Roles in the board's first reading are left out, because it is not known when they opened.
	MedianStay(ctx context.Context, accountID, boardID string) (stay time.Duration, closed int, err error)
}
