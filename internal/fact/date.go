package fact

import (
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// dateForms are the ways in which sources write moments and days, for people and for machines. None of them leaves open
// which number is the month.
//
//nolint:gochecknoglobals // a constant table
var dateForms = []string{
	time.RFC3339, "2006-01-02T15:04:05.999999999Z0700", "2006-01-02 15:04:05 MST", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05 -0700",
	time.RFC1123Z, time.RFC1123, "Mon, 2 Jan 2006 15:04:05 MST", "Mon, 2 Jan 2006 15:04:05 -0700", "Mon, 02 Jan 2006 15:04:05:0",
	"2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05", "2006-01-02T15:04Z07:00", "2006-01-02T15:04", "2006-01-02 15:04", "Mon Jan 2 2006 15:04:05 GMT-0700",
	time.DateOnly, "2006/01/02", "2006.01.02", "January 2, 2006", "Jan 2, 2006", "2 January 2006", "2 Jan 2006", "02.01.2006",
}

// American are the ways in which sources write days with the month first.
const American = "1/2/2006"

// Date is a moment or a day as a field states it: text in one of the usual forms, or seconds or milliseconds since 1970.
// Other forms that the source is known to use can be given. What is no date is empty.
func Date(text string, forms ...string) boardwatch.Stated {
	text, _, _ = strings.Cut(strings.TrimSpace(text), " (") // the name of the zone
	if text == "" || len(text) > 60 {
		return ""
	}
	text = ordinal.ReplaceAllString(text, "$1")
	if seconds, err := strconv.ParseInt(text, 10, 64); err == nil {
		return epoch(seconds)
	}
	for _, list := range [...][]string{forms, dateForms} {
		for _, form := range list {
			t, err := time.Parse(form, text)
			if err != nil {
				continue
			}
			if !strings.Contains(form, "15") {
				return day(t)
			}
			return moment(t)
		}
	}
	return ""
}

func epoch(seconds int64) boardwatch.Stated {
	if seconds > 100_000_000_000 { // milliseconds
		return moment(time.UnixMilli(seconds).UTC())
	}
	if seconds < 100_000_000 { // a year, a day, a number of days
		return ""
	}
	return moment(time.Unix(seconds, 0).UTC())
}

// earliest is the first year in which anybody could advertise a role that is still read about.
const earliest = 1990

func moment(t time.Time) boardwatch.Stated {
	if t.Year() < earliest || t.Year() > 9990 {
		return ""
	}
	return boardwatch.Stated(t.Format(time.RFC3339))
}

func day(t time.Time) boardwatch.Stated {
	if t.Year() < earliest || t.Year() > 9990 {
		return ""
	}
	return boardwatch.Stated(t.Format(time.DateOnly))
}

var ordinal = regexp.MustCompile(`\b([0-9]{1,2})(?:st|nd|rd|th)\b`)

var daysAgo = regexp.MustCompile(`^(?i:posted )?(?i:(today)|(yesterday)|([0-9]{1,2}) days? ago)$`)

// DaysAgo is the day of "Posted 3 Days Ago" at a moment in the form of HTTP. "30+ Days Ago" is none.
func DaysAgo(text, moment string) boardwatch.Stated {
	m := daysAgo.FindStringSubmatch(strings.TrimSpace(text))
	now, err := http.ParseTime(moment)
	if m == nil || err != nil {
		return ""
	}
	days, _ := strconv.Atoi(m[3]) // nothing is today
	if m[2] != "" {
		days = 1
	}
	return day(now.UTC().AddDate(0, 0, -days))
}
