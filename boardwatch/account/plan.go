package account

import (
	"strconv"
	"strings"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// PlanName is the name of a plan.
type PlanName string

// The plans.
const (
	PlanFree  PlanName = "free"
	PlanPro   PlanName = "pro"
	PlanUltra PlanName = "ultra"
)

// PlanNames are all plans, smallest first.
func PlanNames() []PlanName { return []PlanName{PlanFree, PlanPro, PlanUltra} }

// Fault says what is wrong with the name of a plan. It is empty if nothing is.
func (p PlanName) Fault() string {
	names := make([]string, 0, len(PlanNames()))
	for _, known := range PlanNames() {
		if p == known {
			return ""
		}
		names = append(names, string(known))
	}
	last := len(names) - 1
	return "must be " + strings.Join(names[:last], ", ") + " or " + names[last]
}

// Plan is what an account may do.
type Plan struct {
	Boards   int           // how many subscriptions are active; further ones are kept but locked
	Cadence  time.Duration // how often its boards are read
	REST     bool
	MCP      bool
	Webhooks bool
}

// Listed returns how many boards a list may hold, active and locked.
func (p Plan) Listed() int { return max(100, 10*p.Boards) }

// ListFull returns the error for adding a board to a full list.
func (p Plan) ListFull() error {
	return boardwatch.Invalid("url", "does not fit on the list, which holds at most "+strconv.Itoa(p.Listed())+" boards on this plan; remove one first")
}

// Plans are the allowances of every plan.
type Plans map[PlanName]Plan

// DefaultPlans returns the documented plans.
func DefaultPlans() Plans {
	return Plans{
		PlanFree:  {Boards: 5, Cadence: 24 * time.Hour, MCP: true},
		PlanPro:   {Boards: 50, Cadence: 6 * time.Hour, REST: true, MCP: true},
		PlanUltra: {Boards: 500, Cadence: time.Hour, REST: true, MCP: true, Webhooks: true},
	}
}

// Cadence returns the interval at which a board is read: that of the fastest plan among its active subscribers. Zero
// means that nobody actively tracks the board.
func Cadence(subs []boardwatch.Subscription, plans Plans) time.Duration {
	var fastest time.Duration
	for _, s := range subs {
		if s.Locked {
			continue
		}
		if c := plans[PlanName(s.Plan)].Cadence; c > 0 && (fastest == 0 || c < fastest) {
			fastest = c
		}
	}
	return fastest
}
