package account

import (
	"context"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// Operator answers the requests of operators. For everybody else it returns not_found errors.
type Operator struct {
	store OperatorStore
}

// NewOperator returns an Operator.
func NewOperator(store OperatorStore) *Operator { return &Operator{store: store} }

// Figures returns the numbers for operators. For an account that is not an operator's it is a not_found error.
func (o *Operator) Figures(ctx context.Context, by Account) (Figures, error) {
	if !by.Admin {
		return Figures{}, boardwatch.NotFound("page")
	}
	f, err := o.store.Figures(ctx)
	return f, boardwatch.Wrap("count figures", err)
}

// Returned lists the boards on which roles were there again soon after they had closed. Only operators may ask, as for Figures.
func (o *Operator) Returned(ctx context.Context, by Account) ([]ReturnedBoard, error) {
	if !by.Admin {
		return nil, boardwatch.NotFound("page")
	}
	boards, err := o.store.Returned(ctx)
	return boards, boardwatch.Wrap("list returned boards", err)
}

// Usage returns how these accounts are used, by id. Only operators may ask, as for Figures.
func (o *Operator) Usage(ctx context.Context, by Account, accountIDs []string) (map[string]Usage, error) {
	if !by.Admin {
		return nil, boardwatch.NotFound("page")
	}
	usage, err := o.store.Usage(ctx, accountIDs)
	return usage, boardwatch.Wrap("read usage", err)
}

// reportsShown is how many reports operators see.
const reportsShown = 50

// Misreads lists the newest reports of misread boards that wait for an answer. Only operators may ask, as for Figures.
func (o *Operator) Misreads(ctx context.Context, by Account) ([]MisreadReport, error) {
	if !by.Admin {
		return nil, boardwatch.NotFound("page")
	}
	return o.store.Misreads(ctx, reportsShown)
}

// AnswerMisreads answers the reports about a board, in a sentence or without words. Who reported sees the answer. Only
// operators may, as for Figures.
func (o *Operator) AnswerMisreads(ctx context.Context, by Account, boardID, answer string) error {
	if _, err := o.Board(ctx, by, boardID); err != nil {
		return err
	}
	answer, err := cleanAnswer(answer)
	if err != nil {
		return err
	}
	return o.store.AnswerMisreads(ctx, boardID, answer)
}

// Board returns any board. Only operators may ask, as for Figures.
func (o *Operator) Board(ctx context.Context, by Account, boardID string) (boardwatch.Board, error) {
	if !by.Admin || !boardwatch.ValidID(boardID) {
		return boardwatch.Board{}, boardwatch.NotFound("board")
	}
	return o.store.Board(ctx, boardID)
}

// AskLesson asks what a board's page shows, and what a recipe made from examples would read. See Figures for who
// may ask.
func (o *Operator) AskLesson(ctx context.Context, by Account, l boardwatch.Lesson) error {
	if _, err := o.Board(ctx, by, l.BoardID); err != nil {
		return err
	}
	return o.store.AskLesson(ctx, l)
}

// Lesson returns the last question about a board, with the answer if there is one; a not_found error if nothing was
// asked. See Figures for who may ask.
func (o *Operator) Lesson(ctx context.Context, by Account, boardID string) (boardwatch.Lesson, error) {
	if _, err := o.Board(ctx, by, boardID); err != nil {
		return boardwatch.Lesson{}, err
	}
	return o.store.Lesson(ctx, boardID)
}

// relearned answers the reports about a board whose roles are read in another way from now on.
const relearned = "The way this page is read has been corrected."

// UseLesson saves the recipe of the board's last lesson, and answers the reports about the board. asked is the time of the question whose answer was shown; a later question is an
// invalid_request error. See Figures for who may ask.
func (o *Operator) UseLesson(ctx context.Context, by Account, boardID string, asked time.Time) error {
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
	return o.store.AnswerMisreads(ctx, boardID, relearned)
}

// ClearRecipe removes the recipe of a board, so that its roles are found without one. Only operators may ask, as for
// Figures.
func (o *Operator) ClearRecipe(ctx context.Context, by Account, boardID string) error {
	if _, err := o.Board(ctx, by, boardID); err != nil {
		return err
	}
	return o.store.SetRecipe(ctx, boardID, "")
}
