// Package lesson answers a question that operators ask about the page of a board: what would a recipe made from these
// titles read? The questions are kept in the store, because the process that asks them is not allowed to read pages.
package lesson

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
)

// Options are the options of a Desk. The zero value is ready to use.
type Options struct {
	// Pause is the time between looking for questions. Zero means a second.
	Pause time.Duration
	// Timeout is the limit of one answer. Zero means two minutes.
	Timeout time.Duration
	// Log receives answers and failures. Nil means no log.
	Log *slog.Logger
}

// Store is what answering questions needs from a store.
type Store interface {
	// TakeLesson leases the lesson that has waited longest for an answer, together with its board. The BoardID is empty
	// if none waits. Nobody else gets the lesson until the lease expires.
	TakeLesson(ctx context.Context, lease time.Duration) (boardwatch.Lesson, boardwatch.Board, error)
	// AnswerLesson saves the answer, unless the lesson was asked again meanwhile.
	AnswerLesson(ctx context.Context, l boardwatch.Lesson) error
}

// Desk answers the questions in a store. It is safe for concurrent use, also by several processes on one store.
type Desk struct {
	store  Store
	source boardwatch.Instructor
	o      Options
}

// New returns a Desk that reads pages with the source.
func New(store Store, source boardwatch.Instructor, o Options) *Desk {
	if o.Pause <= 0 {
		o.Pause = time.Second
	}
	if o.Timeout <= 0 {
		o.Timeout = 2 * time.Minute
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Desk{store, source, o}
}

// Run answers questions, one at a time, until the context ends.
func (d *Desk) Run(ctx context.Context) error {
	tick := time.NewTicker(d.o.Pause)
	defer tick.Stop()
	failing := false
	for {
		answered, err := d.Answer(ctx)
		if err != nil && ctx.Err() == nil && !failing {
			d.o.Log.WarnContext(ctx, "questions about pages cannot be answered", slog.Any("error", err))
		}
		failing = err != nil
		if answered {
			continue
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// Answer answers the question that has waited longest. It reports false if none is waiting.
func (d *Desk) Answer(ctx context.Context) (bool, error) {
	// A question whose answer is not saved is taken again by somebody when the lease ends.
	l, b, err := d.store.TakeLesson(ctx, d.o.Timeout+time.Minute)
	if err != nil || l.BoardID == "" {
		return false, err
	}
	within, cancel := context.WithTimeout(ctx, d.o.Timeout)
	defer cancel()
	answered, err := d.instruct(within, b, l)
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	if err != nil {
		answered.Health, answered.Cause, answered.Reason = boardwatch.HealthFailed, boardwatch.CauseOf(err), err.Error()
		if within.Err() != nil {
			answered.Cause, answered.Reason = cause.Timeout, "the page could not be read within "+d.o.Timeout.String()
		}
	}
	if err := d.store.AnswerLesson(ctx, answered); err != nil {
		return false, fmt.Errorf("save the answer about board %s: %w", l.BoardID, err)
	}
	return true, nil
}

// instruct lets the source answer. If a source panics, only this page has failed.
func (d *Desk) instruct(ctx context.Context, b boardwatch.Board, l boardwatch.Lesson) (answered boardwatch.Lesson, err error) {
	defer func() {
		if p := recover(); p != nil {
			d.o.Log.ErrorContext(ctx, "reader panicked", slog.String("board_id", b.ID), slog.Any("panic", p))
			answered, err = l, errors.New("reading this page crashed, which is a bug in boardwatch")
		}
	}()
	return d.source.Instruct(ctx, b, l)
}
