package account

import "time"

// DigestDay is the occurrence of the daily mail that is the last one due.
type DigestDay struct {
	Date string    // the day in the person's time zone, such as 2026-11-20
	At   time.Time // when it was due
	Next time.Time // when the next one will be
}

// DigestAt returns the daily mail's last occurrence that is not after now. hour is the installation's own, for people
// who have not chosen one. On a day on which the clock skips that hour, the mail is due at the moment of the change. On
// a day that has the hour twice, it is due the first time.
func (p Preferences) DigestAt(now time.Time, hour int) DigestDay {
	if p.DigestHour >= 0 && p.DigestHour <= 23 {
		hour = p.DigestHour
	}
	loc := p.Location()
	y, m, d := now.In(loc).Date()
	at := hourOf(y, m, d, hour, loc)
	if at.After(now) {
		next := at
		d--
		at = hourOf(y, m, d, hour, loc)
		return DigestDay{Date: date(y, m, d), At: at, Next: next}
	}
	return DigestDay{Date: date(y, m, d), At: at, Next: hourOf(y, m, d+1, hour, loc)}
}

func date(y int, m time.Month, d int) string {
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
}

// hourOf is the first moment of a day at which its clock shows the hour or a later one. It counts minutes from a moment
// that is certainly earlier, which works for changes of half an hour and for days that begin at one o'clock.
func hourOf(y int, m time.Month, d, hour int, loc *time.Location) time.Time {
	want := time.Date(y, m, d, hour, 0, 0, 0, time.UTC) // as a wall clock that never changes
	wall := func(t time.Time) time.Time {
		_, offset := t.In(loc).Zone()
		return t.UTC().Add(time.Duration(offset) * time.Second)
	}
	guess := time.Date(y, m, d, hour, 0, 0, 0, loc)
	t := guess.Add(-4 * time.Hour).Truncate(time.Minute)
	for wall(t).Before(want) {
		t = t.Add(time.Minute)
	}
	return t.UTC()
}
