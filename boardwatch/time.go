package boardwatch

import (
	"encoding/json"
	"time"
)

// TimeFormat is the format of times on the wire: UTC, always with three decimals.
const TimeFormat = "2006-01-02T15:04:05.000Z"

// Milli returns t as the service stores and shows it: UTC, in whole milliseconds. That way, shown and stored times can
// be compared.
func Milli(t time.Time) time.Time {
	if t.IsZero() {
		return time.Time{}
	}
	return t.UTC().Truncate(time.Millisecond)
}

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

// timestamp is an instant in JSON.
type timestamp time.Time

func (t timestamp) MarshalJSON() ([]byte, error) {
	return time.Time(t).UTC().AppendFormat(make([]byte, 0, len(TimeFormat)+2), `"`+TimeFormat+`"`), nil
}

func (t *timestamp) UnmarshalJSON(data []byte) error {
	var at time.Time
	if err := json.Unmarshal(data, &at); err != nil {
		return err
	}
	*t = timestamp(at.UTC())
	return nil
}

func timeOrNull(t time.Time) *timestamp {
	if t.IsZero() {
		return nil
	}
	ts := timestamp(t)
	return &ts
}

func orZero(t *timestamp) time.Time {
	if t == nil {
		return time.Time{}
	}
	return time.Time(*t)
}

func orNull[S ~string](s S) *S {
	if s == "" {
		return nil
	}
	return &s
}

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
