package track

import (
	"regexp"
	"strings"
	"time"
)

// instantForm checks what time.Parse is too lenient about: RFC 3339 with all digits and a possible offset.
var instantForm = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$`)

// ParseInstant reads a moment in the format of the published interface, and reports whether it is valid.
func ParseInstant(s string) (time.Time, bool) {
	s = strings.ToUpper(s)
	at, err := time.Parse(time.RFC3339, s)
	return at, err == nil && instantForm.MatchString(s)
}
