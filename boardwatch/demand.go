package boardwatch

import (
	"net/url"
	"slices"
)

// Demand is a check on demand, ahead of the board's schedule. The first reading of an added board is one.
type Demand struct {
	BoardID   string
	AccountID string // who asked; empty: the operator
	Host      string // host and port of the board's address
}

// How many checks on demand run at a time, in all processes together. An account with many demands, or with boards on a
// slow host, does not delay others.
const (
	demandsPerAccount = 2
	demandsPerHost    = 1
)

// DemandHost is the host of a demand for a board with this address.
func DemandHost(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return address
	}
	return u.Host
}

// Demands chooses up to n of the waiting demands, given those whose boards are leased and those that are running
// according to the filter. An account's demands are met in the order in which they wait. Accounts take turns, in the
// order that perm returns for their number. By time alone, one account's long list for a host would delay all others.
func (f ClaimFilter) Demands(waiting, leased []Demand, n int, perm func(n int) []int) []Demand {
	under := make(map[string]bool)
	accounts, hosts := map[string]int{}, map[string]int{}
	take := func(d Demand) {
		under[d.BoardID] = true
		accounts[d.AccountID]++
		hosts[d.Host]++
	}
	for _, d := range slices.Concat(f.UnderWay, leased) {
		if !under[d.BoardID] {
			take(d)
		}
	}
	queues := demandsByAccount(waiting)
	order := perm(len(queues))
	var next []Demand
	for turn := range demandsPerAccount {
		for _, i := range order {
			if turn >= len(queues[i]) || len(next) >= n {
				continue
			}
			d := queues[i][turn]
			if under[d.BoardID] || accounts[d.AccountID] >= demandsPerAccount || hosts[d.Host] >= demandsPerHost {
				continue
			}
			take(d)
			next = append(next, d)
		}
	}
	return next
}

// DemandsLookedAt is how many of an account's oldest demands a store examines for ClaimFilter.Demands: those that may
// be running, and those that may be next.
const DemandsLookedAt = 2 * demandsPerAccount

// demandsByAccount returns the demands of each account, in order.
func demandsByAccount(demands []Demand) [][]Demand {
	var queues [][]Demand
	place := map[string]int{}
	for _, d := range demands {
		i, known := place[d.AccountID]
		if !known {
			i = len(queues)
			place[d.AccountID] = i
			queues = append(queues, nil)
		}
		queues[i] = append(queues[i], d)
	}
	return queues
}
