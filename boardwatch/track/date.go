package track

import (
	"time"
)

// Date returns the day of a moment in a time zone, as midnight in UTC. In that form days can be counted and compared
// regardless of changes of the zone's clocks.
func Date(t time.Time, zone *time.Location) time.Time {
	y, m, d := t.In(zone).Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}

// DayBegins returns the first moment of a Date in a time zone, in that zone. It is one o'clock if the clocks go forward
// at midnight.
func DayBegins(date time.Time, zone *time.Location) time.Time {
	y, m, d := date.Date()
	midnight := time.Date(y, m, d, 0, 0, 0, 0, zone)
	for _, t := range []time.Time{midnight.Add(-time.Hour), midnight, midnight.Add(time.Hour)} {
		if Date(t, zone).Equal(date) {
			return t
		}
	}
	return midnight
}
