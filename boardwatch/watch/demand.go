package watch

import (
	"sync"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// demands are the running checks on demand. They get at most half of the places, so that scheduled checks always have
// the other half. The store chooses which of them come next.
type demands struct {
	most  int           // the most running checks on demand
	freed chan struct{} // signals that one has ended

	mu    sync.Mutex
	looks map[holdingKey]boardwatch.Demand
}

func newDemands(concurrency int) *demands {
	return &demands{most: max(1, concurrency/2), freed: make(chan struct{}, 1), looks: make(map[holdingKey]boardwatch.Demand)}
}

// enter records that a claim is on its way to a worker.
func (d *demands) enter(c boardwatch.Claim) {
	if c.Demand.BoardID == "" {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.looks[keyOf(c)] = c.Demand
}

// leave records that a check is over.
func (d *demands) leave(c boardwatch.Claim) {
	if c.Demand.BoardID == "" {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.looks, keyOf(c))
	signal(d.freed)
}

// room returns how many more may begin, and the running ones.
func (d *demands) room() (n int, underWay []boardwatch.Demand) {
	d.mu.Lock()
	defer d.mu.Unlock()
	underWay = make([]boardwatch.Demand, 0, len(d.looks))
	for _, look := range d.looks {
		underWay = append(underWay, look)
	}
	return d.most - len(underWay), underWay
}
