package boardwatch

import (
	"context"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Misread is an account's report that the roles of a board differ from those on its page.
type Misread struct {
	BoardID   string
	AccountID string
	At        time.Time
	Text      string   // what is wrong, in a sentence
	Titles    []string // of roles that are on the page
}

// Limits of a report.
const (
	maxMisreadText   = 300
	maxMisreadTitles = 5
)

// Clean returns the report as it is stored, or an invalid_request error that says what is wrong with it.
func (m Misread) Clean() (Misread, error) {
	m.Text = clean(m.Text, maxText)
	titles := make([]string, 0, len(m.Titles))
	for _, title := range m.Titles {
		if title = clean(title, maxTitle); title != "" {
			titles = append(titles, title)
		}
	}
	m.Titles = titles
	var wrong []FieldError
	if m.Text == "" && len(titles) == 0 {
		wrong = append(wrong, FieldError{Field: "text", Message: "say in a sentence what is wrong, or name a title that is on the page"})
	}
	if utf8.RuneCountInString(m.Text) > maxMisreadText {
		wrong = append(wrong, FieldError{Field: "text", Message: "the sentence must not be longer than " + strconv.Itoa(maxMisreadText) + " characters"})
	}
	if len(titles) > maxMisreadTitles {
		wrong = append(wrong, FieldError{Field: "titles", Message: "name at most " + strconv.Itoa(maxMisreadTitles) + " titles"})
	}
	return m, InvalidFields(wrong)
}

// MisreadReport is a report as operators see it.
type MisreadReport struct {
	Misread

	Board Board
	Email string // of the account
}

// MisreadStore stores reports of misread boards.
type MisreadStore interface {
	// Misreads lists up to that many of the newest reports.
	Misreads(ctx context.Context, limit int) ([]MisreadReport, error)
	// DropMisreads deletes all reports about a board. The id may be an alias.
	DropMisreads(ctx context.Context, boardID string) error
}

// TitlesIn returns the titles in a text with one title per line.
func TitlesIn(text string) []string {
	var titles []string
	for line := range strings.Lines(text) {
		if line = clean(line, maxTitle); line != "" {
			titles = append(titles, line)
		}
	}
	return titles
}
