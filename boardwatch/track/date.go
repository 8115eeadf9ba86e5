package track

import (
	"regexp"
	"strings"
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

// instantForm checks what time.Parse is too lenient about: RFC 3339 with all digits and a possible offset.
var instantForm = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$`)

// ParseInstant reads a moment in the format of the published interface, and reports whether it is valid.
func ParseInstant(s string) (time.Time, bool) {
	s = strings.ToUpper(s)
	at, err := time.Parse(time.RFC3339, s)
	return at, err == nil && instantForm.MatchString(s)
}
