package boardwatch

import (
	"context"
	"time"
)

// Lesson is an operator's question about what a recipe made from examples would read on a board's page, with its
// answer. It is asked by processes that may not read pages, and answered by those that may.
type Lesson struct {
	BoardID string    `json:"-"`
	AskedAt time.Time `json:"-"`
	Like    []string  `json:"like,omitempty"` // titles on the page; without any, only its lists are requested
	Not     []string  `json:"not,omitempty"`  // titles that are not roles

	Done     bool       `json:"-"`                // it is answered; the following fields are the answer
	Lists    []TextList `json:"lists,omitempty"`  // the lists of the page
	Recipe   string     `json:"recipe,omitempty"` // empty if none could be made
	Health   Health     `json:"health,omitempty"`
	Cause    Cause      `json:"cause,omitempty"`
	Reason   string     `json:"reason,omitempty"`
	Postings []Posting  `json:"postings,omitempty"` // the first roles that the recipe reads
	Roles    int        `json:"roles,omitempty"`    // how many there are
}

// MaxLessonPostings is how many roles of an answer are stored.
const MaxLessonPostings = 100

// TextList is a list of texts that look the same on a page.
type TextList struct {
	First []string `json:"first"` // the first of them
	Count int      `json:"count"`
}

// LessonStore stores the lessons of boards, at most one for each board.
type LessonStore interface {
	// AskLesson saves a question and replaces the board's earlier lesson. The id may be an alias. An unknown board is a
	// not_found error. A zero AskedAt means now.
	AskLesson(ctx context.Context, l Lesson) error
	// Lesson returns the lesson of a board. If there is none, it is a not_found error. The id may be an alias.
	Lesson(ctx context.Context, boardID string) (Lesson, error)
	// TakeLesson leases the lesson that has waited longest for an answer, together with its board. The BoardID is empty
	// if none waits. Nobody else gets the lesson until the lease expires.
	TakeLesson(ctx context.Context, lease time.Duration) (Lesson, Board, error)
	// AnswerLesson saves the answer, unless the lesson was asked again meanwhile.
	AnswerLesson(ctx context.Context, l Lesson) error
}

// Instructor answers lessons.
type Instructor interface {
	// Instruct reads the board's page and answers the lesson. An error means that the page was not read. Problems
	// with the page or the examples are answers.
	Instruct(ctx context.Context, b Board, l Lesson) (Lesson, error)
}
