package boardwatch

import (
	"strconv"
	"strings"
	"time"
)

// RetryAfter returns the pause that an answer asks for: the value of its Retry-After header, in seconds or as a date,
// but at most a day. ok is false if the answer asks for none, or not in a form that can be parsed.
func RetryAfter(value string, now time.Time) (wait time.Duration, ok bool) {
	value = strings.TrimSpace(value)
	for _, layout := range []string{"Mon, 02 Jan 2006 15:04:05 GMT", time.RFC850, time.ANSIC} { // the dates of HTTP
		if at, err := time.Parse(layout, value); err == nil {
			return min(max(at.Sub(now), 0), maxBackoff), true
		}
	}
	if !isDecimal(value) {
		return 0, false
	}
	seconds, err := strconv.ParseFloat(value, 64)
	if err != nil || seconds >= maxBackoff.Seconds() { // digits can only be too many
		return maxBackoff, true
	}
	return time.Duration(seconds * float64(time.Second)), true
}

// isDecimal reports whether a text consists of digits, perhaps with a fraction. "-1", "1e3", "0x10" and "Inf" do not.
func isDecimal(s string) bool {
	whole, fraction, _ := strings.Cut(s, ".")
	return whole != "" && strings.Trim(whole, "0123456789") == "" && strings.Trim(fraction, "0123456789") == ""
}

// quietUntil returns when a source that asked for a pause may be asked again, at most a day from now; zero if it did
// not ask.
func (r Reading) quietUntil(now time.Time) time.Time {
	if r.RetryAfter <= 0 {
		return time.Time{}
	}
	return now.Add(min(r.RetryAfter, maxBackoff))
}
