package ats

import "context"

// Progress is how far the reading of a board is.
type Progress struct {
	// Details is false while the list is read, and true while the pages of single roles are.
	Details bool
	// Done is how many roles were read, and Total how many there are; 0 while nothing says that.
	Done, Total int
}

// progressKey is the key of the function in a context that is told of the progress.
type progressKey struct{}

// WithProgress has readings with the context tell how far they are, from the goroutine that reads.
func WithProgress(ctx context.Context, tell func(Progress)) context.Context {
	return context.WithValue(ctx, progressKey{}, tell)
}

// tellProgress reports how far a reading is, if the context has a function for it.
func tellProgress(ctx context.Context, p Progress) {
	if tell, ok := ctx.Value(progressKey{}).(func(Progress)); ok {
		tell(p)
	}
}

// partOf is a context for reading a part of a list of which so many roles were read before: progress is that of the whole.
func partOf(ctx context.Context, before, total int) context.Context {
	tell, ok := ctx.Value(progressKey{}).(func(Progress))
	if !ok {
		return ctx
	}
	return WithProgress(ctx, func(p Progress) {
		if !p.Details {
			p.Done, p.Total = before+p.Done, max(total, before+p.Done)
		}
		tell(p)
	})
}
