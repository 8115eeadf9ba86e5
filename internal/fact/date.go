package fact

import (
	_ "embed"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// dateForms are the ways in which sources write moments and days in numbers, and moments with their zones. None of them leaves
// open which number is the month.
//
//nolint:gochecknoglobals // a constant table
var dateForms = []string{
	time.RFC3339, "2006-01-02T15:04:05.999999999Z0700", "2006-01-02T15:04:05.999999999Z07", "2006-01-02 15:04:05 MST", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05 -0700",
	time.RFC1123Z, time.RFC1123, "Mon, 2 Jan 2006 15:04:05 MST", "Mon, 2 Jan 2006 15:04:05 -0700", "Mon, 02 Jan 2006 15:04:05:0",
	"2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05", "2006-01-02T15:04Z07:00", "2006-01-02T15:04", "2006-01-02 15:04", "Mon Jan 2 2006 15:04:05 GMT-0700",
	"2006-1-2", "2006/1/2", "2006.1.2", "2.1.2006", "20060102", "2006年1月2日", "2006년 1월 2일",
}

// American are the ways in which sources write days with the month first.
const American = "1/2/2006"

// Date is a moment or a day as a field states it: text in one of the usual forms, or seconds or milliseconds since 1970.
// Other forms that the source is known to use can be given. What is no date is empty.
func Date(text string, forms ...string) boardwatch.Stated {
	text, _, _ = strings.Cut(strings.TrimSpace(text), " (") // the name of the zone
	text, _, _ = strings.Cut(text, "[")
	if text == "" || len(text) > 60 {
		return ""
	}
	if len(text) > len("2006-01-02T15:04") && text[10] == 'T' {
		text = strings.Replace(text, " ", "+", 1) // as decoding an address leaves it
	}
	if strings.HasPrefix(text, "/Date(") {
		text = scriptDate.ReplaceAllString(text, "$1")
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
	if seconds, err := strconv.ParseInt(text, 10, 64); err == nil {
		return epoch(seconds)
	}
	return worded(text)
}

// scriptDate is a moment as some servers write it for scripts.
var scriptDate = regexp.MustCompile(`^/Date\(([0-9]+)(?:[+-][0-9]{4})?\)/$`)

// monthsFile has a line for each month: what it is called in several languages.
//
//go:embed months.txt
var monthsFile string

//nolint:gochecknoglobals // a constant table
var months = sync.OnceValue(func() map[string]time.Month {
	named, month := make(map[string]time.Month), time.January
	for row := range strings.Lines(monthsFile) {
		for name := range strings.SplitSeq(strings.TrimSpace(row), "|") {
			named[name] = month
		}
		month++
	}
	return named
})

var (
	// besideDates are the other words of dates for people, names of weekdays among them.
	besideDates = regexp.MustCompile(`^(?:posted|published|closes|on|of|the|at|by|until|de|del|di|le|la|el|il|den|der|das|am|um|uhr|bis|à|au|a|las|kl|\p{L}+day|mon|tues?|wed|thur?s?|fri|sat|sun|` +
		`\p{L}+tag|mittwoch|sonnabend|mo|di|mi|do|fr|sa|so|\p{L}+di|dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo|luned[iì]|marted[iì]|mercoled[iì]|gioved[iì]|venerd[iì]|sabato|domenica|` +
		`segunda|terça|quarta|quinta|sexta|feira|\p{L}+dag)$`)
	ordinal = regexp.MustCompile(`^([0-9]{1,2})(?:st|nd|rd|th|er|º|ª|\.)?$`)
	clock   = regexp.MustCompile(`^([0-9]{1,2}:[0-9]{2})(:[0-9]{2})?([ap]m)?$`)
)

// worded is a date for people: a day, the name of a month, a year and perhaps a time, in any order. A word that dates do not have
// makes it none.
func worded(text string) boardwatch.Stated {
	date, year, month, hour := 0, 0, time.Month(0), ""
	for word := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",-/", r) }) {
		plain := strings.Trim(word, ".:")
		n, err := strconv.Atoi(plain)
		switch m := ordinal.FindStringSubmatch(word); {
		case months()[plain] != 0 && month == 0:
			month = months()[plain]
		case m != nil && date == 0:
			date, _ = strconv.Atoi(m[1])
		case err == nil && len(plain) == len("2006") && year == 0:
			year = n
		case clock.MatchString(plain) && hour == "":
			hour = plain
		case hour != "" && (plain == "am" || plain == "pm"):
			hour += plain
		case !besideDates.MatchString(plain):
			return ""
		}
	}
	t := time.Date(year, month, date, 0, 0, 0, 0, time.UTC)
	if month == 0 || t.Day() != date || t.Month() != month {
		return ""
	}
	for _, form := range [...]string{"15:04", "15:04:05", "3:04pm", "3:04:05pm"} {
		if of, err := time.Parse(form, hour); err == nil {
			return moment(t.Add(of.Sub(of.Truncate(24 * time.Hour))))
		}
	}
	return day(t)
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
