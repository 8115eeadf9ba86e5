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
