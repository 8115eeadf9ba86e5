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
	// SawFrom and SawInto are the accounts that actively tracked one or the other board before.
	SawFrom, SawInto map[string]bool
}

// MergeResult is what a merge changes. A store saves all of it or nothing.
type MergeResult struct {
	Into  Board             // counters as they are afterwards
	Moved []Job             // the jobs of From that Into did not have, as they will be on Into
	Same  map[string]string // the jobs of From that Into has too, which end, and the ids of their counterparts
	// Check is the entry of the merge in the history of Into, as the check that found the moved roles. Without an ID
	// there is no entry.
	Check      Check
	Payloads   []Payload
	Deliveries []Delivery
}

// Merge decides what happens to the roles of a board that turned out to be another one, and notifies the accounts that
// did not have them. Open roles on both boards, matched by title and place (Rekey), are the same and continue as those
// of the survivor. All others count as found on the survivor at this moment, and keep their ids; its next checks see or
// miss them like any other role. The store moves closed roles of From unchanged.
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

// moved returns a job of From as it is on Into. Comparing moments shows whether a healthy check of Into has seen it, so
// it must not have the moment of the last one.
func (in MergeInput) moved(j Job) Job {
	j.BoardID, j.Company, j.Key, j.Misses, j.FirstSeenAt = in.Into.ID, in.Into.Company, MergedKey+j.ID, 0, in.Now
	if j.LastSeenAt.Equal(in.Into.State.LastSuccessAt) {
		j.LastSeenAt = j.LastSeenAt.Add(-time.Millisecond)
	}
	return j
}

// check returns the history entry of the merge, unless there is nothing to record: no roles and no history that ends.
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

// deliveries returns one job.found for each webhook that wants it: with the roles that came, for accounts that did not
// track From, and with the roles that were there, for accounts that did not track Into.
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

// news returns the roles that are new to an account, by title.
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
