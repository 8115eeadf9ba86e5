package boardwatch

import (
	"context"
	"time"
)

// Lesson is an operator's question what a board's page would show by a recipe made of examples, and the answer. It is asked by
// who may not read pages, and answered by who does.
type Lesson struct {
	BoardID string    `json:"-"`
	AskedAt time.Time `json:"-"`
	Like    []string  `json:"like,omitempty"` // titles that stand on the page; none asks for its lists alone
	Not     []string  `json:"not,omitempty"`  // titles that are no roles

	Done     bool       `json:"-"`                // it is answered; what follows is the answer
	Lists    []TextList `json:"lists,omitempty"`  // of the page, as they stand on it
	Recipe   string     `json:"recipe,omitempty"` // empty where none could be made
	Health   Health     `json:"health,omitempty"`
	Cause    Cause      `json:"cause,omitempty"`
	Reason   string     `json:"reason,omitempty"`
	Postings []Posting  `json:"postings,omitempty"` // what the recipe reads, the first of them
	Roles    int        `json:"roles,omitempty"`    // how many there are
}

// MaxLessonPostings is how many roles of an answer are kept.
const MaxLessonPostings = 100

// TextList is a list of texts that are written alike on a page.
type TextList struct {
	First []string `json:"first"` // the first of them
	Count int      `json:"count"`
}

// LessonStore keeps the lessons of boards, at most one for each.
type LessonStore interface {
	// AskLesson keeps a question, in place of the board's earlier lesson. The id may be an alias; a board that does not exist
	// is a not_found error. A zero AskedAt means now.
	AskLesson(ctx context.Context, l Lesson) error
	// Lesson is that of a board; a not_found error when there is none. The id may be an alias.
	Lesson(ctx context.Context, boardID string) (Lesson, error)
	// TakeLesson leases the lesson that waits longest for an answer, with its board as it is to be read. The BoardID is empty
	// when none waits. Nobody else is handed it until the lease ends.
	TakeLesson(ctx context.Context, lease time.Duration) (Lesson, Board, error)
	// AnswerLesson keeps the answer, unless the lesson was asked anew meanwhile.
	AnswerLesson(ctx context.Context, l Lesson) error
}

// Instructor answers lessons.
type Instructor interface {
	// Instruct reads the board's page and answers the lesson. An error means that the look did not happen; what is wrong with
	// the page or the examples is an answer.
	Instruct(ctx context.Context, b Board, l Lesson) (Lesson, error)
}
