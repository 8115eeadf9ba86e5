package storage

import (
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// calendar knows the days of a time zone. It remembers them: many checks are of the same ones.
type calendar struct {
	zone  *time.Location
	known map[int64]day // by the part of a day, in UTC, that was asked for
}

func newCalendar(zone *time.Location) calendar { return calendar{zone, make(map[int64]day)} }

// day is a day and its milliseconds.
type day struct {
	date        time.Time
	first, next int64
}

func (d day) holds(ms int64) bool { return ms >= d.first && ms < d.next }

// of is the day of a moment.
func (c calendar) of(ms int64) day {
	const part = int64(6 * time.Hour / time.Millisecond)
	d := c.known[ms/part]
	if !d.holds(ms) {
		date := boardwatch.Date(time.UnixMilli(ms), c.zone)
		d = day{date, millis(boardwatch.DayBegins(date, c.zone)), millis(boardwatch.DayBegins(date.AddDate(0, 0, 1), c.zone))}
		c.known[ms/part] = d
	}
	return d
}
