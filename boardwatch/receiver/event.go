package receiver

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// Event is the content of a delivery: a JobsFound, JobsArchived, BoardFailed, Ping or Unknown.
type Event interface {
	// Head returns the fields that every event has.
	Head() Header
}

// Header holds the fields that every event has.
type Header struct {
	ID        string // the delivery's id: the same at every attempt and when it is replayed
	Type      boardwatch.EventType
	CreatedAt time.Time // when the check ran that the event is about
	Body      []byte    // the bytes as they were received and signed
}

// Head returns the header itself.
func (h Header) Head() Header { return h }

// Board names the board that an event is about. Company, Domain and CareersURL are empty if they are not known.
type Board struct {
	ID         string
	Company    string
	Domain     string
	CareersURL string
}

// JobsFound is the event for roles that a check found, because they are new or open again.
type JobsFound struct {
	Header

	Board     Board
	Jobs      []boardwatch.Job // at most boardwatch.MaxEventJobs
	Truncated int              // how many more there are; GET /v1/jobs lists them
}

// JobsArchived is the event for roles that have been gone long enough to count as closed.
type JobsArchived struct {
	Header

	Board     Board
	Jobs      []boardwatch.Job // at most boardwatch.MaxEventJobs
	Truncated int              // how many more there are; GET /v1/jobs lists them
}

// BoardFailed is the event for a board that could not be read.
type BoardFailed struct {
	Header

	Board  Board
	Reason string // in plain words; empty if there is none
}

// Ping is the event that is sent when a person presses Test.
type Ping struct {
	Header

	WebhookID string
	Events    []boardwatch.EventType // the events that the webhook has chosen
}

// Unknown is an event of a type that this version does not know. A receiver can accept it without losing anything,
// because it contains the body.
type Unknown struct{ Header }

// Parse parses the body of a delivery. It verifies nothing. The event keeps the body.
func Parse(body []byte) (Event, error) {
	var head struct {
		ID        string               `json:"id"`
		Type      boardwatch.EventType `json:"type"`
		CreatedAt time.Time            `json:"createdAt"`
	}
	if err := json.Unmarshal(body, &head); err != nil {
		return nil, fmt.Errorf("parse event: %w", err)
	}
	if head.ID == "" || head.Type == "" {
		return nil, errors.New("parse event: it has no id or no type")
	}
	h := Header{ID: head.ID, Type: head.Type, CreatedAt: head.CreatedAt.UTC(), Body: body}
	e, err := h.parse()
	if err != nil {
		return nil, fmt.Errorf("parse %s: %w", h.Type, err)
	}
	return e, nil
}

// parse parses the part of the body that depends on the type.
func (h Header) parse() (Event, error) {
	switch h.Type {
	case boardwatch.EventJobFound:
		jobs, err := h.jobs()
		return JobsFound{h, jobs.Board.board(), jobs.Jobs, jobs.Truncated}, err
	case boardwatch.EventJobArchived:
		jobs, err := h.jobs()
		return JobsArchived{h, jobs.Board.board(), jobs.Jobs, jobs.Truncated}, err
	case boardwatch.EventBoardFailed:
		var failed struct {
			Board wireBoard `json:"board"`
			Error string    `json:"error"` // null leaves it empty
		}
		err := json.Unmarshal(h.Body, &failed)
		return BoardFailed{h, failed.Board.board(), failed.Error}, err
	case boardwatch.EventPing:
		var ping struct {
			Webhook struct {
				ID     string                 `json:"id"`
				Events []boardwatch.EventType `json:"events"`
			} `json:"webhook"`
		}
		err := json.Unmarshal(h.Body, &ping)
		return Ping{h, ping.Webhook.ID, ping.Webhook.Events}, err
	default:
		return Unknown{h}, nil
	}
}

// wireBoard is a board in a body; null leaves a text empty.
type wireBoard struct {
	ID         string `json:"id"`
	Company    string `json:"company"`
	Domain     string `json:"domain"`
	CareersURL string `json:"careersUrl"`
}

func (b wireBoard) board() Board { return Board(b) }

type wireJobs struct {
	Board     wireBoard        `json:"board"`
	Jobs      []boardwatch.Job `json:"jobs"`
	Truncated int              `json:"truncated"`
}

func (h Header) jobs() (w wireJobs, err error) {
	err = json.Unmarshal(h.Body, &w)
	return w, err
}
