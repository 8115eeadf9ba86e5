package account

import (
	"context"
	"fmt"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// Operator answers the requests of operators. For everybody else, none of it exists.
type Operator struct {
	store boardwatch.OperatorStore
}

// NewOperator returns an Operator.
func NewOperator(store boardwatch.OperatorStore) *Operator { return &Operator{store: store} }

// Figures returns the numbers for operators. For an account that is not an operator's it is a not_found error.
func (o *Operator) Figures(ctx context.Context, by boardwatch.Account) (boardwatch.Figures, error) {
	if !by.Admin {
		return boardwatch.Figures{}, boardwatch.NotFound("page")
	}
	f, err := o.store.Figures(ctx)
	if err != nil {
		return boardwatch.Figures{}, fmt.Errorf("count figures: %w", err)
	}
	return f, nil
}

// reportsShown is how many reports operators see.
const reportsShown = 50

// Misreads lists the newest reports of misread boards. Only operators may ask, as for Figures.
func (o *Operator) Misreads(ctx context.Context, by boardwatch.Account) ([]boardwatch.MisreadReport, error) {
	if !by.Admin {
		return nil, boardwatch.NotFound("page")
	}
	return o.store.Misreads(ctx, reportsShown)
}

// DropMisreads deletes the reports about a board. Only operators may ask, as for Figures.
func (o *Operator) DropMisreads(ctx context.Context, by boardwatch.Account, boardID string) error {
	if _, err := o.Board(ctx, by, boardID); err != nil {
		return err
	}
	return o.store.DropMisreads(ctx, boardID)
}

// Board returns any board. Only operators may ask, as for Figures.
func (o *Operator) Board(ctx context.Context, by boardwatch.Account, boardID string) (boardwatch.Board, error) {
	if !by.Admin || !boardwatch.ValidID(boardID) {
		return boardwatch.Board{}, boardwatch.NotFound("board")
	}
	return o.store.Board(ctx, boardID)
}

// AskLesson asks what a board's page shows, and what would be read of it by a recipe made of examples. See Figures for who
// may ask.
func (o *Operator) AskLesson(ctx context.Context, by boardwatch.Account, l boardwatch.Lesson) error {
	if _, err := o.Board(ctx, by, l.BoardID); err != nil {
		return err
	}
	return o.store.AskLesson(ctx, l)
}

// Lesson is the last question about a board, with the answer when there is one; a not_found error when nothing was asked. See
// Figures for who may ask.
func (o *Operator) Lesson(ctx context.Context, by boardwatch.Account, boardID string) (boardwatch.Lesson, error) {
	if _, err := o.Board(ctx, by, boardID); err != nil {
		return boardwatch.Lesson{}, err
	}
	return o.store.Lesson(ctx, boardID)
}

// UseLesson has the board read by the recipe that its last lesson made, and forgets the reports about it: they are of how it
// was read until now. asked is when the lesson was asked whose answer was shown; another one is an invalid_request error.
// See Figures for who may ask.
func (o *Operator) UseLesson(ctx context.Context, by boardwatch.Account, boardID string, asked time.Time) error {
	l, err := o.Lesson(ctx, by, boardID)
	switch {
	case err != nil:
		return err
	case !l.AskedAt.Equal(asked) || !l.Done || l.Recipe == "":
		return boardwatch.Invalid("recipe", "is not the one that was shown; look at the page again")
	}
	if err := o.store.SetRecipe(ctx, boardID, l.Recipe); err != nil {
		return err
	}
	return o.store.DropMisreads(ctx, boardID)
}

// ClearRecipe removes the recipe of a board, so that its roles are found without one. Only operators may ask, as for
// Figures.
func (o *Operator) ClearRecipe(ctx context.Context, by boardwatch.Account, boardID string) error {
	if _, err := o.Board(ctx, by, boardID); err != nil {
		return err
	}
	return o.store.SetRecipe(ctx, boardID, "")
}
