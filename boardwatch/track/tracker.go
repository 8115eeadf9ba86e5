// Package track manages an account's list of careers pages: adding and removing boards, and listing their roles. The HTTP
// interfaces and the command line use the same Tracker, so the same rules apply everywhere.
package track

import (
	"context"
	"fmt"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
)

// Options are the settings of a Tracker. The zero value works.
type Options struct {
	Plans account.Plans // what each plan allows; nil means account.DefaultPlans
}

// Tracker keeps accounts' lists of boards. It may be used concurrently.
type Tracker struct {
	store     Store
	recognize func(input string) (boardwatch.Recognized, error)
	plans     account.Plans
	rates     boardwatch.RateStore // nil: changes of lists are not counted
}

// New returns a Tracker. recognize judges an address by its form, without any request, like Scraper.Recognize; its
// error is one plain sentence about what is wrong with the address.
func New(store Store, recognize func(input string) (boardwatch.Recognized, error), o Options) *Tracker {
	if o.Plans == nil {
		o.Plans = account.DefaultPlans()
	}
	return &Tracker{store: store, recognize: recognize, plans: o.Plans}
}

// ListRate is the limit of boards added or removed, over all interfaces together. An import counts once.
func ListRate() boardwatch.Rate {
	return boardwatch.Rate{Name: "list", Limit: 120, Window: time.Hour, Lenient: true}
}

// Within returns a Tracker like t that counts what each account adds and removes (ListRate), which
// interfaces have to do. A Tracker that does not count is for the operator.
func (t *Tracker) Within(rates boardwatch.RateStore) *Tracker {
	counting := *t
	counting.rates = rates
	return &counting
}

// spend counts a change of the account's list. One change too many is a rate_limited error.
func (t *Tracker) spend(ctx context.Context, a account.Account) error {
	if t.rates == nil {
		return nil
	}
	rate := ListRate()
	b, err := t.rates.Spend(ctx, a.ID, "", rate)
	if err != nil {
		return fmt.Errorf("count change of list: %w", err)
	}
	return b.Refused(fmt.Sprintf("more than %d boards added or removed in the last hour", rate.Limit))
}

// Added is the outcome of Add, in JSON the published AddBoardResult.
type Added struct {
	Board  boardwatch.BoardView `json:"board"`
	Locked bool                 `json:"locked"` // past the plan's limit: listed, not read
	// Fresh says that the board was already known and its roles can be listed at once. Otherwise its first reading, or
	// a new one, is still to come.
	Fresh bool `json:"-"`
}

// Add adds a board to the account's list. An address whose form shows its source leads to that source's board at once;
// any other starts as a pending board that discovery resolves later. A board that is already on the list is an
// already_tracked error that names it; any other board is an invalid_request error if the list is full.
func (t *Tracker) Add(ctx context.Context, a account.Account, b NewBoard) (Added, error) {
	r, err := t.read(b)
	if err != nil {
		return Added{}, err
	}
	if err := t.spend(ctx, a); err != nil {
		return Added{}, err
	}
	return t.add(ctx, a, b.trimmed(), r)
}

// add adds a board with a valid address to the account's list.
func (t *Tracker) add(ctx context.Context, a account.Account, b NewBoard, r boardwatch.Recognized) (Added, error) {
	board, sub, err := t.store.Subscribe(ctx,
		boardwatch.Subscription{AccountID: a.ID, Plan: string(a.Plan), CompanyName: b.CompanyName},
		boardwatch.Board{Source: r.Source, URL: r.URL}, r.Address)
	if err != nil {
		return Added{}, fmt.Errorf("add board: %w", err)
	}
	now, err := t.store.Now(ctx)
	if err != nil {
		return Added{}, fmt.Errorf("add board: %w", err)
	}
	return Added{Board: board.View(sub), Locked: sub.Locked, Fresh: boardwatch.Fresh(board, now)}, nil
}

// read returns the board that a request's address leads to, or what is wrong with the request.
func (t *Tracker) read(b NewBoard) (boardwatch.Recognized, error) {
	b = b.trimmed()
	if err := b.Validate(); err != nil {
		return boardwatch.Recognized{}, err
	}
	r, err := t.recognize(b.URL)
	switch {
	case err == nil:
		return r, nil
	case IsName(b.URL):
		return boardwatch.Recognized{}, boardwatch.Invalid("url", MustBeAddress)
	default:
		return boardwatch.Recognized{}, invalidURL(err)
	}
}

// Remove removes a board from the account's list. The board and its history stay, and adding it again brings them back.
// A board that is not on the list is a not_found error, whether it exists or not.
func (t *Tracker) Remove(ctx context.Context, a account.Account, boardID string) error {
	if !boardwatch.ValidID(boardID) {
		return boardwatch.NotFound("board")
	}
	if err := t.spend(ctx, a); err != nil {
		return err
	}
	return boardwatch.Wrap("remove board", t.store.Unsubscribe(ctx, a.ID, boardID))
}

// Report saves the account's report that a board on its list is misread, replacing an earlier one. An invalid report is
// an invalid_request error; a board that is not on the list is a not_found error, whether it exists or not.
func (t *Tracker) Report(ctx context.Context, a account.Account, m account.Misread) error {
	if !boardwatch.ValidID(m.BoardID) {
		return boardwatch.NotFound("board")
	}
	m.AccountID = a.ID
	m, err := m.Clean()
	if err != nil {
		return err
	}
	return boardwatch.Wrap("report board", t.store.SaveMisread(ctx, m))
}

// Reports lists the account's reports of misread boards with their answers, newest first.
func (t *Tracker) Reports(ctx context.Context, a account.Account) ([]account.Misread, error) {
	reports, err := t.store.MisreadsOf(ctx, a.ID)
	return reports, boardwatch.Wrap("list reports", err)
}

// DropReport deletes the account's report about a board, if there is one.
func (t *Tracker) DropReport(ctx context.Context, a account.Account, boardID string) error {
	return boardwatch.Wrap("drop report", t.store.DropMisread(ctx, a.ID, boardID))
}

// Boards lists the account's boards in the order they were added. An empty status means all.
func (t *Tracker) Boards(ctx context.Context, a account.Account, status boardwatch.BoardStatus) ([]boardwatch.BoardView, error) {
	return t.BoardsTagged(ctx, a, status, nil)
}

// BoardsTagged is like Boards, limited to boards that have any of these tags. No tags mean every board.
func (t *Tracker) BoardsTagged(
	ctx context.Context, a account.Account, status boardwatch.BoardStatus, tags []string,
) ([]boardwatch.BoardView, error) {
	tracked, err := t.store.Tracked(ctx, a.ID, status)
	if err != nil {
		return nil, fmt.Errorf("list boards: %w", err)
	}
	only := boardwatch.Criteria{Tags: tags}
	views := make([]boardwatch.BoardView, 0, len(tracked))
	for _, b := range tracked {
		if only.Covers(b.Subscription) {
			views = append(views, b.View())
		}
	}
	return views, nil
}

// Board finds one board of the account by its id or one that it had before a merge.
func (t *Tracker) Board(ctx context.Context, a account.Account, boardID string) (boardwatch.BoardView, error) {
	if !boardwatch.ValidID(boardID) {
		return boardwatch.BoardView{}, boardwatch.NotFound("board")
	}
	b, err := t.store.TrackedBoard(ctx, a.ID, boardID)
	if err != nil {
		return boardwatch.BoardView{}, fmt.Errorf("find board: %w", err)
	}
	return b.View(), nil
}

// Jobs lists roles on the account's active boards, newest first. A locked board has none to show.
func (t *Tracker) Jobs(ctx context.Context, a account.Account, f JobFilter) (JobPage, error) {
	if err := ValidateFilter(f); err != nil {
		return JobPage{}, err
	}
	page, err := t.store.Jobs(ctx, a.ID, f)
	return page, boardwatch.Wrap("list jobs", err)
}

// AllJobs lists roles like Jobs, but all that match, or as many as the filter's limit, read at one instant. It is for
// lists and exports that a person asks for, not for the interfaces.
func (t *Tracker) AllJobs(ctx context.Context, a account.Account, f JobFilter) ([]boardwatch.Job, error) {
	limit := f.Limit
	f.Limit = min(limit, MaxLimit)
	if err := ValidateFilter(f); err != nil {
		return nil, err
	}
	for f.Limit = firstGuess; ; {
		if limit > 0 {
			f.Limit = limit
		}
		page, err := t.store.Jobs(ctx, a.ID, f)
		if err != nil {
			return nil, fmt.Errorf("list jobs: %w", err)
		}
		if limit > 0 || int64(len(page.Jobs)) >= page.Total-f.Skip {
			return page.Jobs, nil
		}
		f.Limit = int(page.Total) + firstGuess // more may be found meanwhile
	}
}

// firstGuess is how many roles are requested while their number is unknown.
const firstGuess = 1000

// Status describes how full an account's list is.
type Status struct {
	Plan    account.PlanName
	Tracked int // including locked ones
	Limit   int // boards that the plan reads
	Locked  int
	At      time.Time // before it was counted; it may be passed as AddedAfter like the PolledAt of a page
}

// Status counts the account's boards.
func (t *Tracker) Status(ctx context.Context, a account.Account) (Status, error) {
	at, err := t.store.Horizon(ctx)
	if err != nil {
		return Status{}, fmt.Errorf("count boards: %w", err)
	}
	tracked, locked, err := t.store.Places(ctx, a.ID)
	if err != nil {
		return Status{}, fmt.Errorf("count boards: %w", err)
	}
	return Status{Plan: a.Plan, Tracked: tracked, Limit: t.plans[a.Plan].Boards, Locked: locked, At: at}, nil
}

// RequestCheck queues a check of any board ahead of the scheduled ones, on demand of the account, or of the operator if
// accountID is empty. If boardwatch.CheckOnDemand does not allow one now, nothing is queued, and the refusal says why.
func (t *Tracker) RequestCheck(ctx context.Context, accountID, boardID string) (refusal string, err error) {
	if !boardwatch.ValidID(boardID) {
		return "", boardwatch.NotFound("board")
	}
	queued, err := t.store.RequestCheck(ctx, accountID, boardID)
	if err != nil {
		return "", fmt.Errorf("request check: %w", err)
	}
	if queued {
		return "", nil
	}
	b, err := t.store.Board(ctx, boardID)
	if err != nil {
		return "", fmt.Errorf("request check: %w", err)
	}
	now, err := t.store.Now(ctx)
	if err != nil {
		return "", fmt.Errorf("request check: %w", err)
	}
	return refusalOf(b, now), nil
}

// refusalOf says why a board cannot be checked on demand now.
func refusalOf(b boardwatch.Board, now time.Time) string {
	switch {
	case b.Cadence <= 0:
		return "nobody actively tracks it"
	case b.State.RetryAfter.After(now):
		return "its site asks to be left alone until " + moment(b.State.RetryAfter)
	case b.State.Failures() > 0 && b.NextCheckAt.After(now):
		return "its last check failed, and the next attempt is at " + moment(b.NextCheckAt)
	default:
		return "it was checked less than a minute ago"
	}
}

func moment(t time.Time) string { return t.UTC().Format(boardwatch.TimeFormat) }

// History lists the last checks of any board, newest first. A run of checks that changed nothing is one entry.
func (t *Tracker) History(ctx context.Context, boardID string, limit int) ([]boardwatch.Check, error) {
	if !boardwatch.ValidID(boardID) {
		return nil, boardwatch.NotFound("board")
	}
	if _, err := t.store.Board(ctx, boardID); err != nil {
		return nil, fmt.Errorf("read history: %w", err)
	}
	checks, err := t.store.History(ctx, boardID, limit)
	return checks, boardwatch.Wrap("read history", err)
}
