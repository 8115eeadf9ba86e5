package boardwatch

import "time"

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

// Plan is what an account on it may do.
type Plan struct {
	Boards   int           // how many subscriptions are active; further ones are kept, locked
	Cadence  time.Duration // how often its boards are read
	REST     bool
	MCP      bool
	Webhooks bool
}

// Plans holds every plan's allowances.
type Plans map[PlanName]Plan

// DefaultPlans are the plans as documented.
func DefaultPlans() Plans {
	return Plans{
		PlanFree:  {Boards: 5, Cadence: 24 * time.Hour, MCP: true},
		PlanPro:   {Boards: 50, Cadence: 6 * time.Hour, REST: true, MCP: true},
		PlanUltra: {Boards: 500, Cadence: time.Hour, REST: true, MCP: true, Webhooks: true},
	}
}
