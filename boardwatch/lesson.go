package boardwatch

import (
	"context"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch/cause"
)

// Lesson is an operator's question about what a recipe made from examples would read on a board's page, with its
// answer. It is asked by processes that may not read pages, and answered by those that may.
type Lesson struct {
	BoardID string    `json:"-"`
	AskedAt time.Time `json:"-"`
	Like    []string  `json:"like,omitempty"` // titles on the page; without any, only its lists are requested
	Not     []string  `json:"not,omitempty"`  // titles that are not roles

	Done     bool        `json:"-"`                // it is answered; the following fields are the answer
	Lists    []TextList  `json:"lists,omitempty"`  // the lists of the page
	Recipe   string      `json:"recipe,omitempty"` // empty if none could be made
	Health   Health      `json:"health,omitempty"`
	Cause    cause.Cause `json:"cause,omitempty"`
	Reason   string      `json:"reason,omitempty"`
	Postings []Posting   `json:"postings,omitempty"` // the first roles that the recipe reads
	Roles    int         `json:"roles,omitempty"`    // how many there are
}

// MaxLessonPostings is how many roles of an answer are stored.
const MaxLessonPostings = 100

// TextList is a list of texts that look the same on a page.
type TextList struct {
	First []string `json:"first"` // the first of them
	Count int      `json:"count"`
}

// Instructor answers lessons.
type Instructor interface {
	// Instruct reads the board's page and answers the lesson. An error means that the page was not read. Problems
	// with the page or the examples are answers.
	Instruct(ctx context.Context, b Board, l Lesson) (Lesson, error)
}
