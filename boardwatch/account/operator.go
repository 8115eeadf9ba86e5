package account

import (
	"context"
	"fmt"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// Operator answers what an operator of the installation asks. To everybody else nothing of it exists.
type Operator struct {
	store boardwatch.OperatorStore
}

// NewOperator returns an Operator.
func NewOperator(store boardwatch.OperatorStore) *Operator { return &Operator{store: store} }

// Figures counts what there is. For an account that is not an operator's it is a not_found error.
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
