package account

import (
	"context"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// Misread is an account's report that the roles of a board differ from those on its page.
type Misread struct {
	BoardID   string
	AccountID string
	At        time.Time
	Text      string   // what is wrong, in a sentence
	Titles    []string // of roles that are on the page

	Answer     string // of an operator; may be empty
	AnsweredAt time.Time
}

// Limits of a report.
const (
	maxMisreadText   = 300
	maxMisreadTitles = 5
	// In bytes, to which foreign texts are cut first.
	maxMisreadLine  = 900
	maxMisreadTitle = 600
)

// Clean returns the report as it is stored, or an invalid_request error that says what is wrong with it.
func (m Misread) Clean() (Misread, error) {
	m.Text = boardwatch.OneLine(m.Text, maxMisreadLine)
	titles := make([]string, 0, len(m.Titles))
	for _, title := range m.Titles {
		if title = boardwatch.OneLine(title, maxMisreadTitle); title != "" {
			titles = append(titles, title)
		}
	}
	m.Titles = titles
	var wrong []boardwatch.FieldError
	if m.Text == "" && len(titles) == 0 {
		wrong = append(wrong, boardwatch.FieldError{Field: "text", Message: "say in a sentence what is wrong, or name a title that is on the page"})
	}
	if utf8.RuneCountInString(m.Text) > maxMisreadText {
		wrong = append(wrong, boardwatch.FieldError{Field: "text", Message: "the sentence must not be longer than " + strconv.Itoa(maxMisreadText) + " characters"})
	}
	if len(titles) > maxMisreadTitles {
		wrong = append(wrong, boardwatch.FieldError{Field: "titles", Message: "name at most " + strconv.Itoa(maxMisreadTitles) + " titles"})
	}
	return m, boardwatch.InvalidFields(wrong)
}

// cleanAnswer returns the answer to a report as it is stored, or an invalid_request error if it is too long.
func cleanAnswer(text string) (string, error) {
	text = boardwatch.OneLine(text, maxMisreadLine)
	if utf8.RuneCountInString(text) > maxMisreadText {
		return "", boardwatch.Invalid("answer", "must not be longer than "+strconv.Itoa(maxMisreadText)+" characters")
	}
	return text, nil
}

// MisreadReport is a report as operators see it.
type MisreadReport struct {
	Misread

	Board boardwatch.Board
	Email string // of the account
}

// MisreadStore stores reports of misread boards.
type MisreadStore interface {
	// Misreads lists up to that many of the newest reports that are not answered yet.
	Misreads(ctx context.Context, limit int) ([]MisreadReport, error)
	// AnswerMisreads answers all reports about a board that are not answered yet. The id may be an alias.
	AnswerMisreads(ctx context.Context, boardID, answer string) error
}

// TitlesIn returns the titles in a text with one title per line.
func TitlesIn(text string) []string {
	var titles []string
	for line := range strings.Lines(text) {
		if line = boardwatch.OneLine(line, maxMisreadTitle); line != "" {
			titles = append(titles, line)
		}
	}
	return titles
}
