package boardwatch

import (
	"cmp"
	"slices"
	"time"
)

// MergeInput is everything that a decision about a merge of two boards needs, read in the same transaction that will
// save the decision.
type MergeInput struct {
	Now         time.Time // the stamp of the merge: no reader has been promised anything at or after it
	From, Into  Board     // the one that ends, and the one that stays
	Moving      []Job     // the open jobs of From
	Known       []Job     // the open jobs of Into
	Subscribers []Subscription
	Webhooks    []Webhook           // enabled, of active subscribers of Into whose plan has webhooks, including those that have moved
	Listeners   []Listener          // enabled channels of active subscribers of Into, including those that have moved
	Fold        func(string) string // as in CheckInput
	HasWords    func(j Job, words string) bool
	// SawFrom and SawInto are the accounts that actively tracked one or the other board before.
	SawFrom, SawInto map[string]bool
}

// MergeResult is what a merge changes. A store saves all of it or nothing.
type MergeResult struct {
	Closed     []Job             // the jobs of From that Into does not have: they stay behind, closed
	Same       map[string]string // the jobs of From that Into has too, which end, and the ids of their counterparts
	Check      Check             // the last entry in the history of From; without an ID there is none
	Payloads   []Payload
	Deliveries []Delivery
}

// Merge decides what happens to the roles of a board that turned out to be another one. Nothing that only the ended board
// showed reaches anybody through the survivor, because whoever runs a page can make it lead to any other. Roles that
// the survivor has too, by title and place, continue as the survivor's. All others close on the board that ends, and only
// the accounts that tracked it are told. Accounts that did not track the survivor are told all its roles.
func Merge(in MergeInput, newID func() string) MergeResult {
	r := MergeResult{Same: make(map[string]string)}
	known := make([]Posting, len(in.Known))
	for i, j := range in.Known {
		known[i] = j.posting()
	}
	for _, p := range alike(in.Moving, known) {
		r.Same[in.Moving[p.job].ID] = in.Known[p.posting].ID
	}
	for _, j := range in.Moving {
		if _, same := r.Same[j.ID]; !same {
			j.Status, j.ClosedAt = JobClosed, in.Now
			r.Closed = append(r.Closed, j)
		}
	}
	if len(r.Closed) > 0 {
		of := in.From.State
		r.Check = Check{
			ID: newID(), BoardID: in.From.ID, At: in.Now, Health: of.Health, Cause: of.Cause, Reason: of.Reason,
			Closed: len(r.Closed),
		}
	}
	r.Payloads, r.Deliveries = in.deliveries(r, newID)
	told, messages := in.messages(r, newID)
	r.Payloads, r.Deliveries = append(r.Payloads, told...), append(r.Deliveries, messages...)
	return r
}

// deliveries returns, for each webhook that wants them, one job.archived with the roles that stayed behind, if its
// account tracked From, and one job.found with the survivor's roles, if it did not track Into.
func (in MergeInput) deliveries(r MergeResult, newID func() string) (payloads []Payload, deliveries []Delivery) {
	type content struct {
		event   EventType
		company string
	}
	names := make(map[string]string, len(in.Subscribers))
	for _, s := range in.Subscribers {
		names[s.AccountID] = s.CompanyOf(in.Into)
	}
	shared := make(map[content]string)
	tell := func(w Webhook, event EventType, b Board, jobs []Job) {
		if len(jobs) == 0 || !w.Wants(event) {
			return
		}
		c := content{event, names[w.AccountID]}
		id, ok := shared[c]
		if !ok {
			id = newID()
			payloads = append(payloads, JobsPayload(id, event, b, c.company, jobs, in.Now))
			shared[c] = id
		}
		deliveries = append(deliveries, Delivery{
			ID: newID(), WebhookID: w.ID, BoardID: in.Into.ID, PayloadID: id, Type: event, State: DeliveryPending,
			CreatedAt: in.Now, NextAttemptAt: in.Now,
		})
	}
	for _, w := range in.Webhooks {
		if _, tracked := names[w.AccountID]; !tracked {
			continue
		}
		if in.SawFrom[w.AccountID] {
			tell(w, EventJobArchived, in.From, r.Closed)
		}
		if !in.SawInto[w.AccountID] {
			tell(w, EventJobFound, in.Into, in.news())
		}
	}
	return payloads, deliveries
}

// news returns the survivor's roles as an account sees them that did not track it, by title.
func (in MergeInput) news() []Job {
	news := make([]Job, len(in.Known))
	for i, j := range in.Known {
		news[i] = Subscription{AsOf: in.Now}.Sees(j)
	}
	slices.SortFunc(news, func(a, b Job) int { return cmp.Or(cmp.Compare(a.Title, b.Title), cmp.Compare(a.ID, b.ID)) })
	return news
}
