package boardwatch

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch/cause"
)

// Check is one reading compared and saved. A run of further checks that changed nothing is kept with it.
type Check struct {
	ID        string
	BoardID   string
	At        time.Time
	Health    Health
	Cause     cause.Cause // why the check is not ok; empty if there is nothing to explain
	Reason    string      // the same as a sentence
	BlockedBy string
	OpenJobs  int // after the check
	Found     int // new and reopened roles
	Reopened  int // those of Found that were closed before
	Closed    int
	Updated   int // roles of which something shown has changed
	Missed    int // roles that it did not show, if that counts towards closing them
	Requests  int
	// First says that the check is the first reading of its board, or the first healthy one, so it is unknown which of
	// its roles are new.
	First bool

	Repeats int       // checks that followed and changed nothing
	LastAt  time.Time // the last of them; zero if there was none

	Event CheckEvent // a special event in the check; usually empty
}

type checkJSON struct {
	ID        string       `json:"id"`
	BoardID   string       `json:"boardId"`
	At        timestamp    `json:"at"`
	Health    Health       `json:"health"`
	Cause     *cause.Cause `json:"cause"`
	Reason    *string      `json:"reason"`
	BlockedBy *string      `json:"blockedBy"`
	OpenJobs  int          `json:"openJobs"`
	Found     int          `json:"found"`
	Reopened  int          `json:"reopened"`
	Closed    int          `json:"closed"`
	Updated   int          `json:"updated"`
	Missed    int          `json:"missed"`
	Requests  int          `json:"requests"`
	First     bool         `json:"first"`
	Repeats   int          `json:"repeats"`
	LastAt    *timestamp   `json:"lastAt"`
	Event     *CheckEvent  `json:"event"`
}

// Repeating reports whether the check adds nothing to the previous one, which left that state. A store adds it to the
// run of the previous one (Repeats, LastAt) instead of storing it separately. A check that missed a role is stored,
// because the history of the role names it.
func (c Check) Repeating(last BoardState) bool {
	return !last.LastCheckedAt.IsZero() && c.Found+c.Closed+c.Updated+c.Missed == 0 && c.Event == "" &&
		c.Health == last.Health && c.Cause == last.Cause
}

// MarshalJSON writes every field; fields that do not apply are null.
func (c Check) MarshalJSON() ([]byte, error) {
	return json.Marshal(checkJSON{
		c.ID, c.BoardID, timestamp(c.At), c.Health, orNull(c.Cause), orNull(c.Reason), orNull(c.BlockedBy), c.OpenJobs, c.Found, c.Reopened,
		c.Closed, c.Updated, c.Missed, c.Requests, c.First, c.Repeats, timeOrNull(c.LastAt), orNull(c.Event),
	})
}

// CheckInput is everything that a decision about a check needs, read in the same transaction that will save the
// decision.
type CheckInput struct {
	Now         time.Time // the stamp of this check: no reader has been promised anything at or after it
	Board       Board
	Known       []Job               // the board's jobs, open and closed; with an Unchanged reading, the jobs that it lacks are enough
	Subscribers []Subscription      // active ones
	Webhooks    []Webhook           // enabled, of active subscribers whose plan has webhooks
	Listeners   []Listener          // enabled channels of active subscribers
	Fold        func(string) string // the form in which texts are compared; needed if there are listeners
	// HasWords reports whether the text of a role has words, each of them at least by its beginning; needed if there are listeners.
	HasWords func(j Job, words string) bool

	// Testimonies are what the own pages of roles said that ToAsk has named, by the id of the job; nil if nobody asks
	// them, and then a list is trusted alone.
	Testimonies map[string]Testimony

	// Room is how much the check may add to the store, as CheckResult.Grown counts; nil means no limit.
	Room *int
	// Reserve is how much of Room is left to roles: facts and texts do not use it.
	Reserve int
	// Weigh returns how much a text adds to the store; needed if there is a limit.
	Weigh func(text string) int

	rules Rules
}

// missing returns the open jobs that the last healthy reading lacked.
func (in CheckInput) missing() []Job {
	if in.Board.State.Missing == 0 {
		return nil
	}
	missing := make([]Job, 0, in.Board.State.Missing)
	for _, j := range in.Known {
		if j.Status == JobOpen && !j.LastSeenAt.Equal(in.Board.State.LastSuccessAt) {
			missing = append(missing, j)
		}
	}
	return missing
}

// CheckResult is what a check changes. A store saves all of it or nothing.
type CheckResult struct {
	Check      Check
	Board      Board // status, identity, counters, state and next check as they are afterwards
	Change     Change
	Payloads   []Payload
	Deliveries []Delivery
	Grown      int // how much this adds to the store, in bytes; an estimate that is hardly ever too low
}

// Jobs returns all jobs of the board after the check decided on in, for programs that keep them as a list. Jobs that
// were seen again unchanged are in no list of the Change, but the time that they were last seen moves.
func (r CheckResult) Jobs(in CheckInput) []Job {
	now := make(map[string]Job)
	for _, list := range [][]Job{r.Change.Reopened, r.Change.Closed, r.Change.Updated, r.Change.Touched} {
		for _, j := range list {
			now[j.ID] = j
		}
	}
	jobs := make([]Job, 0, len(in.Known)+len(r.Change.Found))
	for _, j := range in.Known {
		if changed, ok := now[j.ID]; ok {
			j = changed
		} else if j.Status == JobOpen && j.LastSeenAt.Equal(in.Board.State.LastSuccessAt) {
			j.LastSeenAt = r.Board.State.LastSuccessAt
		}
		jobs = append(jobs, j)
	}
	return append(jobs, r.Change.Found...)
}

// Decide turns a reading into everything that its check changes. It contains every decision of boardwatch about a
// board: it judges the reading, compares it with the known jobs, creates the deliveries, and plans the next check.
// fleetHold says that so many boards of the same hosted system turned sick that nothing may be closed on it.
//
// A reading that is Unchanged shows the roles of the last healthy one, whatever Known holds: only those that it lacked are
// still missing.
func Decide(in CheckInput, r Reading, fleetHold bool, rules Rules, newID func() string) CheckResult {
	b := in.Board
	if r.Unchanged && b.State.Fingerprint == "" {
		// An answer that was not requested: there is nothing to compare it with.
		r = Failed(cause.Internal, "the reader answered \"unchanged\" without having been asked")
	}
	if r.Unchanged {
		in.Known = in.missing()
		r.unnamed = max(0, b.OpenJobs-len(in.Known))
	}
	in.rules = rules
	who := in.identify(r)
	r = in.withinRoom(who, r)
	in.Board.State.rememberReturns(who, r, in.Now)
	in.Board.State.rememberReposts(who, in.Now)
	verdict, state := in.judge(who, r, fleetHold, rules)
	change := diff(in, who, r, verdict, newID)
	change.BoardID = b.ID
	if state.Gain != nil {
		change.Found, change.Reopened = nil, nil // until another reading shows them again
		if state.Gain.Other {
			change.Updated = nil
		}
	}
	state.Missing = change.Missing
	if verdict.Health == HealthOK && !r.Unchanged {
		state.SetHash = r.SetHash()
	}
	if verdict.Health == HealthOK && verdict.FleetHold && change.Missing > 0 {
		state.Cause = cause.SystemSick
		state.Reason = "many boards of " + b.System() + " are sick at the moment: roles that are not listed do not count as closed"
	}

	if verdict.Health.Read() {
		b.Status = BoardReady
		if r.Company != "" && state.Gain == nil {
			b.Company = r.Company
		}
		if r.Domain != "" {
			b.Domain = r.Domain
		}
	} else {
		b.Status = BoardFailed
	}
	if b.Lost() && verdict.Health != HealthOK {
		state.UnknownRuns = max(state.UnknownRuns, b.State.UnknownRuns) // until the next healthy reading
	}
	var event CheckEvent
	if r.Recipe != "" && verdict.Health.Read() {
		if event = EventRecipeHealed; b.Recipe == "" {
			event = EventRecipeTaught
		}
		b.Recipe = r.Recipe
	}
	b.State = state
	b.OpenJobs += len(change.Found) + len(change.Reopened) - len(change.Closed)
	b.ClosedJobs += len(change.Closed) - len(change.Reopened)
	b.NextCheckAt = NextCheck(b, in.Now)
	for _, list := range [][]Job{change.Found, change.Reopened, change.Updated, change.Touched, change.Closed, change.Missed} {
		for i := range list {
			list[i].BoardID, list[i].Company = b.ID, b.Company
		}
	}

	check := Check{
		ID: newID(), BoardID: b.ID, At: in.Now, Health: verdict.Health, Cause: state.Cause, Reason: state.Reason, BlockedBy: r.BlockedBy,
		OpenJobs: b.OpenJobs, Found: len(change.Found) + len(change.Reopened), Closed: len(change.Closed),
		Updated: len(change.Updated), Reopened: len(change.Reopened), Missed: change.Counted, Requests: r.Requests, Event: event,
		First: in.first(verdict.Health),
	}
	b.State.countAbsence(check, rules)
	result := in.told(CheckResult{Check: check, Board: b, Change: change}, MaxEventJobs, MaxToldRoles, newID)
	if in.Room != nil && result.Grown > *in.Room {
		result = in.told(result, 0, 0, newID)
	}
	return result
}

// told returns the result with what webhooks and channels are sent about it, with at most that many roles in each of the
// deliveries. They always say how many more there are.
func (in CheckInput) told(r CheckResult, inEvent, inMessage int, newID func() string) CheckResult {
	payloads, owed := deliveries(r.Board, r.Check, r.Change, in.Subscribers, in.Webhooks, inEvent, newID)
	told, messages := in.messages(r.Board, r.Check, r.Change, inMessage, newID)
	r.Payloads, r.Deliveries = slices.Concat(payloads, told), slices.Concat(owed, messages)
	r.Grown = in.grown(r)
	return r
}

// first reports whether a reading of that health finds roles that may have been there before: no role of the board is
// known yet, or none of its readings was complete.
func (in CheckInput) first(h Health) bool {
	return !in.Board.WasRead() && h.Read() || in.Board.State.LastSuccessAt.IsZero() && h == HealthOK
}

// countAbsence remembers a check whose absences count, for the history of the roles that they close.
func (s *BoardState) countAbsence(c Check, rules Rules) {
	if c.Missed == 0 {
		if c.Health == HealthOK && s.Missing == 0 {
			s.Absences = nil
		}
		return
	}
	s.Absences = append(slices.Clone(s.Absences), Absence{CheckID: c.ID, At: c.At})
	s.Absences = s.Absences[max(0, len(s.Absences)-rules.closeAfter()):]
}

// Claim is the right to check one board until its lease ends.
type Claim struct {
	Board Board
	At    time.Time // the store's clock when the claim was made
	// Token fences the claim: a save under it only counts if nobody else has saved or claimed the board since.
	Token string
	// Unchanged is set by the caller if the board answered as in its last healthy check. Then nothing has to be decided
	// about the roles in that answer, and the Known that SaveCheck passes on contains only the open ones that it lacks.
	Unchanged bool
	// Listed is set by the caller to the keys of all rows that the board showed. SaveCheck then passes on only the
	// closed roles among them and, if there are unknown keys, those that closed within ReopenWithin of At, because no others
	// can have reopened. Nil means all closed roles.
	Listed []string
	// Texts is set by the caller to the texts of the roles that the board showed, so that SaveCheck can prepare new ones before
	// its transaction begins. It is not needed.
	Texts []string
	// Demand is the demand that the claim serves; without one, its BoardID is empty.
	Demand Demand
}

// ClaimKind says why the boards of a claim are due. The empty kind is for all boards; those checked on demand come first.
type ClaimKind string

// The kinds of claims.
const (
	ClaimDemanded  ClaimKind = "demanded"  // boards checked on demand, as chosen by ClaimFilter.Demands
	ClaimScheduled ClaimKind = "scheduled" // boards that are due by schedule, and not on demand
)

// ClaimFilter says which boards a claim is for. The zero value is for all boards.
type ClaimFilter struct {
	Only   []string // systems (Board.System) whose boards are claimed; empty means all. Not for ClaimDemanded
	Except []string // systems whose boards are left to others, and stay due. Not for ClaimDemanded
	Kind   ClaimKind
	// UnderWay, for ClaimDemanded, are the demands that the caller is still working on, whether their leases are valid
	// or not.
	UnderWay []Demand
}

// Admits reports whether the boards of a system may be claimed.
func (f ClaimFilter) Admits(system string) bool {
	return (len(f.Only) == 0 || slices.Contains(f.Only, system)) && !slices.Contains(f.Except, system)
}

// CheckStore is what watching boards needs from a store.
type CheckStore interface {
	// ClaimDue leases up to n due boards that the filter admits: first those checked on demand, then the longest
	// overdue. Nobody else gets them until the lease ends. It returns fewer than n only if no more are due, or if
	// others are claiming them at this moment. Boards that the filter excludes cost next to nothing, however many of
	// them are due. Claims of the kind ClaimDemanded are chosen by ClaimFilter.Demands; their cost does not depend on
	// the number of demands of one account.
	ClaimDue(ctx context.Context, n int, lease time.Duration, f ClaimFilter) ([]Claim, error)
	// RenewClaims extends the leases of claims while the work under them goes on, and returns those that no longer
	// hold: somebody else has saved or claimed the board, nobody actively tracks it anymore, or it is gone. An expired
	// lease is valid again if nobody has claimed the board since.
	RenewClaims(ctx context.Context, claims []Claim, lease time.Duration) (lost []Claim, err error)
	// SaveUnchanged records a healthy check that changed nothing, and when to look again: one row. Nothing but the call
	// of saved waits for that, so a store may save many of them together. It calls saved once with the outcome, at once
	// or later, and from any goroutine. If the board's cadence is no longer that of the claim, NextCheck decides. The
	// outcome is ErrLeaseLost if the claim no longer holds.
	SaveUnchanged(ctx context.Context, c Claim, fingerprint string, next time.Time, saved func(error))
	// SaveCheck loads the input of the decision, calls decide once, and saves its result, all in one transaction.
	// The stamp that decide is given is safe for the polling promise, and later than that of the board's last check.
	// decide must not block; if it panics, nothing is saved and the claim stays valid. A check that repeats the last
	// one (Check.Repeating) joins its entry in the history. A check does not change who tracks the board or how it is
	// accessed: the store keeps Cadence and State.Access as they are, and does not schedule a board that nobody tracks.
	// After decide was called, the end of ctx stops nothing. If the claim no longer holds, SaveCheck saves nothing and
	// returns ErrLeaseLost.
	SaveCheck(ctx context.Context, c Claim, decide func(CheckInput) CheckResult) error
	// Resolve records the source that a pending board is read from. If that source already has a board, the two merge:
	// subscriptions move, an account that had both keeps the older place, and the pending board's id stays valid as an
	// alias of the survivor. Merge decides what happens to the roles of a board that was read under another source, and
	// its result is saved in the same transaction. Closed roles, checks and changes move unchanged, and changes of
	// roles that end refer to the roles that continue them. The subscription of an account that did not actively track
	// the survivor gets the merge's moment as AsOf. Resolve returns the board to continue with, under the same claim;
	// after a merge the claim is spent and merged is true.
	Resolve(ctx context.Context, c Claim, found Board) (resolved Claim, merged bool, err error)
	// OpenJobs returns a board's open roles, for repairing its recipe (see Healer) and for asking the pages of those that
	// are about to close (see ToAsk). The id may be an alias.
	OpenJobs(ctx context.Context, boardID string) ([]Job, error)
	// Release gives a claim back unused, so that the board is due again at once.
	Release(ctx context.Context, c Claim) error
	// FleetReadings returns the last check of every board of the hosted systems that was checked since then, and of every
	// one that is sick (SickSince) and that somebody tracks (Cadence), however long ago it was checked. If since is zero,
	// only the sick ones are wanted; that question is asked often and has to be cheap.
	FleetReadings(ctx context.Context, since time.Time) ([]FleetReading, error)
	// NextDue returns when the next board falls due that nobody has leased; zero if there is none.
	NextDue(ctx context.Context) (time.Time, error)
}

// SoleClaimer is an optional interface of a CheckStore.
type SoleClaimer interface {
	// ClaimsAlone reports whether only one process at a time claims boards. Such a process knows the last check of every
	// board from its own work, and asks for FleetReadings less often.
	ClaimsAlone() bool
}
