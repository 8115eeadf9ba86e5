package watch

import (
	"sync"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// demands are the looks under way that somebody asked for. They have at most half of the places, so that the scheduled ones
// have the other half whatever is asked for. Which of them come next is for the store to choose.
type demands struct {
	most  int           // looks that may be under way
	freed chan struct{} // told when one has ended

	mu    sync.Mutex
	looks map[holdingKey]boardwatch.Demand
}

func newDemands(concurrency int) *demands {
	return &demands{most: max(1, concurrency/2), freed: make(chan struct{}, 1), looks: make(map[holdingKey]boardwatch.Demand)}
}

// enter notes that a claim is on its way to a worker.
func (d *demands) enter(c boardwatch.Claim) {
	if c.Demand.BoardID == "" {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.looks[keyOf(c)] = c.Demand
}

// leave notes that a look is over.
func (d *demands) leave(c boardwatch.Claim) {
	if c.Demand.BoardID == "" {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.looks, keyOf(c))
	select {
	case d.freed <- struct{}{}:
	default:
	}
}

// room is how many more looks may be made, and those that are under way.
func (d *demands) room() (n int, underWay []boardwatch.Demand) {
	d.mu.Lock()
	defer d.mu.Unlock()
	underWay = make([]boardwatch.Demand, 0, len(d.looks))
	for _, look := range d.looks {
		underWay = append(underWay, look)
	}
	return d.most - len(underWay), underWay
}
