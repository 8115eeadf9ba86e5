package account

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// Door is an interface that programs use.
type Door string

// The doors that have a gate.
const (
	DoorREST Door = "rest"
	DoorMCP  Door = "mcp"
)

// Caller is the account that makes a request.
type Caller struct {
	Account Account
	Key     APIKey // the zero value: the caller has no key

	Grant  Grant   // the zero value: the caller has no token
	Scopes []Scope // what the token covers
}

// May reports whether the caller's token includes the scope.
func (c Caller) May(s Scope) bool { return slices.Contains(c.Scopes, s) }

// GateStore is what a Gate needs from a store. Its answers are never cached, so a change in one process takes effect in
// all of them at once.
type GateStore interface {
	boardwatch.RateStore
	// KeyByHash finds the key and its account, or a not_found error.
	KeyByHash(ctx context.Context, hash string) (APIKey, Account, error)
}

// Gate decides who a caller is and whether they may enter. Interfaces ask in this order: who is it (ByKey), may the
// account enter at all (Admit), does its budget allow the request (Spend). It may be used concurrently.
type Gate struct {
	store GateStore
	plans Plans
}

// NewGate returns a Gate.
func NewGate(store GateStore, o Options) *Gate {
	return &Gate{store: store, plans: o.withDefaults().Plans}
}

// ByKey finds the caller to whom a key's secret belongs. An unknown secret is an unauthorized error.
func (g *Gate) ByKey(ctx context.Context, secret string) (Caller, error) {
	if !ValidAPIKey(secret) {
		return Caller{}, unknownKey()
	}
	key, owner, err := g.store.KeyByHash(ctx, HashSecret(secret))
	if boardwatch.CodeOf(err) == boardwatch.CodeNotFound {
		return Caller{}, unknownKey()
	}
	if err != nil {
		return Caller{}, fmt.Errorf("find key: %w", err)
	}
	return Caller{Account: owner, Key: key}, nil
}

// Admit lets an account in whose e-mail address is confirmed and whose plan includes the door. Otherwise it is an
// email_not_verified error or else a plan_required error.
func (g *Gate) Admit(a Account, d Door) error {
	if !a.Verified {
		return &boardwatch.Error{
			Code:    boardwatch.CodeEmailNotVerified,
			Message: "the account's e-mail address is not confirmed; follow the link in the message sent to it, then try again",
		}
	}
	plan := g.plans[a.Plan]
	included, what := plan.REST, "the REST API"
	if d == DoorMCP {
		included, what = plan.MCP, "MCP"
	}
	if !included {
		return &boardwatch.Error{
			Code:    boardwatch.CodePlanRequired,
			Message: "the plan " + string(a.Plan) + " does not include " + what + "; on a plan that does, the same request works",
		}
	}
	return nil
}

// Spend counts a request against the account's budget for that interface. A request over the budget is counted too, and
// is a rate_limited error that says how long to wait. Spend always returns the budget. A key that was deleted meanwhile
// is an unauthorized error.
func (g *Gate) Spend(ctx context.Context, c Caller, d Door) (boardwatch.Budget, error) {
	rate := RESTRate()
	if d == DoorMCP {
		rate = MCPRate()
	}
	b, err := g.store.Spend(ctx, c.Account.ID, c.Key.ID, rate)
	if boardwatch.CodeOf(err) == boardwatch.CodeNotFound {
		return boardwatch.Budget{}, unknownKey()
	}
	if err != nil {
		return boardwatch.Budget{}, fmt.Errorf("count request: %w", err)
	}
	return b, b.Refused("more than " + strconv.Itoa(rate.Limit) + " requests in the last minute")
}

func unknownKey() error {
	return &boardwatch.Error{Code: boardwatch.CodeUnauthorized, Message: "this key does not exist, or no longer"}
}
