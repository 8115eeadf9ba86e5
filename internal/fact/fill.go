package fact

import (
	"cmp"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// Fill is f with what it does not state taken from other.
func Fill(f, other boardwatch.Facts) boardwatch.Facts {
	if f.Type == "" {
		f.Type, f.TypeText = other.Type, other.TypeText
	}
	if f.Pay.IsZero() {
		f.Pay = other.Pay
	}
	if len(f.Places) == 0 {
		f.Places = other.Places
	}
	f.PostedAt, f.UpdatedAt, f.ValidThrough = cmp.Or(f.PostedAt, other.PostedAt), cmp.Or(f.UpdatedAt, other.UpdatedAt), cmp.Or(f.ValidThrough, other.ValidThrough)
	f.Mode, f.Requisition, f.Language = cmp.Or(f.Mode, other.Mode), cmp.Or(f.Requisition, other.Requisition), cmp.Or(f.Language, other.Language)
	return f
}
