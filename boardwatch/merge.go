package boardwatch

import (
	"cmp"
	"slices"
	"time"
)

// MergeInput is everything that a merge of two boards is decided on, as it stands in the very transaction that will save
// the decision.
type MergeInput struct {
	Now         time.Time // the stamp of the merge: no reader has been promised anything at or after it
	From, Into  Board     // the one that ends, and the one that stays
	Moving      []Job     // the open jobs of From
	Known       []Job     // the open jobs of Into
	Subscribers []Subscription
	Webhooks    []Webhook           // enabled, of active subscribers of Into whose plan has webhooks, those that have moved among them
	Listeners   []Listener          // enabled channels of active subscribers of Into, those that have moved among them
	Fold        func(string) string // as in CheckInput
	// SawFrom and SawInto are the accounts that tracked either board actively before.
	SawFrom, SawInto map[string]bool
}

// MergeResult is what a merge changes. A store saves all of it or nothing.
type MergeResult struct {
	Into  Board             // counters as they are afterwards
	Moved []Job             // the jobs of From that Into did not show, as they are on Into from now on
	Same  map[string]string // the jobs of From that Into showed too, which end, and the ids of those there
	// Check notes the merge in the history of Into, as the one that found what has moved. Without an ID there is nothing
	// to note.
	Check      Check
	Payloads   []Payload
	Deliveries []Delivery
}

// Merge decides what becomes of the roles of a board that turned out to be another one, and tells those who did not have
// them. Open roles that both boards show, by title and place (Rekey), are the same and go on as those of the survivor. All
// others are found on the survivor at this moment, under their ids; its next checks show them or miss them like any other
// role. Roles of From that are closed move as they are, which is for the store to do.
func Merge(in MergeInput, newID func() string) MergeResult {
	r := MergeResult{Into: in.Into, Same: make(map[string]string)}
	moving, known := make([]roleName, len(in.Moving)), make([]roleName, len(in.Known))
	for i, j := range in.Moving {
		moving[i] = nameOf(j.posting(), true)
	}
	for i, j := range in.Known {
		known[i] = nameOf(j.posting(), true)
	}
	same := sameRoles(moving, known)
	for i, j := range in.Moving {
		if other, ok := same[i]; ok {
			r.Same[j.ID] = in.Known[other].ID
		} else {
			r.Moved = append(r.Moved, in.moved(j))
		}
	}
	r.Into.OpenJobs += len(r.Moved)
	r.Into.ClosedJobs += in.From.ClosedJobs
	r.Into.State.Missing += len(r.Moved)
	r.Check = in.check(r, newID)
	r.Payloads, r.Deliveries = in.deliveries(r, newID)
	told, messages := in.messages(r, newID)
	r.Payloads, r.Deliveries = append(r.Payloads, told...), append(r.Deliveries, messages...)
	return r
}

// moved is a job of From as it is on Into. That a healthy check of Into has seen it is told by comparing moments, so it
// must not share that of the last one.
func (in MergeInput) moved(j Job) Job {
	j.BoardID, j.Company, j.Key, j.Misses, j.FirstSeenAt = in.Into.ID, in.Into.Company, MergedKey+j.ID, 0, in.Now
	if j.LastSeenAt.Equal(in.Into.State.LastSuccessAt) {
		j.LastSeenAt = j.LastSeenAt.Add(-time.Millisecond)
	}
	return j
}

// check notes the merge unless there is nothing to tell from: neither roles nor a history that ends.
func (in MergeInput) check(r MergeResult, newID func() string) Check {
	of := in.Into.State
	if of.LastCheckedAt.IsZero() {
		of = in.From.State
	}
	if len(r.Moved) == 0 && (in.From.State.LastCheckedAt.IsZero() || in.Into.State.LastCheckedAt.IsZero()) {
		return Check{}
	}
	return Check{
		ID: newID(), BoardID: in.Into.ID, At: in.Now, Health: of.Health, Cause: of.Cause, Reason: of.Reason, BlockedBy: of.BlockedBy,
		OpenJobs: r.Into.OpenJobs, Found: len(r.Moved),
	}
}

// deliveries are one job.found for each webhook that wants it: with the roles that came, for accounts that did not track
// From, and with those that were there, for accounts that did not track Into.
func (in MergeInput) deliveries(r MergeResult, newID func() string) (payloads []Payload, deliveries []Delivery) {
	type content struct {
		company          string
		sawFrom, sawInto bool
	}
	names := make(map[string]string, len(in.Subscribers))
	for _, s := range in.Subscribers {
		names[s.AccountID] = s.CompanyOf(r.Into)
	}
	shared := make(map[content]string)
	for _, w := range in.Webhooks {
		company, tracked := names[w.AccountID]
		if !tracked || !w.Wants(EventJobFound) {
			continue
		}
		c := content{company, in.SawFrom[w.AccountID], in.SawInto[w.AccountID]}
		id, ok := shared[c]
		if !ok {
			if news := in.news(r, c.sawFrom, c.sawInto); len(news) > 0 {
				id = newID()
				payloads = append(payloads, JobsPayload(id, EventJobFound, r.Into, company, news, in.Now))
			}
			shared[c] = id
		}
		if id != "" {
			deliveries = append(deliveries, Delivery{
				ID: newID(), WebhookID: w.ID, BoardID: r.Into.ID, PayloadID: id, Type: EventJobFound, State: DeliveryPending,
				CreatedAt: in.Now, NextAttemptAt: in.Now,
			})
		}
	}
	return payloads, deliveries
}

// news are the roles that somebody did not have, by title.
func (in MergeInput) news(r MergeResult, sawFrom, sawInto bool) (news []Job) {
	if !sawFrom {
		news = append(news, r.Moved...)
	}
	if !sawInto {
		news = append(news, in.Known...)
	}
	for i, j := range news {
		news[i] = Subscription{AsOf: in.Now}.Sees(j)
	}
	slices.SortFunc(news, func(a, b Job) int { return cmp.Or(cmp.Compare(a.Title, b.Title), cmp.Compare(a.ID, b.ID)) })
	return news
}
