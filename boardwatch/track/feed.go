package track

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
)

// maxChanges is the most changes that one call can request.
const maxChanges = 200

// Feed lists the changes on an account's boards. It may be used concurrently.
type Feed struct {
	store FeedStore
	now   func() time.Time
}

// NewFeed returns a Feed. now is the clock; nil means time.Now.
func NewFeed(store FeedStore, now func() time.Time) *Feed {
	if now == nil {
		now = time.Now
	}
	return &Feed{store: store, now: now}
}

// Changes lists what has changed on the account's active boards, newest first, one entry for each check. A board that
// is not on the list is a not_found error, and a locked one shows no changes.
func (f *Feed) Changes(ctx context.Context, a account.Account, filter ChangeFilter) (ChangePage, error) {
	if filter.BoardID != "" && !boardwatch.ValidID(filter.BoardID) {
		return ChangePage{}, boardwatch.NotFound("board")
	}
	filter.Limit = min(filter.Limit, maxChanges)
	page, err := f.store.Changes(ctx, a.ID, filter)
	return page, boardwatch.Wrap("list changes", err)
}

// Hits lists the newest changes found by a saved search of the account.
func (f *Feed) Hits(ctx context.Context, a account.Account, q boardwatch.Search, limit int) (HitPage, error) {
	page, err := f.store.Hits(ctx, a.ID, HitFilter{Only: q.Criteria, Kinds: q.Kinds, Limit: limit})
	return page, boardwatch.Wrap("list changes of a search", err)
}

// Day holds the changes of one day.
type Day struct {
	Date   time.Time // in the form of Date
	Boards []BoardDay
}

// BoardDay holds the changes on one board in one day, newest first.
type BoardDay struct {
	BoardID    string
	Company    string
	CareersURL string
	Changes    []BoardChange
}

// Days sorts changes, which must be newest first, by day and then by board, the board with the newest change first.
func Days(changes []BoardChange, zone *time.Location) []Day {
	var days []Day
	var places map[string]int // index of each board in the current day
	for _, c := range changes {
		date := Date(c.At, zone)
		if len(days) == 0 || !days[len(days)-1].Date.Equal(date) {
			days, places = append(days, Day{Date: date}), map[string]int{}
		}
		day := &days[len(days)-1]
		at, known := places[c.BoardID]
		if !known {
			at = len(day.Boards)
			places[c.BoardID] = at
			day.Boards = append(day.Boards, BoardDay{BoardID: c.BoardID, Company: c.Company, CareersURL: c.CareersURL})
		}
		day.Boards[at].Changes = append(day.Boards[at].Changes, c)
	}
	return days
}

// Series returns how many roles were open on each of the account's boards on each of the last days of a time zone, up
// to today. A day without a check has the number of the day before, and days before a board's first check are left out.
// An empty boardID means all boards.
func (f *Feed) Series(
	ctx context.Context, a account.Account, boardID string, days int, zone *time.Location,
) (map[string][]Point, error) {
	if boardID != "" && !boardwatch.ValidID(boardID) {
		return nil, boardwatch.NotFound("board")
	}
	today := Date(f.now(), zone)
	first := today.AddDate(0, 0, 1-max(days, 1))
	known, err := f.store.Series(ctx, a.ID, boardID, DayBegins(first, zone))
	if err != nil {
		return nil, fmt.Errorf("read series: %w", err)
	}
	whole := make(map[string][]Point, len(known))
	for id, points := range known {
		whole[id] = fill(points, first, today)
	}
	return whole, nil
}

const day = 24 * time.Hour

// fill returns a point for every day, from the first known or requested one to the last.
func fill(points []Point, first, last time.Time) []Point {
	if len(points) == 0 {
		return nil
	}
	at := points[0].Day
	if at.Before(first) {
		at = first
	}
	out := make([]Point, 0, int(last.Sub(at)/day)+1)
	open := points[0].Open
	for ; !at.After(last); at = at.Add(day) {
		for len(points) > 0 && !points[0].Day.After(at) {
			open, points = points[0].Open, points[1:]
		}
		out = append(out, Point{Day: at, Open: open})
	}
	return out
}

// Activity returns the activity on each of the account's active boards in the last days, each of 24 hours. Boards
// without any are left out.
func (f *Feed) Activity(ctx context.Context, a account.Account, days int) (map[string]Activity, error) {
	activity, err := f.store.Activity(ctx, a.ID, f.now().Add(-time.Duration(days)*day))
	return activity, boardwatch.Wrap("read activity", err)
}

// Since adds up the activity on the account's active boards after a moment, but no longer ago than account.NewsReach.
func (f *Feed) Since(ctx context.Context, a account.Account, moment time.Time) (sum Activity, err error) {
	if reach := f.now().Add(-account.NewsReach); moment.Before(reach) {
		moment = reach
	}
	activity, err := f.store.Activity(ctx, a.ID, moment)
	if err != nil {
		return sum, fmt.Errorf("count what is new: %w", err)
	}
	for _, of := range activity {
		sum.Found += of.Found
		sum.Closed += of.Closed
		sum.Updated += of.Updated
	}
	return sum, nil
}

// News returns those of the account's roles that were found or reopened after a moment.
func (f *Feed) News(ctx context.Context, a account.Account, after time.Time, jobIDs []string) (map[string]bool, error) {
	news, err := f.store.News(ctx, a.ID, after, jobIDs)
	return news, boardwatch.Wrap("look for new roles", err)
}

// FlowPerDay returns how many roles opened and closed on the account's active boards, or on some of them, on each of the
// last days of a time zone, up to today.
func (f *Feed) FlowPerDay(
	ctx context.Context, a account.Account, boardIDs []string, days int, zone *time.Location,
) ([]DayFlow, error) {
	if slices.ContainsFunc(boardIDs, func(id string) bool { return !boardwatch.ValidID(id) }) {
		return nil, boardwatch.NotFound("board")
	}
	out := make([]DayFlow, max(days, 1))
	first := Date(f.now(), zone).AddDate(0, 0, 1-len(out))
	for i := range out {
		out[i].Day = first.AddDate(0, 0, i)
	}
	flow, err := f.store.FlowPerDay(ctx, a.ID, boardIDs, DayBegins(first, zone))
	if err != nil {
		return nil, fmt.Errorf("count roles by day: %w", err)
	}
	for _, d := range flow {
		if i := int(d.Day.Sub(first) / day); i >= 0 && i < len(out) {
			out[i] = d
		}
	}
	return out, nil
}

// Part is a number of open roles that have something in common.
type Part struct {
	Name string // empty: not given
	Open int
}

// Spread is the distribution of open roles over departments and over places, the largest first. A role at several places
// counts at each of them.
type Spread struct {
	Departments, Places []Part

	cells map[[2]string]int
}

// Open returns how many roles of a department are open at a place.
func (s Spread) Open(department, place string) int { return s.cells[[2]string{department, place}] }

// Spread returns the distribution of the open roles of the account's active boards, or of some of them.
func (f *Feed) Spread(ctx context.Context, a account.Account, boardIDs []string) (Spread, error) {
	if slices.ContainsFunc(boardIDs, func(id string) bool { return !boardwatch.ValidID(id) }) {
		return Spread{}, boardwatch.NotFound("board")
	}
	shares, err := f.store.Shares(ctx, a.ID, boardIDs)
	if err != nil {
		return Spread{}, fmt.Errorf("count roles by department and place: %w", err)
	}
	byDepartment, byPlace, cells := map[string]int{}, map[string]int{}, map[[2]string]int{}
	for _, s := range shares {
		byDepartment[s.Department] += s.Open
		for place := range strings.SplitSeq(s.Location, "; ") {
			byPlace[place] += s.Open
			cells[[2]string{s.Department, place}] += s.Open
		}
	}
	return Spread{largestFirst(byDepartment), largestFirst(byPlace), cells}, nil
}

func largestFirst(counts map[string]int) []Part {
	parts := make([]Part, 0, len(counts))
	for name, open := range counts {
		parts = append(parts, Part{name, open})
	}
	slices.SortFunc(parts, func(a, b Part) int { return cmp.Or(cmp.Compare(b.Open, a.Open), cmp.Compare(a.Name, b.Name)) })
	return parts
}

// MedianStay returns the median time that the closed roles of a board were open, and the number of these roles.
func (f *Feed) MedianStay(ctx context.Context, a account.Account, boardID string) (stay time.Duration, closed int, err error) {
	stay, closed, err = f.store.MedianStay(ctx, a.ID, boardID)
	return stay, closed, boardwatch.Wrap("measure how long roles were open", err)
}

// Closed lists the roles on the account's active boards that were closed, most recently closed first. A filter that is
// out of bounds is an invalid_request error.
func (f *Feed) Closed(ctx context.Context, a account.Account, filter ClosedFilter) (JobPage, error) {
	var wrong []boardwatch.FieldError
	if filter.BoardID != "" && !boardwatch.ValidID(filter.BoardID) {
		wrong = append(wrong, boardwatch.FieldError{Field: "boardId", Message: MustBeID})
	}
	if filter.Limit < 0 || filter.Limit > MaxLimit {
		wrong = append(wrong, boardwatch.FieldError{Field: "limit", Message: MustBeFrom(0, MaxLimit)})
	}
	if filter.Skip < 0 || filter.Skip > MaxSkip {
		wrong = append(wrong, boardwatch.FieldError{Field: "skip", Message: MustBeFrom(0, MaxSkip)})
	}
	if err := boardwatch.InvalidFields(wrong); err != nil {
		return JobPage{}, err
	}
	page, err := f.store.ClosedJobs(ctx, a.ID, filter)
	return page, boardwatch.Wrap("list closed roles", err)
}
