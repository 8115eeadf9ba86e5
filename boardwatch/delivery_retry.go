package boardwatch

import (
	"slices"
	"time"
)

// retrySchedule is the published schedule.
func (r Rules) retrySchedule() []time.Duration {
	if r.RetrySchedule != nil {
		return r.RetrySchedule
	}
	return []time.Duration{time.Minute, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 12 * time.Hour}
}

// After returns the delivery after one attempt: delivered, due again, or dead if the schedule is used up. Attempts are
// only counted here, so a crash before the result is saved does not use one up.
func (d Delivery) After(r Receipt, rules Rules, now time.Time) Delivery {
	schedule := rules.retrySchedule()
	d.Attempts++
	d.LastAttemptAt, d.NextAttemptAt = now, time.Time{}
	d.ResponseCode, d.Error, d.Duration = r.Code, r.Error, r.Duration
	d.Log = append(slices.Clip(d.Log), r.Attempt(now, false))
	switch {
	case r.OK():
		d.State = DeliveryDelivered
	case d.Attempts > len(schedule):
		d.State = DeliveryDead
	default:
		d.State = DeliveryPending
		d.NextAttemptAt = now.Add(max(schedule[d.Attempts-1], r.RetryAfter))
	}
	return d
}
