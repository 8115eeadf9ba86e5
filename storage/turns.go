package storage

import (
	"context"
	"sync"
)

// turns let callers with the same key in one after the other. What would wait for the same row of the database waits
// here, where it keeps no connection from others. The zero value works.
type turns struct {
	mu     sync.Mutex
	queues map[string]*turn
}

// turn is the queue of a key.
type turn struct {
	free  chan struct{} // holds a token while nobody is in
	users int           // in or waiting; the queue goes with the last one
}

// take waits for the key's turn, or for the end of ctx. done gives it to the next one.
func (t *turns) take(ctx context.Context, key string) (done func(), err error) {
	t.mu.Lock()
	q := t.queues[key]
	if q == nil {
		if t.queues == nil {
			t.queues = map[string]*turn{}
		}
		q = &turn{free: make(chan struct{}, 1)}
		q.free <- struct{}{}
		t.queues[key] = q
	}
	q.users++
	t.mu.Unlock()
	select {
	case <-q.free:
		return func() {
			q.free <- struct{}{}
			t.leave(key, q)
		}, nil
	case <-ctx.Done():
		t.leave(key, q)
		return nil, ctx.Err()
	}
}

func (t *turns) leave(key string, q *turn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if q.users--; q.users == 0 {
		delete(t.queues, key)
	}
}
