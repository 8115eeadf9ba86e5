package track

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/internal/redact"
)

// ImportResult is the result of an entry.
type ImportResult string

// The results of an entry.
const (
	ImportAdded    ImportResult = "added"
	ImportWouldAdd ImportResult = "would_add" // of a dry run
	ImportTracked  ImportResult = "already_tracked"
	ImportRefused  ImportResult = "refused"
)

// Imported is one entry of a list with its result.
type Imported struct {
	Line    int
	URL     string // as given; a password in it is not shown
	Result  ImportResult
	BoardID string // empty is null: nothing was added or, in a dry run, the board is not known yet
	Locked  bool   // past the plan's limit: listed, not read
	Reason  string // why it was refused; empty is null
}

// MarshalJSON writes every field, in the order of the struct.
func (i Imported) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Line    int          `json:"line"`
		URL     string       `json:"url"`
		Result  ImportResult `json:"result"`
		BoardID *string      `json:"boardId"`
		Locked  bool         `json:"locked"`
		Reason  *string      `json:"reason"`
	}{i.Line, i.URL, i.Result, orNull(i.BoardID), i.Locked, orNull(i.Reason)})
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// ImportOptions say how a list is imported. The zero value works.
type ImportOptions struct {
	DryRun bool           // say what would happen, and change nothing
	Report func(Imported) // called for each entry as soon as it is done; may be nil
}

// Import adds the boards of a list to the account's list, each separately: a refused one does not stop the others. It
// returns the result of each entry. An error means that the rest was not processed. An import counts as one change of
// the list, however long it is.
func (t *Tracker) Import(ctx context.Context, a account.Account, entries []Entry, o ImportOptions) ([]Imported, error) {
	add := t.importEntry
	if o.DryRun {
		dry, err := t.newDryRun(ctx, a)
		if err != nil {
			return nil, fmt.Errorf("import boards: %w", err)
		}
		add = dry.importEntry
	} else if err := t.spend(ctx, a); err != nil {
		return nil, err
	}
	done := make([]Imported, 0, len(entries))
	for _, e := range entries {
		i := Imported{Line: e.Line, URL: redact.WithoutPassword(e.Board.URL), Result: ImportRefused, Reason: e.Fault}
		if e.Fault == "" {
			if err := t.importTagged(ctx, a, e, &i, add, o.DryRun); err != nil {
				return done, fmt.Errorf("import line %d: %w", e.Line, err)
			}
		}
		done = append(done, i)
		if o.Report != nil {
			o.Report(i)
		}
	}
	return done, nil
}

// importTagged adds the board of an entry, and then its tags to those that the board has.
func (t *Tracker) importTagged(
	ctx context.Context, a account.Account, e Entry, i *Imported,
	add func(context.Context, account.Account, NewBoard, *Imported) error, dry bool,
) error {
	if _, err := boardwatch.Retagged(nil, e.Tags, nil); err != nil {
		return i.refuse(err)
	}
	if err := add(ctx, a, e.Board, i); err != nil || len(e.Tags) == 0 || i.BoardID == "" || dry {
		return err
	}
	_, err := t.Tag(ctx, a, i.BoardID, e.Tags, nil)
	if boardwatch.CodeOf(err) == boardwatch.CodeInvalidRequest {
		i.Reason = "the board has as many tags as it can have"
		return nil
	}
	return err
}

func (t *Tracker) importEntry(ctx context.Context, a account.Account, b NewBoard, i *Imported) error {
	r, err := t.read(b)
	if err != nil {
		return i.refuse(err)
	}
	added, err := t.add(ctx, a, b.trimmed(), r)
	if err != nil {
		return i.refuse(err)
	}
	i.Result, i.BoardID, i.Locked = ImportAdded, added.Board.ID, added.Locked
	return nil
}

// refuse records why an entry was not added. An error that is not about the entry ends the import.
func (i *Imported) refuse(err error) error {
	e, ok := errors.AsType[*boardwatch.Error](err)
	if !ok {
		return err
	}
	switch details := e.Details.(type) {
	case boardwatch.AlreadyTracked:
		i.Result, i.BoardID = ImportTracked, details.BoardID
	case []boardwatch.FieldError:
		sentences := make([]string, len(details))
		for n, d := range details {
			sentences[n] = subjectOf(d.Field) + " " + d.Message
		}
		i.Reason = strings.Join(sentences, "; ")
	default:
		return err
	}
	return nil
}

// subjectOf is what a person calls a field of an entry.
func subjectOf(field string) string {
	switch field {
	case "url":
		return "the address"
	case "companyName":
		return "the company's name"
	default:
		return "the " + field
	}
}

// dryRun simulates the list.
type dryRun struct {
	*Tracker

	room int                 // places left for active boards
	full int                 // places left for any boards
	seen map[string]struct{} // sources and addresses of the entries so far
}

func (t *Tracker) newDryRun(ctx context.Context, a account.Account) (*dryRun, error) {
	tracked, _, err := t.store.Places(ctx, a.ID)
	if err != nil {
		return nil, err
	}
	plan := t.plans[a.Plan]
	return &dryRun{t, plan.Boards - tracked, plan.Listed() - tracked, map[string]struct{}{}}, nil
}

func (d *dryRun) importEntry(ctx context.Context, a account.Account, b NewBoard, i *Imported) error {
	r, err := d.read(b)
	if err != nil {
		return i.refuse(err)
	}
	known, err := d.store.FindBoard(ctx, r.Source, r.Address)
	switch {
	case boardwatch.CodeOf(err) == boardwatch.CodeNotFound && err != nil:
	case err != nil:
		return err
	default:
		i.BoardID = known.ID
		_, err := d.store.TrackedBoard(ctx, a.ID, known.ID)
		if err == nil {
			i.Result = ImportTracked
			return nil
		}
		if boardwatch.CodeOf(err) != boardwatch.CodeNotFound {
			return err
		}
	}
	if d.twice(r, i.BoardID) {
		i.Result = ImportTracked
		return nil
	}
	if d.full <= 0 {
		return i.refuse(d.plans[a.Plan].ListFull())
	}
	d.room--
	d.full--
	i.Result, i.Locked = ImportWouldAdd, d.room < 0
	return nil
}

// twice records an entry, and reports whether an earlier one was about the same board.
func (d *dryRun) twice(r boardwatch.Recognized, boardID string) bool {
	again := false
	for _, key := range []string{"source " + r.Source, "address " + r.Address, "board " + boardID} {
		if strings.HasSuffix(key, " ") {
			continue // not known
		}
		_, seen := d.seen[key]
		again = again || seen
		d.seen[key] = struct{}{}
	}
	return again
}
