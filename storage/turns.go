package storage

import (
	"context"
	"sync"
)

// turns admit callers with the same key one after the other. Callers that would wait for the same row of the database
// wait here instead, where they do not occupy a connection. The zero value works.
type turns struct {
	mu     sync.Mutex
	queues map[string]*turn
}

// turn is the queue of a key.
type turn struct {
	free  chan struct{} // holds a token while nobody has the turn
	users int           // having the turn or waiting for it; the queue is removed with the last one
}

// take waits for the key's turn, or for the end of ctx. done passes it on to the next caller.
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
