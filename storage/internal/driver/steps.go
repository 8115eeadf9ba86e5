package driver

import (
	"fmt"
	"io/fs"
	"strings"
)

// Step is one step of the schema, read from its file.
type Step struct {
	Number     string // "0001"
	Title      string // "initial"
	Statements []string
}

// String returns the step's number and title.
func (s Step) String() string { return s.Number + "_" + s.Title }

// stepEnding is the suffix of the files of steps: "0001_initial.tx.up.sql". Each step runs in a transaction.
const stepEnding = ".tx.up.sql"

// statementMark is the line that separates two statements of a file.
const statementMark = "--bun:split\n"

// ReadSteps reads the steps of a schema, one from each file of its folder of migrations, in order.
func ReadSteps(files fs.FS) ([]Step, error) {
	folder, err := fs.Sub(files, "migrations")
	if err != nil {
		return nil, fmt.Errorf("read steps: %w", err)
	}
	entries, err := fs.ReadDir(folder, ".")
	if err != nil {
		return nil, fmt.Errorf("read steps: %w", err)
	}
	steps := make([]Step, 0, len(entries))
	for _, e := range entries { // sorted by name, and so by number
		name, isStep := strings.CutSuffix(e.Name(), stepEnding)
		number, title, titled := strings.Cut(name, "_")
		if !isStep || !titled {
			return nil, fmt.Errorf("read steps: %s is not named like a step", e.Name())
		}
		if n := len(steps); n > 0 && steps[n-1].Number == number {
			return nil, fmt.Errorf("read steps: %s and %s have one number, so only one would be taken", steps[n-1].Title, title)
		}
		text, err := fs.ReadFile(folder, e.Name())
		if err != nil {
			return nil, fmt.Errorf("read steps: %w", err)
		}
		steps = append(steps, Step{number, title, strings.Split(string(text), statementMark)})
	}
	return steps, nil
}
