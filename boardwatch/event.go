package boardwatch

import (
	"encoding/json"
	"time"
)

// EventType is the kind of an event.
type EventType string

// The events. A ping is sent when a person presses Test. Webhooks cannot subscribe to it.
const (
	EventJobFound    EventType = "job.found"
	EventJobArchived EventType = "job.archived"
	EventBoardFailed EventType = "board.failed"
	EventPing        EventType = "ping"
)

// EventTypes are the events a webhook can choose.
func EventTypes() []EventType { return []EventType{EventJobFound, EventJobArchived, EventBoardFailed} }

// MaxEventJobs is how many roles one delivery contains. The number of further roles is in truncated.
const MaxEventJobs = 100

// Payload is the body of an event without the delivery's own id. All deliveries of one event share it.
type Payload struct {
	ID        string
	Type      EventType
	BoardID   string // empty for a ping
	CreatedAt time.Time
	Tail      []byte // the JSON object from "type" on, opening brace left out
}

// Body returns the body of the delivery with that id. It is the same at every attempt.
func (p Payload) Body(deliveryID string) []byte {
	body := make([]byte, 0, len(p.Tail)+len(deliveryID)+10)
	body = append(body, `{"id":"`...)
	body = append(body, deliveryID...) // hex, needs no escaping
	body = append(body, `",`...)
	return append(body, p.Tail...)
}

type webhookBoard struct {
	ID         string  `json:"id"`
	Company    *string `json:"company"`
	Domain     *string `json:"domain"`
	CareersURL *string `json:"careersUrl"`
}

type jobEvent struct {
	Type      EventType    `json:"type"`
	CreatedAt timestamp    `json:"createdAt"`
	Board     webhookBoard `json:"board"`
	Jobs      []JobObject  `json:"jobs"`
	Truncated int          `json:"truncated,omitempty"`
}

type failedEvent struct {
	Type      EventType    `json:"type"`
	CreatedAt timestamp    `json:"createdAt"`
	Board     webhookBoard `json:"board"`
	Error     *string      `json:"error"`
}

type pingEvent struct {
	Type      EventType   `json:"type"`
	CreatedAt timestamp   `json:"createdAt"`
	Webhook   pingWebhook `json:"webhook"`
}

type pingWebhook struct {
	ID     string      `json:"id"`
	Events []EventType `json:"events"`
}

// JobsPayload returns the payload of job.found or job.archived. It lists at most MaxEventJobs jobs and counts the rest.
func JobsPayload(id string, t EventType, b Board, company string, jobs []Job, at time.Time) Payload {
	return jobsPayload(id, t, b, company, jobs, at, MaxEventJobs)
}

// jobsPayload lists at most that many jobs.
func jobsPayload(id string, t EventType, b Board, company string, jobs []Job, at time.Time, most int) Payload {
	listed := jobs[:min(len(jobs), most)]
	wire := make([]JobObject, len(listed))
	for i, j := range listed {
		j.Company = company
		wire[i] = j.Object()
	}
	return payload(id, t, b.ID, at, jobEvent{t, timestamp(at), boardIn(b, company), wire, len(jobs) - len(listed)})
}

// FailedPayload returns the payload of board.failed, with the reason given by the reader.
func FailedPayload(id string, b Board, company, reason string, at time.Time) Payload {
	return payload(id, EventBoardFailed, b.ID, at,
		failedEvent{EventBoardFailed, timestamp(at), boardIn(b, company), orNull(reason)})
}

// PingPayload returns the payload of a ping.
func PingPayload(id string, w Webhook, at time.Time) Payload {
	return payload(id, EventPing, "", at, pingEvent{EventPing, timestamp(at), pingWebhook{w.ID, w.Events}})
}

func payload(id string, t EventType, boardID string, at time.Time, event any) Payload {
	raw, err := json.Marshal(event)
	if err != nil {
		panic("boardwatch: an event that cannot be written: " + err.Error()) // plain structs and strings only
	}
	return Payload{ID: id, Type: t, BoardID: boardID, CreatedAt: at, Tail: raw[1:]}
}

func boardIn(b Board, company string) webhookBoard {
	return webhookBoard{b.ID, orNull(company), orNull(b.Domain), orNull(b.URL)}
}

// deliveries returns the deliveries that one check causes, with at most that many roles in each: for every webhook that wants
// them, one for the roles found, one for the roles closed, and one for a failure. Deliveries with the same content share a payload.
// While a company's name is not known, an account's own name for it is only sent to that account's webhooks.
func deliveries(
	b Board, check Check, c Change, subs []Subscription, hooks []Webhook, most int, newID func() string,
) ([]Payload, []Delivery) {
	names := make(map[string]string, len(subs))
	for _, s := range subs {
		names[s.AccountID] = s.CompanyOf(b)
	}
	var payloads []Payload
	var owed []Delivery
	owe := func(t EventType, build func(id, company string) Payload) {
		shared := make(map[string]string)
		for _, w := range hooks {
			company, tracked := names[w.AccountID]
			if !tracked || !w.Wants(t) {
				continue
			}
			id, ok := shared[company]
			if !ok {
				id = newID()
				shared[company] = id
				payloads = append(payloads, build(id, company))
			}
			owed = append(owed, Delivery{
				ID: newID(), WebhookID: w.ID, BoardID: b.ID, PayloadID: id, Type: t, State: DeliveryPending,
				CreatedAt: check.At, NextAttemptAt: check.At,
			})
		}
	}
	jobs := func(t EventType, list []Job) {
		if len(list) > 0 {
			owe(t, func(id, company string) Payload { return jobsPayload(id, t, b, company, list, check.At, most) })
		}
	}
	jobs(EventJobFound, c.Announced())
	jobs(EventJobArchived, c.Closed)
	if !check.Health.Read() {
		owe(EventBoardFailed, func(id, company string) Payload {
			return FailedPayload(id, b, company, check.Reason, check.At)
		})
	}
	return payloads, owed
}
