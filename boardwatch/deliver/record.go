package deliver

import (
	"context"
	"log/slog"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

const (
	// gather is how long an outcome waits for others to be saved with it while attempts are in flight, and enough is
	// how many are saved without waiting. It is short, because answered but unsaved deliveries are sent twice if the
	// process dies.
	gather = 4 * time.Millisecond
	enough = 64
	// lastTries is how often a stopping dispatcher tries to save the remaining outcomes.
	lastTries = 3
)

// toSave records that a lane has an outcome.
func (k *desk) toSave(l *lane) {
	if len(l.outcomes) == 1 {
		k.unsaved = append(k.unsaved, l)
	}
	select {
	case k.toRecord <- struct{}{}:
	default:
	}
}

// record saves outcomes, many at a time, until the desk has stopped and nothing is left.
func (k *desk) record(ctx context.Context, stopped <-chan struct{}) {
	for {
		select {
		case <-k.toRecord:
			k.gather()
			if k.save(ctx) {
				continue
			}
			select { // and then once more
			case <-time.After(afterError):
			case <-stopped:
			}
			k.toRecordAgain()
		case <-stopped:
			for range lastTries {
				if k.save(ctx) {
					return
				}
				<-time.After(afterError)
			}
			return
		}
	}
}

func (k *desk) toRecordAgain() {
	select {
	case k.toRecord <- struct{}{}:
	default:
	}
}

// gather waits for further outcomes.
func (k *desk) gather() {
	k.mu.Lock()
	count := 0
	for _, l := range k.unsaved {
		count += len(l.outcomes)
	}
	alone := k.inFlight[quick]+k.inFlight[slow] == 0
	k.mu.Unlock()
	if !alone && count < enough {
		<-time.After(gather)
	}
}

// save records all outcomes. It reports whether the store accepted them.
func (k *desk) save(ctx context.Context) bool {
	lanes, outcomes := k.collect()
	if len(outcomes) == 0 {
		return true
	}
	call, cancel := context.WithTimeout(ctx, storing)
	defer cancel()
	lost, err := k.d.store.SaveAttempts(call, outcomes)
	if err != nil {
		if !k.unable { // once is enough
			k.d.o.Log.ErrorContext(ctx, "outcomes of deliveries cannot be saved", slog.Any("error", err))
		}
		k.unable = true
		k.putBack(lanes, outcomes)
		return false
	}
	k.unable = false
	k.saved(lanes, outcomes, lost)
	return true
}

func (k *desk) collect() ([]*lane, []boardwatch.Attempts) {
	k.mu.Lock()
	defer k.mu.Unlock()
	var lanes []*lane
	var outcomes []boardwatch.Attempts
	for _, l := range k.unsaved {
		if len(l.outcomes) == 0 {
			continue // dropped meanwhile
		}
		lanes = append(lanes, l)
		outcomes = append(outcomes, boardwatch.Attempts{Claim: l.claim, Deliveries: l.outcomes, Webhook: l.hook, Quiet: l.quiet})
		l.outcomes = nil
	}
	k.unsaved = nil
	return lanes, outcomes
}

// putBack keeps outcomes for the next try.
func (k *desk) putBack(lanes []*lane, outcomes []boardwatch.Attempts) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for i, l := range lanes {
		if k.held[l.hook.ID] != l {
			continue // the lease is lost, and so is the outcome
		}
		if len(l.outcomes) == 0 {
			k.unsaved = append(k.unsaved, l)
		}
		l.outcomes = append(outcomes[i].Deliveries, l.outcomes...)
	}
}

// saved forgets recorded outcomes.
func (k *desk) saved(lanes []*lane, outcomes []boardwatch.Attempts, lost []boardwatch.WebhookClaim) {
	k.mu.Lock()
	defer k.mu.Unlock()
	gone := make(map[string]bool, len(lost))
	for _, c := range lost {
		gone[c.Webhook.ID] = true
	}
	for i, l := range lanes {
		if gone[l.hook.ID] {
			k.drop(l)
			continue
		}
		for _, d := range outcomes[i].Deliveries {
			delete(l.hands, d.ID)
		}
		k.list(l)
		if k.full && l.idle(true) {
			k.d.Wake()
		}
	}
}
